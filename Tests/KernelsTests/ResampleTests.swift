import Kernels
import Testing

/// Vertical and horizontal resampling: all widths, depths and numbers of taps, with guard samples around the output.
@Suite struct ResampleTests {
    /// Weights that add up to 16384, of which the first `used` of `taps` are not 0; magnitudes add up to at most 40000.
    private func weights(_ used: Int, of taps: Int, wild: Bool, _ random: inout Random) -> [Int16] {
        var list = (0..<used).map { index in
            wild
                ? (index.isMultiple(of: 2) ? 24000 / max(1, used / 2 + 1) : -8000 / max(1, used / 2))
                : random.in(-1500...6000)
        }
        list[used - 1] += 16384 - list.reduce(0, +)
        // The preconditions of the kernels.
        let size = list.reduce(0) { $0 + abs($1) }
        if !(-32768...32767).contains(list[used - 1]) || size > 40000 {
            list = [16384] + Array(repeating: 0, count: used - 1)
        }
        return list.map { Int16($0) } + Array(repeating: 0, count: taps - used)
    }

    private func checkColumns<S: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ c: vfx_resample_column_fn, _ tested: vfx_resample_column_fn, bits: Int, _: S.Type, seed: UInt64
    ) {
        var random = Random(seed: seed)
        let maximum = S(truncatingIfNeeded: (1 << bits) - 1)
        let memories = (0..<16).map { _ in GuardedMemory(size: 4096) }
        for width in widths where width < 700 {
            for taps in [2, 4, 6, 12, 16] {
                let planes = (0..<taps).map { index in
                    let plane = GuardedPlane<S>(memories[index], columns: 0..<width, rows: 0..<1, random: &random)
                    plane.fill(Pattern.any(&random), maximum: maximum, random: &random)
                    return plane
                }
                let rows = planes.map { UnsafeRawPointer($0.origin) }
                let list = weights(taps, of: taps, wild: random.in(0...3) == 0, &random)
                var wanted = Destination<Int16>(width: width, misalignment: random.in(0...15)), got = wanted
                wanted.write { row, _ in c(row, rows, list, Int32(taps), Int32(width), Int32(bits)) }
                got.write { row, _ in tested(row, rows, list, Int32(taps), Int32(width), Int32(bits)) }
                #expect(got == wanted, "\(width) samples of \(bits) bits, \(taps) taps, seed \(seed)")
            }
        }
    }

    private func checkRows<S: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ c: vfx_resample_row_fn, _ tested: vfx_resample_row_fn, bits: Int, _: S.Type, seed: UInt64
    ) {
        var random = Random(seed: seed)
        let sources = GuardedMemory(size: 8192)
        for width in widths where width < 700 {
            for taps in [8, 16, 24] {
                let padded = (width + 7) / 8 * 8, length = width + taps
                let half = bits < 14 ? 8192 : bits == 14 ? 8192 : 1 << (bits - 1)
                let source = sources.array(
                    (0..<length).map { _ in Int16(clamping: random.in((-half - half / 3)...(half + half / 3))) })
                let starts = (0..<padded).map { Int32(min($0, random.in(0...length - taps))) }
                var list: [Int16] = []
                for _ in 0..<padded {
                    list += weights(random.in(2...taps), of: taps, wild: random.in(0...3) == 0, &random)
                }
                var wanted = Destination<S>(width: width, misalignment: random.in(0...15)), got = wanted
                wanted.write { row, _ in c(row, source, starts, list, Int32(taps), Int32(width), Int32(bits)) }
                got.write { row, _ in tested(row, source, starts, list, Int32(taps), Int32(width), Int32(bits)) }
                #expect(got == wanted, "\(width) samples of \(bits) bits, \(taps) taps, seed \(seed)")
            }
        }
    }

    @Test(arguments: KernelLevel.with("resample_column_8"), seeds) func columns8(
        _ level: KernelLevel, _ seed: UInt64
    ) throws {
        let tables = try level.tables(for: "resample_column_8")
        checkColumns(tables.c.resample_column_8, tables.level.resample_column_8, bits: 8, UInt8.self, seed: seed)
    }

    @Test(arguments: KernelLevel.with("resample_column_16"), Array(9...16)) func columns16(
        _ level: KernelLevel, _ bits: Int
    ) throws {
        let tables = try level.tables(for: "resample_column_16")
        checkColumns(
            tables.c.resample_column_16, tables.level.resample_column_16, bits: bits, UInt16.self, seed: UInt64(bits))
    }

    @Test(arguments: KernelLevel.with("resample_row_8"), seeds) func rows8(_ level: KernelLevel, _ seed: UInt64) throws
    {
        let tables = try level.tables(for: "resample_row_8")
        checkRows(tables.c.resample_row_8, tables.level.resample_row_8, bits: 8, UInt8.self, seed: seed)
    }

    @Test(arguments: KernelLevel.with("resample_row_16"), Array(9...16)) func rows16(
        _ level: KernelLevel, _ bits: Int
    ) throws {
        let tables = try level.tables(for: "resample_row_16")
        checkRows(tables.c.resample_row_16, tables.level.resample_row_16, bits: bits, UInt16.self, seed: UInt64(bits))
    }

    /// One weight of 1 is a copy, at every depth and value.
    @Test(arguments: Array(8...16)) func oneWeightCopies(_ bits: Int) {
        let table = vfx_kernels_make(vfx_cpu_detect())
        let samples = (0..<64).map { UInt16(truncatingIfNeeded: ($0 * ((1 << bits) - 1) + 31) / 63) }
        var middle = [Int16](repeating: 0, count: 64), out = [UInt16](repeating: 0, count: 64)
        let bytes = samples.map { UInt8(truncatingIfNeeded: $0) }
        func columns(_ rows: UnsafeRawPointer) {
            let kernel = bits == 8 ? table.resample_column_8 : table.resample_column_16
            kernel(&middle, [rows, rows], [16384, 0], 2, 64, Int32(bits))
        }
        if bits == 8 {
            bytes.withUnsafeBytes { if let base = $0.baseAddress { columns(base) } }
        } else {
            samples.withUnsafeBytes { if let base = $0.baseAddress { columns(base) } }
        }
        middle += [Int16](repeating: 0, count: 8)
        let starts = (0..<64).map { Int32($0) }
        let weights = (0..<64).flatMap { _ in [16384, 0, 0, 0, 0, 0, 0, 0] as [Int16] }
        if bits == 8 {
            var narrow = [UInt8](repeating: 0, count: 64)
            table.resample_row_8(&narrow, middle, starts, weights, 8, 64, 8)
            out = narrow.map { UInt16($0) }
        } else {
            table.resample_row_16(&out, middle, starts, weights, 8, 64, Int32(bits))
        }
        #expect(out == samples)
    }
}
