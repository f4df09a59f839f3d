import Kernels

extension Workloads {
    /// The block search of a stripe of 16 rows of cells, with the parameters of the finest level: in a noisy pan that the
    /// coarse level has predicted, and between unrelated planes.
    func blockSearch(_ t: vfx_kernel_table) -> [Workload] {
        let columns = 240, rows = 16, width = 4 * columns, height = 4 * rows, margin = 46
        let stride = width + 2 * margin + 20, origin = (margin + 2) * stride + margin + 4
        let count = stride * (height + 2 * margin + 8)
        let noise = bytes[0]
        // Smooth texture with some noise, shifted by three samples in the second plane.
        func plane(_ shift: Int, _ noiseStart: Int) -> UnsafeMutablePointer<UInt8> {
            memory(count) {
                let x = $0 % stride + shift, y = $0 / stride
                return UInt8(
                    truncatingIfNeeded: 64 + (x * x / 37 + y * y / 23) % 128 + Int(noise[noiseStart + $0 % 9973] & 7))
            }
        }
        let first = plane(0, 0), second = plane(3, 12345)
        let unrelated = memory(count) { noise[$0 % 99991] }
        let coarse = memory(columns / 2 * rows / 2) { vfx_motion_vector(x: -48 + Int16($0 % 7), y: Int16($0 % 5)) }
        let vectors = memory(columns * rows) { _ in vfx_motion_vector() },
            costs = memory(columns * rows) { _ in UInt32(0) }
        func workload(_ name: String, _ target: UnsafeMutablePointer<UInt8>) -> Workload {
            Workload(name: "block_search_stripe, " + name, unit: "cell", units: columns * rows) { _ in
                var search = vfx_block_search(
                    source: first + origin, target: target + origin, source_stride: stride, target_stride: stride,
                    width: Int32(width), height: Int32(height), columns: Int32(columns), vectors: vectors,
                    costs: costs, coarse: coarse, opposite: coarse, previous: nil, coarse_columns: Int32(columns / 2),
                    coarse_rows: Int32(rows / 2), sad_8x8_x4: t.sad_8x8_x4, reach: 38, displacement_limit: 1000,
                    smoothness: 8, deviation_limit: 16, exhaustive_radius: 0, descent_threshold: 96,
                    retry_threshold: 512, descent_steps: 6, retry_radius: 6, retry_step: 2, retry_descent_steps: 4,
                    backward_descent_steps: 2)
                t.block_search_stripe(&search, 0, Int32(rows))
            }
        }
        return [workload("pan", second), workload("unrelated", unrelated)]
    }
}
