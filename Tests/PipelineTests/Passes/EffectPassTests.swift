import FrameCore
import FrameEffects
import Pipeline
import TestSupport
import Testing

/// The two effects over generated clips: rules that hold regardless of their engines.
@Suite struct EffectPassTests {
    private let options = ConversionOptions()

    private func denoised(_ pass: TemporalNoiseFilterPass, _ pictures: [PixelBuffer]) throws -> [PixelBuffer] {
        let sink = RecordingSink()
        _ = try ConversionPipeline(
            source: GeneratedSource(count: pictures.count) { pictures[$0] }, sink: sink,
            finder: ScriptedTransitions(), chain: EffectChain(pass)
        ).run()
        return sink.frames.map(\.buffer)
    }

    @Test(arguments: [NoiseLevel.strength(0), .sigma(0), .sigma(9, strength: 0)])
    func noFilteringIsBitExact(noise: NoiseLevel) throws {
        let format = try PixelFormat(subsampling: .yuv422, bitDepth: 10)
        let pictures = try (0..<5).map { try GeneratedPicture.texture(format, width: 53, height: 37, seed: $0) }
        let result = try denoised(TemporalNoiseFilterPass(noise: noise, options: options), pictures)
        #expect(result.count == 5)
        for (a, b) in zip(result, pictures) { #expect(a.hasSameSamples(as: b)) }
    }

    @Test(arguments: [nil, 0])
    func aSingleFrameGoesThroughTheFilter(future: Int?) throws {
        let picture = try GeneratedPicture.texture()
        let result = try denoised(TemporalNoiseFilterPass(future: future, options: options), [picture])
        #expect(result.map { $0.hasSameSamples(as: picture) } == [true])
    }

    /// The pass does what its engine does with the same window, and changes the frame.
    @Test func theFilterFilters() throws {
        let noisy = try (0..<5).map { try GeneratedPicture.texture(width: 96, height: 64, seed: $0) }
        var results: [[PixelBuffer]] = []
        for sigma in [Float(6), 12] {
            let pass = try TemporalNoiseFilterPass(noise: .sigma(sigma), past: 2, future: 1, options: options)
            let result = try denoised(pass, noisy)
            let engine = try TemporalNoiseFilterEngine(
                format: noisy[0].format, width: 96, height: 64, quality: .normal, context: .serial)
            let wanted = try engine.filter(
                noisy[2], previous: Array(noisy[0..<2]), next: [noisy[3]], noise: .sigma(sigma))
            #expect(result[2].hasSameSamples(as: wanted))
            #expect(!result[2].hasSameSamples(as: noisy[2]))
            results.append(result)
        }
        #expect(!results[0][2].hasSameSamples(as: results[1][2]))
    }

    @Test func theBlurBlurs() throws {
        let pictures = try (0..<4).map { try GeneratedPicture.waves(dx: 9 * $0) }
        func blurred(_ strength: Int, isLinearLight: Bool) throws -> PixelBuffer {
            let pass = try MotionBlurPass(strength: strength, isLinearLight: isLinearLight, options: options)
            let sink = RecordingSink()
            _ = try ConversionPipeline(
                source: GeneratedSource(count: 4) { pictures[$0] }, sink: sink, finder: ScriptedTransitions(),
                chain: EffectChain(pass)
            ).run()
            let engine = try MotionBlurEngine(
                format: pictures[0].format, width: pictures[0].width, height: pictures[0].height, quality: .normal,
                linearLight: isLinearLight, context: .serial)
            // In order, because motion uses predictors from the previous pair.
            var wanted = pictures[0]
            for index in 0..<3 {
                wanted = try engine.blur(
                    pictures[index], previous: index > 0 ? pictures[index - 1] : nil, next: pictures[index + 1],
                    color: sink.frames[index].color, strength: strength, relation: index > 0 ? .follows : .none)
            }
            #expect(sink.frames[2].buffer.hasSameSamples(as: wanted))
            return sink.frames[2].buffer
        }
        let (half, full, light) = (
            try blurred(50, isLinearLight: false), try blurred(100, isLinearLight: false),
            try blurred(100, isLinearLight: true)
        )
        for (a, b) in [(half, pictures[2]), (half, full), (full, light)] { #expect(!a.hasSameSamples(as: b)) }
    }

    @Test func aFrameThatStandsAloneIsNotBlurred() throws {
        let pictures = try (0..<4).map { try GeneratedPicture.waves(dx: 9 * $0) }
        let pass = try MotionBlurPass(strength: 100, options: options)
        let sink = RecordingSink()
        _ = try ConversionPipeline(
            source: GeneratedSource(count: 4) { pictures[$0] }, sink: sink,
            finder: ScriptedTransitions([1: .cut, 2: .cut, 3: .cut]), chain: EffectChain(pass)
        ).run()
        for (frame, picture) in zip(sink.frames, pictures) { #expect(frame.buffer.hasSameSamples(as: picture)) }
    }

    @Test(arguments: [-1, 0, 101])
    func blurStrengthHasARange(strength: Int) {
        let error = #expect(throws: FrameError.self) { try MotionBlurPass(strength: strength, options: options) }
        #expect(error?.message == "strength \(strength) is not allowed; it is a whole number from 1 to 100")
    }

    @Test(arguments: [
        NoiseLevel.strength(-0.1), .strength(1.5), .strength(.nan), .sigma(-1), .sigma(300), .sigma(.nan),
        .sigma(.infinity), .sigma(4, strength: 1.5), .sigma(4, strength: .nan),
    ])
    func noiseHasARange(noise: NoiseLevel) {
        let error = #expect(throws: FrameError.self) { try TemporalNoiseFilterPass(noise: noise, options: options) }
        #expect(error?.message.contains("is not allowed; it must be a number from 0 to ") == true)
    }

    @Test func referencesHaveARange() throws {
        let all = try TemporalNoiseFilterPass(options: options)
        #expect(all.past == 3 && all.future == 3)
        let high = try TemporalNoiseFilterPass(options: ConversionOptions(quality: .quality))
        #expect(high.past == 8 && high.future == 8)
        for (past, future) in [(0, 0), (4, 1), (1, 4), (-1, 1)] {
            #expect(throws: FrameError.self) {
                try TemporalNoiseFilterPass(past: past, future: future, options: options)
            }
        }
        #expect(try TemporalNoiseFilterPass(past: 0, future: 1, options: options).past == 0)
    }
}
