import Kernels
import Testing

/// The block search where the result is known.
@Suite struct BlockSearchTests {
    /// A plane that is shifted as a whole is found shifted, with no difference, wherever all blocks can be seen.
    @Test(arguments: [Int32(VFX_CPU_C), vfx_cpu_detect()]) func shift(_ level: Int32) {
        var random = Random(seed: 3)
        let width = 64, height = 48, stride = 256, rows = 160, origin = 56 * stride + 64
        let plane = (0..<stride * rows).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        var vectors = [vfx_motion_vector](repeating: vfx_motion_vector(), count: 16 * 12)
        var costs = [UInt32](repeating: 1, count: 16 * 12)
        let kernels = vfx_kernels_make(level)
        plane.withUnsafeBufferPointer { plane in
            vectors.withUnsafeMutableBufferPointer { vectors in
                costs.withUnsafeMutableBufferPointer { costs in
                    guard let p = plane.baseAddress, let v = vectors.baseAddress, let c = costs.baseAddress else {
                        return
                    }
                    var search = vfx_block_search(
                        source: p + origin + 3 * stride - 5, target: p + origin, source_stride: stride,
                        target_stride: stride, width: Int32(width), height: Int32(height), columns: 16, vectors: v,
                        costs: c, coarse: nil, opposite: nil, previous: nil, coarse_columns: 0, coarse_rows: 0,
                        sad_8x8_x4: kernels.sad_8x8_x4, reach: 38, displacement_limit: 1000, smoothness: 8,
                        deviation_limit: 16, exhaustive_radius: 6, descent_threshold: 96, retry_threshold: 512,
                        descent_steps: 6, retry_radius: 6, retry_step: 2, retry_descent_steps: 4,
                        backward_descent_steps: 2)
                    kernels.block_search_stripe(&search, 0, 12)
                }
            }
        }
        #expect(vectors.allSatisfy { $0.x == -5 * 32 && $0.y == 3 * 32 })
        #expect(costs.allSatisfy { $0 == 0 })
    }
}
