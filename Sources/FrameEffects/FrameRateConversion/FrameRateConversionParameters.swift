/// Asks for frames between two neighbours.
public struct FrameRateConversionParameters: FrameProcessorParameters {
    public let sourceFrame: FrameProcessorFrame
    public let nextFrame: FrameProcessorFrame
    /// 0…1 from the source frame to the next, one for each destination frame, in any order.
    public let interpolationPhase: [Float]
    public let submissionMode: SubmissionMode
    public let destinationFrames: [FrameProcessorFrame]

    /// - Parameters:
    ///   - sourceFrame: the earlier neighbour.
    ///   - nextFrame: the later neighbour, of the same format and size.
    ///   - interpolationPhase: 0…1, in any order; 0 and 1 give the samples of the neighbour itself.
    ///   - destinationFrames: one for each phase, of the same format and size, each given once.
    /// - Throws: ``FrameProcessorError`` that says why.
    public init(
        sourceFrame: FrameProcessorFrame, nextFrame: FrameProcessorFrame, interpolationPhase: [Float],
        submissionMode: SubmissionMode, destinationFrames: [FrameProcessorFrame]
    ) throws(FrameProcessorError) {
        guard sourceFrame.hasLayout(of: nextFrame) else {
            throw FrameProcessorError(
                .unsupportedInput,
                "the next frame is \(nextFrame.layout), the source frame \(sourceFrame.layout); both must be alike")
        }
        guard !interpolationPhase.isEmpty, interpolationPhase.count == destinationFrames.count else {
            throw FrameProcessorError(
                .invalidParameterError,
                "\(interpolationPhase.count) phases and \(destinationFrames.count) destination frames were given; one or more of each are needed, as many of one as of the other"
            )
        }
        if let phase = interpolationPhase.first(where: { !(0...1).contains($0) }) {
            throw FrameProcessorError(.invalidParameterError, "phase \(phase) is not allowed; a phase is 0 to 1")
        }
        if let odd = destinationFrames.first(where: { !$0.hasLayout(of: sourceFrame) }) {
            throw FrameProcessorError(
                .unsupportedInput,
                "a destination frame is \(odd.layout), the source frame \(sourceFrame.layout); both must be alike")
        }
        let frames = [sourceFrame, nextFrame] + destinationFrames
        guard Set(frames.map(ObjectIdentifier.init)).count == frames.count else {
            throw FrameProcessorError(
                .invalidParameterError, "a frame was given twice; source, next and destination frames must all differ")
        }
        guard sourceFrame.presentationTimeStamp < nextFrame.presentationTimeStamp else {
            throw FrameProcessorError(
                .invalidFrameTiming,
                "the next frame at \(nextFrame.presentationTimeStamp) s does not come after the source frame at \(sourceFrame.presentationTimeStamp) s"
            )
        }
        self.sourceFrame = sourceFrame
        self.nextFrame = nextFrame
        self.interpolationPhase = interpolationPhase
        self.submissionMode = submissionMode
        self.destinationFrames = destinationFrames
    }
}
