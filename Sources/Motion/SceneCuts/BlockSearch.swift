import FrameCore

/// Parameters of the search for a motion of the whole frame. The values were chosen by hand, November 2026.
private enum GlobalMotionParameters {
    /// Largest motion along a side, in eighths of that side.
    static let reachEighths = 5
    /// Extra cost of a match without any overlap, in eighths of its cost: little overlap matches by chance, so it must
    /// match better.
    static let overlapPenaltyEighths = 4
}

// Block matching by the sum of absolute differences. Displacements are in cells.
extension DownscaledPlane {
    /// Returns the sum of absolute differences of two blocks, in 1/4 of an 8-bit level.
    ///
    /// The sum is at most 64 · 1020, so each of the eight lanes fits 16 bits.
    @inline(__always)
    static func difference(
        _ a: UnsafePointer<Int16>, stride strideA: Int, _ b: UnsafePointer<Int16>, stride strideB: Int
    ) -> Int32 {
        var sum = SIMD8<UInt16>.zero
        for row in 0..<blockSide {
            let p = UnsafeRawPointer(a + row &* strideA).loadUnaligned(as: SIMD8<Int16>.self)
            let q = UnsafeRawPointer(b + row &* strideB).loadUnaligned(as: SIMD8<Int16>.self)
            let d = p &- q
            let sign = d &>> 15
            sum = sum &+ SIMD8<UInt16>(truncatingIfNeeded: (d ^ sign) &- sign)
        }
        return Int32(sum.wrappedSum())
    }

    /// Returns the best match in this plane of the block at `x`, `y` of `source`, within `radius` cells of each of
    /// `centers`; nil when no position is inside the plane.
    ///
    /// A centre whose cost is at most `goodEnough` ends the search. If costs are equal, the first wins, so flat blocks
    /// stay at the first centre.
    ///
    /// The difference of the sums of two blocks is a lower bound of their cost, so most positions are left out without
    /// changing the result (successive elimination: Li and Salari, 1995).
    ///
    /// - Parameter sums: the ``blockSums`` of this plane.
    package func bestMatch(
        of source: DownscaledPlane, x: Int, y: Int, centers: [SIMD2<Int>], radius: Int, goodEnough: Int32,
        sums: [UInt16]
    ) -> (vector: SIMD2<Int>, cost: Int32)? {
        let (w, h) = (width, height)
        let (xLimit, yLimit) = (w - blockSide, h - blockSide)
        guard sums.count == (xLimit + 1) * (yLimit + 1) else { return nil }
        return source.values.withUnsafeBufferPointer { a -> (vector: SIMD2<Int>, cost: Int32)? in
            values.withUnsafeBufferPointer { b -> (vector: SIMD2<Int>, cost: Int32)? in
                sums.withUnsafeBufferPointer { sums -> (vector: SIMD2<Int>, cost: Int32)? in
                    guard let aBase = a.baseAddress, let bBase = b.baseAddress else { return nil }
                    let block = aBase + (y &* w &+ x)
                    var best: (vector: SIMD2<Int>, cost: Int32)?
                    for center in centers {
                        let (cx, cy) = (x + center.x, y + center.y)
                        if cx >= 0, cy >= 0, cx <= xLimit, cy <= yLimit {
                            let cost = Self.difference(block, stride: w, bBase + (cy &* w &+ cx), stride: w)
                            if best.map({ cost < $0.cost }) ?? true { best = (center, cost) }
                            if cost <= goodEnough { return best }
                        }
                    }
                    var blockSum: Int32 = 0
                    for row in 0..<blockSide {
                        for column in 0..<blockSide { blockSum &+= Int32(block[row &* w &+ column]) }
                    }
                    var limit = best?.cost ?? .max
                    for center in centers {
                        let (top, bottom) = (max(0, y + center.y - radius), min(yLimit, y + center.y + radius))
                        let (left, right) = (max(0, x + center.x - radius), min(xLimit, x + center.x + radius))
                        guard top <= bottom, left <= right else { continue }
                        for by in top...bottom {
                            for bx in left...right {
                                let sum = Int32(sums[by &* (xLimit &+ 1) &+ bx])
                                guard abs(sum &- blockSum) < limit else { continue }
                                let cost = Self.difference(block, stride: w, bBase + (by &* w &+ bx), stride: w)
                                if cost < limit { (best, limit) = ((SIMD2(bx - x, by - y), cost), cost) }
                            }
                        }
                    }
                    return best
                }
            }
        }
    }

    /// The sum of the cells of the block at each position, row by row; empty if the plane is smaller than a block.
    ///
    /// The sum of 64 cells is at most 65,280.
    package var blockSums: [UInt16] {
        let (columns, rows) = (width - blockSide + 1, height - blockSide + 1)
        guard columns > 0, rows > 0 else { return [] }
        return [UInt16](unsafeUninitializedCapacity: columns * rows) { out, count in
            let sums = Scratch<UInt16>(width, filledWith: 0)
            values.withUnsafeBufferPointer { cells in
                for y in 0..<height {
                    for x in 0..<width {
                        sums[x] &+= UInt16(truncatingIfNeeded: cells[y &* width &+ x])
                        if y >= blockSide {
                            sums[x] &-= UInt16(truncatingIfNeeded: cells[(y &- blockSide) &* width &+ x])
                        }
                    }
                    guard y >= blockSide - 1 else { continue }
                    let row = (y - blockSide + 1) * columns
                    var sum: UInt16 = 0
                    for x in 0..<blockSide { sum &+= sums[x] }
                    out[row] = sum
                    for x in 1..<columns {
                        sum = sum &+ sums[x &+ blockSide &- 1] &- sums[x &- 1]
                        out[row &+ x] = sum
                    }
                }
            }
            count = columns * rows
        }
    }
}

/// Returns the motion of the whole frame that best explains `b` by `a`, given their coarse grids, in cells of the fine
/// grid.
///
/// - Parameter factor: fine cells in the side of a coarse cell.
package func globalMotion(from a: DownscaledPlane, to b: DownscaledPlane, factor: Int) -> SIMD2<Int> {
    let (w, h) = (a.width, a.height)
    let (rx, ry) = (w * GlobalMotionParameters.reachEighths / 8, h * GlobalMotionParameters.reachEighths / 8)
    return a.values.withUnsafeBufferPointer { p in
        b.values.withUnsafeBufferPointer { q in
            /// The cost of a displacement; nil if it is above `limit`.
            func cost(_ dx: Int, _ dy: Int, atMost limit: Int32) -> Int32? {
                let (left, right) = (max(0, -dx), min(w, w - dx))
                let (top, bottom) = (max(0, -dy), min(h, h - dy))
                let area = (right - left) * (bottom - top)
                guard area > 0 else { return nil }
                let parts = 8 + GlobalMotionParameters.overlapPenaltyEighths * (w * h - area) / (w * h)
                // The smallest sum of differences whose cost is above the limit.
                let least = (8 * (Int(limit) + 1) + parts - 1) / parts
                let sumLimit = (least * area + 63) / 64
                var sum: Int32 = 0
                for y in top..<bottom {
                    let (rowA, rowB) = (y &* w, (y &+ dy) &* w &+ dx)
                    for x in left..<right { sum &+= abs(Int32(p[rowA &+ x]) &- Int32(q[rowB &+ x])) }
                    if sum >= sumLimit { return nil }
                }
                return Int32((Int(sum) * 64 / area) * parts / 8)
            }
            // No motion is nearest of all, so beginning with it changes no result.
            var best = (cost: cost(0, 0, atMost: .max) ?? .max, vector: SIMD2<Int>.zero)
            for dy in -ry...ry {
                for dx in -rx...rx {
                    guard let cost = cost(dx, dy, atMost: best.cost) else { continue }
                    let nearer = abs(dx) + abs(dy) < (abs(best.vector.x) + abs(best.vector.y)) / factor
                    if cost < best.cost || nearer { best = (cost, SIMD2(dx * factor, dy * factor)) }
                }
            }
            return best.vector
        }
    }
}
