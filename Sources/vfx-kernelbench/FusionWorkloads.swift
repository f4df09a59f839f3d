import Kernels

extension Workloads {
    /// Rows of the fusion network, for a frame 1920 samples wide.
    func fusion(_ t: vfx_kernel_table) -> [Workload] {
        let width = 1920, stride = Self.stride, words = words
        let predictions = Int(VFX_FUSION_PREDICTIONS)
        let scores = memory(predictions * width) { Int16(truncatingIfNeeded: $0 &* 911 % 6000 - 3000) }
        let shares = memory(width) { Int16($0 % 257) },
            scoreRows = memory(predictions) { UnsafePointer(scores + $0 * width) }
        let shareRows = memory(3) { _ in UnsafePointer(shares) }
        let fixed = memory(predictions * width) { _ in UInt16(2048) },
            out = memory(predictions * width) { _ in UInt16(0) }
        let weights = memory(predictions) { UnsafePointer(fixed + $0 * width) },
            written = memory(predictions) { out + $0 * width }
        let pairCount = Int(VFX_FUSION_PAIRS), pairs = memory(pairCount * width) { _ in Int32(0) }
        let pairRows = memory(pairCount) { pairs + $0 * width }
        let upper = memory(predictions) { _ in UnsafeRawPointer(scores) },
            lower = memory(predictions) { _ in UnsafeRawPointer(scores) }
        let half = UnsafePointer(shares)
        var cells = vfx_fusion_cells(share: (half, half), trust: (half, half), distance: half, phase: 512)
        let samples = words.map { UnsafeRawPointer($0) }
        func pixels(_ name: String, _ run: @escaping (Int) -> Void) -> Workload {
            Workload(name: name, unit: "pixel", units: width) { run($0 % 40) }
        }
        func point(_ row: Int) {
            for k in 0..<predictions {
                upper[k] = samples[k % 2] + (row + k) * stride * 2
                lower[k] = samples[k % 2] + (row + k + 1) * stride * 2
            }
        }
        return [
            pixels("fusion_input_row") {
                point($0)
                t.fusion_input_row(pairRows, upper, lower, &cells, Int32(width / 2), 12)
            },
            pixels("fusion_smooth_row") { row in
                let rows = (0..<9).map { UnsafePointer(words[0] + (row + $0) * stride) }
                t.fusion_smooth_row(out, rows, Int32(width), 4)
            },
            pixels("fusion_weights_row") { _ in
                t.fusion_weights_row(written, scoreRows, shareRows, 512, Int32(width))
            },
            pixels("fusion_halve_weights_row") { _ in
                t.fusion_halve_weights_row(written, weights, weights, Int32(width / 2))
            },
            pixels("fusion_blend_row_12_to_8") {
                point($0)
                t.fusion_blend_row_12_to_8(out, upper, weights, Int32(width))
            },
            pixels("fusion_blend_row_16") {
                point($0)
                t.fusion_blend_row_16(out, upper, weights, Int32(width))
            },
            pixels("fusion_count_row") {
                t.fusion_count_row(out, words[0] + $0 * stride, words[1] + $0 * stride, Int32(width), 32, 48)
            },
        ]
    }
}
