internal import FrameCore

/// Low-latency interpolation inside a session: drives the engine.
final class LowLatencyFrameInterpolationEffect: FrameProcessorEffect {
    private var engines: EngineOfFormat<LowLatencyFrameInterpolationEngine>

    init(configuration: LowLatencyFrameInterpolationConfiguration, threads: Int) {
        engines = EngineOfFormat { format in
            try LowLatencyFrameInterpolationEngine(
                format: format,
                size: FrameDimensions(width: configuration.frameWidth, height: configuration.frameHeight),
                scale: configuration.spatialScaleFactor, threads: threads)
        }
    }

    func process(
        _ parameters: LowLatencyFrameInterpolationParameters, relation: PairRelation, results: CallResults
    ) throws {
        let source = parameters.sourceFrame
        let engine = try engines.engine(for: source.format)
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
