import FrameCore

/// How far to trust the cells of a field, and which of them the other frame does not show; 0…255 each.
package struct FlowJudgement: Sendable {
    package let confidence: CellGrid<UInt8>
    package let occlusion: CellGrid<UInt8>

    /// Nothing known: no trust, nothing hidden.
    init(columns: Int, rows: Int) {
        confidence = CellGrid(columns: columns, rows: rows, filledWith: 0)
        occlusion = CellGrid(columns: columns, rows: rows, filledWith: 0)
    }

    /// Judges the cells of `field` by their way back.
    ///
    /// A cell misses its way back when the square of the error exceeds a constant and a part of its motion (N. Sundaram,
    /// T. Brox and K. Keutzer, Dense Point Trajectories by GPU-accelerated Large Displacement Optical Flow, ECCV 2010).
    /// It is taken for hidden when, besides, no motion of the other frame arrives at it, or when it leaves the picture.
    ///
    /// - Parameters:
    ///   - errors: of `field` (see ``CellField/inconsistency(with:threads:)``).
    ///   - back: the field of the other frame.
    ///   - level: the pyramid level of both.
    init(_ field: CellField, errors: CellGrid<UInt16>, back: CellField, level: Int, threads: Int) {
        let columns = field.columns, rows = field.rows
        let confidence = CellGrid<UInt8>(columns: columns, rows: rows, filledWith: 0)
        let occlusion = CellGrid<UInt8>(columns: columns, rows: rows, filledWith: 0)
        let coverage = back.coverage()
        let unit = Float(1 << level) / Float(1 << MotionVector.fractionBits)
        let limitX = Int32(columns) &* 128, limitY = Int32(rows) &* 128
        parallelFor((rows + 15) / 16, threads: threads) { band in
            for y in band * 16..<min(rows, band * 16 + 16) {
                for x in 0..<columns {
                    let v = field.vectors[x, y]
                    let vx = Float(v.x) * unit, vy = Float(v.y) * unit, miss = Float(errors[x, y]) * unit
                    let q = miss * miss / (0.5 + 0.02 * (vx * vx + vy * vy))
                    let residual = Float(field.costs[x, y]) * (1 / (64 * 12))
                    confidence[x, y] = UInt8(255 / ((1 + q) * (1 + residual * residual)) + 0.5)
                    // In 1/128 cells from the picture's corner.
                    let tx = Int32(x) &* 128 &+ 64 &+ Int32(v.x), ty = Int32(y) &* 128 &+ 64 &+ Int32(v.y)
                    if tx < 0 || ty < 0 || tx > limitX || ty > limitY {
                        occlusion[x, y] = 255
                    } else {
                        let missed = q * q / (1 + q * q)
                        let uncovered = max(0, 1 - Float(coverage[x, y]) * (1 / 8192))
                        occlusion[x, y] = UInt8(255 * missed * (0.4 + 0.6 * uncovered) + 0.5)
                    }
                }
            }
        }
        self.confidence = confidence
        self.occlusion = occlusion
    }

    init(confidence: CellGrid<UInt8>, occlusion: CellGrid<UInt8>) {
        self.confidence = confidence
        self.occlusion = occlusion
    }
}

extension CellField {
    /// How much of each cell of the other frame this field's cells arrive at, in 1/16384. More than the whole of a cell
    /// counts as the whole: flow from elsewhere may let any number of cells arrive at one.
    fileprivate func coverage() -> CellGrid<Int32> {
        let result = CellGrid<Int32>(columns: columns, rows: rows, filledWith: 0)
        func add(_ x: Int, _ y: Int, _ part: Int) {
            guard x >= 0 && x < columns && y >= 0 && y < rows else { return }
            result[x, y] = min(result[x, y] &+ Int32(truncatingIfNeeded: part), 1 << 14)
        }
        for y in 0..<rows {
            for x in 0..<columns {
                let v = vectors[x, y]
                let px = x * 128 + Int(v.x), py = y * 128 + Int(v.y)
                let cx = px >> 7, cy = py >> 7, fx = px & 127, fy = py & 127
                add(cx, cy, (128 - fx) * (128 - fy))
                add(cx + 1, cy, fx * (128 - fy))
                add(cx, cy + 1, (128 - fx) * fy)
                add(cx + 1, cy + 1, fx * fy)
            }
        }
        return result
    }
}
