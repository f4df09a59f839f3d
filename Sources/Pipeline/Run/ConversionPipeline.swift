public import FrameCore

/// One conversion from a source to a sink: reading, making frames and writing run side by side, each on a thread of
/// its own, joined by bounded queues.
///
/// Memory does not depend on the clip's length: at most ``frameBound`` frames are alive at once, whichever side is slow.
/// The list of cuts grows by a few bytes for each cut.
///
/// The first error of any stage, or ``cancel()``, ends all of them: the sink is cancelled, so it leaves nothing behind,
/// and the error comes out of `run()`.
public final class ConversionPipeline: Sendable {
    /// Frames alive at once at most: one in the reader's hand, the read queue, the window in which cuts are looked for
    /// and one on its way into it, the pictures made in one go, the write queue and one in the writer's hand.
    public static let frameBound = frameBound(lookAhead: DetectedTransitions().lookAhead)

    package static func frameBound(lookAhead: Int) -> Int {
        1 + StagedRun.readAhead + FrameWindow.capacity(lookAhead: lookAhead) + 1
            + ConversionStage<DetectedTransitions>.picturesPerCall + StagedRun.writeBehind + 1
    }

    /// The same for an effect that looks at `previous` and `next` frames round each, 1 picture being made at a time.
    package static func frameBound(previous: Int, next: Int, lookAhead: Int) -> Int {
        1 + StagedRun.readAhead + NeighbourhoodWindow.capacity(previous: previous, next: next, lookAhead: lookAhead) + 1
            + StagedRun.writeBehind + 1
    }

    private let stages = StagedRun()
    private let start: @Sendable (StagedRun) throws -> ConversionReport

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
        start = { stages in
            let stream = source.stream
            let (made, tally) = try stages.run(
                source: source, sink: sink, finder: finder,
                expected: plan.expectedFrameCount(sourceFrames: stream.likelyFrameCount, duration: stream.duration),
                makeStage: { emit in
                    ConversionStage(
                        plan: plan, finder: finder, stream: stream, options: options, onCut: { onEvent(.cut($0)) },
                        emit: emit)
                }, onEvent: onEvent)
            return Self.complete(made, tally, source)
        }
    }

    /// One frame out for each frame in, of the same time: what `makeEffect` makes, on the thread that uses it, does the
    /// work.
    package init<Effect: NeighbourhoodEffect>(
        source: any FrameSource, sink: any FrameSink, finder: some TransitionFinder = DetectedTransitions(),
        makeEffect: @escaping @Sendable () -> Effect, onEvent: @escaping @Sendable (PipelineEvent) -> Void = { _ in }
    ) {
        start = { stages in
            let stream = source.stream
            let (made, tally) = try stages.run(
                source: source, sink: sink, finder: finder, expected: stream.likelyFrameCount,
                makeStage: { emit in
                    NeighbourhoodStage(
                        effect: makeEffect(), finder: finder, stream: stream, onCut: { onEvent(.cut($0)) }, emit: emit)
                }, onEvent: onEvent)
            return Self.complete(made, tally, source)
        }
    }

    /// Frames out for each frame in as soon as it comes, without a look ahead: what `makeEffect` makes, on the thread that
    /// uses it, does the work.
    package init<Effect: ImmediateEffect>(
        source: any FrameSource, sink: any FrameSink, framesPerPair: Int,
        makeImmediateEffect: @escaping @Sendable () -> Effect,
        onEvent: @escaping @Sendable (PipelineEvent) -> Void = { _ in }
    ) {
        start = { stages in
            let stream = source.stream
            let (made, tally) = try stages.run(
                source: source, sink: sink, finder: NoTransitions(),
                expected: stream.likelyFrameCount.map { max(0, $0 - 1) * framesPerPair + 1 },
                makeStage: { emit in
                    ImmediateStage(
                        effect: makeImmediateEffect(), stream: stream, onCut: { onEvent(.cut($0)) }, emit: emit)
                }, onEvent: onEvent)
            return Self.complete(made, tally, source)
        }
    }

    private static func complete(
        _ made: ConversionReport, _ tally: (framesWritten: Int, seconds: Double), _ source: any FrameSource
    ) -> ConversionReport {
        var report = made
        report.framesWritten = tally.framesWritten
        report.seconds = tally.seconds
        report.damage = source.damage
        return report
    }

    /// Converts everything; blocks the calling thread.
    /// - Throws: `CancellationError` after ``cancel()``, else the first error of a stage; also when run twice.
    public func run() throws -> ConversionReport { try start(stages) }

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
    public var failedStage: PipelineStage? { stages.failedStage }

    /// Ends the run soon; harmless at any time and from any thread.
    public func cancel() { stages.cancel() }
}
