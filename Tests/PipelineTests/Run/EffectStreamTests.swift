import FrameCore
import FrameEffects
import Motion
import Pipeline
import TestSupport
import Testing

@Suite struct EffectStreamTests {
    private static let rate = Rational(25, 1)

    /// Two scenes with a cut between them.
    private static func pictures(_ count: Int) throws -> [PixelBuffer] {
        let scenes = [MovingScene.translation(1.3, 0.4, seed: 3), .translation(-0.8, 1.1, seed: 9)]
        return try (0..<count).map { try scenes[$0 < count / 2 ? 0 : 1].picture(Float($0), width: 48, height: 40) }
    }

    private static func source(_ pictures: [PixelBuffer]) -> GeneratedSource {
        GeneratedSource(
            times: pictures.indices.map { MediaTime(value: Int64($0), timescale: 25) },
            durations: pictures.map { _ in MediaTime(value: 1, timescale: 25) }, stream: stream
        ) { pictures[$0] }
    }

    private static var stream: VideoStreamDescription {
        VideoStreamDescription(
            format: .yuv420p8, width: 48, height: 40, timeBase: Rational(1, 25), nominalFrameRate: rate)
    }

    private struct Results {
        var frames: [Frame] = []
        var scenes: [Int] = []

        /// - Returns: whether the stream has ended.
        mutating func take(from stream: EffectStream) throws -> Bool {
            while true {
                switch try stream.receive() {
                case .frame(let frame, let beginsScene):
                    if beginsScene { scenes.append(frames.count) }
                    frames.append(frame)
                case .needsInput: return false
                case .ended: return true
                }
            }
        }
    }

    /// - Parameter eagerly: whether results are taken after each frame, not only when the stream is full.
    private func run(
        _ effect: any ClipEffect, _ pictures: [PixelBuffer], eagerly: Bool, from segment: Int = 0, first: Int = 0
    )
        throws -> Results
    {
        let stream = try EffectStream(effect, source: Self.stream, fromSegment: segment, firstFrame: first)
        let source = Self.source(pictures)
        var results = Results()
        for _ in 0..<first { _ = try source.nextFrame() }
        while let frame = try source.nextFrame() {
            while try !stream.submit(frame) { #expect(try !results.take(from: stream)) }
            if eagerly { #expect(try !results.take(from: stream)) }
        }
        stream.finish()
        #expect(try results.take(from: stream))
        return results
    }

    @Test(arguments: [
        EffectStep.rate(Rational(60, 1)), .slomo(phases: [Rational(1, 3)]), .denoise(.sigma(6)),
        .blur(strength: 60, isLinearLight: false), .upscale(.factor(Rational(2, 1))),
    ])
    func makesTheFramesOfAPipeline(step: EffectStep) throws {
        let pictures = try Self.pictures(24)
        for threads in [1, 2] {
            let effect = try step.effect(ConversionOptions(context: .init(threads: threads)))
            let sink = RecordingSink()
            let report = try ConversionPipeline(
                source: Self.source(pictures), sink: sink, chain: EffectChain(effect)
            ).run()
            #expect(report.cuts.map(\.frame) == [12])
            for eagerly in [true, false] {
                let results = try run(effect, pictures, eagerly: eagerly)
                #expect(results.frames.count == sink.frames.count)
                for (made, expected) in zip(results.frames, sink.frames) {
                    #expect(made.presentationTime == expected.presentationTime && made.duration == expected.duration)
                    #expect(made.buffer.hasSameSamples(as: expected.buffer))
                }
                #expect(results.scenes.count == 2 && results.scenes.first == 0)
            }
        }
    }

    @Test func beginsAtASegment() throws {
        let pictures = try Self.pictures(250)
        let effect = try EffectStep.rate(Rational(30, 1)).effect(ConversionOptions())
        let whole = try run(effect, pictures, eagerly: false)
        let rest = try run(effect, pictures, eagerly: false, from: 1)
        #expect(rest.frames.count == 12)
        for (made, expected) in zip(rest.frames, whole.frames.suffix(12)) {
            #expect(made.presentationTime == expected.presentationTime)
            #expect(made.buffer.hasSameSamples(as: expected.buffer))
        }
    }

    /// Pictures with a cut before reset point 480, among the frames that the first result there looks back at, a flash
    /// and a cut after it.
    private static func picturesAroundAResetPoint() throws -> [PixelBuffer] {
        let scenes = [MovingScene.translation(1.3, 0.4, seed: 3), .translation(-0.8, 1.1, seed: 9)]
        let white = try GeneratedPicture.flat(235, width: 48, height: 40)
        return try (0..<520).map { index in
            let scene = scenes[(478...500).contains(index) ? 1 : 0]
            return try index == 489 ? white : scene.picture(Float(index), width: 48, height: 40)
        }
    }

    /// A stream that begins shortly before a reset point makes the frames of the whole clip from there on.
    @Test(arguments: [
        EffectStep.rate(Rational(60, 1)), .slomo(phases: [Rational(1, 3)]), .denoise(.sigma(6)),
        .blur(strength: 60, isLinearLight: false), .upscale(.factor(Rational(2, 1))),
    ])
    func beginsInTheMiddle(step: EffectStep) throws {
        let pictures = try Self.picturesAroundAResetPoint()
        let effect = try step.effect(ConversionOptions())
        let whole = try run(effect, pictures, eagerly: false)
        // The results from source frame 480 on, and the time of the first of them.
        let begin: (result: Int, time: MediaTime)
        switch step.name {
        case "rate": begin = (1152, MediaTime(value: 480, timescale: 25))
        case "slomo": begin = (960, MediaTime(value: 960, timescale: 25))
        default: begin = (480, MediaTime(value: 480, timescale: 25))
        }
        #expect(whole.frames[begin.result].presentationTime == begin.time)
        for first in [0, 1, 300, EffectStream.latestStart(forSegment: 2)] {
            let rest = try run(effect, pictures, eagerly: false, from: 2, first: first)
            #expect(rest.frames.count == whole.frames.count - begin.result && rest.scenes.count >= 1)
            for (made, expected) in zip(rest.frames, whole.frames[begin.result...]) {
                #expect(made.presentationTime == expected.presentationTime)
                #expect(made.buffer.hasSameSamples(as: expected.buffer))
            }
        }
        for wrong in [-1, EffectStream.latestStart(forSegment: 2) + 1] {
            #expect(throws: FrameError.self) {
                try EffectStream(effect, source: Self.stream, fromSegment: 2, firstFrame: wrong)
            }
        }
    }

    /// The same for motion, to either neighbour: the first frame that comes is that of the reset point.
    @Test(arguments: [OpticalFlowPass.Neighbour.next, .previous])
    func motionBeginsInTheMiddle(neighbour: OpticalFlowPass.Neighbour) throws {
        let pictures = try Self.picturesAroundAResetPoint()
        func steps(from segment: Int, first: Int) throws -> [OpticalFlowPass.Step] {
            let steps = Lock<[OpticalFlowPass.Step]>([])
            let effect = OpticalFlowPass(
                options: ConversionOptions(), neighbour: neighbour,
                makeFrame: { step in
                    steps.withLock { $0.append(step) }
                    return step.frame
                })
            let results = try run(effect, pictures, eagerly: false, from: segment, first: first)
            #expect(results.frames.map(\.presentationTime) == steps.withLock { $0.map(\.frame.presentationTime) })
            return steps.withLock { $0 }
        }
        let whole = try steps(from: 0, first: 0)
        #expect(whole.count == 520)
        for first in [0, EffectStream.latestStart(forSegment: 2)] {
            let rest = try steps(from: 2, first: first)
            #expect(rest.count == 40 && rest.first?.frame.presentationTime == MediaTime(value: 480, timescale: 25))
            #expect(rest.first?.flow != nil)
            for (made, expected) in zip(rest, whole[480...]) {
                #expect(made.frame.presentationTime == expected.frame.presentationTime)
                #expect(made.flow == expected.flow && made.resets == expected.resets)
            }
        }
    }

    @Test func saysWhatItNeeds() throws {
        let effect = try EffectStep.slomo(phases: [Rational(1, 2)]).effect(ConversionOptions())
        let stream = try EffectStream(effect, source: Self.stream)
        guard case .needsInput = try stream.receive() else {
            Issue.record("a new stream needs frames")
            return
        }
        stream.finish()
        guard case .ended = try stream.receive() else {
            Issue.record("a stream without frames ends at once")
            return
        }
        let frame = try #require(try Self.source(Self.pictures(1)).nextFrame())
        #expect(throws: FrameError.self) { try stream.submit(frame) }
    }

    @Test func reportsWhatTheEffectReports() throws {
        let effect = try EffectStep.slomo(phases: [Rational(1, 2)]).effect(ConversionOptions())
        let stream = try EffectStream(effect, source: Self.stream, cuts: .none)
        let frame = try #require(try Self.source(Self.pictures(1)).nextFrame())
        #expect(try stream.submit(frame))
        // The same time again.
        _ = try stream.submit(frame)
        let error = #expect(throws: FrameError.self) {
            while true { if case .ended = try stream.receive() { return } }
        }
        #expect(error?.message.contains("times must increase") == true)
    }

    @Test func cancellingWakesThoseWhoWait() throws {
        let effect = try EffectStep.slomo(phases: (1..<64).map { Rational($0, 64) }).effect(ConversionOptions())
        let stream = try EffectStream(effect, source: Self.stream, cuts: .none)
        let source = Self.source(try Self.pictures(8))
        while let frame = try source.nextFrame(), try stream.submit(frame) {}
        let ended = Lock(false)
        let receiver = WorkerThread(name: "receive") {
            while true {
                guard (try? stream.receive()) != nil else { break }
            }
            ended.withLock { $0 = true }
        }
        stream.cancel()
        receiver.join()
        #expect(ended.withLock { $0 })
        #expect(throws: CancellationError.self) { try stream.receive() }
    }
}
