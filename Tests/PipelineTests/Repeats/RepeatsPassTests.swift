import FrameCore
import FrameEffects
import Pipeline
import TestSupport
import Testing

/// What becomes of the frames of a clip with repeats: which are shown, when, and with what.
@Suite struct RepeatsPassTests {
    /// A clip whose frames show pictures of a scene by their numbers, with the number of each frame as a caption.
    private func run(
        _ pictures: [Int], rate: Rational = Rational(30, 1), _ effects: [any ClipEffect], from segment: Int = 0,
        finder: ScriptedTransitions = ScriptedTransitions(), noise: Int = 2, keepsDurations: Bool = true
    ) throws -> (sink: RecordingSink, report: ConversionReport) {
        let step = MediaTime(value: Int64(rate.denominator), timescale: rate.numerator)
        let number = Lock(0)
        let source = TaggingSource(
            GeneratedSource(
                times: pictures.indices.map { step.multiplied(by: Rational(Int32($0), 1)) },
                durations: pictures.map { _ in keepsDurations ? step : nil },
                stream: VideoStreamDescription(
                    format: .yuv420p8, width: 64, height: 48, timeBase: Rational(rate.denominator, rate.numerator),
                    nominalFrameRate: rate, frameCount: pictures.count,
                    duration: step.multiplied(by: Rational(Int32(pictures.count), 1)))
            ) { try Self.picture(pictures[$0], frame: $0, noise: noise) }
        ) { frame in
            let own = number.withLock { number in
                defer { number += 1 }
                return number
            }
            frame.sideData = SideData([
                .init(kind: "captions", code: 1, bytes: [UInt8(own % 256)], isOfThisPictureOnly: true),
                .init(kind: "light", code: 17, bytes: [UInt8(own % 256)]),
            ])
        }
        let sink = RecordingSink(from: segment)
        let report = try ConversionPipeline(
            source: source, sink: sink, finder: finder, chain: EffectChain(effects)
        ).run()
        return (sink, report)
    }

    private static func picture(_ index: Int, frame: Int, noise: Int) throws -> PixelBuffer {
        let scene = MovingScene.translation(1.7, 0.6, seed: 5)
        var picture = try scene.picture(Float(index), width: 64, height: 48)
        guard noise > 0 else { return picture }
        var generator = SplitMix64(state: UInt64(frame))
        try picture.withMutablePlanes { planes in
            let plane = planes[0]
            for y in 0..<plane.height {
                for x in 0..<plane.width {
                    let value = Int(plane.row(y).load(fromByteOffset: x, as: UInt8.self))
                    let other = value + Int(generator.next() % UInt64(2 * noise + 1)) - noise
                    plane.row(y).storeBytes(of: UInt8(max(0, min(255, other))), toByteOffset: x, as: UInt8.self)
                }
            }
        }
        return picture
    }

    /// The number of the picture that each frame shows where a clip has `pictures` in `frames`.
    private func cadence(_ pictures: Int, in frames: Int, count: Int) -> [Int] {
        (0..<count).map { $0 * pictures / frames }
    }

    @Test(arguments: [
        (24, 30, Rational(30000, 1001)), (24, 60, Rational(60, 1)), (25, 50, Rational(50, 1)),
        (15, 24, Rational(24, 1)),
        (8, 24, Rational(24, 1)),
    ])
    func picturesAreEvenlySpaced(pictures: Int, frames: Int, rate: Rational) throws {
        let (sink, report) = try run(cadence(pictures, in: frames, count: 120), rate: rate, [RepeatsPass()])
        let shown = sink.frames.filter { $0.presentationTime.seconds > 0.9 && $0.presentationTime.seconds < 1.8 }
        let step = MediaTime(value: Int64(rate.denominator), timescale: rate.numerator)
            .multiplied(by: Rational(Int32(frames), Int32(pictures)))
        for (earlier, later) in zip(shown, shown.dropFirst()) {
            #expect(later.presentationTime - earlier.presentationTime == step)
            #expect(earlier.duration == step)
        }
        #expect(report.repeatsLeftOut == 120 - sink.count)
        #expect(abs(sink.count - 120 * pictures / frames) <= 2)
    }

    @Test func nothingIsLost() throws {
        for (pictures, frames) in [(24, 30), (24, 60), (1, 2), (1, 3), (1, 1)] {
            let (sink, _) = try run(cadence(pictures, in: frames, count: 100), [RepeatsPass()])
            let made = sink.frames
            #expect(made.first?.presentationTime == .zero)
            #expect(zip(made, made.dropFirst()).allSatisfy { $0.presentationTime < $1.presentationTime })
            let end = try #require(made.last.flatMap { frame in frame.duration.map { frame.presentationTime + $0 } })
            #expect(end == MediaTime(value: 100, timescale: 30))
            let captions = made.flatMap { $0.sideData.entries.filter(\.isOfThisPictureOnly).flatMap(\.bytes) }
            #expect(captions == (0..<100).map { UInt8($0) })
            #expect(made.allSatisfy { $0.sideData.entries.filter { $0.kind == "light" }.count == 1 })
        }
    }

    @Test(arguments: [true, false])
    func clipsWithoutRepeatsStayAsTheyAre(keepsDurations: Bool) throws {
        let plain = try run(Array(0..<90), [PassThrough()], keepsDurations: keepsDurations).sink.frames
        let passed = try run(Array(0..<90), [RepeatsPass()], keepsDurations: keepsDurations).sink.frames
        #expect(passed.map(\.metadata) == plain.map(\.metadata))
        #expect(zip(passed, plain).allSatisfy { $0.buffer.hasSameSamples(as: $1.buffer) })
        for step in [EffectStep.rate(Rational(50, 1)), .slomo(phases: [Rational(1, 2)])] {
            let effect = try step.effect(ConversionOptions())
            let alone = try run(Array(0..<40), [effect]).sink.frames
            let chain = EffectChain(effect).leavingOutRepeats(.auto).effects
            #expect(chain.count == 2)
            let after = try run(Array(0..<40), chain).sink.frames
            #expect(after.map(\.metadata) == alone.map(\.metadata))
            #expect(zip(after, alone).allSatisfy { $0.buffer.hasSameSamples(as: $1.buffer) })
        }
    }

    /// A frame in place of a lost one: the picture moves on over both.
    @Test func lostFramesAreInterpolated() throws {
        var pictures = Array(0..<60)
        pictures[30] = 29
        let chain = try EffectChain(EffectStep.rate(Rational(30, 1)).effect(ConversionOptions()))
            .leavingOutRepeats(.auto)
        let made = try run(pictures, chain.effects, noise: 0).sink.frames
        #expect(made.count == 60)
        let truth = try Self.picture(30, frame: 30, noise: 0)
        #expect(PictureDifference(made[30].buffer, truth).psnr > 30)
        #expect(try PictureDifference(Self.picture(29, frame: 29, noise: 0), truth).psnr < 25)
    }

    @Test func slowMotionKeepsItsFrameRate() throws {
        let slomo = try EffectStep.slomo(phases: [Rational(1, 2)]).effect(ConversionOptions())
        let chain = EffectChain(slomo).leavingOutRepeats(.auto)
        let twos = try run(cadence(1, in: 2, count: 61), rate: Rational(24, 1), chain.effects).sink.frames
        #expect(twos.count == 121)
        #expect(twos.enumerated().allSatisfy { $1.presentationTime == MediaTime(value: Int64($0), timescale: 24) })
    }

    @Test(arguments: [
        [EffectStep.rate(Rational(60, 1))], [.slomo(phases: [Rational(1, 2)])],
        [.denoise(.sigma(4)), .rate(Rational(50, 1))],
        [.rate(Rational(48, 1)), .denoise(.sigma(4))], [.slomo(factor: Rational(3, 2))],
    ])
    func segmentsAreThoseOfTheWholeClip(steps: [EffectStep]) throws {
        let count = 3 * ResetSchedule.interval + 7
        let clip =
            cadence(4, in: 5, count: 300) + cadence(2, in: 5, count: 200).map { $0 + 300 }
            + cadence(1, in: 3, count: count - 500).map { $0 + 500 }
        let finder = ScriptedTransitions(lookAhead: 3, [242: .cut, 478: .cut])
        for treatment in [RepeatTreatment.auto, .drop] {
            let chain = try EffectChain(steps.map { try $0.effect(ConversionOptions()) }).leavingOutRepeats(treatment)
            let whole = try run(clip, chain.effects, finder: finder).sink
            for (index, first) in whole.segments.dropFirst() {
                let rest = try run(clip, chain.effects, from: index, finder: finder).sink
                let expected = Array(whole.frames[first...])
                #expect(rest.frames.map(\.metadata) == expected.map(\.metadata))
                let unlike = zip(rest.frames, expected).enumerated().filter {
                    !$1.0.buffer.hasSameSamples(as: $1.1.buffer)
                }
                #expect(unlike.isEmpty, "segment \(index), frame \(unlike.first?.offset ?? 0)")
            }
        }
    }

    @Test func theRateOfPicturesIsRestored() throws {
        let rate = Rational(30000, 1001)
        let pass = RepeatsPass(restoresRate: true)
            .knowing(PictureRate(perFrame: Rational(4, 5)), frameRate: rate)
        var clip = cadence(4, in: 5, count: 200)
        // Standing still, it has no cadence.
        clip.replaceSubrange(80..<120, with: Array(repeating: clip[80], count: 40))
        let (sink, _) = try run(clip, rate: rate, [pass])
        #expect(sink.count == 160)
        let tick = MediaTime(value: 1001, timescale: 24000)
        #expect(
            sink.frames.enumerated().allSatisfy { $1.presentationTime == tick.multiplied(by: Rational(Int32($0), 1)) })
        #expect(sink.frames.allSatisfy { $0.duration == tick })
        let stream = pass.outputStream(
            for: VideoStreamDescription(
                format: .yuv420p8, width: 64, height: 48, timeBase: Rational(1001, 30000), nominalFrameRate: rate))
        #expect(stream.nominalFrameRate == Rational(24000, 1001))
        let unknown = try run(clip, rate: rate, [RepeatsPass(restoresRate: true)]).sink.frames
        #expect(zip(unknown, unknown.dropFirst()).allSatisfy { $0.presentationTime < $1.presentationTime })
    }

    @Test(arguments: [
        (24, 30, Rational?(Rational(4, 5))), (24, 60, Rational(2, 5)), (1, 1, Rational(1, 1)), (1, 2, Rational(1, 2)),
    ])
    func surveysFindTheRate(pictures: Int, frames: Int, found: Rational?) throws {
        var survey = PictureRateSurvey()
        for (frame, index) in cadence(pictures, in: frames, count: 150).enumerated() {
            survey.append(try Self.picture(index, frame: frame, noise: 2))
        }
        #expect(survey.finish().perFrame == found)
    }

    /// The bound counts the frames that wait for a decision.
    @Test func livingFramesAreBounded() throws {
        let living = LivingPictures(), pictures = try (0..<60).map { try Self.picture($0 / 2, frame: $0, noise: 2) }
        let chain = try EffectChain(EffectStep.rate(Rational(60, 1)).effect(ConversionOptions()))
            .leavingOutRepeats(.auto)
        let sink = RecordingSink(keepsFrames: false)
        let pipeline = ConversionPipeline(
            source: GeneratedSource(count: 300) { living.counted(pictures[$0 % 60]) }, sink: sink,
            finder: ScriptedTransitions(), chain: chain)
        let bound = try pipeline.memoryBound
        let report = try pipeline.run()
        #expect(living.peak <= bound.frames)
        #expect(zip(report.framePeaks, bound.parts).allSatisfy { $0 <= $1.frames })
        #expect(living.alive == 0)
    }
}

/// Passes frames on.
private struct PassThrough: ClipEffect, EffectRun {
    mutating func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
        try output.write(neighbourhood.current)
    }
}
