internal import FrameCore
internal import MediaIO
internal import Pipeline

/// What a command does with the frames it is given; all else is the same for every command.
struct ConversionWork {
    typealias PipelineMaker = (any FrameSource, any FrameSink, @escaping @Sendable (PipelineEvent) -> Void) throws ->
        ConversionPipeline

    /// What the result's clock makes of the source's.
    var retiming: Retiming
    var audio: MediaWriterOptions.Audio
    /// Whether an evenly timed source gives evenly timed output.
    var hasEvenTimes: Bool
    /// Says of a single picture what to do instead; nil takes it.
    var adviceOnStills: String?
    /// Describes the output of a source; throws when it cannot be worked on.
    var outputStream: (VideoStreamDescription) throws -> VideoStreamDescription
    var makePipeline: PipelineMaker

    /// Frames shown at the times of `plan`, those between source frames made.
    static func interpolation(
        _ plan: some TimingPlan, hasEvenTimes: Bool = true, retiming: Retiming, audio: MediaWriterOptions.Audio,
        options: ConversionOptions
    ) -> ConversionWork {
        ConversionWork(
            retiming: retiming, audio: audio, hasEvenTimes: hasEvenTimes, outputStream: plan.outputStream,
            makePipeline: { source, sink, onEvent in
                ConversionPipeline(source: source, sink: sink, plan: plan, options: options, onEvent: onEvent)
            })
    }

    /// Each frame made into one of the same time and size.
    ///
    /// - Parameter isLive: whether cuts are told without waiting for frames to come.
    static func effect(
        audio: CarriedAudioOptions, adviceOnStills: String? = nil, isLive: Bool = false,
        _ makeEffect: @escaping @Sendable () -> some NeighbourhoodEffect
    ) -> ConversionWork {
        ConversionWork(
            retiming: .identity, audio: audio.treatment, hasEvenTimes: true, adviceOnStills: adviceOnStills,
            outputStream: { $0 },
            makePipeline: { source, sink, onEvent in
                isLive
                    ? ConversionPipeline(
                        source: source, sink: sink, finder: CausalTransitions(), makeEffect: makeEffect,
                        onEvent: onEvent)
                    : ConversionPipeline(source: source, sink: sink, makeEffect: makeEffect, onEvent: onEvent)
            })
    }
}
