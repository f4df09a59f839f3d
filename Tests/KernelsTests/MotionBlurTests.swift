import Kernels
import Testing

/// Properties of the motion blur of blocks.
@Suite struct MotionBlurTests {
    /// One tap of full weight is a copy.
    @Test(arguments: [0, vfx_cpu_detect()]) func oneTapCopies(_ level: Int32) {
        let table = vfx_kernels_make(level)
        let source = (0..<256).map { UInt16($0 * 257) }
        let tap = vfx_motion_blur_tap(source: 1, offset: 17, step: 0, weight: 16384, weight_next: 0)
        var block = [UInt16](repeating: 0, count: 64)
        source.withUnsafeBytes { p in
            if let base = p.baseAddress {
                table.motion_blur_block_16(&block, 8, 8, 8, [base, base, base], 16, [tap], 1, 65535)
            }
        }
        let wanted: [UInt16] = (0..<8).flatMap { y in source[17 + 16 * y..<25 + 16 * y] }
        #expect(block == wanted)
    }
}
