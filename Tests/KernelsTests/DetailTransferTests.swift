import Kernels
import Testing

/// Detail transfer kernels: all widths, with and without a map.
@Suite struct DetailTransferTests {
    private func doubled(_ level: KernelLevel, _ slot: String, _ body: (vfx_kernel_table, vfx_kernel_table) -> Void)
        throws
    {
        let tables = try level.tables(for: slot)
        body(tables.c, tables.level)
    }

    /// A map from the samples of a row to source samples, ascending slowly.
    private func map(_ count: Int, into sources: Int) -> [Int32] {
        (0..<count).map { Int32((2 * $0 + 1) * sources / (2 * count)) }
    }

    @Test(arguments: KernelLevel.with("detail_transfer_weight_row"), seeds) func weights(
        _ level: KernelLevel, _ seed: UInt64
    ) throws {
        try doubled(level, "detail_transfer_weight_row") { c, mine in
            var random = Random(seed: seed)
            let errors = GuardedMemory(size: 1 << 14), lumas = GuardedMemory(size: 1 << 15)
            for width in widths where width <= 641 {
                let error = GuardedPlane<UInt8>(errors, columns: -1..<width + 1, rows: -1..<2, random: &random)
                let luma = GuardedPlane<UInt8>(lumas, columns: -2..<width + 2, rows: -2..<3, random: &random)
                error.fill(Pattern.any(&random), maximum: random.in(0...1) == 0 ? 255 : 9, random: &random)
                luma.fill(Pattern.any(&random), maximum: 255, random: &random)
                var trust = vfx_detail_transfer_trust(most: 205, scale: 4)
                var scratch = [Int32](repeating: 0, count: 3 * (width + 4))
                var wanted = Destination<UInt8>(width: width, misalignment: random.in(0...31)), got = wanted
                wanted.write { row, _ in
                    c.detail_transfer_weight_row(
                        row, error.read, error.stride, luma.read, luma.stride, Int32(width), &trust, &scratch)
                }
                got.write { row, _ in
                    mine.detail_transfer_weight_row(
                        row, error.read, error.stride, luma.read, luma.stride, Int32(width), &trust, &scratch)
                }
                #expect(got == wanted, "\(width) samples, seed \(seed)")
            }
        }
    }

    /// The weight is full where both frames match, and nearly 0 where they differ by more than the contrast.
    @Test func weightsFollowTheMatch() {
        let table = vfx_kernels_make(vfx_cpu_detect())
        var trust = vfx_detail_transfer_trust(most: 205, scale: 4)
        func weight(missing: UInt8, contrast: UInt8) -> UInt8 {
            let errors = [UInt8](repeating: missing, count: 3 * 3)
            let luma = (0..<25).map { UInt8(100) + ($0 % 2 == 0 ? contrast : 0) }
            var scratch = [Int32](repeating: 0, count: 15), result: UInt8 = 0
            errors.withUnsafeBufferPointer { e in
                luma.withUnsafeBufferPointer { l in
                    if let e = e.baseAddress, let l = l.baseAddress {
                        table.detail_transfer_weight_row(&result, e + 4, 3, l + 12, 5, 1, &trust, &scratch)
                    }
                }
            }
            return result
        }
        #expect(weight(missing: 0, contrast: 60) == 205)
        #expect(weight(missing: 30, contrast: 60) < 5)
        #expect(weight(missing: 3, contrast: 60) > weight(missing: 3, contrast: 10))
    }

    @Test(arguments: KernelLevel.with("detail_transfer_difference_row"), seeds) func differences(
        _ level: KernelLevel, _ seed: UInt64
    ) throws {
        try doubled(level, "detail_transfer_difference_row") { c, mine in
            var random = Random(seed: seed)
            let memories = [GuardedMemory(size: 4096), GuardedMemory(size: 4096)]
            for width in widths {
                let a = memories[0].array((0..<width).map { _ in UInt8(truncatingIfNeeded: random.next()) })
                let b = memories[1].array((0..<width).map { _ in UInt8(truncatingIfNeeded: random.next()) })
                var wanted = Destination<UInt8>(width: width, misalignment: random.in(0...31)), got = wanted
                wanted.write { row, _ in c.detail_transfer_difference_row(row, a, b, Int32(width)) }
                got.write { row, _ in mine.detail_transfer_difference_row(row, a, b, Int32(width)) }
                #expect(got == wanted, "\(width) samples, seed \(seed)")
            }
        }
    }

    @Test(arguments: KernelLevel.with("detail_transfer_spread_row"), seeds) func spreading(
        _ level: KernelLevel, _ seed: UInt64
    ) throws {
        try doubled(level, "detail_transfer_spread_row") { c, mine in
            var random = Random(seed: seed)
            let memory = GuardedMemory(size: 4096), maps = GuardedMemory(size: 16384)
            for width in widths where width < 1000 {
                let source = memory.array((0..<width).map { _ in Int16(truncatingIfNeeded: random.next()) })
                let scale = Int32(random.in(0...65535))
                for count in [2 * width, width + random.in(0...width)] {
                    let list = count == 2 * width ? nil : maps.array(map(count, into: width))
                    var wanted = Destination<Int16>(width: count, misalignment: random.in(0...15)), got = wanted
                    wanted.write { row, _ in c.detail_transfer_spread_row(row, source, list, Int32(count), scale) }
                    got.write { row, _ in mine.detail_transfer_spread_row(row, source, list, Int32(count), scale) }
                    #expect(got == wanted, "\(width) to \(count) vectors, seed \(seed)")
                }
            }
        }
    }

    private func checkDetail<S: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ c: vfx_kernel_table, _ mine: vfx_kernel_table, maximum: S, seed: UInt64
    ) {
        var random = Random(seed: seed)
        let memories = (0..<4).map { _ in GuardedMemory(size: 1 << 14) }
        let wide = S.bitWidth == 16
        let kernels = [c, mine].map { wide ? $0.detail_transfer_extract_row_16 : $0.detail_transfer_extract_row_8 }
        let mergers = [c, mine].map { wide ? $0.detail_transfer_merge_row_16 : $0.detail_transfer_merge_row_8 }
        for width in widths where width < 700 {
            for count in [2 * width, width + random.in(0...width)] {
                let isDouble = count == 2 * width
                let moved = memories[0].array(
                    (0..<count).map { _ in S(truncatingIfNeeded: random.in(0...Int(maximum))) })
                let here = memories[1].array(
                    (0..<count).map { _ in S(truncatingIfNeeded: random.in(0...Int(maximum))) })
                let weights = memories[2].array((0..<width).map { _ in UInt8(truncatingIfNeeded: random.next()) })
                let list = isDouble ? nil : memories[3].array(map(count, into: width))
                var details: [[Int32]] = [], all: [[Int32]] = []
                for kernel in kernels {
                    var detail = [Int32](repeating: 7, count: count + 16),
                        sums = [Int32](repeating: 3, count: width + 16)
                    kernel(&detail, &sums, moved, here, weights, list, Int32(count))
                    details.append(detail)
                    all.append(sums)
                }
                #expect(details[0] == details[1] && all[0] == all[1], "\(width) to \(count), seed \(seed)")
                #expect(details[1].suffix(16).allSatisfy { $0 == 7 } && all[1].suffix(16).allSatisfy { $0 == 3 })
                let means = all[0].prefix(width).map { $0 / 4 }, padded = [means[0]] + means + [means[width - 1]]
                let places = (0..<count).map {
                    vfx_detail_transfer_place(
                        first: Int32(($0 * (width - 1)) / count), weight: Int32(random.in(0...63)))
                }
                var results: [Destination<S>] = []
                let empty = Destination<S>(width: count, misalignment: random.in(0...15))
                for merge in mergers {
                    var result = empty
                    padded.withUnsafeBufferPointer { means in
                        guard let means = means.baseAddress else { return }
                        result.write { row, _ in
                            merge(
                                row, here, details[0], means + 1, isDouble ? nil : places, Int32(count), Int32(maximum))
                        }
                    }
                    results.append(result)
                }
                #expect(results[0] == results[1], "\(width) to \(count), seed \(seed)")
            }
        }
    }

    @Test(arguments: KernelLevel.with("detail_transfer_extract_row_8"), seeds) func detail8(
        _ level: KernelLevel, _ seed: UInt64
    ) throws {
        _ = try level.tables(for: "detail_transfer_merge_row_8")
        try doubled(level, "detail_transfer_extract_row_8") { checkDetail($0, $1, maximum: UInt8(255), seed: seed) }
    }

    @Test(arguments: KernelLevel.with("detail_transfer_extract_row_16"), [UInt16(1023), 65535]) func detail16(
        _ level: KernelLevel, _ maximum: UInt16
    ) throws {
        _ = try level.tables(for: "detail_transfer_merge_row_16")
        try doubled(level, "detail_transfer_extract_row_16") { checkDetail($0, $1, maximum: maximum, seed: 9) }
    }
}
