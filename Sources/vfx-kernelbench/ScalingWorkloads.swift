import Kernels

extension Workloads {
    private static let width = 1920

    private func pixels(_ name: String, _ run: @escaping (Int) -> Void) -> Workload {
        Workload(name: name, unit: "pixel", units: Self.width) { run($0 % 40) }
    }

    /// Both passes of resampling, at twice the width.
    func resampling(_ t: vfx_kernel_table) -> [Workload] {
        let width = Self.width, stride = Self.stride, bytes = bytes, words = words
        let weights: [Int16] = [311, -2120, 9300, 11200, -2618, 311, 0, 0]
        let column = memory(8) { weights[$0] }, rows = memory(8) { weights[$0 % 8] }
        let all = memory(8 * width) { rows[$0 % 8] }, starts = memory(width) { Int32($0 / 2) }
        let line = memory(width + 64) { Int16(truncatingIfNeeded: $0 &* 911 % 12000 - 6000) }
        let out = UnsafeMutableRawPointer.allocate(byteCount: 2 * width + 64, alignment: 64)
        let lines = memory(6) { _ in UnsafeRawPointer(line) }
        func point(_ base: UnsafeRawPointer, _ size: Int, _ row: Int) {
            for k in 0..<6 { lines[k] = base + (row + k) * stride * size }
        }
        return [
            pixels("resample_column_8") {
                point(bytes[$0 & 1], 1, $0)
                t.resample_column_8(line, lines, column, 6, Int32(width), 8)
            },
            pixels("resample_column_16") {
                point(words[$0 & 1], 2, $0)
                t.resample_column_16(line, lines, column, 6, Int32(width), 10)
            },
            pixels("resample_row_8") { _ in t.resample_row_8(out, line, starts, all, 8, Int32(width), 8) },
            pixels("resample_row_16") { _ in t.resample_row_16(out, line, starts, all, 8, Int32(width), 10) },
        ]
    }

    /// Detail transfer from the previous frame, for one row of a source half as wide as the output.
    func detailTransfer(_ t: vfx_kernel_table) -> [Workload] {
        let width = Self.width, half = width / 2, stride = Self.stride, bytes = bytes, words = words
        let vectors = memory(half + 64) { Int16($0 % 40) }, spread = memory(width + 64) { _ in Int16(0) }
        let map = memory(width) { Int32($0 / 2) }
        let places = memory(width) {
            vfx_detail_transfer_place(first: Int32($0 / 2 - 1), weight: Int32($0 % 2 * 32 + 16))
        }
        let detail = memory(width) { _ in Int32(0) }, sums = memory(half + 64) { _ in Int32(0) }
        let scratch = memory(3 * (width + 4)) { _ in Int32(0) }
        let out = UnsafeMutablePointer<UInt8>.allocate(capacity: 2 * width + 64)
        let trust = memory(1) { _ in vfx_detail_transfer_trust(most: 205, scale: 4) }
        func row(_ set: Int) -> Int { (set + 3) * stride + 64 }
        func both(
            _ bits: String, _ maximum: Int32,
            _ kernels: (vfx_detail_transfer_extract_row_fn, vfx_detail_transfer_merge_row_fn),
            _ sources: [UnsafeRawPointer], _ size: Int
        ) -> [Workload] {
            [(nil, nil, "double"), (map, places, "any")].flatMap { map, places, name in
                [
                    pixels("detail_transfer_extract_row_\(bits), \(name)") {
                        kernels.0(
                            detail, sums, sources[0] + row($0) * size, sources[1] + row($0) * size, bytes[0] + row($0),
                            map, Int32(width))
                    },
                    pixels("detail_transfer_merge_row_\(bits), \(name)") {
                        kernels.1(out, sources[0] + row($0) * size, detail, sums + 1, places, Int32(width), maximum)
                    },
                ]
            }
        }
        return [
            pixels("detail_transfer_weight_row") {
                t.detail_transfer_weight_row(
                    out, bytes[0] + row($0), stride, bytes[1] + row($0), stride, Int32(width), trust, scratch)
            },
            pixels("detail_transfer_difference_row") {
                t.detail_transfer_difference_row(out, bytes[0] + row($0), bytes[1] + row($0), Int32(width))
            },
            pixels("detail_transfer_spread_row") { _ in
                t.detail_transfer_spread_row(spread, vectors, nil, Int32(width), 16384)
            },
        ]
            + both(
                "8", 255, (t.detail_transfer_extract_row_8, t.detail_transfer_merge_row_8),
                bytes.map { UnsafeRawPointer($0) }, 1)
            + both(
                "16", 1023, (t.detail_transfer_extract_row_16, t.detail_transfer_merge_row_16),
                words.map { UnsafeRawPointer($0) }, 2)
    }

    /// Layers of the ×2 networks over a strip; those that use Winograd's F(2, 3) count two rows of positions.
    func superResolution(_ t: vfx_kernel_table) -> [Workload] {
        let count = 246, pitch = 432, rows = 4 * 8 * 4
        let features = UnsafeMutableRawPointer.allocate(byteCount: 4 * pitch * rows, alignment: 64)
            .initializeMemory(as: Int32.self, repeating: 0, count: pitch * rows)
        // Small enough for the input transform, as in images without hard edges.
        for i in 0..<pitch * rows { features[i] = Int32(truncatingIfNeeded: i &* 40503 & 0x0fff_0fff) }
        let results = memory(2 * 8 * pitch) { _ in Int32(0) }
        let upper = memory(8) { results + $0 * pitch }, lower = memory(8) { results + (8 + $0) * pitch }
        let samples = UnsafeMutableRawPointer.allocate(byteCount: 8 * pitch, alignment: 64)
        let bytes = bytes, words = words
        func sources(_ number: Int, _ perRow: Int) -> UnsafeMutablePointer<UnsafePointer<Int32>> {
            memory(number) { UnsafePointer(features + ($0 / perRow % rows) * pitch + 16 + $0 % perRow - perRow / 2) }
        }
        func places(_ name: String, rows: Int = 1, _ run: @escaping (Int) -> Void) -> Workload {
            Workload(name: name, unit: "place", units: rows * count, run: run)
        }
        let pairs = [
            places("superres_pairs_8") { t.superres_pairs_8(results, bytes[0] + $0 % 40, 1920, 40, Int32(count), 8) },
            places("superres_pairs_16") {
                t.superres_pairs_16(results, words[0] + $0 % 40, 1920, 40, Int32(count), 10)
            },
        ]
        let layers = [(VFX_SUPERRES_SMALL, "small"), (VFX_SUPERRES_LARGE, "large")].flatMap { model, name in
            let network = vfx_superres_network_of(model).pointee, last = network.layers + Int(network.middles) + 1
            let first = sources(15, 3), middle = sources(Int(last.pointee.sources), 3)
            return [
                places("superres_features, first of \(name)") { _ in
                    keep(UInt32(t.superres_features(upper, first, network.layers, Int32(count))))
                },
                places("superres_features, middle of \(name)") { _ in
                    keep(UInt32(t.superres_features(upper, middle, network.layers + 1, Int32(count))))
                },
                places("superres_output_8, \(name)") { _ in
                    t.superres_output_8(samples, samples + 2 * pitch, middle, last, Int32(count), 8)
                },
                places("superres_output_16, \(name)") { _ in
                    t.superres_output_16(samples, samples + 4 * pitch, middle, last, Int32(count), 10)
                },
            ]
        }
        let layer = vfx_superres_network_of(VFX_SUPERRES_LARGE).pointee.layers + 1
        let winograd = memory(1) { _ in
            vfx_superres_winograd_layer(weights: memory(16 / 4 * 96 * 8) { Int16($0 % 900) }, layer: layer, sources: 24)
        }
        let transformSources = sources(96, 3), transformed = features + 96 * pitch
        let four = memory(4) { UnsafePointer(features + 8 * $0 * pitch) }
        return pairs + layers + [
            places("superres_input_transform", rows: 2) { _ in
                t.superres_input_transform(transformed, 400, four, pitch, 8, Int32(count))
            },
            places("superres_features_winograd, large", rows: 2) { _ in
                keep(UInt32(t.superres_features_winograd(upper, lower, transformSources, winograd, Int32(count))))
            },
        ]
    }
}
