import Foundation
import Kernels
import Testing

/// Rows of the fusion network: all widths, exact read bounds, guard samples around the output.
@Suite struct FusionTests {
    private typealias Samples = FixedWidthInteger & UnsignedInteger & BitwiseCopyable

    /// Four rows of one length, each of which ends at a page that cannot be read.
    private struct Rows<Element: FixedWidthInteger & BitwiseCopyable> {
        private let memories = (0..<4).map { _ in GuardedMemory(size: 16384) }
        let pointers: [UnsafePointer<Element>]

        init(count: Int, _ value: (_ row: Int, _ index: Int) -> Element) {
            pointers = memories.enumerated().map { row, memory in
                UnsafePointer(memory.array((0..<count).map { value(row, $0) }))
            }
        }

        var raw: [UnsafeRawPointer] { pointers.map { UnsafeRawPointer($0) } }
    }

    private func checkInput(
        _ expected: vfx_fusion_input_row_fn, _ tested: vfx_fusion_input_row_fn, depth: Int
    ) {
        var random = Random(seed: UInt64(depth))
        let most = (1 << depth) - 1
        let cellMemories = (0..<5).map { _ in GuardedMemory(size: 8192) }
        for count in widths {
            let upper = Rows<UInt16>(count: 2 * count) { _, _ in UInt16(random.in(0...1) * random.in(0...most)) }
            let lower = Rows<UInt16>(count: 2 * count) { _, _ in
                UInt16(random.in(0...1) == 0 ? most : random.in(0...most))
            }
            let cells = cellMemories.map {
                UnsafePointer($0.array((0..<count).map { _ in Int16(random.in(0...255)) }))
            }
            var known = vfx_fusion_cells(
                share: (cells[0], cells[2]), trust: (cells[1], cells[3]), distance: cells[4],
                phase: Int32(random.in(0...1024)))
            func pairs(_ kernel: vfx_fusion_input_row_fn) -> Destination<Int32> {
                var result = Destination<Int32>(width: count, height: Int(VFX_FUSION_PAIRS))
                result.write { first, pitch in
                    let rows = (0..<Int(VFX_FUSION_PAIRS)).map { first + $0 * pitch }
                    kernel(rows, upper.raw, lower.raw, &known, Int32(count), Int32(depth))
                }
                return result
            }
            let wanted = pairs(expected)
            #expect(pairs(tested) == wanted, "\(count) positions")
            // 32 levels at 8 bits are 1.0.
            let left = ((Int(upper.pointers[0][0]) - Int(upper.pointers[1][0])) * 64) >> (depth - 8)
            #expect(Int16(truncatingIfNeeded: wanted.row(0, count: 1)[0]) == Int16(left))
            #expect(wanted.row(10, count: 1)[0] >> 16 == (known.phase - 512) * 4)
        }
    }

    @Test(arguments: KernelLevel.with("fusion_input_row"), [9, 10, 12, 16])
    func input(_ level: KernelLevel, _ depth: Int) throws {
        let tables = try level.tables(for: "fusion_input_row")
        checkInput(tables.c.fusion_input_row, tables.level.fusion_input_row, depth: depth)
    }

    private func weights(
        _ kernel: vfx_fusion_weights_row_fn, _ scores: [UnsafePointer<Int16>], _ shares: [UnsafePointer<Int16>],
        phase: Int32, count: Int
    ) -> Destination<UInt16> {
        var result = Destination<UInt16>(width: count, height: 4)
        result.write { first, pitch in
            kernel((0..<4).map { first + $0 * pitch }, scores, shares, phase, Int32(count))
        }
        return result
    }

    @Test(arguments: KernelLevel.with("fusion_weights_row"), seeds)
    func weightsAddUp(_ level: KernelLevel, _ seed: UInt64) throws {
        let tables = try level.tables(for: "fusion_weights_row")
        var random = Random(seed: seed)
        let shareMemories = (0..<2).map { _ in GuardedMemory(size: 8192) }
        for count in widths {
            let wide = random.in(0...2) == 0
            let scores = Rows<Int16>(count: count) { _, _ in
                wide ? Int16(truncatingIfNeeded: random.next()) : Int16(random.in(-3000...3000))
            }
            let shares = shareMemories.map {
                UnsafePointer($0.array((0..<count).map { _ in Int16([0, 256, random.in(0...256)][random.in(0...2)]) }))
            }
            let phase = Int32(random.in(1...1023))
            let wanted = weights(
                tables.c.fusion_weights_row, scores.pointers, shares, phase: phase, count: count)
            let got = weights(
                tables.level.fusion_weights_row, scores.pointers, shares, phase: phase, count: count)
            #expect(got == wanted, "\(count) samples, phase \(phase), seed \(seed)")
            let rows = (0..<4).map { wanted.row($0, count: count) }
            for x in 0..<count {
                #expect(rows.reduce(0) { $0 + Int($1[x]) } == 16384)
                let exact = reference((0..<4).map { scores.pointers[$0][x] }, shares.map { $0[x] }, phase)
                for k in 1..<4 { #expect(abs(Double(rows[k][x]) - exact[k]) < 8, "weight \(k)") }
            }
        }
    }

    /// The weights in double precision.
    private func reference(_ scores: [Int16], _ shares: [Int16], _ phase: Int32) -> [Double] {
        let top = Int(scores.max() ?? 0), p = Double(phase)
        let products = (0..<4).map { k in
            let share = Double(min(max(shares[k / 2], 1), 255))
            let prior = k % 2 == 0 ? (256 - share) * (1024 - p) : share * p
            return prior * exp2(Double(max(Int(scores[k]) - top, -16384)) / 1024)
        }
        let sum = products.reduce(0, +)
        return products.map { $0 / sum * 16384 }
    }

    @Test(arguments: KernelLevel.with("fusion_halve_weights_row")) func halvedWeightsAddUp(_ level: KernelLevel) throws
    {
        let tables = try level.tables(for: "fusion_halve_weights_row")
        var random = Random(seed: 4)
        for count in widths {
            func rows() -> Rows<UInt16> {
                let split = (0..<2 * count).map { _ in
                    let first = random.in(0...16384), second = random.in(0...(16384 - first))
                    return [first, second, 16384 - first - second, 0]
                }
                return Rows<UInt16>(count: 2 * count) { UInt16(split[$1][$0]) }
            }
            let upper = rows(), lower = rows()
            func halved(_ kernel: vfx_fusion_halve_weights_row_fn) -> Destination<UInt16> {
                var result = Destination<UInt16>(width: count, height: 4)
                result.write { first, pitch in
                    kernel((0..<4).map { first + $0 * pitch }, upper.pointers, lower.pointers, Int32(count))
                }
                return result
            }
            let wanted = halved(tables.c.fusion_halve_weights_row)
            #expect(halved(tables.level.fusion_halve_weights_row) == wanted, "\(count) samples")
            for x in 0..<count { #expect((0..<4).reduce(0) { $0 + Int(wanted.row($1, count: count)[x]) } == 16384) }
        }
    }

    /// - Parameter extra: bits that the predictions have more than the result.
    private func checkBlend<D: Samples>(
        _ expected: vfx_fusion_blend_row_fn, _ tested: vfx_fusion_blend_row_fn, to _: D.Type, extra: Int, seed: UInt64
    ) {
        var random = Random(seed: seed)
        for count in widths {
            let rows = Rows<UInt16>(count: count) { _, _ in UInt16(random.in(0...Int(D.max))) << extra }
            let split = (0..<count).map { _ in
                let first = random.in(0...16384), second = random.in(0...(16384 - first))
                return [first, second, 16384 - first - second, 0].shuffled(using: &random)
            }
            let weights = Rows<UInt16>(count: count) { UInt16(split[$1][$0]) }
            var wanted = Destination<D>(width: count, misalignment: random.in(0...31)), got = wanted
            wanted.write { row, _ in expected(row, rows.raw, weights.pointers, Int32(count)) }
            got.write { row, _ in tested(row, rows.raw, weights.pointers, Int32(count)) }
            #expect(got == wanted, "\(count) samples, seed \(seed)")
            // Equal predictions stay what they are.
            let same = [rows.raw[0], rows.raw[0], rows.raw[0], rows.raw[0]]
            got.write { row, _ in tested(row, same, weights.pointers, Int32(count)) }
            #expect(got.row(0, count: count) == (0..<count).map { D(rows.pointers[0][$0] >> extra) })
        }
    }

    @Test(arguments: KernelLevel.with("fusion_blend_row_12_to_8"), seeds)
    func blend12To8(_ level: KernelLevel, _ seed: UInt64) throws {
        let tables = try level.tables(for: "fusion_blend_row_12_to_8")
        checkBlend(
            tables.c.fusion_blend_row_12_to_8, tables.level.fusion_blend_row_12_to_8, to: UInt8.self, extra: 4,
            seed: seed)
    }

    @Test(arguments: KernelLevel.with("fusion_blend_row_16"), seeds)
    func blend16(_ level: KernelLevel, _ seed: UInt64) throws {
        let tables = try level.tables(for: "fusion_blend_row_16")
        checkBlend(
            tables.c.fusion_blend_row_16, tables.level.fusion_blend_row_16, to: UInt16.self, extra: 0, seed: seed)
    }

    private func checkCount(
        _ expected: vfx_fusion_count_row_fn, _ tested: vfx_fusion_count_row_fn, step: Int, limit: Int
    ) {
        var random = Random(seed: UInt64(step))
        for count in widths {
            let rows = Rows<UInt16>(count: count) { _, _ in UInt16(truncatingIfNeeded: random.next()) }
            let groups = (count + step - 1) / step
            var wanted = Destination<UInt8>(width: groups), got = wanted
            wanted.write { row, _ in
                expected(row, rows.raw[0], rows.raw[1], Int32(count), Int32(step), Int32(limit))
            }
            got.write { row, _ in tested(row, rows.raw[0], rows.raw[1], Int32(count), Int32(step), Int32(limit)) }
            #expect(got == wanted, "\(count) samples in groups of \(step)")
            let above = (0..<min(step, count)).filter {
                abs(Int(rows.pointers[0][$0]) - Int(rows.pointers[1][$0])) > limit
            }
            #expect(Int(wanted.row(0, count: 1)[0]) == above.count)
        }
    }

    @Test(arguments: KernelLevel.with("fusion_count_row"), [1, 32, 50])
    func count(_ level: KernelLevel, _ step: Int) throws {
        let tables = try level.tables(for: "fusion_count_row")
        checkCount(
            tables.c.fusion_count_row, tables.level.fusion_count_row, step: step, limit: 30000)
    }
}

/// The trained weights of the fusion networks.
@Suite struct FusionWeightsTests {
    static let models = [VFX_FUSION_SMALL, VFX_FUSION_LARGE].map(\.rawValue)

    private func network(_ model: UInt32) -> vfx_fusion_network {
        vfx_fusion_network_of(vfx_fusion_model(rawValue: model)).pointee
    }

    @Test(arguments: models) func checksumIsThatOfTheModelCard(_ model: UInt32) throws {
        let network = network(model)
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ value: UInt32, bytes: Int) {
            for k in 0..<bytes { hash = (hash ^ UInt64(value >> (8 * k) & 0xFF)) &* 0x0000_0100_0000_01B3 }
        }
        for layer in (0..<Int(network.count)).map({ network.layers[$0] }) {
            let outputs = Int(layer.outputs)
            for k in 0..<2 * outputs * Int(layer.sources) {
                add(UInt32(UInt16(bitPattern: layer.weights[k])), bytes: 2)
            }
            for k in 0..<outputs { add(UInt32(bitPattern: layer.bias[k]), bytes: 4) }
            let slopes = try #require(layer.slopes)
            for k in 0..<outputs { add(UInt32(UInt16(bitPattern: slopes[k])), bytes: 2) }
        }
        #expect(network.checksum == hash)
        try expectInModelCard(of: "FrameRateConversion", network.checksum, String(cString: network.name))
    }

    /// Each layer reads what the one before it writes, and no input overflows a 32-bit sum.
    @Test(arguments: models) func layersFitTogether(_ model: UInt32) {
        let network = network(model)
        var pairs = Int(VFX_FUSION_PAIRS)
        for layer in (0..<Int(network.count)).map({ network.layers[$0] }) {
            #expect(Int(layer.sources) == 9 * pairs)
            #expect((1...28).contains(layer.shift))
            pairs = Int(layer.outputs) / 2
            for output in 0..<Int(layer.outputs) {
                let first = output / 4 * Int(layer.sources) * 8 + output % 4 * 2
                let total = (0..<Int(layer.sources)).reduce(0) {
                    $0 + abs(Int(layer.weights[first + 8 * $1])) + abs(Int(layer.weights[first + 8 * $1 + 1]))
                }
                let worst = total * 32768 + abs(Int(layer.bias[output])) + (1 << Int(layer.shift))
                #expect(worst <= Int(Int32.max), "output \(output)")
            }
        }
        #expect(pairs == 8)
    }
}
