package import FrameCore

/// Configures a session that adds motion blur to frames.
public struct MotionBlurConfiguration: RevisedFrameProcessorConfiguration, Hashable {
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
    /// Whether luma is integrated in linear light instead of as code values.
    public let linearLight: Bool
    /// The revision that the session runs.
    public let revision: Revision

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - frameWidth: 16…8192 pixels, odd widths included.
    ///   - frameHeight: 16…8192 pixels, odd heights included.
    ///   - usePrecomputedFlow: whether each call supplies its own optical flow (see ``OpticalFlowConfiguration``).
    ///   - qualityPrioritization: the trade-off between speed and quality of the motion estimation.
    ///   - linearLight: whether to integrate luma in linear light, according to the transfer function each frame is
    ///     tagged with, so that streaks of small bright lights keep their brightness.
    ///   - revision: the version of the algorithm; the newest by default.
    /// - Throws: ``FrameProcessorError`` with `unsupportedResolution` when the size is out of range.
    public init(
        frameWidth: Int, frameHeight: Int, usePrecomputedFlow: Bool = false,
        qualityPrioritization: QualityPrioritization = .normal, linearLight: Bool = false,
        revision: Revision = defaultRevision
    ) throws(FrameProcessorError) {
        try Self.checkSize(frameWidth: frameWidth, frameHeight: frameHeight)
        self.frameWidth = frameWidth
        self.frameHeight = frameHeight
        self.usePrecomputedFlow = usePrecomputedFlow
        self.qualityPrioritization = qualityPrioritization
        self.linearLight = linearLight
        self.revision = revision
    }

    /// Creates a configuration for frames of any size that a pixel buffer can have.
    package init(unchecked frames: FrameDimensions, qualityPrioritization: QualityPrioritization, linearLight: Bool) {
        frameWidth = frames.width
        frameHeight = frames.height
        usePrecomputedFlow = false
        self.qualityPrioritization = qualityPrioritization
        self.linearLight = linearLight
        revision = Self.defaultRevision
    }

    /// 1: each call takes the frame before the source frame, if there is one.
    public var previousFrameCount: Int? { 1 }
    /// 1: each call takes the frame after the source frame, if there is one.
    public var nextFrameCount: Int? { 1 }
}

extension MotionBlurConfiguration: EffectConfiguration {
    package func makeEffect(format: PixelFormat, context: ExecutionContext) throws(FrameError) -> MotionBlurEngine {
        try MotionBlurEngine(
            format: format, width: frameWidth, height: frameHeight, quality: qualityPrioritization,
            linearLight: linearLight, context: context)
    }

    package func check(_ parameters: MotionBlurParameters) throws(FrameProcessorError) {
        try check(parameters.nextOpticalFlow, with: parameters.nextFrame, "next")
        try check(parameters.previousOpticalFlow, with: parameters.previousFrame, "previous")
    }

    private func check(
        _ flow: FrameProcessorOpticalFlow?, with frame: FrameProcessorFrame?, _ name: String
    ) throws(FrameProcessorError) {
        if usePrecomputedFlow, frame != nil, flow == nil {
            throw FrameProcessorError(
                .invalidParameterError,
                "\(name)OpticalFlow is nil; this session is configured to use precomputed flow, so each neighbour needs one"
            )
        }
        if !usePrecomputedFlow, flow != nil {
            throw FrameProcessorError(
                .invalidParameterError,
                "a \(name)OpticalFlow was given; this session estimates motion itself, so it must be nil (usePrecomputedFlow is false)"
            )
        }
    }
}

/// Requests a frame with motion blur.
///
/// The exposure is centred on the frame. The shutter angle is the strength times 3.6 degrees: 50 is the 180 degrees of
/// film; 100 is 360 degrees, a shutter that is open from halfway between the previous frame and this one until halfway
/// to the next. Blur that is already in the frame is not taken into account.
public struct MotionBlurParameters: FrameProcessorParameters {
    /// The default of ``motionBlurStrength``.
    public static let defaultStrength = 50

    /// The frame to blur.
    public let sourceFrame: FrameProcessorFrame
    /// The frame after the source frame; nil for the last frame and before a cut.
    public let nextFrame: FrameProcessorFrame?
    /// The frame before the source frame; nil for the first frame and after a cut.
    public let previousFrame: FrameProcessorFrame?
    /// The motion from the source frame to the next, for sessions that use precomputed flow.
    public let nextOpticalFlow: FrameProcessorOpticalFlow?
    /// The motion from the previous frame to the source, for sessions that use precomputed flow.
    public let previousOpticalFlow: FrameProcessorOpticalFlow?
    /// The shutter angle in units of 3.6 degrees, 1…100.
    public let motionBlurStrength: Int
    /// How this call relates to the previous one.
    public let submissionMode: SubmissionMode
    /// Receives the blurred frame.
    public let destinationFrame: FrameProcessorFrame

    /// ``destinationFrame`` as an array.
    public var destinationFrames: [FrameProcessorFrame] { [destinationFrame] }

    /// Creates a request and checks everything that does not depend on a session.
    ///
    /// - Parameters:
    ///   - sourceFrame: the frame to blur.
    ///   - nextFrame: the frame after it, of the same format and size; nil for the last frame and before a cut, where
    ///     the motion from the previous frame is assumed to continue.
    ///   - previousFrame: the frame before it, of the same format and size; nil for the first frame and after a cut,
    ///     where the motion to the next frame is extended backwards. With neither neighbour, the frame is copied.
    ///   - nextOpticalFlow: the motion from the source frame to the next.
    ///   - previousOpticalFlow: the motion from the previous frame to the source.
    ///   - motionBlurStrength: the shutter angle in units of 3.6 degrees, 1…100.
    ///   - submissionMode: `random` or `sequential`; in a sequence, motion is reused from the previous call.
    ///   - destinationFrame: receives the result; of the same format and size.
    /// - Throws: ``FrameProcessorError`` when a value is out of range, or formats, sizes or times do not match.
    public init(
        sourceFrame: FrameProcessorFrame, nextFrame: FrameProcessorFrame?, previousFrame: FrameProcessorFrame?,
        nextOpticalFlow: FrameProcessorOpticalFlow? = nil, previousOpticalFlow: FrameProcessorOpticalFlow? = nil,
        motionBlurStrength: Int = defaultStrength, submissionMode: SubmissionMode, destinationFrame: FrameProcessorFrame
    ) throws(FrameProcessorError) {
        self.sourceFrame = sourceFrame
        self.nextFrame = nextFrame
        self.previousFrame = previousFrame
        self.nextOpticalFlow = nextOpticalFlow
        self.previousOpticalFlow = previousOpticalFlow
        self.motionBlurStrength = motionBlurStrength
        self.submissionMode = submissionMode
        self.destinationFrame = destinationFrame
        guard (1...100).contains(motionBlurStrength) else {
            throw FrameProcessorError(
                .invalidParameterError, "motion blur strength \(motionBlurStrength) is not allowed; it is 1 to 100")
        }
        for (flow, frame, name) in [
            (nextOpticalFlow, nextFrame, "next"), (previousOpticalFlow, previousFrame, "previous"),
        ] {
            guard let flow else { continue }
            guard frame != nil else {
                throw FrameProcessorError(
                    .invalidParameterError,
                    "a \(name)OpticalFlow was given without a \(name)Frame; the flow must belong to both frames")
            }
            try flow.check(against: sourceFrame)
        }
        try submissionMode.checkWithoutUnchanged()
        try frames.check()
    }
}

extension MotionBlurParameters: EffectParameters {
    package var frames: CallFrames {
        CallFrames(
            source: sourceFrame, previous: previousFrame.map { [$0] } ?? [], next: nextFrame.map { [$0] } ?? [],
            destinations: [destinationFrame], otherInputs: [nextOpticalFlow, previousOpticalFlow].compactMap { $0 })
    }
}
