import FrameCore
import Motion

/// Parameters of the blending weights by visibility. The values were chosen by hand, November 2026.
private enum VisibilityParameters {
    /// Square of the difference along the vector at which the match counts half, in (1/16 grey level)²: four grey levels.
    static let halfDifference: Float = 4096
    /// Trust in a neighbour that comes from a perfect match, where both neighbours show the place.
    static let matchedTrust: Float = 0.3
    /// Trust in a neighbour that shows the place whatever is found there.
    static let leastTrust: Float = 0.001
    /// Trust in a neighbour that does not show the place, so that the weights never divide by 0.
    static let unseenTrust: Float = 0.0001
    /// Square of the distance between a neighbour's motion and the cell's at which trust falls to a quarter, in
    /// (1/32 sample)²: one sample.
    static let agreement: Float = 1024
    /// Difference along the vector above which a match explains nothing, in 1/16 grey level: twelve levels.
    static let unexplainedDifference: Int32 = 192
    /// Trust in the better neighbour below which a cell is unexplained.
    static let unexplainedTrust: Float = 0.1
    /// Weight of the second neighbour, of 256, below which the cell counts as made from the first alone: a tenth.
    static let firstOnly: Int16 = 26
    /// Weight of the second neighbour, of 256, above which the cell counts as made from the second alone: nine tenths.
    static let secondOnly: Int16 = 230
    /// Cell rows that are weighed as one unit.
    static let bandRows = 16
}

/// Parameters of the fallback of a whole frame. The values were chosen by hand, November 2026.
private enum FallbackParameters {
    /// Fifths of the cells that must be unexplained, and more, for a cross-fade.
    static let blendedFifths = 2
    /// Fifths of the cells that must be unexplained, and more, for a copy of the nearer neighbour.
    static let repeatedFifths = 4
}

/// The intermediate flow, motion at one phase between two neighbours, and the blending weights of both, on a grid of square
/// cells.
struct IntermediateFlow {
    /// Side of a cell in luma samples, as a power of two.
    let sideLog2: Int
    /// Components of the vector from the first to the second neighbour, in 1/32 luma sample divided by 2^`level`.
    let vx: Buffer2D<Int16>
    let vy: Buffer2D<Int16>
    let level: Int
    /// Share of the second neighbour, 0…256.
    let weight: Buffer2D<Int16>
    let modes: InterpolationModeCounts

    /// Splats both fields forward to the phase, resolves collisions, fills holes and weighs what either neighbour shows.
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

    /// Motion at the phase, on cells half as large as the flow's, which follow object edges better.
    private static func refined(
        _ flow: OpticalFlow, a: LumaPyramid, b: LumaPyramid, t: Int32, threads: Int
    ) -> IntermediateFlowRefinement {
        let coarsest = flow.forward.level
        let splat = ForwardSplat(
            forward: (flow.forward.cells, flow.forward.consistencyErrors),
            backward: (flow.backward.cells, flow.backward.consistencyErrors),
            t: t)
        parallelFor(splat.bands, threads: threads) { splat.splat(band: $0) }
        func matcher(level: Int, cellLog2: Int) -> BilateralMatcher {
            BilateralMatcher(a: a.levels[level], b: b.levels[level], t: t, cellLog2: cellLog2)
        }
        var cells = IntermediateFlowRefinement(
            vectors: splat.filled(), matcher: matcher(level: coarsest, cellLog2: 2), threads: threads)
        cells.measure()
        for _ in 0..<SelectionParameters.rounds { cells.select(rank: splat.rank) }
        // A finer level of the pyramid serves if there is one.
        cells =
            coarsest > 0
            ? cells.refined(matcher(level: coarsest - 1, cellLog2: 2), scale: 2)
            : cells.refined(matcher(level: 0, cellLog2: 1), scale: 1)
        cells.straighten(rounds: StraighteningParameters.rounds)
        cells.preferStill()
        return cells
    }

    /// Writes each cell's vector and weight.
    ///
    /// - Returns: how many cells one neighbour alone shows, and how many neither explains.
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

    /// Where motion explains too little of the picture, it is not used at all: more than two cells in five unexplained
    /// give a cross-fade, more than four in five the nearer neighbour.
    private static func fallBack(
        _ counts: (oneSide: Int, unexplained: Int), cells: Int, sideLog2: Int, t: Int32, vx: Buffer2D<Int16>,
        vy: Buffer2D<Int16>,
        weight: Buffer2D<Int16>
    ) -> InterpolationModeCounts {
        // Reported in cells of 8×8.
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

/// Visibility of a cell in either neighbour, by whether the thing found there moves the way the cell does.
struct Visibility: Sendable {
    let forward: MotionVectorField
    let backward: MotionVectorField
    /// Phase in 1/1024.
    let t: Int32
    /// Side of the cells in samples of the motion's level, as a power of two.
    let cellLog2: Int
    /// Power of two by which their vectors are longer than the motion's.
    let vectorShift: Int

    /// - Parameter difference: of both neighbours along `v`, as by ``BilateralMatcher``.
    /// - Returns: the share of the second neighbour, 0…256, and whether neither shows anything that moves like this and
    ///   they do not look alike either.
    @inline(__always)
    func weight(_ v: MotionVector, x: Int, y: Int, difference: Int32) -> (second: Int16, isUnexplained: Bool) {
        let wide = SIMD2<Int32>(truncatingIfNeeded: v) &>> Int32(vectorShift)
        // Centre of the cell in 1/128 motion cells from the centre of the first one.
        let cx = Int32((2 * x + 1) << (cellLog2 + 4)) &- 64, cy = Int32((2 * y + 1) << (cellLog2 + 4)) &- 64
        let ax = cx &- (wide.x &* t) >> 10, ay = cy &- (wide.y &* t) >> 10
        let bx = ax &+ wide.x, by = ay &+ wide.y
        let fromA = forward.sample(x: ax, y: ay) &- wide
        let fromB = backward.sample(x: bx, y: by) &+ wide
        typealias P = VisibilityParameters
        let d = Float(difference) * Float(difference) * (1 / P.halfDifference)
        let limitX = Int32(forward.columns) &* 128 &- 64, limitY = Int32(forward.rows) &* 128 &- 64
        func isSeen(_ x: Int32, _ y: Int32) -> Bool { x >= -64 && y >= -64 && x <= limitX && y <= limitY }
        let isSeenByBoth = isSeen(ax, ay) && isSeen(bx, by)
        // Where one neighbour shows nothing the difference says nothing; only the motion found there can explain it.
        let matched: Float = isSeenByBoth ? P.leastTrust + P.matchedTrust / (1 + d * d) : P.leastTrust
        func trust(_ e: SIMD2<Int32>, _ x: Int32, _ y: Int32) -> Float {
            guard isSeen(x, y) else { return P.unseenTrust }
            let q = 1 + (Float(e.x) * Float(e.x) + Float(e.y) * Float(e.y)) * (1 / P.agreement)
            return 1 / (q * q) + matched
        }
        let phase = Float(t) / 1024
        let trustA = trust(fromA, ax, ay), trustB = trust(fromB, bx, by)
        let w0 = trustA * (1 - phase), w1 = trustB * phase
        return (
            Int16(256 * w1 / (w0 + w1) + 0.5),
            (difference > P.unexplainedDifference || !isSeenByBoth) && max(trustA, trustB) < P.unexplainedTrust
        )
    }
}

/// How many 8×8 cells of the made frames were interpolated in which way.
public struct InterpolationModeCounts: Sendable, Hashable {
    /// Motion compensated from both neighbours.
    public var bothSides = 0
    /// Motion compensated from one neighbour, where the other does not show the place.
    public var oneSide = 0
    /// Cross-faded without motion, where no motion could be trusted.
    public var blended = 0
    /// Taken unchanged from the nearer neighbour.
    public var repeated = 0

    /// All zero.
    public init() {}

    /// Adds each count of `b` to that of `a`.
    public static func += (a: inout InterpolationModeCounts, b: InterpolationModeCounts) {
        a.bothSides += b.bothSides
        a.oneSide += b.oneSide
        a.blended += b.blended
        a.repeated += b.repeated
    }
}
