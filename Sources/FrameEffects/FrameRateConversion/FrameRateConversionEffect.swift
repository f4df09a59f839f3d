package import FrameCore

/// Configures a session that interpolates frames between two neighbouring frames.
///
/// There is no target rate: each call specifies the phases of its interpolated frames.
public struct FrameRateConversionConfiguration: RevisedFrameProcessorConfiguration, Hashable {
    /// A version of the algorithm. Pin one to get the same frames from later versions of the package.
    public enum Revision: Int, FrameProcessorRevision {
        /// The first version.
        case revision1 = 1
    }

    /// The newest revision, ``Revision/revision1``.
    public static let defaultRevision: Revision = .revision1

    /// Width of the frames in pixels, 16…8192.
    public let frameWidth: Int
    /// Height of the frames in pixels, 16…8192.
    public let frameHeight: Int
    /// Whether each call supplies its own optical flow.
    public let usePrecomputedFlow: Bool
    /// The trade-off between speed and image quality.
    public let qualityPrioritization: QualityPrioritization
    /// The revision that the session runs.
    public let revision: Revision

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - frameWidth: 16…8192 pixels, odd widths included.
    ///   - frameHeight: 16…8192 pixels, odd heights included.
    ///   - usePrecomputedFlow: whether each call supplies its own optical flow (see ``OpticalFlowConfiguration``).
    ///   - qualityPrioritization: the trade-off between speed and image quality.
    ///   - revision: the version of the algorithm; the newest by default.
    /// - Throws: ``FrameProcessorError`` with `unsupportedResolution` when the size is out of range.
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

    /// Creates a configuration for frames of any size that a pixel buffer can have.
    package init(unchecked frames: FrameDimensions, qualityPrioritization: QualityPrioritization) {
        frameWidth = frames.width
        frameHeight = frames.height
        usePrecomputedFlow = false
        self.qualityPrioritization = qualityPrioritization
        revision = Self.defaultRevision
    }

    /// 1: each call takes the frame after the source frame. The frames before and after the two are optional.
    public var nextFrameCount: Int? { 1 }
}

extension FrameRateConversionConfiguration: EffectConfiguration {
    package func makeEffect(format: PixelFormat, context: ExecutionContext) throws(FrameError)
        -> FrameRateConversionEngine
    {
        try FrameRateConversionEngine(
            format: format, width: frameWidth, height: frameHeight, quality: qualityPrioritization, context: context)
    }

    package func check(_ parameters: FrameRateConversionParameters) throws(FrameProcessorError) {
        guard usePrecomputedFlow == (parameters.opticalFlow != nil) else {
            throw FrameProcessorError(
                .invalidParameterError,
                usePrecomputedFlow
                    ? "opticalFlow is nil; this session is configured to use precomputed flow, so each call needs one"
                    : "an opticalFlow was given; this session estimates motion itself, so it must be nil (usePrecomputedFlow is false)"
            )
        }
        guard !usePrecomputedFlow || (parameters.previousFrame ?? parameters.followingFrame) == nil else {
            throw FrameProcessorError(
                .invalidParameterError,
                "a previousFrame or followingFrame was given; this session uses precomputed flow and estimates no motion, so both must be nil"
            )
        }
    }
}

/// Requests interpolated frames between two neighbouring frames.
public struct FrameRateConversionParameters: FrameProcessorParameters {
    /// The earlier frame.
    public let sourceFrame: FrameProcessorFrame
    /// The later frame.
    public let nextFrame: FrameProcessorFrame
    /// The frame before the source frame; nil if it is not known or not of the same scene.
    public let previousFrame: FrameProcessorFrame?
    /// The frame after the next frame; nil if it is not known or not of the same scene.
    public let followingFrame: FrameProcessorFrame?
    /// The motion between the two frames, for sessions that use precomputed flow.
    public let opticalFlow: FrameProcessorOpticalFlow?
    /// The position of each destination frame between the source frame (0) and the next frame (1), in any order.
    public let interpolationPhase: [Float]
    /// How this call relates to the previous one.
    public let submissionMode: SubmissionMode
    /// The frames that receive the results, one per phase, in the same order.
    public let destinationFrames: [FrameProcessorFrame]

    /// Creates a request and checks everything that does not depend on a session.
    ///
    /// Two frames show where things are, not how they got there: without the previous and the following frame, everything
    /// moves along straight lines at constant speed. With them, paths may bend, which fits motion that speeds up, slows
    /// down or turns, and content that one of the two frames hides moves as it does where it is visible. Give these frames
    /// where they are of the same scene and all frames are equally far apart in time. The motion of each pair is estimated
    /// once if pairs are submitted in order with ``SubmissionMode/sequential``.
    ///
    /// - Parameters:
    ///   - sourceFrame: the earlier frame.
    ///   - nextFrame: the later frame, of the same format and size.
    ///   - previousFrame: the frame before the source frame, likewise, for sessions that estimate motion.
    ///   - followingFrame: the frame after the next frame, likewise.
    ///   - opticalFlow: the motion from the source frame to the next, of the same size; required if the session uses
    ///     precomputed flow, nil otherwise.
    ///   - interpolationPhase: 0…1, in any order; 0 and 1 copy the source frame and the next frame.
    ///   - submissionMode: how this call relates to the previous one.
    ///   - destinationFrames: one frame per phase, each a different one, of the same format and size.
    /// - Throws: ``FrameProcessorError``: `invalidParameterError` for values out of range and frames given twice,
    ///   `unsupportedInput` for different formats or sizes, `invalidFrameTiming` for times out of order.
    public init(
        sourceFrame: FrameProcessorFrame, nextFrame: FrameProcessorFrame, previousFrame: FrameProcessorFrame? = nil,
        followingFrame: FrameProcessorFrame? = nil, opticalFlow: FrameProcessorOpticalFlow? = nil,
        interpolationPhase: [Float], submissionMode: SubmissionMode, destinationFrames: [FrameProcessorFrame]
    ) throws(FrameProcessorError) {
        self.sourceFrame = sourceFrame
        self.nextFrame = nextFrame
        self.previousFrame = previousFrame
        self.followingFrame = followingFrame
        self.opticalFlow = opticalFlow
        self.interpolationPhase = interpolationPhase
        self.submissionMode = submissionMode
        self.destinationFrames = destinationFrames
        guard !interpolationPhase.isEmpty, interpolationPhase.count == destinationFrames.count else {
            throw FrameProcessorError(
                .invalidParameterError,
                "\(interpolationPhase.count) phases and \(destinationFrames.count) destination frames were given; the two counts must be equal and at least 1"
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
            source: sourceFrame, previous: previousFrame.map { [$0] } ?? [],
            next: [nextFrame] + (followingFrame.map { [$0] } ?? []), destinations: destinationFrames,
            otherInputs: opticalFlow.map { [$0] } ?? [])
    }
}
