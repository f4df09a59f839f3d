internal import FrameCore

/// A running session, whatever its effect.
protocol Session: AnyObject, Sendable {
    /// Checks parameters against the session and takes hold of their buffers.
    func admit(_ parameters: any FrameProcessorParameters) throws(FrameProcessorError) -> InFlightBuffers

    /// Runs an admitted call. On the processor's queue only.
    func run(_ parameters: any FrameProcessorParameters, _ buffers: InFlightBuffers, _ call: Call) throws
}

/// A session of one effect: what all effects demand of a call is checked here, once.
///
/// `@unchecked Sendable`: effect and order are touched by `run`, on the processor's queue only.
final class EffectSession<Configuration: EffectConfiguration>: Session, @unchecked Sendable {
    private let configuration: Configuration
    private let threads: Int
    /// Of the latest call's pixel format: frames of another one get a new effect.
    private var latest: (effect: Configuration.Effect, format: PixelFormat)?
    private var order = SubmissionOrder()

    /// - Throws: ``FrameProcessorError`` when the effect cannot be set up; it is tried for the first of the formats.
    init(_ configuration: Configuration, threads: Int) throws(FrameProcessorError) {
        self.configuration = configuration
        self.threads = threads
        guard let format = configuration.sourcePixelBufferAttributes.pixelFormats.first else { return }
        do {
            _ = try effect(for: format)
        } catch {
            throw FrameProcessorError(failing: .initializationFailed, error)
        }
    }

    private func effect(for format: PixelFormat) throws -> Configuration.Effect {
        if let latest, latest.format == format { return latest.effect }
        let effect = try configuration.makeEffect(format: format, threads: threads)
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
            throw FrameProcessorError(.processingError, "the effect ended before each of its results was complete")
        }
        order.succeeded(frames)
    }

    private func typed(_ parameters: any FrameProcessorParameters) throws(FrameProcessorError)
        -> Configuration.Parameters
    {
        guard let typed = parameters as? Configuration.Parameters else {
            throw FrameProcessorError(
                .invalidParameterError,
                "\(type(of: parameters)) do not belong to this session; it takes \(Configuration.Parameters.self)")
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
