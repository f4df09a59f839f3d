import Kernels
import Testing

/// Motion blur of blocks: all block sizes, three sources, horizontal and vertical steps.
@Suite struct MotionBlurTests {
    /// Taps whose weights add up to 16384, some of them negative.
    private func taps(_ count: Int, stride: Int, _ random: inout Random) -> [vfx_motion_blur_tap] {
        var taps: [vfx_motion_blur_tap] = [], sum = 0
        for _ in 0..<count {
            let weight = random.in(-1200...9000) / count, next = random.in(-1200...9000) / count
            taps.append(
                vfx_motion_blur_tap(
                    source: Int32(random.in(0...2)), offset: Int32(random.in(0...7) * stride + random.in(0...15)),
                    step: Int32([0, 1, stride][random.in(0...2)]), weight: Int16(weight), weight_next: Int16(next)))
            sum += weight + next
        }
        taps[0].weight += Int16(16384 - sum)
        return taps
    }

    private func check<S: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ expected: vfx_motion_blur_block_fn, _ tested: vfx_motion_blur_block_fn, maximum: S, seed: UInt64
    ) {
        var random = Random(seed: seed)
        let memories = (0..<3).map { _ in GuardedMemory(size: 1 << 14) }
        for width in 1...8 {
            for height in [1, 2, 3, 4, 5, 8, 11, 16] {
                // The last readable sample is the last one of the memory.
                let planes = memories.map {
                    GuardedPlane<S>(
                        $0, columns: 0..<24, rows: 0..<(height + 8), gap: width, upward: false, edge: .after)
                }
                let stride = planes[0].stride
                for plane in planes { plane.fill(Pattern.any(&random), maximum: maximum, random: &random) }
                let list = taps(random.in(1...30), stride: stride, &random)
                let sources = planes.map { UnsafeRawPointer($0.origin) }
                var wanted = Destination<S>(width: width, height: height, misalignment: random.in(0...15)),
                    got = wanted
                wanted.write { row, stride in
                    expected(
                        row, stride, Int32(width), Int32(height), sources, planes[0].stride, list, Int32(list.count),
                        Int32(maximum))
                }
                got.write { row, stride in
                    tested(
                        row, stride, Int32(width), Int32(height), sources, planes[0].stride, list, Int32(list.count),
                        Int32(maximum))
                }
                #expect(got == wanted, "\(width)x\(height), \(list.count) taps, seed \(seed)")
            }
        }
    }

    @Test(arguments: KernelLevel.with("motion_blur_block_8"), seeds) func block8(_ level: KernelLevel, _ seed: UInt64)
        throws
    {
        let tables = try level.tables(for: "motion_blur_block_8")
        check(tables.c.motion_blur_block_8, tables.level.motion_blur_block_8, maximum: UInt8(255), seed: seed)
    }

    @Test(arguments: KernelLevel.with("motion_blur_block_16"), [UInt16(1023), 65535]) func block16(
        _ level: KernelLevel, _ maximum: UInt16
    ) throws {
        let tables = try level.tables(for: "motion_blur_block_16")
        for seed in seeds {
            check(tables.c.motion_blur_block_16, tables.level.motion_blur_block_16, maximum: maximum, seed: seed)
        }
    }

    /// One tap of full weight is a copy.
    @Test func oneTapCopies() {
        let table = vfx_kernels_make(vfx_cpu_detect())
        let source = (0..<256).map { UInt16($0 * 257) }
        let tap = vfx_motion_blur_tap(source: 1, offset: 17, step: 0, weight: 16384, weight_next: 0)
        var block = [UInt16](repeating: 0, count: 64)
        source.withUnsafeBytes { p in
            if let base = p.baseAddress {
                table.motion_blur_block_16(&block, 8, 8, 8, [base, base, base], 16, [tap], 1, 65535)
            }
        }
        let wanted: [UInt16] = (0..<8).flatMap { y in source[17 + 16 * y..<25 + 16 * y] }
        #expect(block == wanted)
    }
}
