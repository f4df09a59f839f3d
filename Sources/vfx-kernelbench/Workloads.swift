import Kernels

/// Buffers and calls for every slot of a kernel table.
///
/// Rows are read from more memory than the L1 cache holds, as in real use. Blocks are scattered over a neighbourhood
/// that fits the cache, as in a motion search.
struct Workloads {
    private static let width = 1920
    static let stride = 2048
    private static let rows = 96
    private static let margin = 16

    let bytes: [UnsafeMutablePointer<UInt8>]
    let words: [UnsafeMutablePointer<UInt16>]
    private let weights: UnsafeMutablePointer<UInt16>
    private let vectors: UnsafeMutablePointer<Int16>

    init() {
        var state: UInt64 = 1
        func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
        let count = Self.stride * Self.rows
        bytes = (0..<2).map { _ in
            let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
            for i in 0..<count { memory[i] = UInt8(truncatingIfNeeded: next()) }
            return memory
        }
        words = (0..<2).map { _ in
            let memory = UnsafeMutablePointer<UInt16>.allocate(capacity: count)
            for i in 0..<count { memory[i] = UInt16(next() & 1023) }
            return memory
        }
        weights = .allocate(capacity: Self.width)
        for i in 0..<Self.width { weights[i] = UInt16(next() % 257) }
        // Rows: smoothly changing x and y vectors, one constant vector, no motion.
        vectors = .allocate(capacity: 4 * Self.width)
        for i in 0..<Self.width {
            vectors[i] = Int16(90 + (i / 3) % 40)
            vectors[Self.width + i] = Int16(30 + (i / 5) % 31)
            vectors[2 * Self.width + i] = 85
            vectors[3 * Self.width + i] = 0
        }
    }

    /// Returns the workloads for one table, the same for each level.
    func all(_ t: vfx_kernel_table) -> [Workload] {
        blocks(t) + blockSearch(t) + flowRows(t) + occlusionFill(t) + splat(t) + visibility(t) + vectorMedian(t)
            + flowMedian(t) + bilateralMatch(t) + subdivision(t) + plainRows(t) + warps(t) + motionBlur(t)
            + collaborativeFilter(t) + combing(t)
            + resampling(t)
            + detailTransfer(t)
            + superResolution(t) + fusion(t)
    }

    /// Allocates memory that is never freed.
    func memory<T>(_ count: Int, _ value: (Int) -> T) -> UnsafeMutablePointer<T> {
        let memory = UnsafeMutablePointer<T>.allocate(capacity: count)
        for i in 0..<count { (memory + i).initialize(to: value(i)) }
        return memory
    }

    private func place(_ set: Int, _ step: Int) -> Int {
        (1 + (set &* step) % 12) * Self.stride + 32 + (set &* 53) % 300
    }

    private func blocks(_ t: vfx_kernel_table) -> [Workload] {
        let a = bytes[0], b = bytes[1], stride = Self.stride
        func pair(_ name: String, _ call: @escaping (UnsafePointer<UInt8>, UnsafePointer<UInt8>) -> Void) -> Workload {
            Workload(name: name, unit: "call", units: 64) { set in
                for i in 0..<64 {
                    call(UnsafePointer(a + place(set &* 64 &+ i, 7)), UnsafePointer(b + place(set &* 64 &+ i, 11)))
                }
            }
        }
        // C function pointers: otherwise the call of a Swift function would be timed too.
        let sums: [(String, @convention(c) (UnsafePointer<UInt8>, Int, UnsafePointer<UInt8>, Int) -> UInt32)] = [
            ("sad_4x4", t.sad_4x4), ("sad_8x8", t.sad_8x8), ("sad_16x16", t.sad_16x16), ("satd_4x4", t.satd_4x4),
            ("satd_8x8", t.satd_8x8),
        ]
        let offsets = [0, 1, stride, stride + 1]
        return sums.map { name, sum in pair(name) { keep(sum($0, stride, $1, stride)) } } + [
            pair("sad_8x8_x4") { p, q in withResults { t.sad_8x8_x4(p, stride, q, stride, offsets, $0) } },
            pair("sad_16x16_x4") { p, q in withResults { t.sad_16x16_x4(p, stride, q, stride, offsets, $0) } },
        ]
    }

    private func plainRows(_ t: vfx_kernel_table) -> [Workload] {
        let width = Self.width, stride = Self.stride
        let bytes = bytes, words = words, weights = weights
        func row(_ set: Int) -> Int { (set % 40) * stride }
        func pixels(_ name: String, _ count: Int, _ run: @escaping (Int) -> Void) -> Workload {
            Workload(name: name, unit: "pixel", units: count, run: run)
        }
        let cells = words.map { UnsafeRawPointer($0).assumingMemoryBound(to: Int16.self) }
        let scratch = UnsafeMutablePointer<Int16>.allocate(capacity: width),
            out = UnsafeMutablePointer<Int16>.allocate(capacity: width)
        // An edge at every sixth cell.
        let edges = UnsafeMutablePointer<UInt8>.allocate(capacity: 241)
        for i in 0...240 { edges[i] = i % 6 == 0 ? 1 : 0 }
        return [
            pixels("downsample", width / 2) {
                t.downsample(
                    bytes[$0 & 1] + 60 * stride, stride, bytes[1 - $0 & 1] + row($0), stride, Int32(width / 2), 1)
            },
            pixels("reduce_depth", width) {
                t.reduce_depth(bytes[$0 & 1] + row($0), words[$0 & 1] + row($0), Int32(width), 2)
            },
            pixels("upsample_row, 1 wide", width) {
                t.upsample_row(out, Int32(width), cells[0] + row($0), cells[1] + row($0), 77, 1920, 0, 0, scratch)
            },
            pixels("upsample_row, 4 wide", width) {
                t.upsample_row(out, Int32(width), cells[0] + row($0), cells[1] + row($0), 77, 480, 2, 0, scratch)
            },
            pixels("upsample_row, 8 wide", width) {
                t.upsample_row(out, Int32(width), cells[0] + row($0), cells[1] + row($0), 77, 240, 3, 0, scratch)
            },
            pixels("upsample_row, 16 wide", width) {
                t.upsample_row(out, Int32(width), cells[0] + row($0), cells[1] + row($0), 77, 120, 4, 0, scratch)
            },
            pixels("upsample_edges_row, 8 wide", width) {
                t.upsample_edges_row(
                    out, scratch, Int32(width), cells[0] + row($0), cells[1] + row($0), edges, 240, 3, -1, -1)
            },
            pixels("displace_row", width) {
                t.displace_row(out, cells[0] + row($0), cells[1] + row($0), Int32(width), 6554)
            },
            pixels("blend_row_8", width) {
                t.blend_row_8(bytes[0] + 90 * stride, bytes[0] + row($0), bytes[1] + row($0), weights, Int32(width))
            },
            pixels("blend_row_12_to_8", width) {
                t.blend_row_12_to_8(
                    bytes[0] + 90 * stride, words[0] + row($0), words[1] + row($0), weights, Int32(width))
            },
            pixels("blend_row_16", width) {
                t.blend_row_16(words[0] + 90 * stride, words[0] + row($0), words[1] + row($0), weights, Int32(width))
            },
        ]
    }

    private func warps(_ t: vfx_kernel_table) -> [Workload] {
        let start = 20 * Self.stride + 20
        let sources8 = bytes.map { UnsafeRawPointer($0 + start) },
            sources16 = words.map { UnsafeRawPointer($0 + start) }
        let v = vectors, width = Self.width
        return [
            warp("warp_row_8, smooth", t.warp_row_8, sources8, 255, v, v + width),
            warp("warp_row_8, pan", t.warp_row_8, sources8, 255, v + 2 * width, v + 2 * width),
            warp("warp_row_8, still", t.warp_row_8, sources8, 255, v + 3 * width, v + 3 * width),
            warp("warp_row_8_to_12, smooth", t.warp_row_8_to_12, sources8, 4080, v, v + width),
            warp("warp_row_8_to_12, pan", t.warp_row_8_to_12, sources8, 4080, v + 2 * width, v + 2 * width),
            warp("warp_row_8_to_12, still", t.warp_row_8_to_12, sources8, 4080, v + 3 * width, v + 3 * width),
            warp("warp_row_16, smooth", t.warp_row_16, sources16, 1023, v, v + width),
            warp("warp_row_16, pan", t.warp_row_16, sources16, 1023, v + 2 * width, v + 2 * width),
            warp("warp_row_16, still", t.warp_row_16, sources16, 1023, v + 3 * width, v + 3 * width),
        ]
    }

    private func warp(
        _ name: String, _ warp: @escaping vfx_warp_row_fn, _ sources: [UnsafeRawPointer], _ maximum: Int32,
        _ vx: UnsafeMutablePointer<Int16>,
        _ vy: UnsafeMutablePointer<Int16>
    ) -> Workload {
        let width = Self.width, height = 48
        let row = UnsafeMutableRawPointer.allocate(byteCount: 2 * width, alignment: 64)
        return Workload(name: name, unit: "pixel", units: width) { set in
            var source = vfx_warp_source(
                origin: sources[set & 1], stride: Self.stride, width: Int32(width), height: Int32(height),
                margin: Int32(Self.margin))
            warp(row, &source, 0, Int32(set % height), Int32(width), vx, vy, 16384, maximum)
        }
    }
}

/// Consumes a result, so that its computation is not optimised away.
@inline(never) func keep(_ value: UInt32) {}

private func withResults(_ body: (UnsafeMutablePointer<UInt32>) -> Void) {
    var sums: (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
    withUnsafeMutablePointer(to: &sums) { $0.withMemoryRebound(to: UInt32.self, capacity: 4) { body($0) } }
}
