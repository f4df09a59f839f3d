import Kernels
import Testing

/// Layers of the ×2 super-resolution networks: all levels compared with C, with guarded reads and writes.
@Suite struct NetworkLayerTests {
    /// A layer that owns random weights, which cannot overflow.
    private final class Layer {
        private let weights, slopes: UnsafeMutablePointer<Int16>
        private let bias: UnsafeMutablePointer<Int32>
        let layer: vfx_superres_layer

        init(sources: Int, outputs: Int, shift: Int, bends: Bool, _ random: inout Random) {
            let most = min(32767, 60000 / (2 * sources))
            weights = .allocate(capacity: 2 * sources * outputs)
            for k in 0..<2 * sources * outputs { weights[k] = Int16(random.in(-most...most)) }
            bias = .allocate(capacity: outputs)
            slopes = .allocate(capacity: outputs)
            for k in 0..<outputs {
                bias[k] = Int32(random.in(-100_000...100_000))
                slopes[k] = Int16(random.in(-32768...32767))
            }
            layer = vfx_superres_layer(
                weights: weights, bias: bias, slopes: bends ? UnsafePointer(slopes) : nil, sources: Int32(sources),
                outputs: Int32(outputs), shift: Int32(shift))
        }

        deinit {
            weights.deallocate()
            bias.deallocate()
            slopes.deallocate()
        }
    }

    private static func roundedUp(_ count: Int) -> Int {
        let step = Int(VFX_SUPERRES_STEP)
        return (count + step - 1) / step * step
    }

    /// Rows of pairs in which only `count`, rounded up to whole steps, is readable.
    private func rows(_ memory: GuardedMemory, count: Int, rows: Int, _ random: inout Random) -> [UnsafePointer<Int32>]
    {
        let pitch = Self.roundedUp(count)
        let values = (0..<rows * pitch).map { _ in
            let extreme = Int32(truncatingIfNeeded: [0x7fff_7fff, 0x8000_8000, 0x8000_7fff, 0][random.in(0...3)])
            return random.in(0...3) == 0 ? extreme : Int32(truncatingIfNeeded: random.next())
        }
        let first = memory.array(values)
        return (0..<rows).map { UnsafePointer(first + $0 * pitch) }
    }

    @Test(arguments: KernelLevel.with("superres_features"), seeds)
    func features(_ level: KernelLevel, _ seed: UInt64) throws {
        let (c, mine) = try level.tables(for: "superres_features")
        var random = Random(seed: seed)
        let memory = GuardedMemory(size: 1 << 20)
        for count in widths where count <= 641 {
            let outputs = [4, 8, 12, 16][random.in(0...3)], sources = random.in(1...90)
            let layer = Layer(sources: sources, outputs: outputs, shift: random.in(4...18), bends: true, &random)
            let src = rows(memory, count: count, rows: sources, &random)
            let pitch = Self.roundedUp(count) + 16
            let fill = (0..<pitch * outputs / 2).map { Int32(truncatingIfNeeded: $0 &* 77 &+ 5) }
            func run(_ table: vfx_kernel_table) -> (all: [Int32], fits: Int32) {
                var all = fill
                let fits = all.withUnsafeMutableBufferPointer { buffer -> Int32 in
                    guard let base = buffer.baseAddress else { return -1 }
                    let dst = (0..<outputs / 2).map { base + $0 * pitch }
                    return withUnsafePointer(to: layer.layer) { table.superres_features(dst, src, $0, Int32(count)) }
                }
                return (all, fits)
            }
            let (wanted, fits) = run(c), (got, flag) = run(mine)
            #expect(flag == fits)
            let fitsTransform = (0..<outputs / 2).allSatisfy { pair in
                wanted[pair * pitch..<pair * pitch + count].allSatisfy(Self.fitsTransform)
            }
            #expect((fits == 1) == fitsTransform, "\(count) places, seed \(seed)")
            let same = (0..<outputs / 2).allSatisfy { pair in
                wanted[pair * pitch..<pair * pitch + count] == got[pair * pitch..<pair * pitch + count]
                    && fill[pair * pitch + pitch - 16..<pair * pitch + pitch]
                        == got[pair * pitch + pitch - 16..<pair * pitch + pitch]
            }
            #expect(same, "\(count) places, \(outputs) outputs of \(sources) sources, seed \(seed)")
        }
    }

    private static func fitsTransform(_ pair: Int32) -> Bool {
        [Int16(truncatingIfNeeded: pair), Int16(truncatingIfNeeded: pair >> 16)].allSatisfy {
            (-16384...16383).contains($0)
        }
    }

    @Test(arguments: KernelLevel.with("superres_input_transform"), seeds)
    func inputTransform(_ level: KernelLevel, _ seed: UInt64) throws {
        let (c, mine) = try level.tables(for: "superres_input_transform")
        var random = Random(seed: seed)
        for count in [1, 7, 16, 33, 64, 65, 130] {
            let pairs = random.in(1...8), pitch = (count + 63) / 64 * 64 + random.in(0...5)
            let rows = (0..<4 * pairs * pitch).map { _ in
                let (low, high) = (Int16(random.in(-16384...16383)), Int16(random.in(-16384...16383)))
                return Int32(UInt16(bitPattern: low)) | Int32(high) << 16
            }
            func transformed(_ table: vfx_kernel_table) -> [[Int32]] {
                var parts = [Int32](repeating: 0, count: 4 * pairs * pitch)
                rows.withUnsafeBufferPointer { rows in
                    guard let base = rows.baseAddress else { return }
                    let four = (0..<4).map { base + $0 * pairs * pitch }
                    table.superres_input_transform(&parts, pitch, four, pitch, Int32(pairs), Int32(count))
                }
                // Values beyond `count` in the last step may differ from level to level.
                return (0..<4 * pairs).map { Array(parts[$0 * pitch..<$0 * pitch + count]) }
            }
            #expect(transformed(mine) == transformed(c), "\(count) places of \(pairs) pairs, seed \(seed)")
        }
    }

    /// Winograd's F(2, 3) produces the same bits as computing the rows one by one, if the features fit its input
    /// transform.
    @Test(arguments: [KernelLevel(level: VFX_CPU_C)] + KernelLevel.with("superres_features_winograd"), seeds)
    func winogradRowsAreTheRows(_ level: KernelLevel, _ seed: UInt64) {
        let c = vfx_kernels_make(VFX_CPU_C), mine = vfx_kernels_make(level.level)
        var random = Random(seed: seed)
        for count in [1, 7, 16, 33, 64] {
            let pairs = [1, 3, 8][random.in(0...2)], outputs = [4, 8, 16][random.in(0...2)], sources = 3 * pairs
            let layer = Layer(sources: 3 * sources, outputs: outputs, shift: random.in(4...16), bends: true, &random)
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

    private func output<S: FixedWidthInteger & BitwiseCopyable>(
        _ expected: @escaping vfx_superres_output_fn, _ tested: @escaping vfx_superres_output_fn, _: S.Type,
        depths: ClosedRange<Int>,
        seed: UInt64
    ) {
        var random = Random(seed: seed)
        let memory = GuardedMemory(size: 1 << 20)
        for count in widths where count <= 641 {
            let depth = random.in(depths), sources = random.in(1...90)
            let layer = Layer(sources: sources, outputs: 4, shift: random.in(8...13), bends: false, &random)
            let src = rows(memory, count: count, rows: sources, &random)
            var wanted = Destination<S>(width: 2 * count, height: 2, misalignment: random.in(0...15)), got = wanted
            for (function, isWanted) in [(expected, true), (tested, false)] {
                func write(_ upper: UnsafeMutablePointer<S>, _ stride: Int) {
                    withUnsafePointer(to: layer.layer) {
                        function(upper, upper + stride, src, $0, Int32(count), Int32(depth))
                    }
                }
                if isWanted { wanted.write(write) } else { got.write(write) }
            }
            #expect(wanted == got, "\(count) places of \(depth) bits from \(sources) sources, seed \(seed)")
        }
    }

    @Test(arguments: KernelLevel.with("superres_output_8"), seeds) func output8(_ level: KernelLevel, _ seed: UInt64)
        throws
    {
        let (c, mine) = try level.tables(for: "superres_output_8")
        output(c.superres_output_8, mine.superres_output_8, UInt8.self, depths: 8...8, seed: seed)
    }

    @Test(arguments: KernelLevel.with("superres_output_16"), seeds)
    func output16(_ level: KernelLevel, _ seed: UInt64) throws {
        let (c, mine) = try level.tables(for: "superres_output_16")
        output(c.superres_output_16, mine.superres_output_16, UInt16.self, depths: 9...16, seed: seed)
    }

    /// Pairs anywhere in the row, whose first and last samples are repeated beyond the ends.
    @Test(arguments: [1, 2, 3, 16, 61]) func pairs(_ width: Int) {
        let table = vfx_kernels_make(VFX_CPU_C)
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
