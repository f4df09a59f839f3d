/// Asks for one frame without its noise.
public struct TemporalNoiseFilterParameters: FrameProcessorParameters {
    public let sourceFrame: FrameProcessorFrame
    /// In presentation order.
    public let nextFrames: [FrameProcessorFrame]
    /// In presentation order.
    public let previousFrames: [FrameProcessorFrame]
    public let destinationFrames: [FrameProcessorFrame]
    /// 0…1: 0 leaves the frame as it is, 1 takes out noise with a standard deviation of 25 8-bit code values; nil as
    /// much as is found.
    ///
    /// Values outside are refused when the parameters are processed.
    public var filterStrength: Float?
    /// Standard deviation of the noise in 8-bit code values, 0…255, when it is known; it excludes a strength.
    public var noiseSigma: Float?
    /// Whether the source frame does not continue the frames before it: ``previousFrames`` are left out.
    public var hasDiscontinuity: Bool

    /// - Parameters:
    ///   - sourceFrame: the frame to filter.
    ///   - nextFrames: frames after it in presentation order, of its format and size; the nearest
    ///     ``TemporalNoiseFilterConfiguration/nextFrameCount`` are used.
    ///   - previousFrames: frames before it in presentation order, alike; one reference in all is needed.
    ///   - destinationFrame: of the source frame's format and size.
    ///   - filterStrength: 0…1; nil as much as is found.
    ///   - noiseSigma: 0…255 8-bit code values, when the noise is known.
    ///   - hasDiscontinuity: whether the source frame does not continue the frames before it.
    /// - Throws: ``FrameProcessorError`` that says why.
    public init(
        sourceFrame: FrameProcessorFrame, nextFrames: [FrameProcessorFrame], previousFrames: [FrameProcessorFrame],
        destinationFrame: FrameProcessorFrame, filterStrength: Float? = nil, noiseSigma: Float? = nil,
        hasDiscontinuity: Bool = false
    ) throws(FrameProcessorError) {
        self.sourceFrame = sourceFrame
        self.nextFrames = nextFrames
        self.previousFrames = previousFrames
        destinationFrames = [destinationFrame]
        self.filterStrength = filterStrength
        self.noiseSigma = noiseSigma
        self.hasDiscontinuity = hasDiscontinuity
        _ = try noise()
        guard !(nextFrames.isEmpty && previousFrames.isEmpty) else {
            throw FrameProcessorError(
                .invalidParameterError,
                "there is neither a previous nor a next frame; one reference is needed (pass a lone frame through as it is)"
            )
        }
        try frames.check()
    }

    /// - Throws: ``FrameProcessorError`` when a value is out of range or both are given.
    func noise() throws(FrameProcessorError) -> NoiseLevel {
        switch (filterStrength, noiseSigma) {
        case (nil, nil): return .automatic
        case (let strength?, nil):
            guard (0...1).contains(strength) else {
                throw FrameProcessorError(
                    .invalidParameterError, "filterStrength \(strength) is not allowed; a strength is 0 to 1")
            }
            return .strength(strength)
        case (nil, let sigma?):
            guard (0...255).contains(sigma) else {
                throw FrameProcessorError(
                    .invalidParameterError, "noiseSigma \(sigma) is not allowed; a standard deviation is 0 to 255")
            }
            return .sigma(sigma)
        case (let strength?, let sigma?):
            throw FrameProcessorError(
                .invalidParameterError,
                "filterStrength \(strength) and noiseSigma \(sigma) exclude each other; give one of them")
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
