internal import FrameCore

/// Asks for a larger frame.
public struct LowLatencySuperResolutionScalerParameters: FrameProcessorParameters {
    /// The frame that is made larger.
    public let sourceFrame: FrameProcessorFrame
    /// Receives the larger picture.
    public let destinationFrame: FrameProcessorFrame

    /// ``destinationFrame`` alone.
    public var destinationFrames: [FrameProcessorFrame] { [destinationFrame] }

    /// Checks what can be checked without a session.
    ///
    /// - Parameters:
    ///   - sourceFrame: the frame to make larger.
    ///   - destinationFrame: of the same format and the size of the configuration's result.
    /// - Throws: ``FrameProcessorError`` that says why.
    public init(
        sourceFrame: FrameProcessorFrame, destinationFrame: FrameProcessorFrame
    ) throws(FrameProcessorError) {
        self.sourceFrame = sourceFrame
        self.destinationFrame = destinationFrame
        try frames.check()
    }
}

extension LowLatencySuperResolutionScalerParameters: EffectParameters {
    package var frames: CallFrames {
        CallFrames(source: sourceFrame, destinations: [destinationFrame], keepsSize: false)
    }
    /// Each call stands for itself.
    package var submissionMode: SubmissionMode { .random }
}
