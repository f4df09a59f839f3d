internal import FrameCore

/// An active session, independent of its effect's type.
protocol Session: AnyObject, Sendable {
    /// Checks parameters against the session and acquires their buffers.
    func admit(_ parameters: any FrameProcessorParameters) throws(FrameProcessorError) -> InFlightBuffers

    /// Runs an admitted call. Must be called on the processor's queue.
    func run(_ parameters: any FrameProcessorParameters, _ buffers: InFlightBuffers, _ call: Call) throws
}

/// A session of one effect. The checks that all effects require of a call are made here.
///
/// `@unchecked Sendable`: `latest` and `order` are accessed only by `run`, on the processor's queue.
final class EffectSession<Configuration: EffectConfiguration>: Session, @unchecked Sendable {
    private let configuration: Configuration
    private let context: ExecutionContext
    /// The effect for the pixel format of the latest call; frames of another format get a new effect.
    private var latest: (effect: Configuration.Effect, format: PixelFormat)?
    private var order = SubmissionOrder()

    /// - Throws: ``FrameProcessorError`` if the effect cannot be set up, which is tested with the first supported
    ///   format.
    init(_ configuration: Configuration, context: ExecutionContext) throws(FrameProcessorError) {
        self.configuration = configuration
        self.context = context
        guard let format = configuration.sourcePixelBufferAttributes.pixelFormats.first else { return }
        do {
            _ = try effect(for: format)
        } catch {
            throw FrameProcessorError(failing: .initializationFailed, error)
        }
    }

    private func effect(for format: PixelFormat) throws -> Configuration.Effect {
        if let latest, latest.format == format { return latest.effect }
        let effect = try configuration.makeEffect(format: format, context: context)
        latest = (effect, format)
        return effect
    }

    func admit(_ parameters: any FrameProcessorParameters) throws(FrameProcessorError) -> InFlightBuffers {
        let parameters = try typed(parameters), frames = parameters.frames
        try configuration.check(parameters)
        try check(frames.source, "the source frame", configuration.sourcePixelBufferAttributes)
        for frame in frames.destinations {
            try check(frame, "a destination frame", configuration.destinationPixelBufferAttributes)
        }
        return try InFlightBuffers(reading: frames.inputs, writing: frames.outputs)
    }

    func run(_ parameters: any FrameProcessorParameters, _ buffers: InFlightBuffers, _ call: Call) throws {
        let parameters = try typed(parameters), frames = parameters.frames
        let relation = try order.relation(parameters.submissionMode, of: frames)
        let results = CallResults(
            frames: frames, source: try frames.source.frame, buffers: buffers, isCancelled: { call.isCancelled },
            deliver: call.deliver)
        order.reset()
        try effect(for: frames.source.format).process(parameters, relation: relation, results: results)
        guard results.isComplete else {
            throw FrameProcessorError(.processingError, "the effect ended before all of its results were complete")
        }
        order.succeeded(frames)
    }

    private func typed(_ parameters: any FrameProcessorParameters) throws(FrameProcessorError)
        -> Configuration.Parameters
    {
        guard let typed = parameters as? Configuration.Parameters else {
            throw FrameProcessorError(
                .invalidParameterError,
                "\(type(of: parameters)) do not match this session; it takes \(Configuration.Parameters.self)")
        }
        return typed
    }

    private func check(
        _ frame: FrameProcessorFrame, _ role: String, _ attributes: PixelBufferAttributes
    ) throws(FrameProcessorError) {
        guard frame.width == attributes.width, frame.height == attributes.height else {
            throw FrameProcessorError(
                .unsupportedInput,
                "\(role) is \(frame.width)x\(frame.height); this session takes \(attributes.width)x\(attributes.height)"
            )
        }
        try attributes.check(frame.format)
    }
}
