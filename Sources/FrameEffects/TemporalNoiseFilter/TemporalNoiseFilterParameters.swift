package import FrameCore

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

/// How much noise is to be taken out.
public enum NoiseLevel: Sendable, Hashable {
    /// As much as is found.
    case automatic
    /// 0…1: noise with a standard deviation of ``strongest`` times this, in 8-bit code values; 0 leaves all as it is.
    case strength(Float)
    /// Noise with this standard deviation, 0…255 8-bit code values.
    case sigma(Float)

    /// Strengths that are allowed.
    public static let strengthRange: ClosedRange<Float> = 0...1
    /// Standard deviations that are allowed, in 8-bit code values.
    public static let sigmaRange: ClosedRange<Float> = 0...255
    /// The standard deviation that strength 1 stands for, in 8-bit code values.
    public static let strongest: Float = 25

    /// The standard deviation in 8-bit code values; nil when it is to be found.
    var fixedSigma: Float? {
        switch self {
        case .automatic: nil
        case .strength(let strength): strength * Self.strongest
        case .sigma(let sigma): sigma
        }
    }

    /// - Throws: `FrameError` with `invalidArgument` for a number out of range.
    package func check() throws(FrameError) {
        switch self {
        case .strength(let strength) where !Self.strengthRange.contains(strength):
            throw FrameError(.invalidArgument, "strength \(strength) is not allowed; it is a number from 0 to 1")
        case .sigma(let sigma) where !Self.sigmaRange.contains(sigma):
            throw FrameError(.invalidArgument, "sigma \(sigma) is not allowed; it is a number from 0 to 255")
        case .automatic, .strength, .sigma: break
        }
    }
}
