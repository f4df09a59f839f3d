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
