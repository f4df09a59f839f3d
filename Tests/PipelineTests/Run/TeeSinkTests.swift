import FrameCore
import Pipeline
import TestSupport
import Testing

/// Counts the frames it receives and records the calls made to it.
private final class CountingBranch: TeeBranch {
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
                if count == failsAt { throw DeliberateError("branch") }
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

@Suite struct TeeSinkTests {
    private func run(_ sink: RecordingSink, _ branches: [CountingBranch], count: Int = 40) throws {
        let picture = try GeneratedPicture.flat(9, width: 16, height: 16)
        let source = GeneratedSource(count: count) { _ in picture }
        let slomo = FrameRateConversionPass(plan: try SlowMotionPlan(factor: 2), options: ConversionOptions())
        _ = try ConversionPipeline(
            source: source, sink: TeeSink(sink, stream: source.stream, branches: branches),
            finder: ScriptedTransitions(),
            chain: EffectChain(slomo)
        ).run()
    }

    @Test func allGetEveryFrame() throws {
        let sink = RecordingSink(), branches = [CountingBranch(), CountingBranch()]
        try run(sink, branches)
        #expect(sink.count == 79 && sink.finishes == 1 && sink.cancels == 0)
        for branch in branches { #expect(branch.count == 79 && branch.published == 1 && branch.discarded == 0) }
    }

    @Test func nothingShowsBeforeTheSinkIsDone() throws {
        let sink = RecordingSink()
        let branch = CountingBranch(onPublish: { if sink.finishes == 0 { throw DeliberateError("early") } })
        try run(sink, [branch])
        #expect(branch.published == 1)
    }

    @Test(arguments: [1, 20, 79])
    func aFailingBranchEndsAll(position: Int) throws {
        let sink = RecordingSink(), branches = [CountingBranch(), CountingBranch(failsAt: position)]
        #expect(throws: DeliberateError("branch")) { try run(sink, branches) }
        #expect(sink.finishes == 0 && sink.cancels == 1)
        for branch in branches { #expect(branch.published == 0 && branch.discarded == 1) }
    }

    @Test func aBranchMayEndEarly() throws {
        let sink = RecordingSink(), branch = CountingBranch(stopsAt: 3)
        try run(sink, [branch])
        #expect(sink.count == 79 && branch.count == 3 && branch.published == 1)
    }

    /// Branches wait for frames on their own threads, which must end when the sink is cancelled.
    @Test func aChainThatCannotBeginEndsBranches() throws {
        let sink = RecordingSink(), branch = CountingBranch(),
            source = GeneratedSource(count: 3) { _ in try GeneratedPicture.flat(9) }
        let tooLarge = EffectChain(
            SuperResolutionScalerPass(target: .size(width: 8190, height: 16), options: ConversionOptions()))
        let pipeline = ConversionPipeline(
            source: source, sink: TeeSink(sink, stream: source.stream, branches: [branch]), chain: tooLarge)
        #expect(throws: (any Error).self) { try pipeline.run() }
        #expect(sink.cancels == 1 && branch.discarded == 1 && branch.wasEnded)
    }

    /// The caller may have gone before the branches of a stopped run are ready, so no output may become visible.
    @Test func whatIsStoppedIsNotPublished() throws {
        let sink = RecordingSink(), branch = CountingBranch(), picture = try GeneratedPicture.flat(9)
        let tee = TeeSink(sink, stream: GeneratedSource(count: 1) { _ in picture }.stream, branches: [branch])
        try tee.write(Frame(buffer: picture, presentationTime: .zero))
        tee.stop()
        #expect(throws: CancellationError.self) { try tee.finish() }
        tee.cancel()
        #expect(sink.finishes == 0 && branch.published == 0 && branch.discarded == 1)
    }

    @Test func aFailingSinkEndsBranches() throws {
        let sink = RecordingSink(onWrite: { if $0 == 30 { throw DeliberateError("write") } }), branch = CountingBranch()
        #expect(throws: DeliberateError("write")) { try run(sink, [branch]) }
        #expect(branch.published == 0 && branch.discarded == 1 && branch.wasEnded)
        let late = RecordingSink(onFinish: { throw DeliberateError("finish") }), other = CountingBranch()
        #expect(throws: DeliberateError("finish")) { try run(late, [other]) }
        #expect(other.published == 0 && other.discarded == 1)
    }
}
