/// Motion blur inside a session: drives the engine.
final class MotionBlurEffect: FrameProcessorEffect {
    private var engines: EngineOfFormat<MotionBlurEngine>

    init(configuration: MotionBlurConfiguration, threads: Int) {
        engines = EngineOfFormat { format in
            try MotionBlurEngine(
                format: format, width: configuration.frameWidth, height: configuration.frameHeight,
                quality: configuration.qualityPrioritization, linearLight: configuration.linearLight, threads: threads)
        }
    }

    func process(_ parameters: MotionBlurParameters, relation: PairRelation, results: CallResults) throws {
        let source = parameters.sourceFrame
        let engine = try engines.engine(for: source.format)
        let picture = try engine.blur(
            try source.buffer, previous: try parameters.previousFrame?.buffer, next: try parameters.nextFrame?.buffer,
            color: source.color, strength: parameters.motionBlurStrength, relation: relation,
            previousFlow: try parameters.previousOpticalFlow?.opticalFlow,
            nextFlow: try parameters.nextOpticalFlow?.opticalFlow)
        results.complete(0, with: picture)
    }
}
