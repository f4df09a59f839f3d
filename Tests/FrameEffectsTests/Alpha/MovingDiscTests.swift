import FrameCore
import FrameEffects
import Imaging
import TestSupport
import Testing

/// A disc with a soft edge over nothing, as seen over black, white and green, compared with the truth. What is hidden has
/// loud colors, which show where effects mix them in.
@Suite struct MovingDiscTests {
    static let formats: [PixelFormat] = [
        try? PixelFormat(rgbDepth: 8, hasAlpha: true), try? PixelFormat(rgbDepth: 12, hasAlpha: true),
        try? PixelFormat(subsampling: .yuv420, bitDepth: 8, hasAlpha: true),
        try? PixelFormat(subsampling: .yuv422, bitDepth: 10, hasAlpha: true),
        try? PixelFormat(subsampling: .yuv444, bitDepth: 16, hasAlpha: true),
    ].compactMap(\.self)

    /// Runs an effect on colors and alpha by themselves, as if one had nothing to do with the other.
    private func apart(
        _ frames: [PixelBuffer], _ effect: ([PixelBuffer]) throws -> PixelBuffer
    ) throws -> PixelBuffer {
        let alpha = frames[0].format.colorPlaneCount
        return try effect(frames.map(\.withoutAlpha)).with(alpha: effect(frames.map { $0.plane(alpha) }))
    }

    @Test(arguments: formats, [QualityPrioritization.normal, .quality])
    func interpolation(_ format: PixelFormat, _ quality: QualityPrioritization) throws {
        let disc = MovingDisc(format), frames = try [disc.picture(0), disc.picture(1)]
        for phase in [Float(0.25), 0.5] {
            func effect(_ frames: [PixelBuffer]) throws -> PixelBuffer {
                try interpolate(frames[0], frames[1], [phase], quality: quality).pictures[0]
            }
            let truth = try disc.picture(phase)
            let made = disc.difference(try effect(frames), truth)
            let wrong = disc.difference(try apart(frames, effect), truth)
            #expect(made < 0.15)
            #expect(wrong > 1.5 * made)
        }
    }

    @Test(arguments: formats) func blur(_ format: PixelFormat) throws {
        let disc = MovingDisc(format), frames = try [-1, 0, 1].map { try disc.picture($0) }
        func effect(_ frames: [PixelBuffer]) throws -> PixelBuffer {
            try MotionBlurEngine(
                format: frames[0].format, width: disc.width, height: disc.height, quality: .quality, linearLight: false,
                context: .init(threads: 2)
            ).blur(
                frames[1], previous: frames[0], next: frames[2], color: .unspecified, strength: 100, relation: .none)
        }
        // A long exposure of what is seen, which is linear in premultiplied colors.
        var truth = PictureMean(like: frames[1])
        for step in 0..<32 { try truth.add(disc.picture((Float(step) + 0.5) / 32 - 0.5)) }
        var mean = try PixelBuffer(format: format, width: disc.width, height: disc.height)
        try truth.write(to: &mean)
        let made = disc.difference(try effect(frames), mean), sharp = disc.difference(frames[1], mean)
        let wrong = disc.difference(try apart(frames, effect), mean)
        #expect(made < 0.1 && made < sharp / 10)
        #expect(wrong > 5 * made)
    }

    @Test(arguments: formats) func deinterlacing(_ format: PixelFormat) throws {
        let disc = MovingDisc(format, velocity: (3, 1.5))
        let fields = try (0..<6).map { try disc.picture(Float($0 - 2)) }
        let frames = try (0..<3).map { try fields[2 * $0].replacingField(1, from: fields[2 * $0 + 1]) }
        func effect(_ frames: [PixelBuffer]) throws -> PixelBuffer {
            try DeinterlacerEngine(
                format: frames[0].format, width: disc.width, height: disc.height, quality: .normal,
                context: .init(threads: 2)
            ).pictures(of: frames[1], previous: frames[0], next: frames[2], order: .topFirst, count: 1)[0]
        }
        let result = try effect(frames)
        let made = disc.difference(result, fields[2])
        let wrong = disc.difference(try apart(frames, effect), fields[2])
        #expect(made < 0.2)
        #expect(wrong > made)
        let kept = try result.replacingField(0, from: frames[1])
        #expect(kept.hasSameSamples(as: result), "the rows of the field are kept")
    }

    /// An enlarged disc that is seen at half the size is the disc.
    @Test(arguments: formats, [SuperResolutionNetwork.Model.small, .large])
    func upscaling(_ format: PixelFormat, _ model: SuperResolutionNetwork.Model) throws {
        let disc = MovingDisc(format, width: 80, height: 64), source = try disc.picture(0)
        let larger = try SuperResolutionScalerEngine(
            format: format, size: FrameDimensions(width: 80, height: 64),
            outputSize: FrameDimensions(width: 160, height: 128), model: model, isStill: true,
            context: .init(threads: 2)
        ).upscale(source, color: .unspecified)
        let seen = try PictureResampler(
            from: format, sourceSize: (160, 128), color: .unspecified, to: format, width: 80, height: 64,
            targetLocation: .left
        ).resampled(larger, context: .serial)
        #expect(larger.format == format)
        #expect(disc.difference(seen, source) < 0.2)
    }

    /// Noise of what is seen goes, and what is hidden does not come out.
    @Test(arguments: formats) func denoising(_ format: PixelFormat) throws {
        let disc = MovingDisc(format), clean = try (0..<5).map { try disc.picture(Float($0)) }
        let unit = Double(1 << (format.bitDepth - 8))
        let noisy = try clean.enumerated().map { index, picture in
            let samples = (0..<format.planeCount).map(picture.samples(ofPlane:))
            return try GeneratedPicture.drawCodes(format, width: disc.width, height: disc.height) { plane, x, y in
                let code = Int(samples[plane][y * format.planeWidth(plane, width: disc.width) + x])
                if plane == format.alphaPlane { return code }
                let noise = 8 * Double(sampleNoise(Float(x + 1000 * plane), Float(y), seed: index)) * unit
                return min(format.maximumValue, max(0, code + Int(noise.rounded())))
            }
        }
        func effect(_ frames: [PixelBuffer]) throws -> PixelBuffer {
            try TemporalNoiseFilterEngine(
                format: frames[0].format, width: disc.width, height: disc.height, quality: .normal,
                context: .init(threads: 2)
            ).filter(frames[2], previous: Array(frames[..<2]), next: Array(frames[3...]), noise: .sigma(8))
        }
        let result = try effect(noisy), made = disc.difference(result, clean[2])
        let before = disc.difference(noisy[2], clean[2])
        #expect(made < 0.6 * before)
        #expect(result.samples(ofPlane: 3) == clean[2].samples(ofPlane: 3))
    }
}
