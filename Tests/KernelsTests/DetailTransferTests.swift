import Kernels
import Testing

/// Detail transfer kernels.
@Suite struct DetailTransferTests {
    /// The weight is full where both frames match, and nearly 0 where they differ by more than the contrast.
    @Test(arguments: [0, vfx_cpu_detect()]) func weightsFollowTheMatch(_ level: Int32) {
        let table = vfx_kernels_make(level)
        var trust = vfx_detail_transfer_trust(most: 205, scale: 4)
        func weight(missing: UInt8, contrast: UInt8) -> UInt8 {
            let errors = [UInt8](repeating: missing, count: 3 * 3)
            let luma = (0..<25).map { UInt8(100) + ($0 % 2 == 0 ? contrast : 0) }
            var scratch = [Int32](repeating: 0, count: 15), result: UInt8 = 0
            errors.withUnsafeBufferPointer { e in
                luma.withUnsafeBufferPointer { l in
                    if let e = e.baseAddress, let l = l.baseAddress {
                        table.detail_transfer_weight_row(&result, e + 4, 3, l + 12, 5, 1, &trust, &scratch)
                    }
                }
            }
            return result
        }
        #expect(weight(missing: 0, contrast: 60) == 205)
        #expect(weight(missing: 30, contrast: 60) < 5)
        #expect(weight(missing: 3, contrast: 60) > weight(missing: 3, contrast: 10))
    }
}
