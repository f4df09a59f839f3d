/// Asks for frames between two neighbours.
public struct FrameRateConversionParameters: FrameProcessorParameters {
    public let sourceFrame: FrameProcessorFrame
    public let nextFrame: FrameProcessorFrame
    /// Motion between both, for sessions that take precomputed flow.
    public let opticalFlow: FrameProcessorOpticalFlow?
    /// 0…1 from the source frame to the next, one for each destination frame, in any order.
    public let interpolationPhase: [Float]
    public let submissionMode: SubmissionMode
    public let destinationFrames: [FrameProcessorFrame]

    /// - Parameters:
    ///   - sourceFrame: the earlier neighbour.
    ///   - nextFrame: the later neighbour, of the same format and size.
    ///   - opticalFlow: motion from the source frame to the next, of their size; required if the configuration says so, nil
    ///     otherwise.
    ///   - interpolationPhase: 0…1, in any order; 0 and 1 give the samples of the neighbour itself.
    ///   - destinationFrames: one for each phase, of the same format and size, each given once.
    /// - Throws: ``FrameProcessorError`` that says why.
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
