import Kernels
import Testing

/// Properties of row kernels.
@Suite struct RowTests {
    /// Samples in 1/16 level are rounded once: their exact mean decides, not that of rounded samples.
    @Test(arguments: [0, vfx_cpu_detect()]) func blend12To8RoundsOnce(_ level: Int32) {
        let table = vfx_kernels_make(level)
        // 10 7/16 and 11: 10.72, 10 9/16 and 9 5/16: 9.94, 10 and 10 15/16: 10.47, 20 1/2 and 20 7/16: 20.47.
        let a: [UInt16] = [167, 169, 160, 328], b: [UInt16] = [176, 149, 175, 327],
            weights = [UInt16](repeating: 128, count: 4)
        var result = Destination<UInt8>(width: 4)
        result.write { row, _ in table.blend_row_12_to_8(row, a, b, weights, 4) }
        #expect(result.row(0, count: 4) == [11, 10, 10, 20])
    }

    /// On both sides of an edge, up to the centres of the cells, the samples have the vectors of their own cells.
    @Test(arguments: [0, vfx_cpu_detect()], 1...6) func edges(_ level: Int32, _ sideLog2: Int) {
        let kernel = vfx_kernels_make(level).upsample_edges_row
        let side = 1 << sideLog2
        var random = Random(seed: UInt64(sideLog2))
        for columns in [1, 2, 7, 8, 9, 31, 32] {
            for count in [1, columns * side / 2 + 1, columns * side, columns * side + 3] {
                let x = (0..<columns).map { _ in Int16(truncatingIfNeeded: random.next()) }
                let y = (0..<columns).map { _ in Int16(truncatingIfNeeded: random.next()) }
                let edges = (0...columns).map { _ in UInt8(random.in(0...7) == 0 ? random.in(1...255) : 0) }
                let shift = (x: random.in(-6...4), y: random.in(-6...4))
                func scaled(_ v: Int16, _ shift: Int) -> Int16 {
                    Int16(
                        clamping: Int(
                            (Double(v) * Double(sign: .plus, exponent: -shift, significand: 1) + 0.5).rounded(.down)))
                }
                var wanted = (x: [Int16](repeating: 11, count: count), y: [Int16](repeating: 12, count: count))
                for i in 0..<min(count, columns * side) {
                    let cell = i / side, corner = (i + side / 2) / side
                    guard edges[corner] != 0 else { continue }
                    wanted.x[i] = scaled(x[cell], shift.x)
                    wanted.y[i] = scaled(y[cell], shift.y)
                }
                var gotX = Destination<Int16>(width: count), gotY = gotX
                gotX.write { rowX, _ in
                    rowX.update(repeating: 11, count: count)
                    gotY.write { rowY, _ in
                        rowY.update(repeating: 12, count: count)
                        kernel(
                            rowX, rowY, Int32(count), x, y, edges, Int32(columns), Int32(sideLog2), Int32(shift.x),
                            Int32(shift.y))
                    }
                }
                var wantedX = Destination<Int16>(width: count), wantedY = wantedX
                wantedX.write { row, _ in row.update(from: wanted.x, count: count) }
                wantedY.write { row, _ in row.update(from: wanted.y, count: count) }
                #expect(gotX == wantedX && gotY == wantedY, "\(columns) cells, \(count) samples")
            }
        }
    }

    /// Cells one sample wide are the samples themselves; the last one is repeated.
    @Test(arguments: [0, vfx_cpu_detect()]) func cellsOneSampleWide(_ level: Int32) {
        let expand = vfx_kernels_make(level).upsample_row
        let a: [Int16] = [5, -6, 32767, -32768, 0, 100, 7], b: [Int16] = [5, -6, 32767, -32768, 256, 101, 8]
        for (shift, wanted) in [
            (Int32(0), [5, -6, 32767, -32768, 64, 100, 7, 7, 7]), (1, [3, -3, 16384, -16384, 32, 50, 4, 4, 4]),
        ] {
            var scratch = [Int16](repeating: 0, count: 7)
            var row = Destination<Int16>(width: 9)
            row.write { row, _ in expand(row, 9, a, b, 64, 7, 0, shift, &scratch) }
            #expect(row.row(0, count: 9) == wanted.map { Int16($0) }, "shift \(shift)")
        }
    }
}
