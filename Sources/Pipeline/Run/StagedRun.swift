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
    /// - Parameter finder: reduces frames to signatures on the reader's thread.
    /// - Throws: `CancellationError` after ``cancel()``, else the first error of a stage; also when run twice.
    func run<Finder: TransitionFinder>(
        source: any FrameSource, sink: any FrameSink, finder: Finder, chain: EffectChain,
        onEvent: @escaping @Sendable (PipelineEvent) -> Void
    ) throws -> ConversionReport {
        guard !hasStarted.exchange(true, ordering: .acquiringAndReleasing) else {
            throw FrameError(.invalidArgument, "a pipeline runs once; make another one")
        }
        let plan: ChainPlan
        do {
            plan = try ChainPlan(chain, for: source.stream, resumingAt: sink.resumePoint)
        } catch {
            sink.cancel()
            throw error
        }
        let meter = ProgressMeter(expected: plan.framesExpected, report: onEvent)
        let queues = RunQueues<Finder.Signature>(effects: chain.effects.count)
        state.atFailure {
            queues.cancel()
            sink.stop()
        }

        let readerStage = ReaderStage(
            source, finder, to: queues.read, counter: queues.counters[0], meter: meter, state: state
        )
        let reader = start("vfx-read", .reading, readerStage.run)
        let reports = Lock<[Int: ConversionReport]>([:])
        let makers = chain.effects.indices.map { index in
            start("vfx-make-\(index + 1)", .making) { [state] in
                let stage = plan.stage(index, queues, onEvent)
                let report =
                    try index > 0
                    ? stage.run(on: queues.made[index - 1], state)
                    : stage.run(on: queues.read, finder, state, onEvent)
                guard let report else { return }
                reports.withLock { $0[index] = report }
                queues.made[index].finish()
            }
        }
        let writerStage = WriterStage(
            queues.finished, to: sink, firstSegment: plan.firstSegment, meter: meter, state: state)
        let writer = start("vfx-write", .writing, writerStage.run) { if $0 { sink.cancel() } }

        wait(for: reader, makers, writer, of: sink)
        if let failure = state.failure { throw failure }
        let parts = chain.effects.indices.compactMap { index in reports.withLock { $0[index] } }
        guard parts.count == chain.effects.count else { throw CancellationError() }
        meter.conclude()
        var report = ConversionReport(parts)
        (report.framesWritten, report.seconds) = (meter.framesWritten, meter.seconds)
        report.damage = source.damage
        report.framePeaks = queues.counters.map(\.peak)
        return report
    }

    /// Starts the thread of a stage; an error that comes out of `body` becomes the run's failure.
    ///
    /// - Parameter atEnd: called at the stage's end with whether the run has failed.
    private func start(
        _ name: String, _ stage: PipelineStage, _ body: @escaping @Sendable () throws -> Void,
        atEnd: @escaping @Sendable (_ hasFailed: Bool) -> Void = { _ in }
    ) -> WorkerThread {
        WorkerThread(name: name) { [state] in
            do { try body() } catch { state.fail(error, in: stage) }
            atEnd(state.failure != nil)
        }
    }

    /// Waits until all stages have ended, or have failed and hang.
    ///
    /// Once anything has failed the makers end within one call of their engines, since their queues are closed; the
    /// reader and the writer may hang in a call that nobody can interrupt.
    private func wait(
        for reader: WorkerThread, _ makers: [WorkerThread], _ writer: WorkerThread, of sink: any FrameSink
    ) {
        makers.forEach { $0.join() }
        while state.failure == nil, !writer.join(forAtMost: 0.1) {}
        if state.failure != nil {
            if !writer.join(forAtMost: writerGrace) { sink.abandon() }
            _ = reader.join(forAtMost: Self.readerGrace)
        } else {
            reader.join()
        }
    }
}
