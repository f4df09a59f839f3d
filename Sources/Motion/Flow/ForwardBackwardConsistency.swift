import FrameCore

extension CellField {
    /// Forward–backward consistency error of each cell in 1/32 pixel: |v(x) + w(x + v(x))|, w sampled between cells.
    package func consistencyError(with back: CellField, threads: Int) -> CellGrid<UInt16> {
        let result = CellGrid<UInt16>(columns: columns, rows: rows, filledWith: 0)
        parallelFor((rows + 15) / 16, threads: threads) { band in
            for y in band * 16..<min(rows, band * 16 + 16) {
                for x in 0..<columns {
                    let v = vectors[x, y]
                    let w = back.sample(x: Int32(x) * 128 + Int32(v.x), y: Int32(y) * 128 + Int32(v.y))
                    let e = SIMD2<Int32>(truncatingIfNeeded: v) &+ w
                    let square = Double(e.x) * Double(e.x) + Double(e.y) * Double(e.y)
                    result[x, y] = UInt16(min(square.squareRoot(), 65535))
                }
            }
        }
        return result
    }

    /// Vector at a place given in 1/128 cells from the centre of cell (0, 0), linear between centres, clamped outside.
    @inline(__always)
    package func sample(x: Int32, y: Int32) -> SIMD2<Int32> {
        let cx = min(max(x, 0), Int32(columns - 1) &<< 7), cy = min(max(y, 0), Int32(rows - 1) &<< 7)
        let ix = Int(cx &>> 7), iy = Int(cy &>> 7), fx = cx & 127, fy = cy & 127
        let jx = min(ix + 1, columns - 1), jy = min(iy + 1, rows - 1)
        let p00 = SIMD2<Int32>(truncatingIfNeeded: vectors[ix, iy]),
            p10 = SIMD2<Int32>(truncatingIfNeeded: vectors[jx, iy])
        let p01 = SIMD2<Int32>(truncatingIfNeeded: vectors[ix, jy]),
            p11 = SIMD2<Int32>(truncatingIfNeeded: vectors[jx, jy])
        let top = p00 &* (128 &- fx) &+ p10 &* fx, bottom = p01 &* (128 &- fx) &+ p11 &* fx
        return (top &* (128 &- fy) &+ bottom &* fy &+ 8192) &>> 14
    }

    /// As ``sample(x:y:)``, but where the cells around move apart by more than a pixel of their level, the nearest one alone:
    /// between two motions there is no third.
    @inline(__always)
    package func sampleKeepingEdges(x: Int32, y: Int32) -> SIMD2<Int32> {
        let cx = min(max(x, 0), Int32(columns - 1) &<< 7), cy = min(max(y, 0), Int32(rows - 1) &<< 7)
        let nearest = SIMD2<Int32>(truncatingIfNeeded: vectors[Int((cx &+ 64) &>> 7), Int((cy &+ 64) &>> 7)])
        let between = sample(x: x, y: y), apart = between &- nearest
        return abs(apart.x) &+ abs(apart.y) > 32 ? nearest : between
    }
}
