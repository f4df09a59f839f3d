import FrameCore
import Pipeline
import TestSupport
import Testing

/// Clips whose parts were compressed differently.
@Suite struct ChangingCompressionTests {
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

    /// Frames of a source that says they are interlaced.
    private final class InterlacedSource: FrameSource {
        private let source: GeneratedSource
        init(_ source: GeneratedSource) { self.source = source }
        var stream: VideoStreamDescription { source.stream }
        var damage: DamageReport { source.damage }
        func nextFrame() throws -> Frame? {
            var frame = try source.nextFrame()
            frame?.fieldOrder = .topFirst
            return frame
        }
    }

    /// The rows of an interlaced frame are not neighbours, so it is not cleaned.
    @Test(arguments: ["upscale=1", "upscale=2"])
    func interlacedFramesAreNotCleaned(steps: String) throws {
        func frames(_ pictures: PictureCompression) throws -> [Frame] {
            let chain = try EffectChain(StepText.steps(steps).map { try $0.effect(Self.options) })
                .adapted(to: SourceCompression(overall: pictures, spans: []))
            let sink = RecordingSink()
            _ = try ConversionPipeline(
                source: InterlacedSource(GeneratedSource(count: 3, picture: Self.moving)), sink: sink, chain: chain,
                cuts: chain.cuts
            ).run()
            return sink.frames
        }
        let made = try frames(Self.coarse), expected = try frames(.none)
        #expect(made.count == 3 && expected.count == 3)
        #expect(zip(made, expected).allSatisfy { $0.buffer.hasSameSamples(as: $1.buffer) })
    }
}
