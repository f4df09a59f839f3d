import Foundation
import Kernels
import Testing

/// Collaborative filtering of groups of blocks.
@Suite struct CollaborativeFilterTests {
    /// A row of blocks.
    private struct Row {
        let frames: Int
        let centre: Int
        let width: Int
        let step: Int
        var blocks: Int { (width - 8 + step - 1) / step + 1 }
    }

    private static let rows = [
        Row(frames: 1, centre: 0, width: 8, step: 4), Row(frames: 2, centre: 0, width: 23, step: 4),
        Row(frames: 4, centre: 3, width: 40, step: 3), Row(frames: 5, centre: 2, width: 33, step: 5),
        Row(frames: 6, centre: 2, width: 17, step: 4), Row(frames: 7, centre: 3, width: 64, step: 4),
        Row(frames: 7, centre: 0, width: 30, step: 4), Row(frames: 9, centre: 4, width: 29, step: 4),
        Row(frames: 17, centre: 8, width: 20, step: 8), Row(frames: 17, centre: 16, width: 20, step: 8),
    ]

    private static func cosines(_ count: Int) -> [Float] {
        (0..<count * count).map { i in
            Float(
                ((i / count == 0 ? 1.0 : 2.0) / Double(count)).squareRoot()
                    * cos(Double.pi * Double((i / count) * (2 * (i % count) + 1)) / Double(2 * count)))
        }
    }

    /// Runs `body` with a group over planes of the given samples, without motion, noise and pilot.
    private static func withGroup(
        _ row: Row, value: (_ frame: Int, _ x: Int, _ y: Int) -> UInt8, _ body: (inout vfx_collaborative_group) -> Void
    ) {
        let planes = (0..<row.frames).map { t in
            (0..<8 * row.width).map { value(t, $0 % row.width, $0 / row.width) }
        }
        let memories = (0..<row.frames + 5).map { _ in GuardedMemory(size: 1 << 12) }
        withExtendedLifetime(memories) {
            let still = memories[row.frames].array([Int16](repeating: 0, count: 2 * row.blocks))
            let frames = (0..<row.frames).map { t in
                vfx_collaborative_frame(
                    origin: memories[t].array(planes[t]), pilot: nil, stride: row.width, vectors: still)
            }
            var group = vfx_collaborative_group(
                frames: Int32(row.frames), centre: Int32(row.centre), blocks: Int32(row.blocks), step: Int32(row.step),
                width: Int32(row.width), transform: memories[row.frames + 1].array(cosines(row.frames)),
                spectrum: memories[row.frames + 2].array((0..<64).map { Float($0 * 29 % 64 + 1) / 20 }),
                sigma: memories[row.frames + 3].array([Float](repeating: 0, count: row.blocks)),
                constant_scale: 0.4, threshold: 3.2, sum_stride: row.width + 3,
                frame: memories[row.frames + 4].array(frames))
            body(&group)
        }
    }

    private static let window = (0..<64).map { 0.1 + Float(($0 * 37) % 64) / 64 }

    /// Without noise nothing is removed: the sums contain the samples of the center frame.
    @Test(arguments: [0, vfx_cpu_detect()]) func noNoiseKeepsTheFrame(_ level: Int32) {
        let table = vfx_kernels_make(level)
        for row in Self.rows where row.frames != 2 * row.centre + 1 || row.frames == 1 {
            Self.withGroup(
                row,
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

    /// A gain and an offset of each frame are light, not variance, but for the mean of the block.
    @Test(arguments: [0, vfx_cpu_detect()]) func lightIsNoVariance(_ level: Int32) {
        let table = vfx_kernels_make(level), row = Row(frames: 4, centre: 1, width: 8, step: 4)
        Self.withGroup(
            row,
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
    @Test(arguments: [0, vfx_cpu_detect()]) func whatStaysIsTexture(_ level: Int32) {
        let table = vfx_kernels_make(level), row = Row(frames: 4, centre: 1, width: 8, step: 4)
        for change in [0, 20] {
            Self.withGroup(
                row,
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
}
