import FrameCore
import FrameEffects
import Pipeline
import TestSupport
import Testing

/// Frames that stand still for much longer than those round them.
@Suite struct LongHoldTests {
    /// Intervals in hundredths of a second.
    private static let steady = Array(repeating: 4, count: 12)

    private static func times(_ steps: [Int]) -> [MediaTime] {
        steps.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }.map { MediaTime(value: Int64($0), timescale: 100) }
    }

    /// Returns the ends of the holds by the number of the frame that is held, in hundredths of a second.
    private func holds(_ steps: [Int], lookAhead: Int = 6) throws -> [Int: Int] {
        let picture = try GeneratedPicture.flat(0, width: 16, height: 16)
        var timeline = SourceTimeline(ScriptedTransitions(lookAhead: lookAhead)), frames: [TimelineFrame] = []
        for time in Self.times(steps) {
            frames += timeline.append(TimelineFrame(frame: Frame(buffer: picture, presentationTime: time)))
        }
        frames += timeline.finish()
        #expect(frames.count == steps.count + 1)
        var ends: [Int: Int] = [:]
        for (index, frame) in frames.enumerated() {
            ends[index - 1] = frame.before.heldUntil.map { Int($0.multiplied(by: Rational(100, 1)).seconds.rounded()) }
        }
        return ends
    }

    @Test func pagesOfAScreenRecordingAreHeld() throws {
        let found = try holds(Self.steady + [600, 500] + Self.steady)
        #expect(found == [12: 48 + 600 - 4, 13: 48 + 1100 - 4])
        // At both ends of the clip, with few frames, and with one short step between holds.
        #expect(try holds([600] + Self.steady) == [0: 596])
        #expect(try holds(Self.steady + [600]) == [12: 644])
        #expect(try holds([600, 10]) == [0: 590])
        #expect(try holds([300, 4, 700, 4, 200, 4]) == [0: 296, 2: 1000, 4: 1204])
    }

    @Test(arguments: [
        // Constant low rates, a time lapse with jitter, irregular slides.
        Array(repeating: 100, count: 20), (0..<20).map { 100 + $0 * 7 % 30 }, [500, 300, 900, 400, 1200],
        // Missing frames that last a quarter of a second at most, or less than four times the usual interval.
        Array(repeating: 4, count: 6) + [25] + Array(repeating: 4, count: 6),
        Array(repeating: 10, count: 6) + [40] + Array(repeating: 10, count: 6),
        // A clip whose rate changes, and changes back.
        steady + Array(repeating: 100, count: 8) + steady,
        [600], [],
    ])
    func lowRatesAreNot(steps: [Int]) throws {
        #expect(try holds(steps).isEmpty)
    }

    /// An effect that does not wait for later frames judges by earlier ones.
    @Test func earlierFramesSuffice() throws {
        let steps = [600] + Self.steady + [600] + Self.steady
        #expect(try holds(steps, lookAhead: 0) == [13: 600 + 48 + 600 - 4])
        #expect(try holds(steps, lookAhead: 3) == [0: 596, 13: 600 + 48 + 600 - 4])
    }

    /// Only few intervals count, so a run that begins a little earlier decides the same.
    @Test func aFewFramesDecide() throws {
        let steps = (0..<60).map { $0 % 9 == 5 ? 300 + $0 : 3 + $0 % 3 }
        let whole = try holds(steps)
        #expect(whole.count == 7)
        for start in [1, 7, 20] {
            let skipped = steps[..<start].reduce(0, +)
            let rest = try holds(Array(steps[start...]))
            for (frame, end) in whole where frame >= start + 6 { #expect(rest[frame - start] == end - skipped) }
        }
    }

    @Test func rateConversionHoldsAndThenMoves() throws {
        var plan = try RateConversionPlan(rate: Rational(10, 1))
        let frames = plan.frames(
            from: .zero, heldUntil: MediaTime(value: 75, timescale: 100), to: MediaTime(value: 1, timescale: 1),
            end: nil)
        #expect(frames.map(\.time) == (0..<10).map { MediaTime(value: $0, timescale: 10) })
        #expect(frames.prefix(8).allSatisfy { $0.content == .source })
        #expect(frames[8].content == .between(phase: 0.2) && frames[9].content == .between(phase: 0.6))
    }

    @Test func slowMotionStretchesTheHoldOnly() throws {
        var plan = try SlowMotionPlan(factor: 4)
        let frames = plan.frames(
            from: MediaTime(value: 1, timescale: 1), heldUntil: MediaTime(value: 6, timescale: 1),
            to: MediaTime(value: 8, timescale: 1), end: nil)
        #expect(frames.map(\.content) == [.source, .between(phase: 0.25), .between(phase: 0.5), .between(phase: 0.75)])
        #expect(frames.map(\.time.seconds) == [4, 26, 28, 30])
        #expect(frames.map { $0.duration?.seconds } == [22, 2, 2, 2])
        #expect(frames.map { $0.heldUntil?.seconds } == [nil, 24, nil, nil])
    }
}

/// What effects make of long holds.
@Suite struct LongHoldEffectTests {
    /// Steps in hundredths of a second: a hold of 1 s after frame 3, and one of 2 s after frame 4.
    private static let steps = [4, 4, 4, 100, 200, 4, 4, 4]

    private func run(
        _ steps: [EffectStep], options: ConversionOptions = ConversionOptions(), live: Bool = false
    ) throws -> (frames: [Frame], pictures: [PixelBuffer], report: ConversionReport) {
        let scene = MovingScene.translation(1.5, 0.5, seed: 3), times = Self.times
        let pictures = try times.indices.map { try scene.picture(Float($0), width: 48, height: 40) }
        let source = TaggingSource(
            GeneratedSource(
                times: times,
                stream: VideoStreamDescription(
                    format: .yuv420p8, width: 48, height: 40, timeBase: Rational(1, 100), frameCount: times.count)
            ) { pictures[$0] }
        ) {
            $0.sideData = SideData([SideData.Entry(kind: "captions", code: 1, bytes: [1], isOfThisPictureOnly: true)])
        }
        let sink = RecordingSink()
        let chain = try EffectChain(
            live
                ? [try LowLatencyFrameInterpolationPass(depth: 1, options: options)]
                : steps.map { try $0.effect(options) })
        let report = try ConversionPipeline(
            source: source, sink: sink, chain: chain, cuts: live ? .none : .lookingAhead
        ).run()
        return (sink.frames, pictures, report)
    }

    private static var times: [MediaTime] {
        steps.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }.map { MediaTime(value: Int64($0), timescale: 100) }
    }

    /// The frames shown during the first hold, from 0.12 s to 1.12 s, and the second, to 3.12 s.
    private func during(_ frames: [Frame], _ range: Range<Int>) -> [Frame] {
        frames.filter { range.contains(Int(($0.presentationTime.seconds * 100).rounded())) }
    }

    @Test(arguments: [1, 2])
    func rateShowsTheHeldFrame(threads: Int) throws {
        let result = try run([.rate(Rational(50, 1))], options: ConversionOptions(context: .init(threads: threads)))
        #expect(result.report.longHolds == 2)
        for (index, range) in [(3, 12..<109), (4, 112..<309)] {
            let held = during(result.frames, range)
            #expect(held.count == range.count / 2 + 1)
            #expect(held.allSatisfy { $0.buffer.hasSameSamples(as: result.pictures[index]) })
            // Captions belong to the first frame only.
            #expect(held.map { !$0.sideData.isEmpty } == [true] + Array(repeating: false, count: held.count - 1))
        }
        let moving = during(result.frames, 110..<111)
        #expect(moving.count == 1 && !result.pictures.contains { $0.hasSameSamples(as: moving[0].buffer) })
    }

    @Test func slowMotionAddsNothingToAHold() throws {
        let result = try run([.slomo(phases: [Rational(1, 2)])])
        #expect(result.frames.count == 17 && result.report.longHolds == 2)
        #expect(
            result.frames.map { Int(($0.presentationTime.seconds * 100).rounded()) }[6...10] == [
                24, 220, 224, 620, 624,
            ])
        #expect(result.frames[6].duration == MediaTime(value: 196, timescale: 100))
    }

    /// A later effect learns of the hold, with its times.
    @Test func holdsPassFromEffectToEffect() throws {
        let result = try run([.denoise(.sigma(2)), .slomo(phases: [Rational(1, 2)]), .rate(Rational(25, 1))])
        #expect(result.report.longHolds == 2)
        let held = during(result.frames, 24..<217)
        #expect(held.count == 49 && held.allSatisfy { $0.buffer.hasSameSamples(as: held[0].buffer) })
        #expect(!during(result.frames, 220..<224)[0].buffer.hasSameSamples(as: held[0].buffer))
    }

    @Test func theOldWayInterpolates() throws {
        let options = ConversionOptions(longHolds: .interpolate)
        let result = try run([.rate(Rational(50, 1))], options: options)
        #expect(result.report.longHolds == 0)
        #expect(during(result.frames, 14..<112).allSatisfy { !$0.buffer.hasSameSamples(as: result.pictures[3]) })
        let recipe = try EffectRecipe([.rate(Rational(50, 1))], longHolds: .interpolate)
        #expect(try recipe.chain(ConversionOptions()).summary.hasSuffix("interpolate in long holds"))
        #expect(try EffectRecipe([.rate(Rational(50, 1))]).chain(options).summary == recipe.chain(options).summary)
    }

    @Test func liveFramesMoveAtTheEnd() throws {
        let result = try run([], live: true)
        #expect(result.report.longHolds == 2)
        let times = result.frames.map { Int(($0.presentationTime.seconds * 100).rounded()) }
        #expect(times[6...10] == [12, 110, 112, 310, 312])
    }

    /// The shutter is not open across a hold: a frame that stands still on both sides is sharp.
    @Test func blurDoesNotReachAcross() throws {
        let result = try run([.blur(strength: 100, isLinearLight: false)])
        #expect(result.frames[4].buffer.hasSameSamples(as: result.pictures[4]))
        #expect(!result.frames[2].buffer.hasSameSamples(as: result.pictures[2]))
        #expect(!result.frames[6].buffer.hasSameSamples(as: result.pictures[6]))
    }
}
