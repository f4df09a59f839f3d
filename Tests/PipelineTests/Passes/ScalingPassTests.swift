import FrameCore
import FrameEffects
import Pipeline
import TestSupport
import Testing

/// Super resolution and the low-latency effects over generated clips.
@Suite struct ScalingPassTests {
    private let options = ConversionOptions()

    private func source(_ count: Int, from first: Int = 0, cutAt cut: Int? = nil) -> GeneratedSource {
        let step = MediaTime(value: 1, timescale: 25)
        return GeneratedSource(
            times: (0..<count).map { step.multiplied(by: Rational(Int32($0), 1)) },
            durations: Array(repeating: step, count: count),
            stream: VideoStreamDescription(
                format: .yuv420p8, width: 160, height: 120, timeBase: Rational(1, 25),
                nominalFrameRate: Rational(25, 1),
                frameCount: count)
        ) { index in
            let seed = cut.map { first + index < $0 ? 2 : 77 } ?? 2
            return try MovingScene.translation(1.3, 0.6, seed: seed)
                .picture(Float(first + index), width: 160, height: 120)
        }
    }

    private func upscaled(
        _ source: GeneratedSource, _ type: SuperResolutionScalerConfiguration.InputType = .video,
        finder: ScriptedTransitions = ScriptedTransitions(), threads: Int = 1
    ) throws -> [Frame] {
        let sink = RecordingSink()
        let pass = SuperResolutionScalerPass(
            target: .factor(Rational(2, 1)), inputType: type,
            options: ConversionOptions(context: .init(threads: threads)))
        _ = try ConversionPipeline(
            source: source, sink: sink, finder: finder, chain: EffectChain(pass)
        ).run()
        return sink.frames
    }

    @Test func framesGrowAndKeepTheRest() throws {
        let frames = try upscaled(source(4))
        #expect(frames.map(\.buffer.width) == [320, 320, 320, 320])
        #expect(frames.map(\.presentationTime) == (0..<4).map { MediaTime(value: $0, timescale: 25) })
        #expect(frames.allSatisfy { $0.duration == MediaTime(value: 1, timescale: 25) })
    }

    /// Neither side of a cut knows the other: both are the same as clips of their own.
    @Test func cutsSeparate() throws {
        let whole = try upscaled(source(6, cutAt: 3), finder: ScriptedTransitions([3: .cut]))
        let before = try upscaled(source(3, cutAt: 3)), after = try upscaled(source(3, from: 3, cutAt: 3))
        let images = try upscaled(source(6, cutAt: 3), .image)
        for (index, frame) in (before + after).enumerated() {
            #expect(whole[index].buffer.hasSameSamples(as: frame.buffer), "frame \(index)")
            #expect(!whole[index].buffer.hasSameSamples(as: images[index].buffer), "frame \(index)")
        }
    }

    @Test func historyEndsAtRestartPoints() throws {
        let count = ResetSchedule.interval + 3
        let first = try MovingScene.translation(1.3, 0.6, seed: 2).picture(0, width: 64, height: 48)
        let second = try MovingScene.translation(1.3, 0.6, seed: 2).picture(1, width: 64, height: 48)
        let sink = RecordingSink()
        let pass = SuperResolutionScalerPass(target: .factor(Rational(2, 1)), inputType: .video, options: options)
        _ = try ConversionPipeline(
            source: GeneratedSource(count: count) { $0.isMultiple(of: 2) ? first : second }, sink: sink,
            finder: ScriptedTransitions(), chain: EffectChain(pass)
        ).run()
        let frames = sink.frames.map(\.buffer)
        #expect(frames[ResetSchedule.interval].hasSameSamples(as: frames[0]))
        #expect(frames[ResetSchedule.interval + 1].hasSameSamples(as: frames[1]))
        #expect(!frames[2].hasSameSamples(as: frames[0]))
    }

    @Test func theBitsDoNotDependOnThreads() throws {
        let one = try upscaled(source(3)), three = try upscaled(source(3), threads: 3)
        for (a, b) in zip(one, three) { #expect(a.buffer.hasSameSamples(as: b.buffer)) }
    }

    private func smoothed(
        _ source: GeneratedSource, depth: Int, scale: Int = 1, atCut: CutTreatment = .hold
    ) throws -> (frames: [Frame], report: ConversionReport, cuts: [Int]) {
        let sink = RecordingSink()
        let pass = try LowLatencyFrameInterpolationPass(
            depth: depth, scale: scale, options: ConversionOptions(context: .init(threads: 2), atCut: atCut))
        let report = try ConversionPipeline(
            source: source, sink: sink, finder: NoTransitions(),
            chain: EffectChain(pass)
        ).run()
        return (sink.frames, report, report.cuts.map(\.frame))
    }

    @Test(arguments: [1, 2, 3]) func depthsMultiplyTheRate(_ depth: Int) throws {
        let (frames, report, cuts) = try smoothed(source(4), depth: depth)
        let each = 1 << depth
        #expect(frames.count == 3 * each + 1)
        #expect(
            frames.map(\.presentationTime)
                == (0...3 * each).map { MediaTime(value: Int64($0), timescale: Int32(25 * each)) })
        #expect(report.sourceFramesShown == 4 && report.framesRead == 4 && cuts.isEmpty)
        #expect(frames.last?.duration == MediaTime(value: 1, timescale: 25))
        #expect(report.latency?.work.maximum ?? 0 > 0)
        let scene = MovingScene.translation(1.3, 0.6, seed: 2)
        for (index, frame) in frames.enumerated() {
            let truth = try scene.picture(Float(index) / Float(each), width: 160, height: 120)
            #expect(PictureDifference(frame.buffer, truth).psnr > (index.isMultiple(of: each) ? 99 : 32))
        }
    }

    @Test func cutsAreHeldOrMixed() throws {
        let held = try smoothed(source(6, cutAt: 3), depth: 1)
        #expect(held.cuts == [3] && held.report.heldAtCut == 1)
        // The interpolated frame is half-way between both sides of the cut; it repeats the later one.
        #expect(held.frames[5].buffer.hasSameSamples(as: held.frames[6].buffer))
        let mixed = try smoothed(source(6, cutAt: 3), depth: 1, atCut: .blend)
        #expect(mixed.report.blendedOverCut == 1)
        #expect(!mixed.frames[5].buffer.hasSameSamples(as: mixed.frames[6].buffer))
    }

    @Test func allFramesGrowTheFirstToo() throws {
        let (frames, _, _) = try smoothed(source(3), depth: 1, scale: 2)
        #expect(frames.count == 5 && frames.allSatisfy { $0.buffer.width == 320 && $0.buffer.height == 240 })
        let sink = RecordingSink()
        _ = try ConversionPipeline(
            source: source(3), sink: sink, finder: NoTransitions(),
            chain: EffectChain(LowLatencySuperResolutionScalerPass(target: .factor(Rational(2, 1)), context: .serial))
        ).run()
        for (a, b) in zip([frames[0], frames[2], frames[4]], sink.frames) {
            #expect(a.buffer.hasSameSamples(as: b.buffer))
        }
    }

    @Test(arguments: [(0, 1), (5, 1), (1, 0), (1, 3)]) func settingsHaveRanges(_ depth: Int, _ scale: Int) {
        #expect(throws: FrameError.self) {
            try LowLatencyFrameInterpolationPass(depth: depth, scale: scale, options: options)
        }
    }
}
