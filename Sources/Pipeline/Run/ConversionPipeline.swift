public import FrameCore
internal import Motion
internal import Synchronization

/// Runs effects between a source and a sink. Reading, each effect and writing run in parallel, each on its own thread,
/// connected by bounded queues; the source is read once.
///
/// Cuts, flashes and reset points are found once, on the source, and passed along with the frames, so no effect mixes
/// frames across a cut. Frames are passed on without copies.
///
/// Memory does not depend on the clip's length: at most ``memoryBound`` frames are alive at once, whichever stage is
/// slow. Only the list of cuts grows, by a few bytes per cut.
///
/// The first error of any stage, or ``cancel()``, ends all stages: the sink is cancelled and leaves nothing behind, and
/// `run()` throws the error.
public final class ConversionPipeline: Sendable {
    package let source: any FrameSource
    let sink: any FrameSink
    package let finder: any TransitionFinder
    let chain: EffectChain
    let onEvent: @Sendable (PipelineEvent) -> Void
    /// How long a cancelled or failed run waits for a blocked write, in seconds, before it abandons the sink.
    let writerGrace: Double
    /// The part of the output that is written; nil for all of it.
    let part: OutputPart?
    /// Where reading begins; nil for the beginning of the source.
    let start: SourceCheckpoint?
    /// Receives checkpoints of the source; nil when none are needed.
    let checkpoints: (any SourceCheckpointStore)?
    package let state = RunState()
    private let hasStarted = Atomic<Bool>(false)

    /// Creates a pipeline that runs a chain of effects.
    ///
    /// - Parameters:
    ///   - source: read from one thread only, and never after `run()` has returned normally.
    ///   - sink: written from one thread only; finished or cancelled before `run()` returns. Frames are made from its
    ///     resume point on and are the same as in a complete run.
    ///   - chain: the effects, in the order in which frames pass through them.
    ///   - cuts: how cuts are detected.
    ///   - cutList: the first frames of new scenes, if they are known; no others are cuts.
    ///   - start: one of ``EffectChain/checkpoints(forSegment:of:among:)`` for the sink's resume point, at which the
    ///     source has been resumed already; nil if the source is at its beginning.
    ///   - checkpoints: receives checkpoints of the source if it is a `ResumableFrameSource`.
    ///   - onEvent: called on the run's threads, but never concurrently for the same kind of event; must return
    ///     quickly.
    public convenience init(
        source: any FrameSource, sink: any FrameSink, chain: EffectChain, cuts: CutSearch = .lookingAhead,
        cutList: Set<Int>? = nil, start: SourceCheckpoint? = nil, checkpoints: (any SourceCheckpointStore)? = nil,
        onEvent: @escaping @Sendable (PipelineEvent) -> Void = { _ in }
    ) {
        self.init(
            source: source, sink: sink, finder: cuts.finder(cutList: cutList), chain: chain,
            start: start,
            checkpoints: checkpoints, onEvent: onEvent)
    }

    /// Creates a pipeline that makes a part of a clip.
    ///
    /// - Parameters:
    ///   - source: as above.
    ///   - sink: as above; receives the frames of the part.
    ///   - chain: the effects, from ``EffectChain/sampled(from:)``.
    ///   - part: the part of the chain's output; nil for all of it.
    ///   - cuts: how cuts are detected.
    ///   - cutList: the first frames of new scenes in the whole clip, if they are known.
    ///   - start: where the source has been resumed; nil for its beginning.
    ///   - checkpoints: receives checkpoints of the source.
    ///   - onEvent: called on the run's threads.
    package convenience init(
        source: any FrameSource, sink: any FrameSink, chain: EffectChain, part: OutputPart?, cuts: CutSearch,
        cutList: Set<Int>? = nil, start: SourceCheckpoint?, checkpoints: (any SourceCheckpointStore)? = nil,
        onEvent: @escaping @Sendable (PipelineEvent) -> Void = { _ in }
    ) {
        self.init(
            source: source, sink: sink, finder: cuts.finder(cutList: cutList), chain: chain,
            part: part, start: start, checkpoints: checkpoints, onEvent: onEvent)
    }

    /// Creates a pipeline that makes the frames of a timing plan.
    ///
    /// - Parameters:
    ///   - source: read from one thread only, and never after `run()` has returned normally.
    ///   - sink: written from one thread only; finished or cancelled before `run()` returns.
    ///   - plan: which frames are needed, and when.
    ///   - options: how they are made.
    ///   - onEvent: called on the run's threads, but never concurrently for the same kind of event; must return
    ///     quickly.
    public convenience init(
        source: any FrameSource, sink: any FrameSink, plan: any TimingPlan, options: ConversionOptions,
        onEvent: @escaping @Sendable (PipelineEvent) -> Void = { _ in }
    ) {
        self.init(
            source: source, sink: sink, chain: EffectChain(FrameRateConversionPass(plan: plan, options: options)),
            onEvent: onEvent)
    }

    /// - Parameters:
    ///   - finder: detects cuts.
    ///   - part: the part of the output that is written; nil for all of it.
    ///   - writerGrace: how long a failed run waits for a blocked write, in seconds.
    package init(
        source: any FrameSource, sink: any FrameSink, finder: any TransitionFinder, chain: EffectChain,
        part: OutputPart? = nil, start: SourceCheckpoint? = nil, checkpoints: (any SourceCheckpointStore)? = nil,
        writerGrace: Double = 10,
        onEvent: @escaping @Sendable (PipelineEvent) -> Void = { _ in }
    ) {
        self.source = source
        self.sink = sink
        self.finder = finder
        self.chain = chain
        self.part = part
        self.start = start
        self.checkpoints = checkpoints
        self.writerGrace = writerGrace
        self.onEvent = onEvent
    }

    /// The maximum number of frames alive at once, and their size.
    /// - Throws: an error if an effect cannot process its input.
    public var memoryBound: MemoryBound {
        get throws { try chain.memoryBound(for: source.stream, lookAhead: finder.framesAhead) }
    }

    /// Converts the whole source; blocks the calling thread.
    /// - Throws: `CancellationError` after ``cancel()``, otherwise the first error of a stage; `FrameError` if the
    ///   pipeline has already run.
    public func run() throws -> ConversionReport {
        guard !hasStarted.exchange(true, ordering: .acquiringAndReleasing) else {
            throw FrameError(.invalidArgument, "a pipeline runs only once; create another one")
        }
        return try runStages()
    }

    /// Converts the whole source without blocking the calling thread; cancelling the task cancels the run.
    /// - Throws: the same errors as the blocking form.
    public func run() async throws -> ConversionReport {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let thread = WorkerThread(name: "vfx-run") {
                    continuation.resume(with: Result { try self.runBlocking() })
                }
                if let error = thread.launchError { continuation.resume(throwing: error) }
            }
        } onCancel: {
            cancel()
        }
    }

    private func runBlocking() throws -> ConversionReport { try run() }

    /// The stage in which the error thrown by `run()` occurred; nil while nothing has failed, and after ``cancel()``.
    public var failedStage: PipelineStage? { state.failedStage }

    /// Ends the run soon; safe to call at any time and from any thread.
    public func cancel() { state.fail(CancellationError(), in: nil) }
}
