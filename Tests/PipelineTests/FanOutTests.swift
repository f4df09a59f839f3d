import FrameCore
import Pipeline
import TestSupport
import Testing

/// Counts what it gets and notes what is done with it.
private final class CountingTap: FrameTap {
    private struct Contents {
        var count = 0
        var published = 0
        var discarded = 0
        var ended: (any Error)?
    }

    private let contents = Lock(Contents())
    private let failsAt: Int?
    private let stopsAt: Int?
    private let onPublish: @Sendable () throws -> Void

    init(failsAt: Int? = nil, stopsAt: Int? = nil, onPublish: @escaping @Sendable () throws -> Void = {}) {
        self.failsAt = failsAt
        self.stopsAt = stopsAt
        self.onPublish = onPublish
    }

    var count: Int { contents.withLock { $0.count } }
    var published: Int { contents.withLock { $0.published } }
    var discarded: Int { contents.withLock { $0.discarded } }
    var wasEnded: Bool { contents.withLock { $0.ended is CancellationError } }

    func consume(_ frames: any FrameSource) throws {
        do {
            while try frames.nextFrame() != nil {
                let count = contents.withLock {
                    $0.count += 1
                    return $0.count
                }
                if count == failsAt { throw DeliberateError("tap") }
                if count == stopsAt { return }
            }
        } catch {
            contents.withLock { $0.ended = error }
            throw error
        }
    }

    func publish() throws {
        try onPublish()
        contents.withLock { $0.published += 1 }
    }

    func discard() { contents.withLock { $0.discarded += 1 } }
}

@Suite struct FanOutTests {
    private func run(_ sink: RecordingSink, _ taps: [CountingTap], count: Int = 40) throws {
        let picture = try GeneratedPicture.flat(9, width: 16, height: 16)
        let source = GeneratedSource(count: count) { _ in picture }
        let slomo = InterpolationPass(plan: try SlowMotionPlan(factor: 2), options: ConversionOptions())
        _ = try ConversionPipeline(
            source: source, sink: FanOutSink(sink, stream: source.stream, taps: taps), finder: ScriptedTransitions(),
            chain: EffectChain(slomo)
        ).run()
    }

    @Test func allGetEveryFrame() throws {
        let sink = RecordingSink(), taps = [CountingTap(), CountingTap()]
        try run(sink, taps)
        #expect(sink.count == 79 && sink.finishes == 1 && sink.cancels == 0)
        for tap in taps { #expect(tap.count == 79 && tap.published == 1 && tap.discarded == 0) }
    }

    @Test func nothingShowsBeforeTheSinkIsDone() throws {
        let sink = RecordingSink()
        let tap = CountingTap(onPublish: { if sink.finishes == 0 { throw DeliberateError("early") } })
        try run(sink, [tap])
        #expect(tap.published == 1)
    }

    @Test(arguments: [1, 20, 79])
    func aFailingTapEndsAll(position: Int) throws {
        let sink = RecordingSink(), taps = [CountingTap(), CountingTap(failsAt: position)]
        #expect(throws: DeliberateError("tap")) { try run(sink, taps) }
        #expect(sink.finishes == 0 && sink.cancels == 1)
        for tap in taps { #expect(tap.published == 0 && tap.discarded == 1) }
    }

    @Test func aTapMayEndEarly() throws {
        let sink = RecordingSink(), tap = CountingTap(stopsAt: 3)
        try run(sink, [tap])
        #expect(sink.count == 79 && tap.count == 3 && tap.published == 1)
    }

    /// Taps wait for frames on threads of their own, which nothing else would end.
    @Test func aChainThatCannotBeginEndsTaps() throws {
        let sink = RecordingSink(), tap = CountingTap(),
            source = GeneratedSource(count: 3) { _ in try GeneratedPicture.flat(9) }
        let tooLarge = EffectChain(
            SuperResolutionPass(target: .size(width: 8190, height: 16), options: ConversionOptions()))
        let pipeline = ConversionPipeline(
            source: source, sink: FanOutSink(sink, stream: source.stream, taps: [tap]), chain: tooLarge)
        #expect(throws: (any Error).self) { try pipeline.run() }
        #expect(sink.cancels == 1 && tap.discarded == 1 && tap.wasEnded)
    }

    /// Whoever stops a run may have gone before its taps are ready: nothing becomes visible then.
    @Test func whatIsStoppedIsNotPublished() throws {
        let sink = RecordingSink(), tap = CountingTap(), picture = try GeneratedPicture.flat(9)
        let fan = FanOutSink(sink, stream: GeneratedSource(count: 1) { _ in picture }.stream, taps: [tap])
        try fan.write(Frame(buffer: picture, presentationTime: .zero))
        fan.stop()
        #expect(throws: CancellationError.self) { try fan.finish() }
        fan.cancel()
        #expect(sink.finishes == 0 && tap.published == 0 && tap.discarded == 1)
    }

    @Test func aFailingSinkEndsTaps() throws {
        let sink = RecordingSink(onWrite: { if $0 == 30 { throw DeliberateError("write") } }), tap = CountingTap()
        #expect(throws: DeliberateError("write")) { try run(sink, [tap]) }
        #expect(tap.published == 0 && tap.discarded == 1 && tap.wasEnded)
        let late = RecordingSink(onFinish: { throw DeliberateError("finish") }), other = CountingTap()
        #expect(throws: DeliberateError("finish")) { try run(late, [other]) }
        #expect(other.published == 0 && other.discarded == 1)
    }
}
