import FrameCore
import Kernels
import Motion

/// Parameters of the selection of motion from the neighbourhood. Differences are in 1/16 grey level, motion in 1/32
/// sample. The values were chosen by hand, November 2026.
enum SelectionParameters {
    /// Rounds of selection.
    static let rounds = 2
    /// Difference up to which a cell keeps its motion: two grey levels.
    static let goodDifference: Int32 = 32
    /// Rank of the splatted vector up to which a cell keeps its motion (see ``ForwardSplat/rank``).
    static let goodRank: UInt32 = 256
    /// Cost of one unit of disagreement with the four neighbours.
    static let disagreementWeight: Int32 = 4
    /// Distance to a neighbour's motion beyond which disagreement no longer grows: eight samples.
    static let maximumDisagreement: Int32 = 256
    /// Distance of a candidate from the motions tried before below which it is skipped: half a sample.
    static let candidateDistance: Int32 = 16
}

/// Parameters of the step to cells of half the side. Differences are in 1/16 grey level, motion in 1/32 sample. The
/// values were chosen by hand, November 2026.
private enum SplittingParameters {
    /// Distance between neighbouring motions up to which motion is smooth and interpolated: one sample.
    static let smoothDistance: Int32 = 32
    /// Distance of a candidate from the cell's own motion below which it is skipped: half a sample.
    static let ownDistance: Int32 = 16
    /// Distance of a candidate from the best motion so far below which it is skipped: a quarter of a sample.
    static let bestDistance: Int32 = 8
    /// Cost of taking the motion of an adjacent cell; that of a diagonal neighbour costs twice as much.
    static let sidePenalty: Int32 = 8
}

/// Parameters of straightening motion borders. Motion is in 1/32 sample. The values were chosen by hand, November 2026.
enum StraighteningParameters {
    /// Rounds of straightening.
    static let rounds = 2
    /// Distance up to which two motions agree: three quarters of a sample.
    static let agreement: Int32 = 24
    /// A cell is replaced if at most this many cells of its 3×3 neighbourhood, itself included, agree with it.
    static let fewAllies: Int32 = 4
    /// Distance between two motions beyond which it no longer grows in the vector median: eight samples.
    static let maximumDistance: Int32 = 256
}

/// Parameters of the preference for stillness. The values were chosen by hand, November 2026.
private enum StillnessParameters {
    /// Motion, in 1/32 sample, at or above which a cell is not slow: two samples.
    static let slow: Int32 = 64
    /// Largest difference at zero motion, divided by that along the cell's motion, at which the cell is set to zero
    /// motion.
    static let ratio: Float = 1.25
    /// Further difference that is allowed at zero motion, in 1/16 grey level.
    static let offset: Float = 6
}

/// The intermediate flow during refinement: one vector per cell, and the difference of the neighbours along it.
struct IntermediateFlowRefinement {
    /// Motion from the first to the second neighbour, in 1/32 sample of the matcher's planes.
    var vectors: Buffer2D<MotionVector>
    /// Mean absolute difference of the neighbours along each vector, in 1/16 grey level; 0 until measured.
    var difference: Buffer2D<Int32>
    let matcher: BilateralMatcher
    let context: ExecutionContext

    var columns: Int { vectors.columns }
    var rows: Int { vectors.rows }

    init(vectors: Buffer2D<MotionVector>, matcher: BilateralMatcher, context: ExecutionContext) {
        self.vectors = vectors
        self.matcher = matcher
        self.context = context
        difference = Buffer2D(columns: vectors.columns, rows: vectors.rows, filledWith: 0)
    }

    /// Cell rows that are processed as one unit.
    private static let bandRows = 8

    /// Calls `body` with each row, several at a time.
    func forEachRow(_ body: @Sendable (Int) -> Void) {
        parallelBands(rows, height: Self.bandRows, threads: context.threads) { band in
            for y in band { body(y) }
        }
    }

    /// Measures the difference of every cell.
    func measure() {
        let vectors = vectors, difference = difference, matcher = matcher
        forEachRow { y in
            matcher.compare(row: y, 0..<vectors.columns, along: { vectors[$0, y] }) { difference[$0, y] = $2 }
        }
    }

    /// Lets cells with doubtful motion try the motion of the cells around them.
    ///
    /// - Parameter rank: ``ForwardSplat/rank`` of each cell; well-ranked cells keep their motion.
    mutating func select(rank: Buffer2D<UInt32>) {
        typealias P = SelectionParameters
        let from = vectors, fromDifference = difference, matcher = matcher
        let to = Buffer2D<MotionVector>(columns: columns, rows: rows, filledWith: .zero)
        let toDifference = Buffer2D<Int32>(columns: columns, rows: rows, filledWith: 0)
        forEachRow { y in
            for x in 0..<from.columns {
                var best = from[x, y], bestDifference = fromDifference[x, y]
                if bestDifference > P.goodDifference, rank[x, y] > P.goodRank {
                    let own = best
                    var bestCost =
                        bestDifference &+ Self.disagreement(best, x, y, from) &* P.disagreementWeight
                    for (dx, dy) in Self.around {
                        let nx = x &+ dx, ny = y &+ dy
                        guard nx >= 0, ny >= 0, nx < from.columns, ny < from.rows else { continue }
                        let v = from[nx, ny]
                        if v.distance(to: best) < P.candidateDistance || v.distance(to: own) < P.candidateDistance {
                            continue
                        }
                        let penalty = Self.disagreement(v, x, y, from) &* P.disagreementWeight
                        if penalty >= bestCost { continue }
                        let d = matcher.difference(v, x: x, y: y)
                        if d &+ penalty < bestCost {
                            bestCost = d &+ penalty
                            best = v
                            bestDifference = d
                        }
                    }
                }
                to[x, y] = best
                toDifference[x, y] = bestDifference
            }
        }
        vectors = to
        difference = toDifference
    }

    /// Offsets, in cells, of the neighbours whose motion is tried. Chosen by hand, November 2026.
    private static let around = [
        (-1, 0), (1, 0), (0, -1), (0, 1), (-2, -2), (2, -2), (-2, 2), (2, 2), (-3, 0), (3, 0), (0, -3), (0, 3),
    ]

    /// Returns the mean capped distance of `v` from the motion of the four nearest cells, in 1/32 sample.
    @inline(__always)
    private static func disagreement(_ v: MotionVector, _ x: Int, _ y: Int, _ from: Buffer2D<MotionVector>) -> Int32 {
        let most = SelectionParameters.maximumDisagreement
        return
            (min(v.distance(to: from.clamped(x &- 1, y)), most) &+ min(v.distance(to: from.clamped(x &+ 1, y)), most)
            &+ min(v.distance(to: from.clamped(x, y &- 1)), most)
            &+ min(v.distance(to: from.clamped(x, y &+ 1)), most)) >> 2
    }

    /// Returns the field on cells of half the side. Where motion is smooth, it is interpolated linearly; at
    /// discontinuities, each small cell takes the best-matching motion of the four nearest large cells.
    ///
    /// - Parameters:
    ///   - matcher: compares the neighbours for the small cells.
    ///   - scale: 2 when `matcher` reads a level twice as large, otherwise 1.
    func refined(_ matcher: BilateralMatcher, scale: Int32) -> IntermediateFlowRefinement {
        let side = 1 << matcher.cellLog2
        let columns = (matcher.a.width + side - 1) / side, rows = (matcher.a.height + side - 1) / side
        let result = IntermediateFlowRefinement(
            vectors: Buffer2D(columns: columns, rows: rows, filledWith: .zero), matcher: matcher, context: context)
        let from = vectors, fromDifference = difference, to = result.vectors, toDifference = result.difference
        result.forEachRow { y in
            let rough = Scratch<Int32>(columns)
            var field = vfx_subdivision(
                vectors: from.kernelVectors, differences: fromDifference.base, columns: Int32(from.columns),
                rows: Int32(from.rows), scale: scale, smooth_distance: SplittingParameters.smoothDistance)
            let count = context.kernels.pointee.subdivide_row(
                &field, Int32(y), Int32(columns), to.kernelVectors + y * columns, toDifference.base + y * columns,
                rough.base)
            result.selectNearest(
                UnsafeBufferPointer(start: rough.base, count: Int(count)), y, from: from, scale: scale)
        }
        return result
    }

    /// Gives cells of a row the best-matching motion of the four nearest of the large cells that they were split from.
    private func selectNearest(
        _ columns: UnsafeBufferPointer<Int32>, _ y: Int, from: Buffer2D<MotionVector>, scale: Int32
    ) {
        typealias P = SplittingParameters
        if columns.isEmpty { return }
        let vectors = vectors, difference = difference
        func scaled(_ v: MotionVector) -> MotionVector {
            MotionVector(clamping: SIMD2<Int32>(truncatingIfNeeded: v) &* scale)
        }
        func beside(_ small: Int) -> Int { (small >> 1) &+ (small & 1 == 0 ? -1 : 1) }
        let costs = Scratch<Int32>(vectors.columns)
        // The large cell that contains the small one, the one beside it, the one above or below, the last one.
        for nearest in 0..<4 {
            let isOwn = nearest == 0, row = nearest & 2 == 0 ? y >> 1 : beside(y)
            let penalty: Int32 = isOwn ? 0 : nearest == 3 ? 2 * P.sidePenalty : P.sidePenalty
            matcher.compare(row: y, columns.lazy.map(Int.init)) { x -> MotionVector? in
                let v = scaled(from.clamped(nearest & 1 == 0 ? x >> 1 : beside(x), row))
                let isTried =
                    !isOwn
                    && (v.distance(to: scaled(from[x >> 1, y >> 1])) < P.ownDistance
                        || v.distance(to: vectors[x, y]) < P.bestDistance)
                return isTried ? nil : v
            } body: { x, v, d in
                guard isOwn || d &+ penalty < costs[x] else { return }
                costs[x] = d &+ penalty
                vectors[x, y] = v
                difference[x, y] = d
            }
        }
    }

    /// Straightens ragged motion borders: a cell with which few neighbours agree takes the vector median of its 3×3
    /// neighbourhood (Astola et al. 1990).
    mutating func straighten(rounds: Int) {
        typealias P = StraighteningParameters
        for _ in 0..<rounds {
            let from = vectors, matcher = matcher, kernel = context.kernels.pointee.vector_median_row
            let to = Buffer2D<MotionVector>(columns: columns, rows: rows)
            let toDifference = Buffer2D(copying: difference)
            forEachRow { y in
                let changed = Scratch<Int32>(from.columns)
                var field = vfx_vector_median(
                    vectors: from.kernelVectors, columns: Int32(from.columns), rows: Int32(from.rows),
                    agreement: P.agreement, few_allies: P.fewAllies, maximum_distance: P.maximumDistance)
                let count = kernel(
                    &field, Int32(y), to.kernelVectors + y * to.columns, changed.base)
                let columns = UnsafeBufferPointer(start: changed.base, count: Int(count)).lazy.map(Int.init)
                matcher.compare(row: y, columns, along: { to[$0, y] }) { toDifference[$0, y] = $2 }
            }
            vectors = to
            difference = toDifference
        }
    }

    /// Sets slow cells to zero motion where that matches about as well: the estimated motion is then mostly noise,
    /// which would make static content waver.
    func preferStill() {
        typealias P = StillnessParameters
        let vectors = vectors, difference = difference, matcher = matcher
        forEachRow { y in
            matcher.compare(row: y, 0..<vectors.columns) { x -> MotionVector? in
                let v = vectors[x, y]
                return v != .zero && v.distance(to: .zero) < P.slow ? .zero : nil
            } body: { x, v, still in
                if Float(still) <= Float(difference[x, y]) * P.ratio + P.offset {
                    vectors[x, y] = v
                    difference[x, y] = still
                }
            }
        }
    }

    /// Returns the cells with the motion that matches best among the alternatives to theirs, if there are any.
    ///
    /// - Parameter distance: receives the distance of the alternative from the cell's motion (see
    ///   ``IntermediateFlow/distance``); must be 0.
    func replaced(by alternatives: AlternativeMotion, distance: Buffer2D<Int16>) -> IntermediateFlowRefinement {
        var result = self
        result.vectors = Buffer2D(copying: vectors)
        result.difference = Buffer2D(copying: difference)
        let from = vectors, to = result.vectors, difference = result.difference, matcher = matcher
        forEachRow { y in
            for x in 0..<from.columns {
                let own = from[x, y]
                guard let other = alternatives.best(x: x, y: y, otherThan: own, matcher: matcher) else { continue }
                to[x, y] = other.vector
                difference[x, y] = other.difference
                distance[x, y] = Int16(min(32 + other.vector.distance(to: own) / 4, 255))
            }
        }
        return result
    }
}
