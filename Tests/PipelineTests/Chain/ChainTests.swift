import FrameCore
import FrameEffects
import Motion
import Pipeline
import Synchronization
import TestSupport
import Testing

/// Chains compared with the same effects run one after another.
@Suite struct ChainTests {
    private static let denoise = EffectStep.denoise(.sigma(8))
    private static let upscale = EffectStep.upscale(.factor(Rational(3, 2)))
    private static let slomo = EffectStep.slomo(phases: [Rational(1, 3), Rational(1, 2)])
    private static let blur = EffectStep.blur(strength: 80, isLinearLight: false)
    private static let upscaleTwice = EffectStep.upscale(.factor(Rational(2, 1)))
    private static let rate = EffectStep.rate(Rational(40, 1))
    private static let chains: [[EffectStep]] = [
        [denoise], [denoise, slomo], [slomo, denoise], [slomo, blur], [blur, rate, denoise],
        [denoise, upscale, slomo, blur], [slomo, slomo], [upscale, denoise, rate],
    ]

    private func frames(_ pictures: [PixelBuffer]) -> [Frame] {
        pictures.enumerated().map { index, picture in
            Frame(
                buffer: picture, presentationTime: MediaTime(value: Int64(index), timescale: 25),
                duration: MediaTime(value: 1, timescale: 25))
        }
    }

    private func source(_ frames: [Frame], _ stream: VideoStreamDescription? = nil) -> GeneratedSource {
        let first = frames[0].buffer
        return GeneratedSource(
            times: frames.map(\.presentationTime), durations: frames.map(\.duration),
            stream: stream
                ?? VideoStreamDescription(
                    format: first.format, width: first.width, height: first.height, timeBase: Rational(1, 25),
                    nominalFrameRate: Rational(25, 1), frameCount: frames.count)
        ) { frames[$0].buffer }
    }

    /// A cut before the first frame shown at or after `time`.
    private func finder(_ frames: [Frame], cutAt time: MediaTime?) -> ScriptedTransitions {
        let index = time.flatMap { time in frames.firstIndex { $0.presentationTime >= time } }
        return ScriptedTransitions(index.map { [$0: .cut] } ?? [:])
    }

    private func run(
        _ frames: [Frame], _ effects: [any ClipEffect], cutAt time: MediaTime? = nil, sharesMotion: Bool = false
    ) throws -> (frames: [Frame], report: ConversionReport) {
        let sink = RecordingSink()
        var chain = try EffectChain(effects)
        chain.sharesMotion = sharesMotion
        let report = try ConversionPipeline(
            source: source(frames), sink: sink, finder: finder(frames, cutAt: time), chain: chain
        ).run()
        return (sink.frames, report)
    }

    private func expectEqual(
        _ steps: [EffectStep], _ pictures: [PixelBuffer], cutAt index: Int? = nil,
        _ options: ConversionOptions = ConversionOptions()
    ) throws {
        let start = frames(pictures)
        let effects = try steps.map { try $0.effect(options) }
        var time = index.map { start[$0].presentationTime }
        let chained = try run(start, effects, cutAt: time).frames
        var wanted = start
        for effect in effects {
            wanted = try run(wanted, [effect], cutAt: time).frames
            time = time.map { $0.multiplied(by: effect.timing?.factor ?? Rational(1, 1)) }
        }
        #expect(chained.count == wanted.count)
        #expect(chained.map(\.presentationTime) == wanted.map(\.presentationTime))
        #expect(chained.map(\.duration) == wanted.map(\.duration))
        for (index, (a, b)) in zip(chained, wanted).enumerated() {
            #expect(a.buffer.hasSameSamples(as: b.buffer), "frame \(index)")
        }
    }

    @Test(arguments: chains, [8, 10])
    func equalsOneAfterAnother(steps: [EffectStep], depth: Int) throws {
        let format = try PixelFormat(subsampling: depth == 8 ? .yuv420 : .yuv422, bitDepth: depth)
        try expectEqual(
            steps, (0..<7).map { try GeneratedPicture.waves(format, width: 83, height: 57, dx: 4 * $0, dy: $0) })
    }

    @Test(arguments: chains)
    func aCutIsOneForAll(steps: [EffectStep]) throws {
        let pictures = try (0..<9).map {
            $0 < 4
                ? try GeneratedPicture.waves(width: 80, height: 56, dx: 4 * $0)
                : try GeneratedPicture.texture(width: 80, height: 56, seed: $0)
        }
        try expectEqual(steps, pictures, cutAt: 4)
    }

    @Test(arguments: chains, [1, 2])
    func shortClipsGoThrough(steps: [EffectStep], count: Int) throws {
        try expectEqual(steps, (0..<count).map { try GeneratedPicture.waves(width: 65, height: 49, dx: 5 * $0) })
    }

    @Test func highQualityEqualsToo() throws {
        try expectEqual(
            [.upscale(.factor(Rational(2, 1))), Self.slomo, Self.denoise],
            (0..<5).map { try GeneratedPicture.waves(width: 64, height: 48, dx: 3 * $0) }, cutAt: 3,
            ConversionOptions(quality: .quality, context: .init(threads: 2)))
    }

    @Test func reportsTellOfEachEffect() throws {
        let pictures = try (0..<5).map { try GeneratedPicture.waves(dx: 3 * $0) }
        let effects = try [Self.slomo, Self.denoise, Self.slomo].map { try $0.effect(ConversionOptions()) }
        let report = try run(frames(pictures), effects, cutAt: MediaTime(value: 2, timescale: 25)).report
        #expect(report.effects.map(\.name) == ["slomo", "denoise", "slomo"])
        #expect(report.effects.map(\.framesIn) == [5, 13, 13])
        #expect(report.effects.map(\.framesOut) == [13, 13, 37])
        #expect(report.framesRead == 5 && report.framesWritten == 37)
        #expect(report.cuts == [SceneCut(frame: 2, time: MediaTime(value: 2, timescale: 25))])
        #expect(report.effects.map(\.heldAtCut) == [2, 0, 2] && report.heldAtCut == 4)
        #expect(report.latency == nil)
    }

    @Test func sourceFramesAreHandedOnWithoutACopy() throws {
        let pictures = try (0..<4).map { try GeneratedPicture.waves(dx: 3 * $0) }
        let slomo = try EffectStep.slomo(phases: [Rational(1, 2)]).effect(ConversionOptions())
        let (frames, report) = try run(frames(pictures), [slomo, slomo])
        #expect(report.sourceFramesShown == 4)
        for (index, picture) in pictures.enumerated() {
            let same = frames[4 * index].buffer.withPlanes { a in picture.withPlanes { a[0].base == $0[0].base } }
            #expect(same)
        }
    }

    /// Sharing motion gives nearly the same frames as separate searches, but not identical ones.
    @Test(arguments: [[slomo, blur], [blur, slomo], [slomo, upscaleTwice, blur]])
    func sharedMotionServesAsWell(steps: [EffectStep]) throws {
        let scene = MovingScene.translation(3.3, 1.6, seed: 2)
        let start = frames(try (0..<5).map { try scene.picture(Float($0), width: 160, height: 120) })
        let effects = try steps.map { try $0.effect(ConversionOptions()) }
        let own = try run(start, effects).frames, shared = try run(start, effects, sharesMotion: true).frames
        #expect(shared.count == own.count)
        #expect(zip(own, shared).contains { !$0.buffer.hasSameSamples(as: $1.buffer) })
        for (a, b) in zip(own, shared) { #expect(PictureDifference(a.buffer, b.buffer).psnr > 36) }
    }

    /// The result does not depend on the number of threads, and nothing is shared across a cut.
    @Test func sharedMotionEndsAtCuts() throws {
        let pictures = try (0..<8).map {
            $0 < 4
                ? try GeneratedPicture.waves(width: 80, height: 56, dx: 4 * $0)
                : try GeneratedPicture.texture(width: 80, height: 56, seed: $0)
        }
        let cut = MediaTime(value: 4, timescale: 25)
        var results: [[Frame]] = []
        for threads in [1, 3] {
            let effects = try [Self.slomo, Self.blur].map {
                try $0.effect(ConversionOptions(context: .init(threads: threads)))
            }
            results.append(try run(frames(pictures), effects, cutAt: cut, sharesMotion: true).frames)
        }
        for (a, b) in zip(results[0], results[1]) { #expect(a.buffer.hasSameSamples(as: b.buffer)) }
        // Except for its last frame, which is held, the scene before the cut is the same as without a scene after it.
        let effects = try [Self.slomo, Self.blur].map { try $0.effect(ConversionOptions()) }
        let before = try run(frames(Array(pictures[..<4])), effects, sharesMotion: true).frames
        for (a, b) in zip(results[0].prefix(9), before) { #expect(a.buffer.hasSameSamples(as: b.buffer)) }
    }

    @Test func aChainNeedsAnEffect() {
        #expect(throws: FrameError.self) { try EffectChain([]) }
    }

    @Test func streamsAreDescribedThroughout() throws {
        let stream = VideoStreamDescription(
            format: .yuv420p8, width: 64, height: 48, timeBase: Rational(1, 25), nominalFrameRate: Rational(25, 1),
            frameCount: 10, duration: MediaTime(value: 10, timescale: 25))
        let chain = try EffectRecipe([Self.upscale, .slomo(phases: [Rational(1, 2)]), .slomo(phases: [Rational(1, 2)])])
            .chain(ConversionOptions())
        let output = try chain.outputStream(for: stream)
        #expect(output.width == 96 && output.height == 72 && output.frameCount == 37)
        #expect(output.duration == MediaTime(value: 40, timescale: 25))
    }
}
