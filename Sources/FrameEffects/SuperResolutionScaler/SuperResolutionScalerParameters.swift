/// Asks for a larger picture.
public struct SuperResolutionScalerParameters: FrameProcessorParameters {
    /// The frame that is made larger.
    public let sourceFrame: FrameProcessorFrame
    /// The frame before; nil for the first one and after a cut.
    public let previousFrame: FrameProcessorFrame?
    /// What was made of the frame before; nil for the first one and after a cut.
    public let previousOutputFrame: FrameProcessorFrame?
    /// Motion between source and previous frame, for sessions that take precomputed flow.
    public let opticalFlow: FrameProcessorOpticalFlow?
    /// How the call relates to the one before.
    public let submissionMode: SubmissionMode
    /// Receives the larger picture.
    public let destinationFrame: FrameProcessorFrame

    /// ``destinationFrame`` alone.
    public var destinationFrames: [FrameProcessorFrame] { [destinationFrame] }

    /// Checks what can be checked without a session.
    ///
    /// - Parameters:
    ///   - sourceFrame: the frame to make larger.
    ///   - previousFrame: the one before, of the same format and size; nil for the first one and after a cut.
    ///   - previousOutputFrame: what was made of `previousFrame`, given with it and only then; of the destination's format
    ///     and size.
    ///   - opticalFlow: motion from the source frame to the previous one, of their size; only with `previousFrame`.
    ///   - submissionMode: `random` or `sequential`; in a sequence, motion found before helps to find the next.
    ///   - destinationFrame: of the source frame's format and the size of the configuration's result.
    /// - Throws: ``FrameProcessorError`` that says why.
    public init(
        sourceFrame: FrameProcessorFrame, previousFrame: FrameProcessorFrame? = nil,
        previousOutputFrame: FrameProcessorFrame? = nil, opticalFlow: FrameProcessorOpticalFlow? = nil,
        submissionMode: SubmissionMode, destinationFrame: FrameProcessorFrame
    ) throws(FrameProcessorError) {
        self.sourceFrame = sourceFrame
        self.previousFrame = previousFrame
        self.previousOutputFrame = previousOutputFrame
        self.opticalFlow = opticalFlow
        self.submissionMode = submissionMode
        self.destinationFrame = destinationFrame
        guard (previousFrame == nil) == (previousOutputFrame == nil) else {
            let (given, missing) =
                previousFrame == nil
                ? ("previousOutputFrame", "previousFrame") : ("previousFrame", "previousOutputFrame")
            throw FrameProcessorError(
                .invalidParameterError, "a \(given) was given without a \(missing); give both or neither")
        }
        if let opticalFlow {
            guard previousFrame != nil else {
                throw FrameProcessorError(
                    .invalidParameterError,
                    "an opticalFlow was given without a previousFrame; flow is between both frames")
            }
            try opticalFlow.check(against: sourceFrame)
        }
        if let previousOutputFrame, previousOutputFrame.format != sourceFrame.format {
            throw FrameProcessorError(
                .unsupportedInput,
                "previousOutputFrame is \(previousOutputFrame.layout), the source frame \(sourceFrame.layout); formats must be alike"
            )
        }
        try submissionMode.checkWithoutUnchanged()
        try frames.check()
    }
}

extension SuperResolutionScalerParameters: EffectParameters {
    package var frames: CallFrames {
        var others: [any SessionBuffer] = []
        if let opticalFlow { others.append(opticalFlow) }
        if let previousOutputFrame { others.append(previousOutputFrame) }
        return CallFrames(
            source: sourceFrame, previous: previousFrame.map { [$0] } ?? [], destinations: [destinationFrame],
            otherInputs: others, keepsSize: false)
    }
}
