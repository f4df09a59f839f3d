internal import FrameCore
internal import Synchronization

/// Reading, each effect of a chain and writing side by side, each on a thread of its own, joined by bounded queues.
///
/// The first error of any stage, or ``cancel()``, ends all of them: the sink is cancelled, so it leaves nothing behind,
/// and the error comes out.
final class StagedRun: Sendable {
    static let readAhead = 2
    /// Frames waiting between two effects.
    static let betweenEffects = 2
    static let writeBehind = 4
    /// Seconds that a cancelled or failed run waits for a blocked read, then leaves the thread to end by itself.
    private static let readerGrace = 1.0
    /// The same for a blocked write. It is longer, because the sink is then abandoned where it stands.
    private let writerGrace: Double

    private let state = RunState()
    private let hasStarted = Atomic<Bool>(false)

    init(writerGrace: Double = 10) { self.writerGrace = writerGrace }

    /// Where the error that was thrown arose; nil as long as nothing failed, and after ``cancel()``.
    var failedStage: PipelineStage? { state.failedStage }

    /// Ends the run soon; harmless at any time and from any thread.
    func cancel() { state.fail(CancellationError(), in: nil) }

    /// Runs to the end; blocks the calling thread.
    ///
    /// - Parameters:
    ///   - finder: reduces frames to signatures on the reader's thread.
    /// - Throws: `CancellationError` after ``cancel()``, else the first error of a stage; also when run twice.
    func run<Finder: TransitionFinder>(
        source: any FrameSource, sink: any FrameSink, finder: Finder, chain: EffectChain,
        onEvent: @escaping @Sendable (PipelineEvent) -> Void
    ) throws -> ConversionReport {
        guard !hasStarted.exchange(true, ordering: .acquiringAndReleasing) else {
            throw FrameError(.invalidArgument, "a pipeline runs once; make another one")
        }
        let resumePoint = sink.resumePoint
        let plan: ChainPlan
        do {
            plan = try ChainPlan(chain, for: source.stream, resumingAt: resumePoint)
        } catch {
            sink.cancel()
            throw error
        }
        let meter = ProgressMeter(expected: plan.framesExpected, report: onEvent)
        let read = BoundedQueue<SourceFrame<Finder.Signature>>(capacity: Self.readAhead)
        // What each effect makes; the writer takes the last one's.
        let made = chain.effects.indices.map {
            BoundedQueue<TimelineFrame>(
                capacity: $0 == chain.effects.count - 1 ? Self.writeBehind : Self.betweenEffects)
        }
        let gauges = (0...chain.effects.count).map { _ in FrameGauge() }
        let results = Lock<[Int: ConversionReport]>([:])
        state.atFailure {
            read.cancel()
            made.forEach { $0.cancel() }
            sink.stop()
        }

        let reader = WorkerThread(name: "vfx-read") { [state] in
            state.guarding(.reading) {
                while state.failure == nil, let frame = try source.nextFrame() {
                    let token = gauges[0].token()
                    meter.countRead()
                    guard
                        read.push(
                            SourceFrame(frame: frame, token: token, signature: finder.signature(of: frame.buffer)))
                    else { return }
                }
                read.finish()
            }
        }
        let firstSegment = resumePoint.segment
        var makers: [WorkerThread] = []
        for (index, effect) in chain.effects.enumerated() {
            let output = made[index], input = index > 0 ? made[index - 1] : nil
            makers.append(
                WorkerThread(name: "vfx-make-\(index + 1)") { [state] in
                    state.guarding(.making) {
                        let stage = EffectStage(
                            effect, source: plan.streams[index], gauge: gauges[index + 1],
                            wantsMotion: chain.wantsMotion(after: index), firstFrame: index == 0 ? plan.firstFrame : 0,
                            onCut: { onEvent(.cut($0)) }
                        ) { frame in
                            guard output.push(frame) else { throw CancellationError() }
                        }
                        var report = ConversionReport()
                        if let input {
                            while let frame = input.pop() { try stage.append(frame) }
                        } else {
                            var timeline = SourceTimeline()
                            try Self.follow(
                                read, finder, into: &timeline, stage, isRunning: { state.failure == nil }, onEvent)
                            report.framesRead = timeline.framesRead
                            report.cuts = timeline.cuts
                            report.duplicates = timeline.duplicates
                        }
                        guard state.failure == nil else { return }
                        try stage.finish()
                        report.add(stage)
                        results.withLock { [report] in $0[index] = report }
                        output.finish()
                    }
                })
        }
        let writer = WorkerThread(name: "vfx-write") { [state] in
            state.guarding(.writing) {
                var isDue = firstSegment == 0
                while let frame = made[made.count - 1].pop() {
                    if let point = frame.before.restartPoint, point >= firstSegment {
                        isDue = true
                        try sink.beginSegment(point)
                    }
                    // What was made only to bring the effects where they were.
                    guard isDue else { continue }
                    try sink.write(frame.frame)
                    meter.countWritten()
                }
                guard state.failure == nil else { return }
                try sink.finish()
                state.succeed()
            }
            if state.failure != nil { sink.cancel() }
        }

        // Once anything has failed the makers end within one call of their engines, since their queues are closed; the
        // reader and the writer may hang in a call that nobody can interrupt.
        makers.forEach { $0.join() }
        while state.failure == nil, !writer.join(forAtMost: 0.1) {}
        if state.failure != nil {
            if !writer.join(forAtMost: writerGrace) { sink.abandon() }
            _ = reader.join(forAtMost: Self.readerGrace)
        } else {
            reader.join()
        }
        if let failure = state.failure { throw failure }
        let parts = results.withLock { $0 }
        guard parts.count == chain.effects.count else { throw CancellationError() }
        meter.conclude()
        var report = ConversionReport(parts.sorted { $0.key < $1.key }.map(\.value))
        report.framesWritten = meter.framesWritten
        report.seconds = meter.seconds
        report.damage = source.damage
        report.framePeaks = gauges.map(\.peak)
        return report
    }

    /// Looks for cuts in what was read and hands frames on once all is known about them.
    private static func follow<Finder: TransitionFinder>(
        _ read: BoundedQueue<SourceFrame<Finder.Signature>>, _ finder: Finder, into timeline: inout SourceTimeline,
        _ stage: EffectStage, isRunning: () -> Bool, _ onEvent: (PipelineEvent) -> Void
    ) throws {
        var finder = finder, order = FrameOrder(), told = 0
        func send(_ frames: [TimelineFrame]) throws {
            while told < timeline.cuts.count {
                onEvent(.cut(timeline.cuts[told]))
                told += 1
            }
            for frame in frames { try stage.append(frame) }
        }
        while let next = read.pop() {
            try order.check(next.frame)
            try send(timeline.append(next.frame, token: next.token, settled: finder.append(next.signature)))
        }
        guard isRunning() else { return }
        guard timeline.framesRead > 0 else {
            throw FrameError(.input, "there is no video frame in the input that can be decoded")
        }
        try send(timeline.finish(settled: finder.finish()))
    }
}

/// What the reader hands on.
private struct SourceFrame<Signature: Sendable>: Sendable {
    var frame: Frame
    var token: FrameGauge.Token
    var signature: Signature
}

extension RunState {
    /// Runs `body`; an error becomes the run's failure.
    fileprivate func guarding(_ stage: PipelineStage, _ body: () throws -> Void) {
        do { try body() } catch { fail(error, in: stage) }
    }
}
