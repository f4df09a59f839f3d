package import FrameCore

/// Sets a session up to add motion blur to frames.
public struct MotionBlurConfiguration: RevisedFrameProcessorConfiguration, Hashable {
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
    /// Whether calls bring their own optical flow.
    public let usePrecomputedFlow: Bool
    /// Trade between speed and picture quality.
    public let qualityPrioritization: QualityPrioritization
    /// Whether luma is integrated as light instead of as code values.
    public let linearLight: Bool
    /// The version that a session runs.
    public let revision: Revision

    /// Checks the size and keeps the rest.
    ///
    /// - Parameters:
    ///   - frameWidth: 16…8192 pixels, odd widths included.
    ///   - frameHeight: 16…8192 pixels, odd heights included.
    ///   - usePrecomputedFlow: whether calls bring their own optical flow (see ``OpticalFlowConfiguration``).
    ///   - qualityPrioritization: of the motion.
    ///   - linearLight: integrate luma as light, by the transfer each frame is tagged with: streaks of small bright lights
    ///     keep their brightness.
    ///   - revision: of the algorithm.
    /// - Throws: ``FrameProcessorError`` that says why.
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

    /// 1: the frame before the source frame, where there is one.
    public var previousFrameCount: Int? { 1 }
    /// 1: the frame after the source frame, where there is one.
    public var nextFrameCount: Int? { 1 }
}

extension MotionBlurConfiguration: EffectConfiguration {
    package func makeEffect(format: PixelFormat, threads: Int) throws(FrameError) -> MotionBlurEngine {
        try MotionBlurEngine(
            format: format, width: frameWidth, height: frameHeight, quality: qualityPrioritization,
            linearLight: linearLight, threads: threads)
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
                "\(name)OpticalFlow is nil; this session was configured to use precomputed flow, so each neighbour needs one"
            )
        }
        if !usePrecomputedFlow, flow != nil {
            throw FrameProcessorError(
                .invalidParameterError,
                "a \(name)OpticalFlow was given; this session finds the motion itself, so it must be nil (usePrecomputedFlow is false)"
            )
        }
    }
}

/// Asks for a frame with motion blur.
///
/// The exposure is centred on the frame. Strength 100 is a shutter of 360 degrees, which is open all the time from half-way
/// between the previous frame and this one to half-way to the next; 50 is the 180 degrees of film; any strength is
/// 3.6 degrees times it. Blur that the frame has already is not taken into account.
public struct MotionBlurParameters: FrameProcessorParameters {
    /// What ``motionBlurStrength`` is usually set to.
    public static let defaultStrength = 50

    /// The frame that is blurred.
    public let sourceFrame: FrameProcessorFrame
    /// nil for the last frame and before a cut.
    public let nextFrame: FrameProcessorFrame?
    /// nil for the first frame and after a cut.
    public let previousFrame: FrameProcessorFrame?
    /// From the source frame to the next, for sessions that take precomputed flow.
    public let nextOpticalFlow: FrameProcessorOpticalFlow?
    /// From the previous frame to the source, for sessions that take precomputed flow.
    public let previousOpticalFlow: FrameProcessorOpticalFlow?
    /// 1…100.
    public let motionBlurStrength: Int
    /// How the call relates to the one before.
    public let submissionMode: SubmissionMode
    /// Receives the blurred picture.
    public let destinationFrame: FrameProcessorFrame

    /// ``destinationFrame`` alone.
    public var destinationFrames: [FrameProcessorFrame] { [destinationFrame] }

    /// Checks what can be checked without a session.
    ///
    /// - Parameters:
    ///   - sourceFrame: the frame to blur.
    ///   - nextFrame: of the same format and size; nil for the last frame and before a cut: its motion is then taken to go on
    ///     as it came.
    ///   - previousFrame: the same for the first frame and after a cut. With neither the frame is passed through.
    ///   - nextOpticalFlow: from the source frame to the next.
    ///   - previousOpticalFlow: from the previous frame to the source.
    ///   - motionBlurStrength: 1…100, in 3.6 degrees of the shutter.
    ///   - submissionMode: `random` or `sequential`; in a sequence, motion found before is not computed again.
    ///   - destinationFrame: of the same format and size.
    /// - Throws: ``FrameProcessorError`` that says why.
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
                    "a \(name)OpticalFlow was given without a \(name)Frame; flow is between both frames")
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
