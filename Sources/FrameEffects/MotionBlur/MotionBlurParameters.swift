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
