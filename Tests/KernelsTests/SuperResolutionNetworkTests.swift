import Kernels
import Testing

/// Layers of the ×2 super-resolution networks.
@Suite struct NetworkLayerTests {
    /// A layer that owns random weights, which cannot overflow.
    private final class Layer {
        private let weights, slopes: UnsafeMutablePointer<Int16>
        private let bias: UnsafeMutablePointer<Int32>
        let layer: vfx_superres_layer

        init(sources: Int, outputs: Int, shift: Int, _ random: inout Random) {
            let most = min(32767, 60000 / (2 * sources))
            weights = .allocate(capacity: 2 * sources * outputs)
            for k in 0..<2 * sources * outputs { weights[k] = Int16(random.in(-most...most)) }
            bias = .allocate(capacity: outputs)
            slopes = .allocate(capacity: outputs)
            for k in 0..<outputs {
                bias[k] = Int32(random.in(-100_000...100_000))
                slopes[k] = Int16(random.in(-32767...32767))
            }
            layer = vfx_superres_layer(
                weights: weights, bias: bias, slopes: slopes, sources: Int32(sources),
                outputs: Int32(outputs), shift: Int32(shift))
        }

        deinit {
            weights.deallocate()
            bias.deallocate()
            slopes.deallocate()
        }
    }

    /// Winograd's F(2, 3) produces the same bits as computing the rows one by one, if the features fit its input
    /// transform.
    @Test(arguments: 0...vfx_cpu_detect(), seeds)
    func winogradRowsAreTheRows(_ level: Int32, _ seed: UInt64) {
        let c = vfx_kernels_make(0), mine = vfx_kernels_make(level)
        var random = Random(seed: seed)
        for count in [1, 7, 16, 33, 64] {
            let pairs = [1, 3, 8][random.in(0...2)], outputs = [4, 8, 16][random.in(0...2)], sources = 3 * pairs
            let layer = Layer(sources: 3 * sources, outputs: outputs, shift: random.in(4...16), &random)
            let pitch = 160
            var rows = [Int32](repeating: 0, count: 4 * pairs * pitch)
            for index in rows.indices {
                let extreme = [Int16(-16384), 16383, 0][random.in(0...2)]
                func half() -> Int16 { random.in(0...2) == 0 ? extreme : Int16(random.in(-16384...16383)) }
                rows[index] = Int32(UInt16(bitPattern: half())) | Int32(half()) << 16
            }
            var weights: [Int16] = []
            for block in 0..<outputs / 4 {
                func kernel(_ row: Int) -> [Int] {
                    (0..<8 * sources).map { Int(layer.layer.weights[(3 * block + row) * 8 * sources + $0]) }
                }
                let (a, b, d) = (kernel(0), kernel(1), kernel(2))
                weights += a.map { Int16($0) } + a.indices.map { Int16(a[$0] + b[$0] + d[$0]) }
                weights += a.indices.map { Int16(a[$0] - b[$0] + d[$0]) } + d.map { Int16(-$0) }
            }
            var transformed = [Int32](repeating: 0, count: 4 * pairs * pitch)
            var wanted = [Int32](repeating: 0, count: outputs * pitch), got = wanted, fits: Int32 = 0,
                flags: Int32 = 0
            rows.withUnsafeBufferPointer { rows in
                guard let base = rows.baseAddress else { return }
                func places(_ base: UnsafePointer<Int32>, _ rows: Range<Int>) -> [UnsafePointer<Int32>] {
                    rows.flatMap { row in
                        (-1...1).flatMap { x in (0..<pairs).map { base + (row * pairs + $0) * pitch + 16 + x } }
                    }
                }
                func targets(_ memory: UnsafeMutablePointer<Int32>, _ row: Int) -> [UnsafeMutablePointer<Int32>] {
                    (0..<outputs / 2).map { memory + (row * outputs / 2 + $0) * pitch }
                }
                withUnsafePointer(to: layer.layer) { layer in
                    wanted.withUnsafeMutableBufferPointer { memory in
                        guard let memory = memory.baseAddress else { return }
                        for row in 0..<2 {
                            let fitsTransform = c.superres_features(
                                targets(memory, row), places(base, row..<row + 3), layer, Int32(count))
                            fits |= fitsTransform << row
                        }
                    }
                    transformed.withUnsafeMutableBufferPointer { transformed in
                        guard let transformed = transformed.baseAddress else { return }
                        let four = (0..<4).map { base + $0 * pairs * pitch + 15 }
                        mine.superres_input_transform(
                            transformed + 15, pitch, four, pitch, Int32(pairs), Int32(count + 2))
                        got.withUnsafeMutableBufferPointer { memory in
                            guard let memory = memory.baseAddress else { return }
                            weights.withUnsafeBufferPointer { weights in
                                guard let weights = weights.baseAddress else { return }
                                var winograd = vfx_superres_winograd_layer(
                                    weights: weights, layer: layer, sources: Int32(sources))
                                flags = mine.superres_features_winograd(
                                    targets(memory, 0), targets(memory, 1), places(transformed, 0..<4), &winograd,
                                    Int32(count))
                            }
                        }
                    }
                }
            }
            #expect(flags == fits)
            for row in 0..<outputs {
                let range = row * pitch..<row * pitch + count
                #expect(wanted[range] == got[range], "\(count) places of \(pairs) pairs, row \(row), seed \(seed)")
            }
        }
    }

    /// Pairs anywhere in the row, whose first and last samples are repeated beyond the ends.
    @Test(arguments: [1, 2, 3, 16, 61]) func pairs(_ width: Int) {
        let table = vfx_kernels_make(0)
        var random = Random(seed: 7)
        let memory = GuardedMemory(size: 1 << 12)
        for depth in [8, 9, 10, 12, 16] {
            let samples = (0..<width).map { _ in random.in(0...(1 << depth) - 1) }
            for first in [-7, -1, 0, width - 1, width + 2] {
                var got = [Int32](repeating: 0, count: width + 9)
                if depth == 8 {
                    table.superres_pairs_8(
                        &got, memory.array(samples.map { UInt8($0) }), Int32(width), Int32(first), Int32(got.count), 8)
                } else {
                    table.superres_pairs_16(
                        &got, memory.array(samples.map { UInt16($0) }), Int32(width), Int32(first), Int32(got.count),
                        Int32(depth))
                }
                for (index, pair) in got.enumerated() {
                    func sample(_ x: Int) -> Int { samples[max(0, min(width - 1, x))] << (16 - depth) - 32768 }
                    let left = Int(Int16(truncatingIfNeeded: pair)), right = Int(pair >> 16)
                    #expect(
                        left == sample(first + index) && right == sample(first + index + 1),
                        "pair \(index) from \(first) of \(width) samples of \(depth) bits")
                }
            }
        }
    }
}
