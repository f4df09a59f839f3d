import FrameCore
import FrameEffects
import Motion
import Pipeline
import TestSupport
import Testing

/// A run that begins at a segment must make the same frames as a complete run.
@Suite struct SegmentTests {
    private static let denoise = EffectStep.denoise(.sigma(8))
    private static let automatic = EffectStep.denoise(.automatic)
    private static let upscale = EffectStep.upscale(.factor(Rational(3, 2)))
    private static let twice = EffectStep.upscale(.factor(Rational(2, 1)))
    private static let slomo = EffectStep.slomo(phases: [Rational(1, 3), Rational(1, 2)])
    private static let blur = EffectStep.blur(strength: 80, isLinearLight: false)
    private static let fast = EffectStep.rate(Rational(60, 1))
    private static let uneven = EffectStep.rate(Rational(30000, 1001))
    private static let slow = EffectStep.rate(Rational(1, 1))
    private static let fields = EffectStep.deinterlace(.topFirst)
    private static let count = 3 * ResetSchedule.interval + 7

    private struct Clip {
        var pictures: [PixelBuffer]
        var finder: ScriptedTransitions
    }

    /// Moves throughout, with cuts and a flash close to the reset points on both sides.
    private static let clip: Result<Clip, any Error> = Result {
        let scenes = [MovingScene.translation(1.3, 0.4, seed: 3), .translation(-0.8, 1.1, seed: 9)]
        let pictures = try (0..<count).map { index in
            try scenes[index >= 242 && index < 478 ? 1 : 0].picture(Float(index % 97), width: 40, height: 32)
        }
        return Clip(
            pictures: pictures,
            finder: ScriptedTransitions(
                lookAhead: 3, [242: .cut, 478: .cut, 720: .cut, 97: .duplicate], flashes: [239, 241, 482]))
    }

    private func run(
        _ effects: [any ClipEffect], from segment: Int = 0, sharesMotion: Bool = true, live: Bool = false
    ) throws -> RecordingSink {
        let clip = try Self.clip.get()
        let source = GeneratedSource(
            times: clip.pictures.indices.map { MediaTime(value: Int64($0 + $0 / 7), timescale: 25) },
            durations: clip.pictures.map { _ in nil },
            stream: VideoStreamDescription(
                format: .yuv420p8, width: 40, height: 32, timeBase: Rational(1, 25),
                nominalFrameRate: Rational(25, 1), frameCount: clip.pictures.count)
        ) { clip.pictures[$0] }
        let sink = RecordingSink(from: segment)
        var chain = try EffectChain(effects)
        chain.sharesMotion = sharesMotion
        if live {
            _ = try ConversionPipeline(
                source: source, sink: sink, finder: CausalTransitions(), chain: chain
            ).run()
        } else {
            _ = try ConversionPipeline(
                source: source, sink: sink, finder: clip.finder, chain: chain
            ).run()
        }
        return sink
    }

    private func expectTheSame(
        _ effects: [any ClipEffect], sharesMotion: Bool = true, live: Bool = false
    ) throws {
        let whole = try run(effects, sharesMotion: sharesMotion, live: live)
        #expect(whole.segments.first?.index == 0 && whole.segments.first?.frame == 0)
        #expect(whole.segments.count > 1)
        for (index, first) in whole.segments.dropFirst() {
            let rest = try run(effects, from: index, sharesMotion: sharesMotion, live: live)
            let expected = Array(whole.frames[first...])
            #expect(rest.segments.map(\.index) == whole.segments.map(\.index).filter { $0 >= index })
            #expect(rest.frames.count == expected.count)
            #expect(rest.frames.map(\.presentationTime) == expected.map(\.presentationTime))
            #expect(rest.frames.map(\.duration) == expected.map(\.duration))
            let unlike = zip(rest.frames, expected).enumerated().filter {
                !$1.0.buffer.hasSameSamples(as: $1.1.buffer)
            }
            #expect(unlike.isEmpty, "segment \(index), frame \(unlike.first?.offset ?? 0) and \(unlike.count) in all")
        }
    }

    @Test(
        arguments: [
            denoise, automatic, upscale, slomo, blur, fast, slow, fields,
        ], [QualityPrioritization.normal, .quality])
    func oneEffect(step: EffectStep, quality: QualityPrioritization) throws {
        try expectTheSame([step.effect(ConversionOptions(quality: quality, atCut: .blend))])
    }

    @Test(arguments: [
        ([slomo, blur], true), ([slomo, blur], false), ([blur, slomo], true),
        ([denoise, upscale, slomo, blur], true), ([denoise, upscale, slomo, blur], false), ([slow, denoise], true),
        ([fast, denoise, blur], true), ([denoise, uneven], true),
        ([fields, slomo], true), ([fields, uneven, denoise], true),
        ([.deinterlace(.bottomFirst, rate: .frame), blur], true), ([fields, .slomo(factor: Rational(3, 2))], true),
    ])
    func chains(steps: [EffectStep], sharesMotion: Bool) throws {
        try expectTheSame(steps.map { try $0.effect(ConversionOptions()) }, sharesMotion: sharesMotion)
    }

    @Test func recursionBeforeAWindow() throws {
        let effects = try [Self.twice, Self.denoise].map { try $0.effect(ConversionOptions(quality: .quality)) }
        try expectTheSame(effects)
    }

    @Test(arguments: [1, 2])
    func withoutLookingAhead(scale: Int) throws {
        let pass = try LowLatencyFrameInterpolationPass(
            depth: 2, scale: scale, options: ConversionOptions(atCut: .blend))
        try expectTheSame([pass], live: true)
    }

    @Test func eachFrameOnItsOwn() throws {
        try expectTheSame(
            [LowLatencySuperResolutionScalerPass(target: .factor(Rational(2, 1)), context: .serial)], live: true)
    }
}
