public import FrameCore
public import FrameEffects
public import Motion

/// Finds the motion of all neighbouring frames of a clip and writes a frame made of it for each source frame.
///
/// Reading, work and writing run side by side as in ``ConversionPipeline``, with as few frames alive; the first error or
/// ``cancel()`` ends all of them and comes out of ``run()``. Across a cut there is no motion, and beside a flash, and
/// every 240 frames, nothing is taken over from the pair before.
public final class FlowPipeline: Sendable {
    /// A frame and the motion between it and a neighbour.
    public struct Step: Sendable {
        /// The frame that the motion begins at.
        public var frame: Frame
        /// From the frame to its neighbour and back; nil across a cut and where the clip ends.
        public var flow: OpticalFlow?
        /// Whether what was remembered of earlier frames must be forgotten, as at every restart point.
        public var restarts: Bool
    }

    /// Which neighbour a frame's motion leads to.
    public enum Neighbour: String, Sendable, Hashable, Codable {
        /// The frame after it.
        case next
        /// The frame before it.
        case previous
    }

    private let stages = StagedRun()
    private let start: @Sendable (StagedRun) throws -> FlowReport

    /// - Parameters:
    ///   - source: read from one thread only.
    ///   - sink: written from one thread only; finished or cancelled before ``run()`` returns.
    ///   - quality: of the motion.
    ///   - threads: that work on one pair, at least 1. The result does not depend on it.
    ///   - neighbour: whether a frame is given with the motion between it and the next frame, or the previous one.
    ///   - make: makes the frame to be written, in order and on one thread.
    ///   - onEvent: as for ``ConversionPipeline``.
    public convenience init(
        source: any FrameSource, sink: any FrameSink, quality: QualityPrioritization = .normal, threads: Int = 1,
        neighbour: Neighbour = .next,
        make: @escaping @Sendable (Step) throws -> Frame,
        onEvent: @escaping @Sendable (PipelineEvent) -> Void = { _ in }
    ) {
        self.init(
            source: source, sink: sink, quality: quality, threads: threads, neighbour: neighbour,
            finder: DetectedTransitions(), make: make, onEvent: onEvent)
    }

    package init(
        source: any FrameSource, sink: any FrameSink, quality: QualityPrioritization = .normal, threads: Int = 1,
        neighbour: Neighbour = .next, finder: some TransitionFinder,
        make: @escaping @Sendable (Step) throws -> Frame,
        onEvent: @escaping @Sendable (PipelineEvent) -> Void = { _ in }
    ) {
        start = { stages in
            let effect = FlowEffect(quality: quality, threads: max(1, threads), neighbour: neighbour, make: make)
            let chain = try EffectChain([effect])
            let made = try stages.run(
                source: source, sink: sink, finder: finder, chain: chain,
                onEvent: onEvent)
            var report = FlowReport()
            report.framesRead = made.framesRead
            report.framesWritten = made.framesWritten
            report.cuts = made.cuts
            report.pairsAcrossCuts = made.cuts.count
            report.seconds = made.seconds
            report.damage = made.damage
            effect.tally.fill(&report)
            return report
        }
    }

    /// Works through the clip; blocks the calling thread.
    /// - Throws: `CancellationError` after ``cancel()``, else the first error of a stage; also when run twice.
    public func run() throws -> FlowReport { try start(stages) }

    /// Where the error that ``run()`` threw arose; nil as long as nothing failed, and after ``cancel()``.
    public var failedStage: PipelineStage? { stages.failedStage }

    /// Ends the run soon; harmless at any time and from any thread.
    public func cancel() { stages.cancel() }
}

/// What a run of ``FlowPipeline`` did.
public struct FlowReport: Sendable {
    /// Frames taken from the source.
    public var framesRead = 0
    /// Frames given to the sink.
    public var framesWritten = 0
    /// Pairs of neighbours whose motion was found.
    public var pairs = 0
    /// Pairs left out because a cut lies between them.
    public var pairsAcrossCuts = 0
    /// Cuts found, in order.
    public var cuts: [SceneCut] = []
    /// Wall-clock milliseconds that both directions of a pair took; nil without a pair, as is the next.
    public var medianMilliseconds: Double?
    /// What 19 of 20 pairs stayed below.
    public var slowMilliseconds: Double?
    /// Wall-clock seconds of the whole run.
    public var seconds = 0.0
    /// What was lost or repaired while reading.
    public var damage = DamageReport()

    /// A report of nothing.
    public init() {}
}
