/// Motion blur inside a session: drives the engine.
final class MotionBlurEffect: FrameProcessorEffect {
    private let configuration: MotionBlurConfiguration
    private let threads: Int
    private var engines = EngineOfFormat<MotionBlurEngine>()

    init(configuration: MotionBlurConfiguration, threads: Int) {
        self.configuration = configuration
        self.threads = threads
    }

    func process(_ parameters: MotionBlurParameters, relation: PairRelation, results: CallResults) throws {
        let source = parameters.sourceFrame
        let engine = try engines.engine(for: source.format) {
            try MotionBlurEngine(
                format: source.format, width: configuration.frameWidth, height: configuration.frameHeight,
                quality: configuration.qualityPrioritization, linearLight: configuration.linearLight, threads: threads)
        }
        let picture = try engine.blur(
            try source.buffer, previous: try parameters.previousFrame?.buffer, next: try parameters.nextFrame?.buffer,
            color: source.color, strength: parameters.motionBlurStrength, relation: relation,
            previousFlow: try parameters.previousOpticalFlow?.opticalFlow,
            nextFlow: try parameters.nextOpticalFlow?.opticalFlow)
        results.complete(0, with: picture)
    }
}
