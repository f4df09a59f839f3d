import FrameCore
import FrameEffects
import Pipeline
import TestSupport
import Testing

/// How strongly a source was compressed, and which effects take it into account.
@Suite struct SourceCompressionTests {
    /// Keyframes of a clip of ten seconds, one for each second.
    private final class KeyFrames: KeyFrameSource {
        let stream: VideoStreamDescription
        private let frames: [Frame]

        init(_ pictures: [PixelBuffer], isInterlaced: Bool = false) {
            frames = pictures.enumerated().map { index, picture in
                var frame = Frame(buffer: picture, presentationTime: MediaTime(value: Int64(index), timescale: 1))
                frame.isInterlaced = isInterlaced
                return frame
            }
            var stream = VideoStreamDescription(
                format: pictures[0].format, width: pictures[0].width, height: pictures[0].height,
                timeBase: Rational(1, 1))
            stream.duration = MediaTime(value: Int64(pictures.count), timescale: 1)
            self.stream = stream
        }

        func keyFrame(at time: MediaTime) -> Frame? { frames.last { $0.presentationTime <= time } }
    }

    private static func picture() throws -> PixelBuffer {
        let level = MovingScene.translation(1.7, -0.6).level, fine = NoiseTexture(seed: 9, finest: 1.3)
        return try MovingScene { plane, x, y, t in
            level(plane, x, y, t) + (plane == 0 ? (fine.value(x, y) - 128) / 5 : 0)
        }.picture(0, .yuv420p8, width: 240, height: 176)
    }

    @Test func keyFramesTell() throws {
        let clean = try Self.picture(), coded = try BlockCodec(step: 32).coded(clean)
        let flat = try GeneratedPicture.flat(90, .yuv420p8, width: 240, height: 176)
        func strength(_ pictures: [PixelBuffer], isInterlaced: Bool = false) throws -> Float {
            try SourceCompression(of: KeyFrames(pictures, isInterlaced: isInterlaced), threads: 2).strength
        }
        #expect(try strength(.init(repeating: coded, count: 10)) == 1)
        #expect(try strength(.init(repeating: clean, count: 10)) == 0)
        // Pictures that show nothing do not count.
        #expect(try strength(.init(repeating: flat, count: 5) + .init(repeating: coded, count: 5)) == 1)
        #expect(try strength(.init(repeating: coded, count: 10), isInterlaced: true) == 0)
        #expect(try SourceCompression(of: coded, threads: 1).strength == 1)
        #expect(SourceCompression.none.strength == 0)
    }

    @Test func effectsAfterADeblockingOneSeeNoCompression() throws {
        let coded = try SourceCompression(of: BlockCodec(step: 32).coded(Self.picture()), threads: 2)
        let options = ConversionOptions(quality: .normal, threads: 1)
        func summary(_ steps: String) throws -> String {
            let chain = try EffectChain(StepText.steps(steps).map { try $0.effect(options) })
            #expect(chain.adaptsToCompression == (chain.adapted(to: coded).summary != chain.summary), "\(steps)")
            return chain.adapted(to: coded).summary
        }
        for steps in [
            "upscale=2", "slomo=0.5,upscale=2", "denoise=auto:deblock=off,upscale=2", "denoise=sigma=9,upscale=2",
        ] {
            #expect(try summary(steps).contains("for compression 1.0"), "\(steps)")
        }
        for steps in ["denoise=auto,upscale=2", "upscale=2:deblock=off", "slomo=0.5"] {
            #expect(try !summary(steps).contains("compression"), "\(steps)")
        }
    }
}
