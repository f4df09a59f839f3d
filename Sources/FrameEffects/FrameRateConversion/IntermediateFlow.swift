import FrameCore
import Kernels
import Motion

/// Parameters of the fallback for a whole frame. The values were chosen by hand, November 2026.
private enum FallbackParameters {
    /// The neighbours are cross-faded when more than this many fifths of the cells are unexplained.
    static let blendedFifths = 2
    /// The nearer neighbour is copied when more than this many fifths of the cells are unexplained.
    static let repeatedFifths = 4
}

/// Motion of every cell of the intermediate flow, and the visibility of its content.
struct MotionLayer {
    /// Horizontal motion from the first to the second neighbour, in 1/32 sample of the flow's level.
    let vx: Buffer2D<Int16>
    /// Vertical motion from the first to the second neighbour, in 1/32 sample of the flow's level.
    let vy: Buffer2D<Int16>
    /// Share of the second neighbour in the trust, 0…256, whatever the phase.
    let share: Buffer2D<Int16>
    /// Trust in the better neighbour, 0…255.
    let trust: Buffer2D<Int16>

    fileprivate init(columns: Int, rows: Int) {
        func cells() -> Buffer2D<Int16> { Buffer2D(columns: columns, rows: rows, filledWith: 0) }
        (vx, vy, share, trust) = (cells(), cells(), cells(), cells())
    }

    /// The addresses of one row, with a row of weights of the neighbours.
    fileprivate func row(_ y: Int, weight: Buffer2D<Int16>) -> vfx_visibility_row {
        let first = y * vx.columns
        return vfx_visibility_row(
            vx: vx.base + first, vy: vy.base + first, weight: weight.base + first, share: share.base + first,
            trust: trust.base + first)
    }
}

/// The intermediate flow: the motion at a phase between two neighbours and their blending weights, on a grid of square
/// cells.
struct IntermediateFlow {
    /// log2 of the side of a cell in luma samples.
    let sideLog2: Int
    /// The pyramid level of the vectors; 0 is full size.
    let level: Int
    /// The selected motion.
    let first: MotionLayer
    /// Weight of the second neighbour along the selected motion, 0…256.
    let weight: Buffer2D<Int16>
    /// The best motion nearby that differs from the selected one, or again the selected one; nil if it is not wanted, or
    /// no motion can be trusted.
    private(set) var second: MotionLayer?
    /// Distance between the two motions: 0 where they are the same, otherwise 32 plus 1/8 sample each, up to 255.
    let distance: Buffer2D<Int16>
    /// How the cells are interpolated.
    private(set) var modes = InterpolationModeCounts()

    var columns: Int { weight.columns }
    var rows: Int { weight.rows }

    /// Splats both fields to the phase, resolves collisions, fills holes and weighs the neighbours by visibility.
    ///
    /// - Parameters:
    ///   - hasAlternatives: whether to find ``second``.
    ///   - context: the threads and kernels to use.
    init(
        _ flow: OpticalFlow, a: LumaPyramid, b: LumaPyramid, phase: Float, hasAlternatives: Bool,
        context: ExecutionContext
    ) {
        let t = Int32((phase * 1024).rounded()), coarsest = flow.forward.level
        let (cells, alternatives) = Self.refined(
            flow, a: a, b: b, t: t, hasAlternatives: hasAlternatives, context: context)
        // The cells have been refined on the next finer level of the pyramid, if there is one.
        level = max(0, coarsest - 1)
        sideLog2 = level + cells.matcher.cellLog2
        let columns = cells.columns, rows = cells.rows
        first = MotionLayer(columns: columns, rows: rows)
        weight = Buffer2D(columns: columns, rows: rows, filledWith: 0)
        distance = Buffer2D(columns: columns, rows: rows, filledWith: 0)
        let visibility = Visibility(
            forward: flow.forward.cells, backward: flow.backward.cells, t: t, vectorShift: coarsest - level,
            context: context)
        let counts = Self.judge(cells, visibility, into: first, weight: weight)
        if let alternatives {
            let others = cells.replaced(by: alternatives, distance: distance)
            let second = MotionLayer(columns: columns, rows: rows)
            // The network weighs the second motion; these weights are not used.
            let weight = Buffer2D<Int16>(columns: columns, rows: rows)
            _ = Self.judge(others, visibility, into: second, weight: weight)
            self.second = second
        }
        fallBack(counts, t: t)
    }

    /// Returns the motion at the phase on cells half as large as the flow's, which follow object edges better, and the
    /// alternatives to it.
    private static func refined(
        _ flow: OpticalFlow, a: LumaPyramid, b: LumaPyramid, t: Int32, hasAlternatives: Bool, context: ExecutionContext
    ) -> (cells: IntermediateFlowRefinement, alternatives: AlternativeMotion?) {
        let coarsest = flow.forward.level
        let splat = flow.splatted(t: t, context: context)
        func matcher(level: Int, cellLog2: Int) -> BilateralMatcher {
            BilateralMatcher(a: a.levels[level], b: b.levels[level], t: t, cellLog2: cellLog2, context: context)
        }
        let vectors = splat.filled(), coarse = matcher(level: coarsest, cellLog2: 2)
        var cells = IntermediateFlowRefinement(vectors: vectors, matcher: coarse, context: context)
        cells.measure()
        for _ in 0..<SelectionParameters.rounds { cells.select(rank: splat.rank) }
        // Match on the next finer level of the pyramid if there is one, otherwise on smaller cells of level 0.
        cells =
            coarsest > 0
            ? cells.refined(matcher(level: coarsest - 1, cellLog2: 2), scale: 2)
            : cells.refined(matcher(level: 0, cellLog2: 1), scale: 1)
        cells.straighten(rounds: StraighteningParameters.rounds)
        cells.preferStill()
        guard hasAlternatives else { return (cells, nil) }
        return (
            cells,
            AlternativeMotion(
                around: vectors, matcher: coarse, scaleLog2: coarsest > 0 ? 1 : 0, cellShift: 1, context: context)
        )
    }

    /// Judges the motion of each cell.
    ///
    /// - Returns: the number of cells made from one neighbour only, and of cells that neither neighbour explains.
    private static func judge(
        _ cells: IntermediateFlowRefinement, _ visibility: Visibility, into layer: MotionLayer, weight: Buffer2D<Int16>
    ) -> (oneSide: Int, unexplained: Int) {
        let counts = Buffer2D<vfx_visibility_counts>(columns: 1, rows: cells.rows)
        let vectors = cells.vectors, differences = cells.difference
        cells.forEachRow { y in
            counts[0, y] = visibility.judge(y, vectors, differences, into: layer.row(y, weight: weight))
        }
        return (0..<cells.rows).reduce(into: (0, 0)) { sum, y in
            sum.0 += Int(counts[0, y].one_side)
            sum.1 += Int(counts[0, y].unexplained)
        }
    }

    /// Replaces the motion when it explains too little of the frame: by a cross-fade if more than two fifths of the
    /// cells are unexplained, by a copy of the nearer neighbour if more than four fifths are. Counts the number of 8×8
    /// cells in each interpolation mode.
    private mutating func fallBack(_ counts: (oneSide: Int, unexplained: Int), t: Int32) {
        let cells = columns * rows
        // Counts are reported in cells of 8×8 luma samples.
        func scaled(_ count: Int) -> Int {
            sideLog2 >= 3 ? count << (2 * (sideLog2 - 3)) : count >> (2 * (3 - sideLog2))
        }
        let lost = counts.unexplained * 5
        if lost > FallbackParameters.blendedFifths * cells {
            let repeats = lost > FallbackParameters.repeatedFifths * cells
            let share: Int16 = repeats ? (t < 512 ? 0 : 256) : Int16((t + 2) >> 2)
            first.vx.base.update(repeating: 0, count: cells)
            first.vy.base.update(repeating: 0, count: cells)
            weight.base.update(repeating: share, count: cells)
            second = nil
            if repeats { modes.repeated = scaled(cells) } else { modes.blended = scaled(cells) }
            return
        }
        modes.oneSide = scaled(counts.oneSide)
        modes.bothSides = scaled(cells) - modes.oneSide
    }
}

/// The number of 8×8 cells of the interpolated frames, by interpolation mode.
public struct InterpolationModeCounts: Sendable, Hashable {
    /// Motion-compensated from both neighbours.
    public var bothSides = 0
    /// Motion-compensated from one neighbour, where the other does not show the content.
    public var oneSide = 0
    /// Cross-faded without motion, where no motion could be trusted.
    public var blended = 0
    /// Copied from the nearer neighbour.
    public var repeated = 0

    /// Creates counts of zero.
    public init() {}

    /// Adds the counts of `b` to those of `a`.
    public static func += (a: inout InterpolationModeCounts, b: InterpolationModeCounts) {
        a.bothSides += b.bothSides
        a.oneSide += b.oneSide
        a.blended += b.blended
        a.repeated += b.repeated
    }
}
