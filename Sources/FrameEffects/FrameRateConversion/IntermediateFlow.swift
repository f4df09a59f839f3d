import FrameCore
import Motion

/// Parameters of the fallback for a whole frame. The values were chosen by hand, November 2026.
private enum FallbackParameters {
    /// The neighbours are cross-faded when more than this many fifths of the cells are unexplained.
    static let blendedFifths = 2
    /// The nearer neighbour is copied when more than this many fifths of the cells are unexplained.
    static let repeatedFifths = 4
}

/// The intermediate flow: the motion at a phase between two neighbours and their blending weights, on a grid of square
/// cells.
struct IntermediateFlow {
    /// log2 of the side of a cell in luma samples.
    let sideLog2: Int
    /// Horizontal motion from the first to the second neighbour, in 1/32 sample of ``level``.
    let vx: Buffer2D<Int16>
    /// Vertical motion from the first to the second neighbour, in 1/32 sample of ``level``.
    let vy: Buffer2D<Int16>
    /// The pyramid level of the vectors; 0 is full size.
    let level: Int
    /// Weight of the second neighbour, 0…256.
    let weight: Buffer2D<Int16>
    /// How the cells are interpolated.
    let modes: InterpolationModeCounts

    /// Splats both fields to the phase, resolves collisions, fills holes and weighs the neighbours by visibility.
    init(
        _ flow: OpticalFlow, a: LumaPyramid, b: LumaPyramid, phase: Float, threads: Int
    ) {
        let t = Int32((phase * 1024).rounded()), coarsest = flow.forward.level
        let cells = Self.refined(flow, a: a, b: b, t: t, threads: threads)
        // The cells have been refined on the next finer level of the pyramid, if there is one.
        level = max(0, coarsest - 1)
        sideLog2 = level + cells.matcher.cellLog2
        let columns = cells.columns, rows = cells.rows
        vx = Buffer2D(columns: columns, rows: rows, filledWith: 0)
        vy = Buffer2D(columns: columns, rows: rows, filledWith: 0)
        weight = Buffer2D(columns: columns, rows: rows, filledWith: 0)
        let visibility = Visibility(
            forward: flow.forward.cells, backward: flow.backward.cells, t: t, cellLog2: sideLog2 - coarsest,
            vectorShift: coarsest - level)
        let counts = Self.weigh(cells, visibility, vx: vx, vy: vy, weight: weight, threads: threads)
        modes = Self.fallBack(
            counts, cells: columns * rows, sideLog2: sideLog2, t: t, vx: vx, vy: vy, weight: weight)
    }

    /// Returns the motion at the phase on cells half as large as the flow's, which follow object edges better.
    private static func refined(
        _ flow: OpticalFlow, a: LumaPyramid, b: LumaPyramid, t: Int32, threads: Int
    ) -> IntermediateFlowRefinement {
        let coarsest = flow.forward.level
        let splat = flow.splatted(t: t, threads: threads)
        func matcher(level: Int, cellLog2: Int) -> BilateralMatcher {
            BilateralMatcher(a: a.levels[level], b: b.levels[level], t: t, cellLog2: cellLog2)
        }
        var cells = IntermediateFlowRefinement(
            vectors: splat.filled(), matcher: matcher(level: coarsest, cellLog2: 2), threads: threads)
        cells.measure()
        for _ in 0..<SelectionParameters.rounds { cells.select(rank: splat.rank) }
        // Match on the next finer level of the pyramid if there is one, otherwise on smaller cells of level 0.
        cells =
            coarsest > 0
            ? cells.refined(matcher(level: coarsest - 1, cellLog2: 2), scale: 2)
            : cells.refined(matcher(level: 0, cellLog2: 1), scale: 1)
        cells.straighten(rounds: StraighteningParameters.rounds)
        cells.preferStill()
        return cells
    }

    /// Writes the vector and the weight of each cell.
    ///
    /// - Returns: the number of cells made from one neighbour only, and of cells that neither neighbour explains.
    private static func weigh(
        _ cells: IntermediateFlowRefinement, _ visibility: Visibility, vx: Buffer2D<Int16>, vy: Buffer2D<Int16>,
        weight: Buffer2D<Int16>, threads: Int
    ) -> (oneSide: Int, unexplained: Int) {
        let columns = cells.columns, rows = cells.rows
        let oneSide = Buffer2D<Int32>(columns: 1, rows: rows, filledWith: 0)
        let unexplained = Buffer2D<Int32>(columns: 1, rows: rows, filledWith: 0)
        let bandRows = VisibilityParameters.bandRows
        parallelFor((rows + bandRows - 1) / bandRows, threads: threads) { band in
            for y in band * bandRows..<min(rows, band * bandRows + bandRows) {
                var (fromOne, lost): (Int32, Int32) = (0, 0)
                for x in 0..<columns {
                    let v = cells.vectors[x, y]
                    vx[x, y] = v.x
                    vy[x, y] = v.y
                    let share = visibility.weight(v, x: x, y: y, difference: cells.difference[x, y])
                    weight[x, y] = share.second
                    if share.second < VisibilityParameters.firstOnly || share.second > VisibilityParameters.secondOnly {
                        fromOne &+= 1
                    }
                    if share.isUnexplained { lost &+= 1 }
                }
                oneSide[0, y] = fromOne
                unexplained[0, y] = lost
            }
        }
        func sum(_ counts: Buffer2D<Int32>) -> Int { (0..<rows).reduce(0) { $0 + Int(counts[0, $1]) } }
        return (sum(oneSide), sum(unexplained))
    }

    /// Replaces the motion when it explains too little of the frame: by a cross-fade if more than two fifths of the
    /// cells are unexplained, by a copy of the nearer neighbour if more than four fifths are.
    ///
    /// - Returns: the number of 8×8 cells in each interpolation mode.
    private static func fallBack(
        _ counts: (oneSide: Int, unexplained: Int), cells: Int, sideLog2: Int, t: Int32, vx: Buffer2D<Int16>,
        vy: Buffer2D<Int16>,
        weight: Buffer2D<Int16>
    ) -> InterpolationModeCounts {
        // Counts are reported in cells of 8×8 luma samples.
        func scaled(_ count: Int) -> Int {
            sideLog2 >= 3 ? count << (2 * (sideLog2 - 3)) : count >> (2 * (3 - sideLog2))
        }
        var result = InterpolationModeCounts()
        let lost = counts.unexplained * 5
        if lost > FallbackParameters.blendedFifths * cells {
            let repeats = lost > FallbackParameters.repeatedFifths * cells
            let share: Int16 = repeats ? (t < 512 ? 0 : 256) : Int16((t + 2) >> 2)
            vx.base.update(repeating: 0, count: cells)
            vy.base.update(repeating: 0, count: cells)
            weight.base.update(repeating: share, count: cells)
            if repeats { result.repeated = scaled(cells) } else { result.blended = scaled(cells) }
            return result
        }
        result.oneSide = scaled(counts.oneSide)
        result.bothSides = scaled(cells) - result.oneSide
        return result
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
