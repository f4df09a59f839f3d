import FrameCore
import Pipeline
import TestSupport
import Testing

/// Samples of a job, from anywhere in a clip.
@Suite struct SampleTests {
    /// A sample begins with its own first frame, between two reset points as well, and is complete.
    @Test(
        arguments: [
            ([.blur(strength: 30, isLinearLight: false)], 30), ([.denoise(.automatic)], 30),
            ([.slomo(phases: [Rational(1, 2)])], 60),
            ([.rate(Rational(50, 1))], 60), ([.denoise(.automatic), .rate(Rational(10, 1))], 12),
            ([.slomo(phases: [Rational(1, 2)]), .blur(strength: 20, isLinearLight: false)], 60),
        ] as [([EffectStep], Int)])
    func samplesNeedNothingBefore(steps: [EffectStep], count: Int) throws {
        let first = 310, start = MediaTime(value: Int64(first), timescale: 25)
        let recipe = try EffectRecipe(steps)
        let source = GeneratedSource(count: 30, start: start) { index in
            try GeneratedPicture.waves(width: 64, height: 48, dx: 2 * index)
        }
        let chain = try recipe.chain(ConversionOptions()).sampled(from: start)
        let place = try chain.start(ofPartAt: first, of: source.stream, isSample: true)
        #expect(place.firstRead == first)
        #expect(try chain.start(ofPartAt: first, of: source.stream).firstRead < first)
        let position = SourcePosition(
            key: .init(offset: 0, size: 1, presentationTime: Int64(first), decodeTime: Int64(first)),
            stamp: Int64(first), offset: 0, clock: .init(last: nil, lastStep: 1, shift: 0), previousStep: nil,
            reorderDelay: 0, notes: [], spans: [])
        let isSlow = steps.contains { $0.name == "slomo" }
        let sink = RecordingSink()
        let pipeline = ConversionPipeline(
            source: source, sink: sink, chain: chain,
            part: OutputPart(
                start: start.multiplied(by: Rational(isSlow ? 2 : 1, 1)), end: nil, firstSegment: place.segment),
            cuts: .lookingAhead,
            start: SourceCheckpoint(
                frame: place.firstRead, time: start, firstTime: .zero, position: position, cuts: .lookingAhead))
        _ = try pipeline.run()
        #expect(abs(sink.count - count) <= 1, "\(sink.count) frames")
        #expect(sink.frames.first?.presentationTime == .zero)
    }
}
