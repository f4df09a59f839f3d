import Kernels
import Testing

/// Bilateral matching of cells whose blocks are inside, partly outside or far outside.
@Suite struct BilateralMatchTests {
    /// Two plain pictures, inside and outside.
    @Test(arguments: [Int32(VFX_CPU_C), vfx_cpu_detect()]) func differencesAreMeans(_ level: Int32) {
        let plain = [UInt8](repeating: 10, count: 64 * 64), bright = [UInt8](repeating: 26, count: 64 * 64)
        let memory = (0..<2).map { _ in GuardedMemory(size: 64 * 64) }
        func source(_ samples: UnsafeMutablePointer<UInt8>) -> vfx_warp_source {
            vfx_warp_source(origin: samples + 16 * 64 + 16, stride: 64, width: 32, height: 32, margin: 8)
        }
        var match = vfx_bilateral_match(
            a: source(memory[0].array(plain)), b: source(memory[1].array(bright)), t: 512, cell_log2: 2,
            outside_difference: 64, free_overhang: 128, ramp_log2: 7)
        // Inside; half of the ramp outside; far outside.
        let cells = [(4, 33), (0, -256), (0, -9000)].map { x, v in
            vfx_matched_cell(x: Int32(x), v: vfx_motion_vector(x: Int16(v), y: 0))
        }
        var differences = [Int32](repeating: 0, count: 3)
        withExtendedLifetime(memory) {
            vfx_kernels_make(level).bilateral_match_row(&match, 4, cells, 3, &differences)
        }
        #expect(differences == [256, 160, 64])
    }
}
