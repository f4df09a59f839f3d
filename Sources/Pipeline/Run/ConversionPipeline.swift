public import FrameCore
internal import Motion
internal import Synchronization

/// Effects between a source and a sink: reading, each effect and writing run side by side, each on a thread of its own,
/// joined by bounded queues; the source is read once.
///
/// Cuts, flashes and reset points are found once, on the source, and known to all effects, so nothing is made from both
/// sides of a cut anywhere. Frames are handed on without copies.
///
/// Memory does not depend on the clip's length: at most ``memoryBound`` frames are alive at once, whichever side is slow.
/// The list of cuts grows by a few bytes for each cut.
///
/// The first error of any stage, or ``cancel()``, ends all of them: the sink is cancelled, so it leaves nothing behind,
/// and the error comes out of `run()`.
public final class ConversionPipeline: Sendable {
    let source: any FrameSource
    let sink: any FrameSink
    let finder: any TransitionFinder
    let chain: EffectChain
    let onEvent: @Sendable (PipelineEvent) -> Void
    /// Seconds that a cancelled or failed run waits for a blocked write; then the sink is abandoned where it stands.
    let writerGrace: Double
    let state = RunState()
    private let hasStarted = Atomic<Bool>(false)

    /// Runs a chain of effects.
    ///
    /// - Parameters:
    ///   - source: read from one thread only, never after `run()` has returned normally.
    ///   - sink: written from one thread only; finished or cancelled before `run()` returns. Frames are made from its
    ///     resume point on; they are the same as in a whole run.
    ///   - chain: the effects, in the order in which frames go through them.
    ///   - cuts: how cuts are looked for.
    ///   - onEvent: called on threads of the run, not at the same time from two of them for the same kind of event;
    ///     must return soon.
    public convenience init(
        source: any FrameSource, sink: any FrameSink, chain: EffectChain, cuts: CutSearch = .lookingAhead,
        onEvent: @escaping @Sendable (PipelineEvent) -> Void = { _ in }
    ) {
        self.init(source: source, sink: sink, finder: cuts.finder, chain: chain, onEvent: onEvent)
    }

    /// Makes the frames that a plan asks for.
    ///
    /// - Parameters:
    ///   - source: read from one thread only, never after `run()` has returned normally.
    ///   - sink: written from one thread only; finished or cancelled before `run()` returns.
    ///   - plan: which frames are wanted, and when.
    ///   - options: how they are made.
    ///   - onEvent: as for a chain.
    public convenience init(
        source: any FrameSource, sink: any FrameSink, plan: any TimingPlan, options: ConversionOptions,
        onEvent: @escaping @Sendable (PipelineEvent) -> Void = { _ in }
    ) {
        self.init(
            source: source, sink: sink, chain: EffectChain(FrameRateConversionPass(plan: plan, options: options)),
            onEvent: onEvent)
    }

    /// - Parameters:
    ///   - finder: tells cuts.
    ///   - writerGrace: seconds that a failed run waits for a write that goes on.
    package init(
        source: any FrameSource, sink: any FrameSink, finder: any TransitionFinder, chain: EffectChain,
        writerGrace: Double = 10, onEvent: @escaping @Sendable (PipelineEvent) -> Void = { _ in }
    ) {
        self.source = source
        self.sink = sink
        self.finder = finder
        self.chain = chain
        self.writerGrace = writerGrace
        self.onEvent = onEvent
    }

    /// How many frames are alive at once at most, and how large they are.
    /// - Throws: what keeps the source from being worked on.
    public var memoryBound: MemoryBound {
        get throws { try chain.memoryBound(for: source.stream, lookAhead: finder.framesAhead) }
    }

    /// Converts everything; blocks the calling thread.
    /// - Throws: `CancellationError` after ``cancel()``, else the first error of a stage; also when run twice.
    public func run() throws -> ConversionReport {
        guard !hasStarted.exchange(true, ordering: .acquiringAndReleasing) else {
            throw FrameError(.invalidArgument, "a pipeline runs once; make another one")
        }
        return try runStages()
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
}
