internal import FrameCore
internal import Synchronization

/// The middle of a run: source frames in, output frames out by way of what it was made with. One thread at a time.
protocol RunStage {
    associatedtype Signature: Sendable
    associatedtype Report: Sendable
    /// What was done so far.
    var report: Report { get }
    mutating func append(_ frame: Frame, signature: Signature) throws
    /// Says that no frame follows.
    mutating func finish() throws
}

/// Reading, making frames and writing side by side, each on a thread of its own, joined by bounded queues.
///
/// The first error of any stage, or ``cancel()``, ends all of them: the sink is cancelled, so it leaves nothing behind,
/// and the error comes out.
final class StagedRun: Sendable {
    static let readAhead = 2
    static let writeBehind = 4
    /// Seconds that a cancelled or failed run waits for a blocked read, then leaves the thread to end by itself.
    private static let readerGrace = 1.0
    /// The same for a blocked write. It is longer, because what was written is removed only once the write returns.
    private static let writerGrace = 10.0

    private let state = RunState()
    private let hasStarted = Atomic<Bool>(false)

    /// Where the error that was thrown arose; nil as long as nothing failed, and after ``cancel()``.
    var failedStage: PipelineStage? { state.failedStage }

    /// Ends the run soon; harmless at any time and from any thread.
    func cancel() { state.fail(CancellationError(), in: nil) }

    /// Runs to the end; blocks the calling thread.
    ///
    /// - Parameters:
    ///   - finder: reduces frames to signatures on the reader's thread.
    ///   - expected: frames that will be written, when known.
    ///   - makeStage: makes the middle on its thread, from the closure by which it hands frames on.
    /// - Returns: what the stage reports at the end.
    /// - Throws: `CancellationError` after ``cancel()``, else the first error of a stage; also when run twice.
    func run<Stage: RunStage, Finder: TransitionFinder>(
        source: any FrameSource, sink: any FrameSink, finder: Finder, expected: Int?,
        makeStage: @escaping @Sendable (_ emit: @escaping @Sendable (Frame) throws -> Void) -> Stage,
        onEvent: @escaping @Sendable (PipelineEvent) -> Void
    ) throws -> (report: Stage.Report, tally: (framesWritten: Int, seconds: Double))
    where Stage.Signature == Finder.Signature {
        guard !hasStarted.exchange(true, ordering: .acquiringAndReleasing) else {
            throw FrameError(.invalidArgument, "a pipeline runs once; make another one")
        }
        let meter = ProgressMeter(expected: expected, report: onEvent)
        let read = BoundedQueue<(frame: Frame, signature: Finder.Signature)>(capacity: Self.readAhead)
        let made = BoundedQueue<Frame>(capacity: Self.writeBehind)
        let result = Mutex<Stage.Report?>(nil)
        state.atFailure {
            read.cancel()
            made.cancel()
        }

        let reader = WorkerThread(name: "vfx-read") { [state] in
            state.guarding(.reading) {
                while state.failure == nil, let frame = try source.nextFrame() {
                    meter.countRead()
                    guard read.push((frame, finder.signature(of: frame.buffer))) else { return }
                }
                read.finish()
            }
        }
        let maker = WorkerThread(name: "vfx-make") { [state] in
            state.guarding(.making) {
                var stage = makeStage { frame in
                    guard made.push(frame) else { throw CancellationError() }
                }
                while let (frame, signature) = read.pop() { try stage.append(frame, signature: signature) }
                guard state.failure == nil else { return }
                try stage.finish()
                result.withLock { $0 = stage.report }
                made.finish()
            }
        }
        let writer = WorkerThread(name: "vfx-write") { [state] in
            state.guarding(.writing) {
                while let frame = made.pop() {
                    try sink.write(frame)
                    meter.countWritten()
                }
                guard state.failure == nil else { return }
                try sink.finish()
                state.succeed()
            }
            if state.failure != nil { sink.cancel() }
        }

        // Once anything has failed the maker ends within one call of the engine, since both its queues are closed; the
        // reader and the writer may hang in a call that nobody can interrupt.
        maker.join()
        while state.failure == nil, !writer.join(forAtMost: 0.1) {}
        if state.failure != nil {
            _ = writer.join(forAtMost: Self.writerGrace)
            _ = reader.join(forAtMost: Self.readerGrace)
        } else {
            reader.join()
        }
        if let failure = state.failure { throw failure }
        guard let report = result.withLock({ $0 }) else { throw CancellationError() }
        meter.conclude()
        return (report, (meter.framesWritten, meter.seconds))
    }
}

extension RunState {
    /// Runs `body`; an error becomes the run's failure.
    fileprivate func guarding(_ stage: PipelineStage, _ body: () throws -> Void) {
        do { try body() } catch { fail(error, in: stage) }
    }
}
