internal import FrameCore
internal import MediaIO
internal import Pipeline

/// What a command does with the frames it is given; all else is the same for every command.
struct ConversionWork {
    /// How cuts are looked for.
    enum CutFinding {
        /// With the help of frames to come.
        case lookingAhead
        /// By the frames so far.
        case live
        /// Not at all, or by the effect.
        case none
    }

    var chain: EffectChain
    var cuts = CutFinding.lookingAhead
    /// What the result's clock makes of the source's.
    var retiming = Retiming.identity
    var audio: MediaWriterOptions.Audio
    /// Whether an evenly timed source gives evenly timed output.
    var hasEvenTimes = true
    /// Says of a single picture what to do instead; nil takes it.
    var adviceOnStills: String?
    /// Whether the work is a chain that the user put together.
    var isChain = false
    /// What is made of the result besides.
    var extras = ExtraOutputs()

    func makePipeline(
        _ source: any FrameSource, _ sink: any FrameSink,
        onEvent: @escaping @Sendable (PipelineEvent) -> Void
    ) -> ConversionPipeline {
        switch cuts {
        case .lookingAhead:
            ConversionPipeline(source: source, sink: sink, chain: chain, onEvent: onEvent)
        case .live:
            ConversionPipeline(
                source: source, sink: sink, finder: CausalTransitions(), chain: chain,
                onEvent: onEvent)
        case .none:
            ConversionPipeline(
                source: source, sink: sink, finder: NoTransitions(), chain: chain,
                onEvent: onEvent)
        }
    }

    /// Frames shown at the times of `plan`, those between source frames made.
    static func interpolation(
        _ plan: some TimingPlan, hasEvenTimes: Bool = true, retiming: Retiming, audio: MediaWriterOptions.Audio,
        options: ConversionOptions
    ) -> ConversionWork {
        ConversionWork(
            chain: EffectChain(InterpolationPass(plan: plan, options: options)), retiming: retiming, audio: audio,
            hasEvenTimes: hasEvenTimes)
    }
}
