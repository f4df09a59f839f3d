public import FrameCore
internal import Synchronization

/// One conversion from a source to a sink: reading, making frames and writing run side by side, each on a thread of
/// its own, joined by bounded queues.
///
/// Memory does not depend on the clip's length: at most ``frameBound`` frames are alive at once, whichever side is slow.
/// The list of cuts grows by a few bytes for each cut.
///
/// The first error of any stage, or ``cancel()``, ends all of them: the sink is cancelled, so it leaves nothing behind,
/// and the error comes out of `run()`.
public final class ConversionPipeline: Sendable {
    static let readAhead = 2
    static let writeBehind = 4

    /// Frames alive at once at most: one in the reader's hand, the read queue, the window in which cuts are looked for
    /// and one on its way into it, the pictures made in one go, the write queue and one in the writer's hand.
    public static let frameBound = frameBound(lookAhead: DetectedTransitions().lookAhead)

    package static func frameBound(lookAhead: Int) -> Int {
        1 + readAhead + FrameWindow.capacity(lookAhead: lookAhead) + 1
            + ConversionStage<DetectedTransitions>.picturesPerCall + writeBehind + 1
    }

    /// Seconds that a cancelled or failed run waits for a blocked read, then leaves the thread to end by itself.
    static let readerGrace = 1.0
    /// The same for a blocked write. It is longer, because what was written is removed only once the write returns.
    static let writerGrace = 10.0

    private let state = RunState()
    private let start: @Sendable (ConversionPipeline) throws -> ConversionReport
    private let hasStarted = Atomic<Bool>(false)

    /// - Parameters:
    ///   - source: read from one thread only, never after `run()` has returned normally.
    ///   - sink: written from one thread only; finished or cancelled before `run()` returns.
    ///   - plan: which frames are wanted, and when.
    ///   - options: how they are made.
    ///   - onEvent: called on threads of the run, not at the same time from two of them for the same kind of event;
    ///     must return soon.
    public convenience init(
        source: any FrameSource, sink: any FrameSink, plan: any TimingPlan, options: ConversionOptions,
        onEvent: @escaping @Sendable (PipelineEvent) -> Void = { _ in }
    ) {
        self.init(
            source: source, sink: sink, plan: plan, options: options, finder: DetectedTransitions(), onEvent: onEvent)
    }

    package init(
        source: any FrameSource, sink: any FrameSink, plan: any TimingPlan, options: ConversionOptions,
        finder: some TransitionFinder, onEvent: @escaping @Sendable (PipelineEvent) -> Void = { _ in }
    ) {
        start = { pipeline in
            try pipeline.convert(
                source: source, sink: sink, plan: plan, options: options, finder: finder, onEvent: onEvent)
        }
    }

    /// Converts everything; blocks the calling thread.
    /// - Throws: `CancellationError` after ``cancel()``, else the first error of a stage; also when run twice.
    public func run() throws -> ConversionReport {
        guard !hasStarted.exchange(true, ordering: .acquiringAndReleasing) else {
            throw FrameError(.invalidArgument, "a pipeline runs once; make another one")
        }
        return try start(self)
    }

    /// Converts everything without blocking the caller's thread; cancelling the task cancels the run.
    /// - Throws: as the blocking form.
    public func run() async throws -> ConversionReport {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                _ = WorkerThread(name: "vfx-run") {
                    continuation.resume(with: Result { try self.runBlocking() })
                }
            }
        } onCancel: {
            cancel()
        }
    }

    private func runBlocking() throws -> ConversionReport { try run() }

    /// Where the error that `run()` threw arose; nil as long as nothing failed, and after ``cancel()``.
    public var failedStage: PipelineStage? { state.failedStage }

    /// Ends the run soon; harmless at any time and from any thread.
    public func cancel() { state.fail(CancellationError(), in: nil) }

    private func convert<Finder: TransitionFinder>(
        source: any FrameSource, sink: any FrameSink, plan: any TimingPlan, options: ConversionOptions, finder: Finder,
        onEvent: @escaping @Sendable (PipelineEvent) -> Void
    ) throws -> ConversionReport {
        let stream = source.stream
        let meter = ProgressMeter(
            expected: plan.expectedFrameCount(sourceFrames: stream.likelyFrameCount, duration: stream.duration),
            report: onEvent)
        let read = BoundedQueue<(frame: Frame, signature: Finder.Signature)>(capacity: Self.readAhead)
        let made = BoundedQueue<Frame>(capacity: Self.writeBehind)
        let result = Mutex<ConversionReport?>(nil)
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
                var stage = ConversionStage(
                    plan: plan, finder: finder, stream: stream, options: options, onCut: { onEvent(.cut($0)) },
                    emit: { frame in
                        guard made.push(frame) else { throw CancellationError() }
                    })
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
        var report = result.withLock { $0 } ?? ConversionReport()
        report.framesWritten = meter.framesWritten
        report.seconds = meter.seconds
        report.damage = source.damage
        meter.conclude()
        return report
    }
}

extension RunState {
    /// Runs `body`; an error becomes the run's failure.
    fileprivate func guarding(_ stage: PipelineStage, _ body: () throws -> Void) {
        do { try body() } catch { fail(error, in: stage) }
    }
}
