import FrameCore
package import Motion

/// Collects vectors where they land at the phase.
package struct Landing {
    static let bandRows = 16

    package let columns: Int
    package let rows: Int
    package var bands: Int { (rows + Self.bandRows - 1) / Self.bandRows }
    /// Rank of the vector that owns the cell, lower is better.
    package let rank: CellGrid<UInt32>
    private let owner: CellGrid<MotionVector>
    /// Sums of weight and weighted vector of all that agree with the owner.
    private let sum: CellGrid<SIMD4<Int32>>

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        rank = CellGrid(columns: columns, rows: rows, filledWith: .max)
        owner = CellGrid(columns: columns, rows: rows, filledWith: .zero)
        sum = CellGrid(columns: columns, rows: rows, filledWith: .zero)
    }

    @inline(__always)
    private func visit(
        band: Int, _ field: CellField, share: Int32, _ body: (_ from: Int, _ v: MotionVector, _ x: Int, _ y: Int, _ weight: Int32) -> Void
    ) {
        let first = band * Self.bandRows, last = min(rows, first + Self.bandRows)
        for y in 0..<rows {
            for x in 0..<columns {
                let v = field.vectors.base[y &* columns &+ x]
                let py = Int32(truncatingIfNeeded: y) &* 128 &+ (Int32(v.y) &* share) &>> 10
                let cy = Int(py &>> 7)
                if cy &+ 1 < first || cy >= last { continue }
                let px = Int32(truncatingIfNeeded: x) &* 128 &+ (Int32(v.x) &* share) &>> 10
                let cx = Int(px &>> 7), fx = px & 127, fy = py & 127
                for (dy, wy) in [(0, 128 - fy), (1, fy)] where cy + dy >= first && cy + dy < last {
                    for (dx, wx) in [(0, 128 - fx), (1, fx)] where cx + dx >= 0 && cx + dx < columns {
                        body(y &* columns &+ x, v, cx + dx, cy + dy, wx * wy)
                    }
                }
            }
        }
    }

    package func settle(band: Int, _ field: CellField, _ errors: CellGrid<UInt16>, share: Int32, sign: Int16) {
        visit(band: band, field, share: share) { from, v, x, y, weight in
            guard weight >= 3000 else { return }
            let key = UInt32(errors.base[from]) &* 4 &+ UInt32(truncatingIfNeeded: (16384 - weight) >> 9) &+ field.costs.base[from] >> 3
            if key < rank[x, y] {
                rank[x, y] = key
                owner[x, y] = sign < 0 ? .zero &- v : v
            }
        }
    }

    package func collect(band: Int, _ field: CellField, _ errors: CellGrid<UInt16>, share: Int32, sign: Int16) {
        visit(band: band, field, share: share) { from, v, x, y, weight in
            guard rank[x, y] != .max else { return }
            let v = sign < 0 ? .zero &- v : v
            let away = SIMD2<Int32>(truncatingIfNeeded: v) &- SIMD2<Int32>(truncatingIfNeeded: owner[x, y])
            guard abs(away.x) + abs(away.y) <= 40 else { return }
            let w = weight / (64 + Int32(min(errors.base[from], 2000)) * 4)
            let s = SIMD4<Int32>(w, w &* Int32(v.x), w &* Int32(v.y), 0)
            sum[x, y] = sum[x, y] &+ s
        }
    }

    /// Mean vectors; cells where nothing landed take the mean of the nearest ring of settled ones.
    package func filled() -> CellGrid<MotionVector> {
        let result = CellGrid<MotionVector>(columns: columns, rows: rows, filledWith: .zero)
        var holes: [(Int, Int)] = []
        for y in 0..<rows {
            for x in 0..<columns {
                let s = sum[x, y]
                if s.x > 0 {
                    result[x, y] = MotionVector(Int16(s.y / s.x), Int16(s.z / s.x))
                } else {
                    holes.append((x, y))
                }
            }
        }
        for (x, y) in holes {
            var radius = 1
            while radius < max(columns, rows) {
                var total = SIMD2<Int32>.zero, count: Int32 = 0
                for ny in max(0, y - radius)...min(rows - 1, y + radius) {
                    for nx in max(0, x - radius)...min(columns - 1, x + radius) where sum[nx, ny].x > 0 {
                        total = total &+ SIMD2<Int32>(truncatingIfNeeded: result[nx, ny])
                        count += 1
                    }
                }
                if count > 0 {
                    result[x, y] = MotionVector(truncatingIfNeeded: total / count)
                    break
                }
                radius *= 2
            }
        }
        return result
    }
}
