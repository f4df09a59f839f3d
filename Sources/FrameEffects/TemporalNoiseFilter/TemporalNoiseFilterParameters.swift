internal import FrameCore

/// Asks for one frame without its noise.
public struct TemporalNoiseFilterParameters: FrameProcessorParameters {
    /// The frame to filter.
    public let sourceFrame: FrameProcessorFrame
    /// In presentation order.
    public let nextFrames: [FrameProcessorFrame]
    /// In presentation order.
    public let previousFrames: [FrameProcessorFrame]
    /// The frame that receives the picture.
    public let destinationFrames: [FrameProcessorFrame]
    /// How much noise is taken out. Values out of range are refused when the parameters are processed.
    public var noiseLevel: NoiseLevel
    /// Whether the source frame does not continue the frames before it: ``previousFrames`` are left out.
    public var hasDiscontinuity: Bool

    /// The strength of ``noiseLevel``; nil when that is none. Setting nil takes out as much as is found.
    public var filterStrength: Float? {
        get { if case .strength(let strength) = noiseLevel { strength } else { nil } }
        set { noiseLevel = newValue.map { .strength($0) } ?? .automatic }
    }

    /// Checks what can be checked without a session.
    ///
    /// - Parameters:
    ///   - sourceFrame: the frame to filter.
    ///   - nextFrames: frames after it in presentation order, of its format and size; the nearest
    ///     ``TemporalNoiseFilterConfiguration/nextFrameCount`` are used.
    ///   - previousFrames: frames before it in presentation order, alike; one reference in all is needed.
    ///   - destinationFrame: of the source frame's format and size.
    ///   - noiseLevel: how much noise is taken out; by default as much as is found.
    ///   - hasDiscontinuity: whether the source frame does not continue the frames before it.
    /// - Throws: ``FrameProcessorError`` that says why.
    public init(
        sourceFrame: FrameProcessorFrame, nextFrames: [FrameProcessorFrame], previousFrames: [FrameProcessorFrame],
        destinationFrame: FrameProcessorFrame, noiseLevel: NoiseLevel = .automatic, hasDiscontinuity: Bool = false
    ) throws(FrameProcessorError) {
        self.sourceFrame = sourceFrame
        self.nextFrames = nextFrames
        self.previousFrames = previousFrames
        destinationFrames = [destinationFrame]
        self.noiseLevel = noiseLevel
        self.hasDiscontinuity = hasDiscontinuity
        try checkNoiseLevel()
        guard !(nextFrames.isEmpty && previousFrames.isEmpty) else {
            throw FrameProcessorError(
                .invalidParameterError,
                "there is neither a previous nor a next frame; one reference is needed (pass a lone frame through as it is)"
            )
        }
        try frames.check()
    }

    /// The same with a strength, in the form of the system that this API is modelled on.
    ///
    /// - Parameters:
    ///   - sourceFrame: the frame to filter.
    ///   - nextFrames: frames after it in presentation order, of its format and size.
    ///   - previousFrames: frames before it in presentation order, alike; one reference in all is needed.
    ///   - destinationFrame: of the source frame's format and size.
    ///   - filterStrength: 0…1.
    ///   - hasDiscontinuity: whether the source frame does not continue the frames before it.
    /// - Throws: ``FrameProcessorError`` that says why.
    public init(
        sourceFrame: FrameProcessorFrame, nextFrames: [FrameProcessorFrame], previousFrames: [FrameProcessorFrame],
        destinationFrame: FrameProcessorFrame, filterStrength: Float, hasDiscontinuity: Bool = false
    ) throws(FrameProcessorError) {
        try self.init(
            sourceFrame: sourceFrame, nextFrames: nextFrames, previousFrames: previousFrames,
            destinationFrame: destinationFrame, noiseLevel: .strength(filterStrength),
            hasDiscontinuity: hasDiscontinuity)
    }

    /// - Throws: ``FrameProcessorError`` when a value is out of range.
    func checkNoiseLevel() throws(FrameProcessorError) {
        do {
            try noiseLevel.check()
        } catch {
            throw FrameProcessorError(.invalidParameterError, error.message, cause: error)
        }
    }
}

extension TemporalNoiseFilterParameters: EffectParameters {
    package var frames: CallFrames {
        CallFrames(
            source: sourceFrame, previous: previousFrames, next: nextFrames, destinations: destinationFrames)
    }
    /// Each call stands for itself.
    package var submissionMode: SubmissionMode { .random }
}
