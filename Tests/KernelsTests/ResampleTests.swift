import Kernels
import Testing

/// Properties of vertical and horizontal resampling.
@Suite struct ResampleTests {
    /// One weight of 1 is a copy, at every depth and value.
    @Test(arguments: [0, vfx_cpu_detect()], 8...16) func oneWeightCopies(_ level: Int32, _ bits: Int) {
        let table = vfx_kernels_make(level)
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
