import FrameCore
@testable import Pipeline
import TestSupport
import Testing

/// Clips whose parts were compressed differently.
@Suite struct SceneCompressionTests {
    private static let options = ConversionOptions(quality: .normal, context: ExecutionContext(threads: 2))
    private static let coarse = PictureCompression(strength: 1, step: 24, isLoopFiltered: false)

    /// Frames at 25 frames a second, made from pictures by their numbers.
    private static func frames(
        _ steps: String, _ compression: SourceCompression?, count: Int = 10,
        _ picture: @escaping @Sendable (Int) throws -> PixelBuffer
    ) throws -> [Frame] {
        var chain = try EffectChain(StepText.steps(steps).map { try $0.effect(options) })
        if let compression { chain = chain.adapted(to: compression) }
        let sink = RecordingSink()
        _ = try ConversionPipeline(
            source: GeneratedSource(count: count, picture: picture), sink: sink, chain: chain, cuts: chain.cuts
        ).run()
        return sink.frames
    }

    private static func moving(_ index: Int) throws -> PixelBuffer {
        try BlockCodec(step: 24).coded(MovingScene.textured.picture(Float(index), .yuv420p8, width: 96, height: 64))
    }

    /// Each part is treated by its own compression, also after effects that change the times of frames.
    @Test(arguments: [("upscale=1", 1), ("upscale=2", 1), ("slomo=0.5,upscale=1", 2), ("slomo=0.5,upscale=2", 2)])
    func eachPartHasItsOwn(steps: String, outputs: Int) throws {
        func span(_ frame: Int64, _ pictures: PictureCompression) -> SourceCompression.Span {
            .init(start: MediaTime(value: frame, timescale: 25), pictures: pictures)
        }
        let spans = [span(0, .none), span(4, Self.coarse), span(7, .none)]
        let both = try Self.frames(steps, SourceCompression(overall: .none, spans: spans), Self.moving)
        let clean = try Self.frames(steps, SourceCompression.none, Self.moving)
        let coarse = try Self.frames(steps, SourceCompression(overall: Self.coarse, spans: []), Self.moving)
        #expect(both.count == clean.count && clean.count == coarse.count && both.count >= 10 * outputs - 1)
        for (index, frame) in both.enumerated() {
            let isCoarse = (4..<7).contains(index / outputs)
            let expected = (isCoarse ? coarse : clean)[index].buffer
            #expect(frame.buffer.hasSameSamples(as: expected), "frame \(index) of \(steps)")
            #expect(!clean[index].buffer.hasSameSamples(as: coarse[index].buffer), "frame \(index) of \(steps)")
        }
    }

    /// What is measured by scene is that of a scene's first frame.
    @Test(arguments: ["upscale=1", "upscale=2"]) func scenesAreMeasured(steps: String) throws {
        let clean = try MovingScene.textured.picture(0, .yuv420p8, width: 240, height: 176)
        let coded = try BlockCodec(step: 32).coded(clean)
        let coarse = try SourceCompression(of: coded, context: .serial)
        #expect(coarse.overall.strength == 1)
        for picture in [clean, coded] {
            let made = try Self.frames(steps, .measuredByScene, count: 3) { _ in picture }
            let known = picture.hasSameSamples(as: coded) ? coarse : .none
            let expected = try Self.frames(steps, known, count: 3) { _ in picture }
            #expect(zip(made, expected).allSatisfy { $0.buffer.hasSameSamples(as: $1.buffer) })
            #expect(made.count == 3 && expected.count == 3)
        }
        // Behind a cut, the next scene is measured.
        let white = try GeneratedPicture.flat(235, .yuv420p8, width: 240, height: 176)
        let made = try Self.frames(steps, .measuredByScene, count: 12) { $0 < 6 ? white : coded }
        let expected = try Self.frames(steps, coarse, count: 12) { $0 < 6 ? white : coded }
        #expect(made.last?.buffer.hasSameSamples(as: try #require(expected.last).buffer) == true)
    }
}
