internal import FrameCore

/// Motion blur inside a session: drives the engine.
final class MotionBlurEffect: FrameProcessorEffect {
    private let configuration: MotionBlurConfiguration
    private let threads: Int
    private var engine: (engine: MotionBlurEngine, format: PixelFormat)?

    init(configuration: MotionBlurConfiguration, threads: Int) {
        self.configuration = configuration
        self.threads = threads
    }

    func process(_ parameters: MotionBlurParameters, relation: SubmissionRelation, results: CallResults) throws {
        try check(parameters.nextOpticalFlow, with: parameters.nextFrame, "next")
        try check(parameters.previousOpticalFlow, with: parameters.previousFrame, "previous")
        let source = parameters.sourceFrame
        let picture = try makeEngine(for: source.format).blur(
            try source.buffer, previous: try parameters.previousFrame?.buffer, next: try parameters.nextFrame?.buffer,
            color: source.color, strength: parameters.motionBlurStrength, relation: .init(relation),
            previousFlow: try parameters.previousOpticalFlow?.opticalFlow,
            nextFlow: try parameters.nextOpticalFlow?.opticalFlow)
        results.complete(0, with: picture)
    }

    private func check(_ flow: FrameProcessorOpticalFlow?, with frame: FrameProcessorFrame?, _ name: String) throws {
        if configuration.usePrecomputedFlow, frame != nil, flow == nil {
            throw FrameProcessorError(
                .invalidParameterError,
                "\(name)OpticalFlow is nil; this session was configured to use precomputed flow, so each neighbour needs one"
            )
        }
        if !configuration.usePrecomputedFlow, flow != nil {
            throw FrameProcessorError(
                .invalidParameterError,
                "a \(name)OpticalFlow was given; this session finds the motion itself, so it must be nil (usePrecomputedFlow is false)"
            )
        }
    }

    private func makeEngine(for format: PixelFormat) throws -> MotionBlurEngine {
        if let engine, engine.format == format { return engine.engine }
        let fresh = try MotionBlurEngine(
            format: format, width: configuration.frameWidth, height: configuration.frameHeight,
            quality: configuration.qualityPrioritization, linearLight: configuration.linearLight, threads: threads)
        engine = (fresh, format)
        return fresh
    }
}
