/// Frame-rate conversion inside a session: drives the engine.
final class FrameRateConversionEffect: FrameProcessorEffect {
    private var engines: EngineOfFormat<FrameRateConversionEngine>

    init(configuration: FrameRateConversionConfiguration, threads: Int) {
        engines = EngineOfFormat { format in
            try FrameRateConversionEngine(
                format: format, width: configuration.frameWidth, height: configuration.frameHeight,
                quality: configuration.qualityPrioritization, threads: threads)
        }
    }

    func process(
        _ parameters: FrameRateConversionParameters, relation: PairRelation, results: CallResults
    ) throws {
        let source = parameters.sourceFrame
        let engine = try engines.engine(for: source.format)
        _ = try engine.interpolate(
            from: try source.buffer, to: try parameters.nextFrame.buffer,
            phases: parameters.interpolationPhase, relation: relation,
            flow: try parameters.opticalFlow?.opticalFlow
        ) { index, picture in
            results.complete(index, with: picture)
            return !results.isCancelled()
        }
        // Pictures are left out only when nobody wants them any more.
        if !results.isComplete { try results.checkCancellation() }
    }
}
