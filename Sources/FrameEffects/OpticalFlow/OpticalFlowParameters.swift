/// Asks for the motion between two frames.
public struct OpticalFlowParameters: FrameProcessorParameters {
    /// The earlier neighbour.
    public let sourceFrame: FrameProcessorFrame
    /// The later neighbour.
    public let nextFrame: FrameProcessorFrame
    /// How the call relates to the one before.
    public let submissionMode: SubmissionMode
    /// Receives the motion.
    public let destinationOpticalFlow: FrameProcessorOpticalFlow

    /// Empty: the result is no frame, so the form of `process` that gives frames as they become ready does not take
    /// these parameters.
    public var destinationFrames: [FrameProcessorFrame] { [] }

    /// Checks what can be checked without a session.
    ///
    /// - Parameters:
    ///   - sourceFrame: the earlier neighbour.
    ///   - nextFrame: the later neighbour, of the same format and size.
    ///   - submissionMode: `random` or `sequential`; in a sequence, motion found before serves as a predictor.
    ///   - destinationOpticalFlow: of the frames' size.
    /// - Throws: ``FrameProcessorError``: `invalidParameterError` for what is out of range or given twice,
    ///   `unsupportedInput` for unlike formats or sizes, `invalidFrameTiming` for times out of order.
    public init(
        sourceFrame: FrameProcessorFrame, nextFrame: FrameProcessorFrame, submissionMode: SubmissionMode,
        destinationOpticalFlow: FrameProcessorOpticalFlow
    ) throws(FrameProcessorError) {
        self.sourceFrame = sourceFrame
        self.nextFrame = nextFrame
        self.submissionMode = submissionMode
        self.destinationOpticalFlow = destinationOpticalFlow
        try submissionMode.checkWithoutUnchanged()
        try frames.check()
        try destinationOpticalFlow.check(against: sourceFrame)
    }
}

extension OpticalFlowParameters: EffectParameters {
    package var frames: CallFrames {
        CallFrames(source: sourceFrame, next: [nextFrame], otherOutputs: [destinationOpticalFlow])
    }
}
