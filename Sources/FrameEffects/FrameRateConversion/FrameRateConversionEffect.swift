package import FrameCore

/// Sets a session up to make frames between two neighbours.
///
/// The target rate is no part of it: each call says at which phases it wants frames.
public struct FrameRateConversionConfiguration: RevisedFrameProcessorConfiguration, Hashable {
    /// Version of the algorithm. Pin one to get the same pictures from later versions of the package.
    public enum Revision: Int, FrameProcessorRevision {
        /// The first.
        case revision1 = 1
    }

    /// The newest, ``Revision/revision1``.
    public static let defaultRevision: Revision = .revision1

    /// Width of the frames in pixels, 16…8192.
    public let frameWidth: Int
    /// Height of the frames in pixels, 16…8192.
    public let frameHeight: Int
    /// Whether each call brings its own optical flow.
    public let usePrecomputedFlow: Bool
    /// Speed or the best pictures.
    public let qualityPrioritization: QualityPrioritization
    /// The version that a session runs.
    public let revision: Revision

    /// Checks the size and keeps the rest.
    ///
    /// - Parameters:
    ///   - frameWidth: 16…8192 pixels, odd widths included.
    ///   - frameHeight: 16…8192 pixels, odd heights included.
    ///   - usePrecomputedFlow: whether calls bring their own optical flow (see ``OpticalFlowConfiguration``).
    ///   - qualityPrioritization: speed or the best pictures.
    ///   - revision: version of the algorithm; the newest by default.
    /// - Throws: ``FrameProcessorError`` with `unsupportedResolution` that names the size and the limits.
    public init(
        frameWidth: Int, frameHeight: Int, usePrecomputedFlow: Bool = false,
        qualityPrioritization: QualityPrioritization = .normal, revision: Revision = defaultRevision
    ) throws(FrameProcessorError) {
        try Self.checkSize(frameWidth: frameWidth, frameHeight: frameHeight)
        self.frameWidth = frameWidth
        self.frameHeight = frameHeight
        self.usePrecomputedFlow = usePrecomputedFlow
        self.qualityPrioritization = qualityPrioritization
        self.revision = revision
    }

    /// 1: the frame after the source frame.
    public var nextFrameCount: Int? { 1 }
}

extension FrameRateConversionConfiguration: EffectConfiguration {
    package func makeEffect(format: PixelFormat, threads: Int) throws(FrameError) -> FrameRateConversionEngine {
        try FrameRateConversionEngine(
            format: format, width: frameWidth, height: frameHeight, quality: qualityPrioritization, threads: threads)
    }

    package func check(_ parameters: FrameRateConversionParameters) throws(FrameProcessorError) {
        guard usePrecomputedFlow == (parameters.opticalFlow != nil) else {
            throw FrameProcessorError(
                .invalidParameterError,
                usePrecomputedFlow
                    ? "opticalFlow is nil; this session was configured to use precomputed flow, so each call needs one"
                    : "an opticalFlow was given; this session finds the motion itself, so it must be nil (usePrecomputedFlow is false)"
            )
        }
    }
}

/// Asks for frames between two neighbours.
public struct FrameRateConversionParameters: FrameProcessorParameters {
    /// The earlier neighbour.
    public let sourceFrame: FrameProcessorFrame
    /// The later neighbour.
    public let nextFrame: FrameProcessorFrame
    /// Motion between both, for sessions that take precomputed flow.
    public let opticalFlow: FrameProcessorOpticalFlow?
    /// 0…1 from the source frame to the next, one for each destination frame, in any order.
    public let interpolationPhase: [Float]
    /// How the call relates to the one before.
    public let submissionMode: SubmissionMode
    /// Receive the pictures, one for each phase, in the caller's order.
    public let destinationFrames: [FrameProcessorFrame]

    /// Checks what can be checked without a session.
    ///
    /// - Parameters:
    ///   - sourceFrame: the earlier neighbour.
    ///   - nextFrame: the later neighbour, of the same format and size.
    ///   - opticalFlow: motion from the source frame to the next, of their size; required if the configuration says so, nil
    ///     otherwise.
    ///   - interpolationPhase: 0…1, in any order; 0 and 1 give the samples of the neighbour itself.
    ///   - submissionMode: how the call relates to the one before.
    ///   - destinationFrames: one for each phase, of the same format and size, each given once.
    /// - Throws: ``FrameProcessorError``: `invalidParameterError` for what is out of range or given twice,
    ///   `unsupportedInput` for unlike formats or sizes, `invalidFrameTiming` for times out of order.
    public init(
        sourceFrame: FrameProcessorFrame, nextFrame: FrameProcessorFrame, opticalFlow: FrameProcessorOpticalFlow? = nil,
        interpolationPhase: [Float], submissionMode: SubmissionMode, destinationFrames: [FrameProcessorFrame]
    ) throws(FrameProcessorError) {
        self.sourceFrame = sourceFrame
        self.nextFrame = nextFrame
        self.opticalFlow = opticalFlow
        self.interpolationPhase = interpolationPhase
        self.submissionMode = submissionMode
        self.destinationFrames = destinationFrames
        guard !interpolationPhase.isEmpty, interpolationPhase.count == destinationFrames.count else {
            throw FrameProcessorError(
                .invalidParameterError,
                "\(interpolationPhase.count) phases and \(destinationFrames.count) destination frames were given; one or more of each are needed, as many of one as of the other"
            )
        }
        if let phase = interpolationPhase.first(where: { !(0...1).contains($0) }) {
            throw FrameProcessorError(.invalidParameterError, "phase \(phase) is not allowed; a phase is 0 to 1")
        }
        try frames.check()
        try opticalFlow?.check(against: sourceFrame)
    }
}

extension FrameRateConversionParameters: EffectParameters {
    package var frames: CallFrames {
        CallFrames(
            source: sourceFrame, next: [nextFrame], destinations: destinationFrames,
            otherInputs: opticalFlow.map { [$0] } ?? [])
    }
}
