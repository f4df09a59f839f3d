import FrameCore
import FrameEffects
import TestSupport
import Testing

/// Content of which nothing is found in the other frame.
@Suite struct UnmatchedContentTests {
    /// The part of the frame that shows something else in each frame.
    private static let patch = (x: 112..<208, y: 72..<168)

    private static let scene = MovingScene { plane, x, y, t in
        let isInside = patch.x.contains(Int(x)) && patch.y.contains(Int(y))
        return isInside
            ? NoiseTexture(seed: 20 + 3 * Int(t) + plane).value(1.5 * x, 1.5 * y)
            : NoiseTexture(seed: 10 + plane).value(x + 2 * t, y)
    }

    /// The mean difference of neighbouring samples inside the patch, in 8-bit levels.
    private func contrast(_ picture: PixelBuffer, plane: Int) -> Float {
        let format = picture.format
        let shift = plane == 0 ? 0 : format.subsampling.horizontalShift,
            down = plane == 0 ? 0 : format.subsampling.verticalShift
        let columns = (Self.patch.x.lowerBound + 16) >> shift..<(Self.patch.x.upperBound - 16) >> shift
        let rows = (Self.patch.y.lowerBound + 16) >> down..<(Self.patch.y.upperBound - 16) >> down
        return picture.withPlanes { planes in
            func sample(_ x: Int, _ y: Int) -> Int {
                let row = planes[plane].row(y)
                return format.bytesPerSample == 1
                    ? Int(row.assumingMemoryBound(to: UInt8.self)[x]) : Int(row.assumingMemoryBound(to: UInt16.self)[x])
            }
            var sum = 0
            for y in rows { for x in columns { sum += abs(sample(x + 1, y) - sample(x, y)) } }
            return Float(sum) / Float(rows.count * columns.count << (format.bitDepth - 8))
        }
    }

    /// In the middle it is soft, in all planes, and less so near either frame.
    @Test(
        arguments: QualityPrioritization.allCases,
        [
            PixelFormat.yuv420p8, try PixelFormat(subsampling: .yuv422, bitDepth: 10),
            try PixelFormat(subsampling: .yuv444, bitDepth: 12),
        ])
    func unmatchedContentIsSoft(_ quality: QualityPrioritization, _ format: PixelFormat) throws {
        let a = try Self.scene.picture(0, format, width: 320, height: 240)
        let b = try Self.scene.picture(1, format, width: 320, height: 240)
        let engine = try FrameRateConversionEngine(
            format: format, width: 320, height: 240, quality: quality, context: .serial)
        let made = try engine.interpolate(from: a, to: b, phases: [0.02, 0.5, 0.98], relation: .none).pictures
        for plane in 0..<3 {
            let (sharp, soft) = (contrast(a, plane: plane), contrast(made[1], plane: plane))
            // The mean of two unrelated pictures has 0.71 of their contrast.
            #expect(soft < 0.68 * sharp, "plane \(plane): \(soft) of \(sharp)")
            #expect(contrast(made[0], plane: plane) > 1.2 * soft, "plane \(plane)")
            #expect(contrast(made[2], plane: plane) > 1.2 * soft, "plane \(plane)")
        }
    }
}
