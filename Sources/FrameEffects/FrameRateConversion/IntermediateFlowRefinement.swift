import FrameCore
import Motion

/// The intermediate flow while it is refined: one vector per cell and how well both neighbours match along it.
struct IntermediateFlowRefinement {
    var vectors: Buffer2D<MotionVector>
    /// As by ``BilateralMatcher``; 0 until measured.
    var difference: Buffer2D<Int32>
    let matcher: BilateralMatcher
    let threads: Int

    var columns: Int { vectors.columns }
    var rows: Int { vectors.rows }

    init(vectors: Buffer2D<MotionVector>, matcher: BilateralMatcher, threads: Int) {
        self.vectors = vectors
        self.matcher = matcher
        self.threads = threads
        difference = Buffer2D(columns: vectors.columns, rows: vectors.rows, filledWith: 0)
    }

    private func forEachRow(_ body: @Sendable (Int) -> Void) {
        let rows = rows
        parallelFor((rows + 7) / 8, threads: threads) { band in
            for y in band * 8..<min(rows, band * 8 + 8) { body(y) }
        }
    }

    func measure() {
        let vectors = vectors, difference = difference, matcher = matcher
        forEachRow { y in
            for x in 0..<vectors.columns { difference[x, y] = matcher.difference(vectors[x, y], x: x, y: y) }
        }
    }

    /// Lets cells whose own motion is in doubt try the motion of the cells around them.
    ///
    /// - Parameter rank: cells ranked at most 256 (see ``ForwardSplat``) keep what was splatted there.
    mutating func select(rank: Buffer2D<UInt32>) {
        let from = vectors, fromDifference = difference, matcher = matcher
        let to = Buffer2D<MotionVector>(columns: columns, rows: rows, filledWith: .zero)
        let toDifference = Buffer2D<Int32>(columns: columns, rows: rows, filledWith: 0)
        forEachRow { y in
            for x in 0..<from.columns {
                var best = from[x, y], bestDifference = fromDifference[x, y]
                if bestDifference > 32, rank[x, y] > 256 {
                    let own = best
                    var bestCost = bestDifference &+ Self.disagreement(best, x, y, from) &* 4
                    for (dx, dy) in Self.around {
                        let nx = x &+ dx, ny = y &+ dy
                        guard nx >= 0, ny >= 0, nx < from.columns, ny < from.rows else { continue }
                        let v = from[nx, ny]
                        if v.distance(to: best) < 16 || v.distance(to: own) < 16 { continue }
                        let penalty = Self.disagreement(v, x, y, from) &* 4
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

    private static let around = [
        (-1, 0), (1, 0), (0, -1), (0, 1), (-2, -2), (2, -2), (-2, 2), (2, 2), (-3, 0), (3, 0), (0, -3), (0, 3),
    ]

    /// Mean capped distance to the four neighbours' motion, 1/32 sample.
    @inline(__always)
    private static func disagreement(_ v: MotionVector, _ x: Int, _ y: Int, _ from: Buffer2D<MotionVector>) -> Int32 {
        (min(v.distance(to: from.clamped(x &- 1, y)), 256) &+ min(v.distance(to: from.clamped(x &+ 1, y)), 256)
            &+ min(v.distance(to: from.clamped(x, y &- 1)), 256) &+ min(v.distance(to: from.clamped(x, y &+ 1)), 256))
            >> 2
    }

    /// The same field on cells of half the side: linear where motion is smooth; where it breaks, each small cell takes
    /// the one of the motions around it that matches best.
    ///
    /// - Parameter scale: 2 when `matcher` reads a level twice as large, else 1.
    func refined(_ matcher: BilateralMatcher, scale: Int32) -> IntermediateFlowRefinement {
        let side = 1 << matcher.cellLog2
        let columns = (matcher.a.width + side - 1) / side, rows = (matcher.a.height + side - 1) / side
        let result = IntermediateFlowRefinement(
            vectors: Buffer2D(columns: columns, rows: rows, filledWith: .zero), matcher: matcher, threads: threads)
        let from = vectors, fromDifference = difference, to = result.vectors, toDifference = result.difference
        result.forEachRow { y in
            for x in 0..<columns {
                // The four nearest coarse cells, own one first.
                let ox = min(x >> 1, from.columns - 1), oy = min(y >> 1, from.rows - 1)
                let nx = min(max(ox &+ (x & 1 == 0 ? -1 : 1), 0), from.columns - 1)
                let ny = min(max(oy &+ (y & 1 == 0 ? -1 : 1), 0), from.rows - 1)
                let own = from[ox, oy], side = from[nx, oy], behind = from[ox, ny], corner = from[nx, ny]
                let spread = max(own.distance(to: side), own.distance(to: behind), own.distance(to: corner))
                let sum =
                    SIMD2<Int32>(truncatingIfNeeded: own) &* 9
                    &+ (SIMD2<Int32>(truncatingIfNeeded: side) &+ SIMD2<Int32>(truncatingIfNeeded: behind)) &* 3
                    &+ SIMD2<Int32>(truncatingIfNeeded: corner)
                let mean = MotionVector(clamping: (sum &* scale &+ 8) &>> 4)
                if spread &* scale <= 32 {
                    to[x, y] = mean
                    toDifference[x, y] = fromDifference[ox, oy]
                    continue
                }
                var best = scaled(own, scale), bestDifference = matcher.difference(best, x: x, y: y)
                var bestCost = bestDifference
                let first = best
                func consider(_ coarse: MotionVector, _ penalty: Int32) {
                    let v = scaled(coarse, scale)
                    if v.distance(to: first) < 16 || v.distance(to: best) < 8 { return }
                    let d = matcher.difference(v, x: x, y: y)
                    if d &+ penalty < bestCost {
                        bestCost = d &+ penalty
                        best = v
                        bestDifference = d
                    }
                }
                consider(side, 8)
                consider(behind, 8)
                consider(corner, 8 &* 2)
                to[x, y] = best
                toDifference[x, y] = bestDifference
            }
        }
        return result
    }

    @inline(__always)
    private func scaled(_ v: MotionVector, _ scale: Int32) -> MotionVector {
        MotionVector(clamping: SIMD2<Int32>(truncatingIfNeeded: v) &* scale)
    }

    /// Straightens ragged borders between motions: a cell that few of its neighbours agree with takes the vector among
    /// the 3×3 that is nearest to all (vector median, Astola et al. 1990).
    mutating func straighten(rounds: Int) {
        for _ in 0..<rounds {
            let from = vectors, fromDifference = difference, matcher = matcher
            let to = Buffer2D<MotionVector>(columns: columns, rows: rows, filledWith: .zero)
            let toDifference = Buffer2D<Int32>(columns: columns, rows: rows, filledWith: 0)
            forEachRow { y in
                withUnsafeTemporaryAllocation(of: MotionVector.self, capacity: 9) { around in
                    for x in 0..<from.columns {
                        let own = from[x, y]
                        if Self.agrees(own, with: from, x, y) {
                            to[x, y] = own
                            toDifference[x, y] = fromDifference[x, y]
                            continue
                        }
                        var allies = 0, n = 0
                        for dy in -1...1 {
                            for dx in -1...1 {
                                let v = from.clamped(x &+ dx, y &+ dy)
                                around[n] = v
                                n += 1
                                if v.distance(to: own) <= 24 { allies += 1 }
                            }
                        }
                        var best = own, bestDifference = fromDifference[x, y]
                        if allies <= 4 {
                            var least = Int32.max
                            for i in 0..<9 {
                                var total: Int32 = 0
                                for j in 0..<9 { total &+= min(around[i].distance(to: around[j]), 256) }
                                if total < least {
                                    least = total
                                    best = around[i]
                                }
                            }
                            if best != own { bestDifference = matcher.difference(best, x: x, y: y) }
                        }
                        to[x, y] = best
                        toDifference[x, y] = bestDifference
                    }
                }
            }
            vectors = to
            difference = toDifference
        }
    }

    /// Whether the four nearest cells move like this one, as most do.
    @inline(__always)
    private static func agrees(_ own: MotionVector, with from: Buffer2D<MotionVector>, _ x: Int, _ y: Int) -> Bool {
        from.clamped(x &- 1, y).distance(to: own) <= 24 && from.clamped(x &+ 1, y).distance(to: own) <= 24
            && from.clamped(x, y &- 1).distance(to: own) <= 24 && from.clamped(x, y &+ 1).distance(to: own) <= 24
    }

    /// Takes slow cells as still where stillness matches about as well: what is left then is noise, which must not move.
    func preferStill() {
        let vectors = vectors, difference = difference, matcher = matcher
        forEachRow { y in
            for x in 0..<vectors.columns {
                let v = vectors[x, y]
                guard v != .zero, abs(Int32(v.x)) &+ abs(Int32(v.y)) < 64 else { continue }
                let still = matcher.difference(.zero, x: x, y: y)
                if Float(still) <= Float(difference[x, y]) * 1.25 + 6 {
                    vectors[x, y] = .zero
                    difference[x, y] = still
                }
            }
        }
    }
}
