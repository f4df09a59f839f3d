import Foundation
import Kernels
import Testing

/// Rows of the fusion network, at plain C and at the highest level.
@Suite struct FusionTests {
    private static let levels = [0, vfx_cpu_detect()]

    private static let predictions = Int(VFX_FUSION_PREDICTIONS)

    /// As many rows of one length as there are predictions.
    private struct Rows<Element: FixedWidthInteger & BitwiseCopyable> {
        private let memories = (0..<predictions).map { _ in GuardedMemory(size: 4096) }
        let pointers: [UnsafePointer<Element>]

        init(count: Int, _ value: (_ row: Int, _ index: Int) -> Element) {
            pointers = memories.enumerated().map { row, memory in
                UnsafePointer(memory.array((0..<count).map { value(row, $0) }))
            }
        }

        var raw: [UnsafeRawPointer] { pointers.map { UnsafeRawPointer($0) } }
    }

    /// Rows of weights that add up to 16384.
    private func weights(count: Int, _ random: inout Random) -> Rows<UInt16> {
        let split = (0..<count).map { _ in
            var rest = 16384
            let parts = (1..<Self.predictions).map { _ in
                let part = random.in(0...rest)
                rest -= part
                return part
            }
            return (parts + [rest]).shuffled(using: &random)
        }
        return Rows<UInt16>(count: count) { UInt16(split[$1][$0]) }
    }

    /// 32 levels at 8 bits are 1.0, and the phase is from −1.0 to 1.0.
    @Test(arguments: levels, [9, 10, 12, 16]) func inputIsInFixedPoint(_ level: Int32, _ depth: Int) {
        let table = vfx_kernels_make(level), count = 19, most = (1 << depth) - 1
        var random = Random(seed: UInt64(depth))
        let upper = Rows<UInt16>(count: 2 * count) { _, _ in UInt16(random.in(0...most)) }
        let lower = Rows<UInt16>(count: 2 * count) { _, _ in UInt16(random.in(0...most)) }
        let cells = Rows<Int16>(count: count) { _, _ in Int16(random.in(0...255)) }.pointers
        var known = vfx_fusion_cells(
            share: (cells[0], cells[2]), trust: (cells[1], cells[3]), distance: cells[0], phase: 700)
        var result = Destination<Int32>(width: count, height: Int(VFX_FUSION_PAIRS))
        result.write { first, pitch in
            let rows = (0..<Int(VFX_FUSION_PAIRS)).map { first + $0 * pitch }
            table.fusion_input_row(rows, upper.raw, lower.raw, &known, Int32(count), Int32(depth))
        }
        func difference(_ rows: Rows<UInt16>, _ i: Int, _ j: Int, _ x: Int) -> Int16 {
            Int16(truncatingIfNeeded: ((Int(rows.pointers[i][x]) - Int(rows.pointers[j][x])) * 64) >> (depth - 8))
        }
        func value(_ k: Int, _ x: Int) -> Int16 { (cells[k][x] - 128) * 16 }
        for x in 0..<count {
            var expected: [(Int16, Int16)] = []
            for (i, j) in [(0, 1), (2, 3), (0, 2), (1, 3), (0, 4), (1, 5)] {
                for rows in [upper, lower] {
                    expected.append((difference(rows, i, j, 2 * x), difference(rows, i, j, 2 * x + 1)))
                }
            }
            expected += [(value(0, x), value(1, x)), (value(2, x), value(3, x)), (value(0, x), (700 - 512) * 4)]
            #expect(expected.count == Int(VFX_FUSION_PAIRS))
            for (pair, halves) in expected.enumerated() {
                let found = result.row(pair, count: count)[x]
                #expect(Int16(truncatingIfNeeded: found) == halves.0, "pair \(pair)")
                #expect(Int16(truncatingIfNeeded: found >> 16) == halves.1, "pair \(pair)")
            }
        }
    }

    /// Random samples, so that rows and columns count as they should.
    @Test(arguments: levels, [2, 4]) func smoothingWeighsRowsAndColumns(_ level: Int32, _ radius: Int) {
        let table = vfx_kernels_make(level), count = 67, side = 2 * radius
        var random = Random(seed: 6)
        let memories = (0...side).map { _ in GuardedMemory(size: 4096) }
        let rows = memories.map { memory in
            UnsafePointer(memory.array((0..<count + side).map { _ in UInt16(random.in(0...65535)) }))
        }
        var result = Destination<UInt16>(width: count)
        result.write { target, _ in
            withExtendedLifetime(memories) { table.fusion_smooth_row(target, rows, Int32(count), Int32(radius)) }
        }
        func weight(_ k: Int) -> Int { k == 0 || k == side ? 1 : 2 }
        let expected = withExtendedLifetime(memories) {
            (0..<count).map { x in
                var sum = 8 * radius * radius
                for y in 0...side { for k in 0...side { sum += weight(y) * weight(k) * Int(rows[y][x + k]) } }
                return UInt16(sum / (16 * radius * radius))
            }
        }
        #expect(result.row(0, count: count) == expected)
    }

    @Test(arguments: levels, seeds) func weightsAddUp(_ level: Int32, _ seed: UInt64) {
        let table = vfx_kernels_make(level), count = 67
        var random = Random(seed: seed)
        for isWide in [false, true] {
            let scores = Rows<Int16>(count: count) { _, _ in
                isWide ? Int16(truncatingIfNeeded: random.next()) : Int16(random.in(-3000...3000))
            }
            let shares = Array(
                Rows<Int16>(count: count) { _, _ in Int16([0, 256, random.in(0...256)][random.in(0...2)]) }
                    .pointers.prefix(3))
            let phase = Int32(random.in(1...1023))
            var result = Destination<UInt16>(width: count, height: Self.predictions)
            result.write { first, pitch in
                let targets = (0..<Self.predictions).map { first + $0 * pitch }
                table.fusion_weights_row(targets, scores.pointers, shares, phase, Int32(count))
            }
            let rows = (0..<Self.predictions).map { result.row($0, count: count) }
            for x in 0..<count {
                #expect(rows.reduce(0) { $0 + Int($1[x]) } == 16384)
                let exact = reference(
                    (0..<Self.predictions).map { scores.pointers[$0][x] }, shares.map { $0[x] }, phase)
                for k in 1..<Self.predictions { #expect(abs(Double(rows[k][x]) - exact[k]) < 8, "weight \(k)") }
            }
        }
    }

    /// The weights in double precision.
    private func reference(_ scores: [Int16], _ shares: [Int16], _ phase: Int32) -> [Double] {
        let top = Int(scores.max() ?? 0), p = Double(phase)
        let products = (0..<Self.predictions).map { k in
            let share = Double(min(max(shares[k / 2 & 1], 1), 255))
            let doubt = 1 - Double(shares[2]) / 256
            let prior =
                k >= 4 ? p * (1024 - p) * doubt * doubt : k % 2 == 0 ? (256 - share) * (1024 - p) : share * p
            return prior * exp2(Double(max(Int(scores[k]) - top, -16384)) / 1024)
        }
        let sum = products.reduce(0, +)
        return products.map { $0 / sum * 16384 }
    }

    @Test(arguments: levels) func halvedWeightsAddUp(_ level: Int32) {
        let table = vfx_kernels_make(level), count = 67
        var random = Random(seed: 4)
        let upper = weights(count: 2 * count, &random), lower = weights(count: 2 * count, &random)
        var result = Destination<UInt16>(width: count, height: Self.predictions)
        result.write { first, pitch in
            let targets = (0..<Self.predictions).map { first + $0 * pitch }
            table.fusion_halve_weights_row(targets, upper.pointers, lower.pointers, Int32(count))
        }
        for x in 0..<count {
            let found = (0..<Self.predictions).map { Int(result.row($0, count: count)[x]) }
            #expect(found.reduce(0, +) == 16384)
            for k in 1..<Self.predictions {
                let (a, b) = (upper.pointers[k], lower.pointers[k])
                #expect(found[k] == [a[2 * x], a[2 * x + 1], b[2 * x], b[2 * x + 1]].reduce(0) { $0 + Int($1) } / 4)
            }
        }
    }

    /// Checks that equal predictions stay as they are, and that each counts with its weight.
    ///
    /// - Parameter extra: bits that the predictions have more than the result.
    private func checkBlend<D: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ kernel: vfx_fusion_blend_row_fn, to _: D.Type, extra: Int
    ) {
        var random = Random(seed: 5)
        let count = 67
        let rows = Rows<UInt16>(count: count) { _, _ in UInt16(random.in(0...Int(D.max))) << extra }
        let weights = weights(count: count, &random)
        var result = Destination<D>(width: count)
        result.write { row, _ in
            kernel(
                row, [UnsafeRawPointer](repeating: rows.raw[0], count: Self.predictions), weights.pointers, Int32(count)
            )
        }
        #expect(result.row(0, count: count) == (0..<count).map { D(rows.pointers[0][$0] >> extra) })
        result.write { row, _ in kernel(row, rows.raw, weights.pointers, Int32(count)) }
        let blended = (0..<count).map { x in
            let sum = (0..<Self.predictions).reduce(0) { $0 + Int(rows.pointers[$1][x]) * Int(weights.pointers[$1][x]) }
            return D((sum + 8192 << extra) >> (14 + extra))
        }
        #expect(result.row(0, count: count) == blended)
    }

    @Test(arguments: levels) func predictionsAreBlended(_ level: Int32) {
        let table = vfx_kernels_make(level)
        checkBlend(table.fusion_blend_row_12_to_8, to: UInt8.self, extra: 4)
        checkBlend(table.fusion_blend_row_16, to: UInt16.self, extra: 0)
    }

    @Test(arguments: levels, [1, 32, 50]) func differingSamplesAreCounted(_ level: Int32, _ step: Int) {
        let table = vfx_kernels_make(level), count = 120
        var random = Random(seed: UInt64(step))
        let rows = Rows<UInt16>(count: count) { _, _ in UInt16(truncatingIfNeeded: random.next()) }
        let groups = (count + step - 1) / step
        var result = Destination<UInt8>(width: groups)
        result.write { row, _ in
            table.fusion_count_row(row, rows.raw[0], rows.raw[1], Int32(count), Int32(step), 30000)
        }
        for group in 0..<groups {
            let above = (group * step..<min((group + 1) * step, count)).filter {
                abs(Int(rows.pointers[0][$0]) - Int(rows.pointers[1][$0])) > 30000
            }
            #expect(Int(result.row(0, count: groups)[group]) == above.count)
        }
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
        #expect(try checksum(of: network.layers, count: Int(network.count)) == network.checksum)
        try expectInModelCard(of: "FrameRateConversion", network.checksum, String(cString: network.name))
    }

    /// Each layer reads what the one before it writes, and no input overflows a 32-bit sum.
    @Test(arguments: models) func layersFitTogether(_ model: UInt32) {
        let network = network(model)
        expectLayersFit(
            network.layers, count: Int(network.count), inputs: Int(VFX_FUSION_PAIRS),
            outputs: 4 * Int(VFX_FUSION_PREDICTIONS))
    }
}
