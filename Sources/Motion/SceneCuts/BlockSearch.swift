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
    func bestMatch(
        of source: DownscaledPlane, x: Int, y: Int, centers: [SIMD2<Int>], radius: Int, goodEnough: Int32
    ) -> (vector: SIMD2<Int>, cost: Int32)? {
        let (w, h) = (width, height)
        let (xLimit, yLimit) = (w - blockSide, h - blockSide)
        return source.values.withUnsafeBufferPointer { a -> (vector: SIMD2<Int>, cost: Int32)? in
            values.withUnsafeBufferPointer { b -> (vector: SIMD2<Int>, cost: Int32)? in
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
                for center in centers {
                    let (top, bottom) = (max(0, y + center.y - radius), min(yLimit, y + center.y + radius))
                    let (left, right) = (max(0, x + center.x - radius), min(xLimit, x + center.x + radius))
                    guard top <= bottom, left <= right else { continue }
                    for by in top...bottom {
                        for bx in left...right {
                            let cost = Self.difference(block, stride: w, bBase + (by &* w &+ bx), stride: w)
                            if best.map({ cost < $0.cost }) ?? true { best = (SIMD2(bx - x, by - y), cost) }
                        }
                    }
                }
                return best
            }
        }
    }
}

/// Returns the motion of the whole frame that best explains `b` by `a`, given their coarse grids, in cells of the fine
/// grid.
///
/// - Parameter factor: fine cells in the side of a coarse cell.
func globalMotion(from a: DownscaledPlane, to b: DownscaledPlane, factor: Int) -> SIMD2<Int> {
    let (w, h) = (a.width, a.height)
    let (rx, ry) = (w * GlobalMotionParameters.reachEighths / 8, h * GlobalMotionParameters.reachEighths / 8)
    var best = (cost: Int32.max, vector: SIMD2<Int>.zero)
    a.values.withUnsafeBufferPointer { p in
        b.values.withUnsafeBufferPointer { q in
            for dy in -ry...ry {
                for dx in -rx...rx {
                    let (left, right) = (max(0, -dx), min(w, w - dx))
                    let (top, bottom) = (max(0, -dy), min(h, h - dy))
                    let area = Int32((right - left) * (bottom - top))
                    guard area > 0 else { continue }
                    var sum: Int32 = 0
                    for y in top..<bottom {
                        let (rowA, rowB) = (y &* w, (y &+ dy) &* w &+ dx)
                        for x in left..<right { sum &+= abs(Int32(p[rowA &+ x]) &- Int32(q[rowB &+ x])) }
                    }
                    let missing = w * h - Int(area)
                    let penalty = Int32(GlobalMotionParameters.overlapPenaltyEighths * missing / (w * h))
                    let cost = (sum &* 64 / area) &* (8 &+ penalty) / 8
                    let nearer = abs(dx) + abs(dy) < (abs(best.vector.x) + abs(best.vector.y)) / factor
                    if cost < best.cost || cost == best.cost && nearer {
                        best = (cost, SIMD2(dx * factor, dy * factor))
                    }
                }
            }
        }
    }
    return best.vector
}
