internal import FrameCore

/// Low-latency interpolation inside a session: drives the engine.
final class LowLatencyFrameInterpolationEffect: FrameProcessorEffect {
    private let configuration: LowLatencyFrameInterpolationConfiguration
    private let threads: Int
    private var engines = EngineOfFormat<LowLatencyInterpolator>()

    init(configuration: LowLatencyFrameInterpolationConfiguration, threads: Int) {
        self.configuration = configuration
        self.threads = threads
    }

    func process(
        _ parameters: LowLatencyFrameInterpolationParameters, relation: PairRelation, results: CallResults
    ) throws {
        let source = parameters.sourceFrame
        let engine = try engines.engine(for: source.format) {
            try LowLatencyInterpolator(
                format: source.format,
                size: FrameDimensions(width: configuration.frameWidth, height: configuration.frameHeight),
                scale: configuration.spatialScaleFactor, threads: threads)
        }
        _ = try engine.interpolate(
            from: try parameters.previousFrame.buffer, to: try source.buffer, color: source.color,
            phases: parameters.interpolationPhase, relation: relation
        ) { index, picture in
            results.complete(index, with: picture)
            return !results.isCancelled()
        }
        if !results.isComplete { try results.checkCancellation() }
    }
}
