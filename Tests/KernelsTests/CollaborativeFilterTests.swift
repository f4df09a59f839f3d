import Foundation
import Kernels
import Testing

/// Collaborative filtering of groups of blocks. Floats are compared bit by bit.
@Suite struct CollaborativeFilterTests {
    /// A row of blocks, with planes of random samples that extend as far as the vectors.
    private struct Row {
        let frames: Int
        let centre: Int
        let width: Int
        let step: Int
        let reach = 5
        var blocks: Int { (width - 8 + step - 1) / step + 1 }
        var columns: Range<Int> { -reach..<width + reach }
        var rows: Range<Int> { -reach..<8 + reach }
    }

    private static let rows = [
        Row(frames: 1, centre: 0, width: 8, step: 4), Row(frames: 2, centre: 0, width: 23, step: 4),
        Row(frames: 4, centre: 3, width: 40, step: 3), Row(frames: 5, centre: 2, width: 33, step: 5),
        Row(frames: 6, centre: 2, width: 17, step: 4), Row(frames: 7, centre: 3, width: 64, step: 4),
        Row(frames: 7, centre: 0, width: 30, step: 4), Row(frames: 9, centre: 4, width: 29, step: 4),
        Row(frames: 17, centre: 8, width: 20, step: 8), Row(frames: 17, centre: 16, width: 20, step: 8),
    ]

    static func cosines(_ count: Int) -> [Float] {
        (0..<count * count).map { i in
            Float(
                ((i / count == 0 ? 1.0 : 2.0) / Double(count)).squareRoot()
                    * cos(Double.pi * Double((i / count) * (2 * (i % count) + 1)) / Double(2 * count)))
        }
    }

    /// Runs `body` with a group over random planes.
    private static func withGroup<Sample: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ row: Row, _: Sample.Type, hasPilot: Bool, threshold: Float, sigma: Float, seed: UInt64,
        value: ((Int, Int, Int) -> Sample)? = nil, _ body: (inout vfx_collaborative_group) throws -> Void
    ) rethrows {
        var random = Random(seed: seed)
        // A pilot has the same layout as its frame.
        let layouts = (0..<row.frames).map { _ in
            (gap: random.in(0...9), isUpward: random.in(0...2) == 0, isBefore: random.in(0...1) == 0)
        }
        let planes = (0..<row.frames * (hasPilot ? 2 : 1)).map { index in
            let layout = layouts[index % row.frames]
            let plane = GuardedPlane<Sample>(
                GuardedMemory(size: 1 << 14), columns: row.columns, rows: row.rows, gap: layout.gap,
                upward: layout.isUpward, edge: layout.isBefore ? .before : .after)
            for y in row.rows {
                for x in row.columns {
                    plane.origin[y * plane.stride + x] =
                        value?(index % row.frames, x, y) ?? Sample(truncatingIfNeeded: random.next())
                }
            }
            return plane
        }
        let vectors = (0..<row.frames).map { _ in
            (0..<2 * row.blocks).map { _ in Int16(random.in(-row.reach...row.reach)) }
        }
        let memories = (0..<row.frames + 4).map { _ in GuardedMemory(size: 1 << 12) }
        try withExtendedLifetime((planes, memories)) {
            let frames = (0..<row.frames).map { t in
                vfx_collaborative_frame(
                    origin: planes[t].origin, pilot: hasPilot ? planes[row.frames + t].origin : nil,
                    stride: planes[t].stride,
                    vectors: memories[t].array(value == nil ? vectors[t] : vectors[t].map { _ in 0 }))
            }
            var group = vfx_collaborative_group(
                frames: Int32(row.frames), centre: Int32(row.centre), blocks: Int32(row.blocks), step: Int32(row.step),
                width: Int32(row.width), transform: memories[row.frames].array(cosines(row.frames)),
                spectrum: memories[row.frames + 3].array((0..<64).map { Float($0 * 29 % 64 + 1) / 20 }),
                sigma: memories[row.frames + 1].array([Float](repeating: sigma, count: row.blocks)),
                constant_scale: 0.4, threshold: threshold, sum_stride: row.width + 3,
                frame: memories[row.frames + 2].array(frames))
            try body(&group)
        }
    }

    private static let window = (0..<64).map { 0.1 + Float(($0 * 37) % 64) / 64 }

    private static func shrink(
        _ kernel: vfx_collaborative_shrink_row_fn, _ row: Row, _ group: inout vfx_collaborative_group
    )
        -> [UInt32]
    {
        // Guard values around the output.
        let stride = row.width + 3, count = 8 * stride
        var num = [Float](repeating: -77, count: count + 32), den = num
        for y in 0..<8 {
            for x in 0..<row.width { num[16 + y * stride + x] = Float(x - y); den[16 + y * stride + x] = 0.25 }
        }
        num.withUnsafeMutableBufferPointer { n in
            den.withUnsafeMutableBufferPointer { d in
                if let n = n.baseAddress, let d = d.baseAddress { kernel(&group, window, n + 16, d + 16) }
            }
        }
        for i in num.indices where i < 16 || (i - 16) % stride >= row.width || i - 16 >= count {
            #expect(num[i] == -77 && den[i] == -77)
        }
        return (num + den).map(\.bitPattern)
    }

    @Test(arguments: KernelLevel.with("collaborative_shrink_row_8"), seeds) func shrink(
        _ level: KernelLevel, _ seed: UInt64
    )
        throws
    {
        let (c, mine) = try level.tables(for: "collaborative_shrink_row_8")
        let (c16, mine16) = try level.tables(for: "collaborative_shrink_row_16")
        for row in Self.rows {
            for hasPilot in [false, true] {
                for sigma: Float in [0, 3, 40, 20000] {
                    Self.withGroup(row, UInt8.self, hasPilot: hasPilot, threshold: 3.2, sigma: sigma, seed: seed) {
                        group in
                        let wanted = Self.shrink(c.collaborative_shrink_row_8, row, &group)
                        #expect(
                            Self.shrink(mine.collaborative_shrink_row_8, row, &group) == wanted,
                            "\(row), sigma \(sigma)")
                    }
                    Self.withGroup(row, UInt16.self, hasPilot: hasPilot, threshold: 3.2, sigma: sigma, seed: seed) {
                        group in
                        let wanted = Self.shrink(c16.collaborative_shrink_row_16, row, &group)
                        #expect(
                            Self.shrink(mine16.collaborative_shrink_row_16, row, &group) == wanted,
                            "\(row), sigma \(sigma)")
                    }
                }
            }
        }
    }

    /// Without noise nothing is removed: the sums contain the samples of the center frame.
    @Test(arguments: [VFX_CPU_C, VFX_CPU_AVX2]) func noNoiseKeepsTheFrame(_ level: vfx_cpu_level) throws {
        let table = vfx_kernels_make(level)
        for row in Self.rows where row.frames != 2 * row.centre + 1 || row.frames == 1 {
            Self.withGroup(
                row, UInt8.self, hasPilot: false, threshold: 3.2, sigma: 0, seed: 4,
                value: { t, x, y in UInt8(truncatingIfNeeded: 40 * t &+ x &* 7 &+ y &* y &* 3) }
            ) { group in
                let stride = row.width + 3
                var num = [Float](repeating: 0, count: 8 * stride), den = num
                table.collaborative_shrink_row_8(&group, Self.window, &num, &den)
                for y in 0..<8 {
                    for x in 0..<row.width {
                        let value = num[y * stride + x] / den[y * stride + x]
                        let wanted = Float(UInt8(truncatingIfNeeded: 40 * row.centre &+ x &* 7 &+ y &* y &* 3))
                        #expect(abs(value - wanted) < 0.01)
                    }
                }
            }
        }
    }

    private static func measure(
        _ kernel: vfx_collaborative_noise_row_fn, _ row: Row, _ group: inout vfx_collaborative_group
    ) -> [UInt32] {
        var texture = [Float](repeating: -1, count: 64 * row.blocks + 2), variance = texture
        kernel(&group, &texture, &variance)
        for results in [texture, variance] { #expect(results.suffix(2).allSatisfy { $0 == -1 }) }
        return (texture + variance).map(\.bitPattern)
    }

    @Test(arguments: KernelLevel.with("collaborative_noise_row_8"), seeds) func noise(
        _ level: KernelLevel, _ seed: UInt64
    )
        throws
    {
        let (c, mine) = try level.tables(for: "collaborative_noise_row_8")
        let (c16, mine16) = try level.tables(for: "collaborative_noise_row_16")
        for row in Self.rows {
            Self.withGroup(row, UInt8.self, hasPilot: false, threshold: 0, sigma: 0, seed: seed) { group in
                let wanted = Self.measure(c.collaborative_noise_row_8, row, &group)
                #expect(Self.measure(mine.collaborative_noise_row_8, row, &group) == wanted)
            }
            Self.withGroup(row, UInt16.self, hasPilot: false, threshold: 0, sigma: 0, seed: seed) { group in
                let wanted = Self.measure(c16.collaborative_noise_row_16, row, &group)
                #expect(Self.measure(mine16.collaborative_noise_row_16, row, &group) == wanted)
            }
        }
    }

    @Test(arguments: KernelLevel.with("collaborative_light_row_8"), seeds) func light(
        _ level: KernelLevel, _ seed: UInt64
    )
        throws
    {
        let (c, mine) = try level.tables(for: "collaborative_light_row_8")
        let (c16, mine16) = try level.tables(for: "collaborative_light_row_16")
        for row in Self.rows {
            Self.withGroup(row, UInt8.self, hasPilot: false, threshold: 0, sigma: 0, seed: seed) { group in
                let wanted = Self.measure(c.collaborative_light_row_8, row, &group)
                #expect(Self.measure(mine.collaborative_light_row_8, row, &group) == wanted)
            }
            Self.withGroup(row, UInt16.self, hasPilot: false, threshold: 0, sigma: 0, seed: seed) { group in
                let wanted = Self.measure(c16.collaborative_light_row_16, row, &group)
                #expect(Self.measure(mine16.collaborative_light_row_16, row, &group) == wanted)
            }
        }
    }

    /// A gain and an offset of each frame are light, not variance, but for the mean of the block.
    @Test(arguments: [VFX_CPU_C, VFX_CPU_AVX2]) func lightIsNoVariance(_ level: vfx_cpu_level) {
        let table = vfx_kernels_make(level), row = Row(frames: 4, centre: 1, width: 8, step: 4)
        Self.withGroup(
            row, UInt8.self, hasPilot: false, threshold: 0, sigma: 0, seed: 4,
            value: { t, x, y in UInt8(20 + (t & 1) * 40 + (1 + t) * (x & 1) * 20 + (1 + t) * y) }
        ) { group in
            var texture = [Float](repeating: -1, count: 64), variance = texture, plain = texture
            table.collaborative_noise_row_8(&group, &texture, &plain)
            table.collaborative_light_row_8(&group, &texture, &variance)
            #expect(variance[0] == plain[0] && variance[0] > 1000)
            #expect(plain[1...].reduce(0, +) > 1000)
            #expect(variance[1...].allSatisfy { $0 < 0.01 })
        }
    }

    /// What is the same in all frames is texture; what differs from frame to frame is variance.
    @Test(arguments: [VFX_CPU_C, VFX_CPU_AVX2]) func whatStaysIsTexture(_ level: vfx_cpu_level) {
        let table = vfx_kernels_make(level), row = Row(frames: 4, centre: 1, width: 8, step: 4)
        for change in [0, 20] {
            Self.withGroup(
                row, UInt8.self, hasPilot: false, threshold: 0, sigma: 0, seed: 4,
                value: { t, x, _ in UInt8(100 + (x & 1) * 60 + (t & 1) * change) }
            ) { group in
                var texture = [Float](repeating: -1, count: 64), variance = texture
                table.collaborative_noise_row_8(&group, &texture, &variance)
                // Brightness changes by 20, which is 160 in the coefficient: 4/3 of 80² is the variance of four frames.
                #expect(abs(variance[0] - Float(change * change) * 64 / 3) < 0.1)
                #expect(variance[1...].allSatisfy { $0 < 0.01 })
                // The sum of squares is the mean square of the samples, times 64, without the mean: 30².
                #expect(abs(texture[1...].reduce(0, +) - 64 * 900) < 1)
            }
        }
    }

    @Test(arguments: KernelLevel.with("collaborative_aggregate_row_8"), seeds) func finish(
        _ level: KernelLevel, _ seed: UInt64
    )
        throws
    {
        let (c, mine) = try level.tables(for: "collaborative_aggregate_row_8")
        let (c16, mine16) = try level.tables(for: "collaborative_aggregate_row_16")
        var random = Random(seed: seed)
        for width in widths where width <= 641 {
            let den = (0..<width).map { _ in Float(random.in(1...100000)) / 999 }
            let num = den.map { $0 * Float(random.in(-2000...70000)) / 8 }
            func run8(_ t: vfx_kernel_table) -> Destination<UInt8> {
                var d = Destination<UInt8>(width: width, misalignment: 3)
                d.write { p, _ in t.collaborative_aggregate_row_8(p, num, den, Int32(width), 255) }
                return d
            }
            func run16(_ t: vfx_kernel_table) -> Destination<UInt16> {
                var d = Destination<UInt16>(width: width, misalignment: 1)
                d.write { p, _ in t.collaborative_aggregate_row_16(p, num, den, Int32(width), 1023) }
                return d
            }
            #expect(run8(mine) == run8(c))
            #expect(run16(mine16) == run16(c16))
        }
    }
}
