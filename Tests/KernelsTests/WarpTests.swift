import Kernels
import Testing

/// Warped rows: all widths, vectors far outside, runs of equal vectors, exact read bounds.
@Suite struct WarpTests {
    /// Kinds of vector rows.
    enum Field: CaseIterable {
        case anywhere, still, pan, wholePixels, jitter, runs, outward

        func vectors(count: Int, _ random: inout Random) -> [Int16] {
            let base = random.in(-900...900)
            return (0..<count).map { i in
                switch self {
                case .anywhere: Int16(truncatingIfNeeded: random.next())
                case .still: 0
                case .pan: Int16(base)
                case .wholePixels: Int16(base & ~31)
                case .jitter: Int16(base + random.in(0...2))
                case .runs: i % 53 < 41 ? Int16(base) : Int16(random.in(-400...400))
                case .outward: Int16(clamping: base + i * (base & 1 == 0 ? 37 : -37))
                }
            }
        }
    }

    static let scales: [Int32] = [16384, -16384, 8192, 0, 1, 5461, -10923, 32768]

    private typealias Samples = FixedWidthInteger & UnsignedInteger & BitwiseCopyable

    /// - Parameter maximum: the largest sample of the source, and of the result, which may be deeper.
    private func check<S: Samples, D: Samples>(
        _ expected: vfx_warp_row_fn, _ tested: vfx_warp_row_fn, maximum: (source: S, result: D), seed: UInt64
    ) {
        var random = Random(seed: seed)
        let memory = GuardedMemory(size: 1 << 20), xMemory = GuardedMemory(size: 4096),
            yMemory = GuardedMemory(size: 4096)
        for count in widths {
            for field in Field.allCases {
                let width = random.in(1...(count + 20)), height = random.in(1...9), margin = random.in(0...24)
                let reach = margin + 2
                let plane = GuardedPlane<S>(
                    memory, columns: -reach..<(width + reach), rows: -reach..<(height + reach), random: &random)
                plane.fill(Pattern.any(&random), maximum: maximum.source, random: &random)
                var source = vfx_warp_source(
                    origin: UnsafeRawPointer(plane.origin), stride: plane.stride, width: Int32(width),
                    height: Int32(height),
                    margin: Int32(margin))
                let vx = xMemory.array(field.vectors(count: count, &random)),
                    vy = yMemory.array(field.vectors(count: count, &random))
                let scale = Self.scales[random.in(0...Self.scales.count - 1)]
                let x0 = Int32(random.in(0...(width - 1))), y = Int32(random.in(0...(height - 1)))
                var wanted = Destination<D>(width: count, misalignment: random.in(0...31)), got = wanted
                wanted.write { row, _ in
                    expected(row, &source, x0, y, Int32(count), vx, vy, scale, Int32(maximum.result))
                }
                got.write { row, _ in tested(row, &source, x0, y, Int32(count), vx, vy, scale, Int32(maximum.result)) }
                #expect(got == wanted, "\(field), \(count) samples, scale \(scale), seed \(seed)")
            }
        }
    }

    @Test(arguments: KernelLevel.with("warp_row_8"), seeds) func warp8(_ level: KernelLevel, _ seed: UInt64) throws {
        let tables = try level.tables(for: "warp_row_8")
        check(tables.c.warp_row_8, tables.level.warp_row_8, maximum: (UInt8(255), UInt8(255)), seed: seed)
        check(tables.c.warp_row_8, tables.level.warp_row_8, maximum: (UInt8(100), UInt8(100)), seed: seed + 1)
    }

    @Test(arguments: KernelLevel.with("warp_row_8_to_12"), seeds)
    func warp8To12(_ level: KernelLevel, _ seed: UInt64) throws {
        let tables = try level.tables(for: "warp_row_8_to_12")
        for maximum in [UInt16(4080), 1600] {
            check(
                tables.c.warp_row_8_to_12, tables.level.warp_row_8_to_12, maximum: (UInt8.max, maximum), seed: seed)
        }
    }

    /// Rounded to whole levels, the deeper samples are those of the 8-bit kernel.
    @Test func deeperSamplesRoundToTheOthers() {
        let table = vfx_kernels_make(vfx_cpu_detect())
        var random = Random(seed: 9)
        let plane = GuardedPlane<UInt8>(GuardedMemory(size: 16384), columns: -2..<102, rows: -2..<7, random: &random)
        plane.fill(.random, maximum: 255, random: &random)
        var source = vfx_warp_source(
            origin: UnsafeRawPointer(plane.origin), stride: plane.stride, width: 100, height: 5, margin: 0)
        let vx = (0..<100).map { Int16($0 % 37 * 5 - 90) }, vy = (0..<100).map { Int16($0 % 11 * 9 - 50) }
        var row = Destination<UInt8>(width: 100), deeper = Destination<UInt16>(width: 100)
        row.write { row, _ in table.warp_row_8(row, &source, 0, 2, 100, vx, vy, 16384, 255) }
        deeper.write { row, _ in table.warp_row_8_to_12(row, &source, 0, 2, 100, vx, vy, 16384, 4080) }
        let rounded = zip(row.row(0, count: 100), deeper.row(0, count: 100)).map { (Int($0), (Int($1) + 8) >> 4) }
        // The deeper sample is rounded before, by at most 1/32 level.
        #expect(rounded.allSatisfy { abs($0 - $1) <= 1 } && rounded.count(where: { $0 == $1 }) >= 90)
    }

    @Test(arguments: KernelLevel.with("warp_row_16"), [UInt16(1023), 4095, 65535]) func warp16(
        _ level: KernelLevel, _ maximum: UInt16
    ) throws {
        let tables = try level.tables(for: "warp_row_16")
        for seed in seeds {
            check(tables.c.warp_row_16, tables.level.warp_row_16, maximum: (maximum, maximum), seed: seed)
        }
    }

    /// With zero vectors, every sample is that of the source.
    @Test func stillRowIsACopy() {
        let table = vfx_kernels_make(vfx_cpu_detect())
        var random = Random(seed: 3)
        let plane = GuardedPlane<UInt16>(GuardedMemory(size: 16384), columns: -2..<102, rows: -2..<7, random: &random)
        plane.fill(.random, maximum: 65535, random: &random)
        var source = vfx_warp_source(
            origin: UnsafeRawPointer(plane.origin), stride: plane.stride, width: 100, height: 5, margin: 0)
        let zero = [Int16](repeating: 0, count: 100)
        var row = Destination<UInt16>(width: 100)
        row.write { row, _ in table.warp_row_16(row, &source, 0, 3, 100, zero, zero, 16384, 65535) }
        #expect(row.row(0, count: 100) == (0..<100).map { plane.origin[3 * plane.stride + $0] })
    }
}
