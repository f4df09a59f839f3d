/// Asks for the motion between two frames.
public struct OpticalFlowParameters: FrameProcessorParameters {
    public let sourceFrame: FrameProcessorFrame
    public let nextFrame: FrameProcessorFrame
    public let submissionMode: SubmissionMode
    /// Receives the motion.
    public let destinationOpticalFlow: FrameProcessorOpticalFlow

    /// Empty: the result is no frame, so the form of `process` that gives frames as they become ready does not take
    /// these parameters.
    public var destinationFrames: [FrameProcessorFrame] { [] }

    /// - Parameters:
    ///   - sourceFrame: the earlier neighbour.
    ///   - nextFrame: the later neighbour, of the same format and size.
    ///   - submissionMode: `random` or `sequential`; in a sequence, motion found before serves as a predictor.
    ///   - destinationOpticalFlow: of the frames' size.
    /// - Throws: ``FrameProcessorError`` that says why.
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
