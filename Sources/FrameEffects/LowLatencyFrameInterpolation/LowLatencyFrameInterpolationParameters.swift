/// Asks for frames between the latest two.
public struct LowLatencyFrameInterpolationParameters: FrameProcessorParameters {
    /// The latest frame.
    public let sourceFrame: FrameProcessorFrame
    /// The one before it.
    public let previousFrame: FrameProcessorFrame
    /// Between 0 and 1, both excluded, from the previous frame to the source frame.
    public let interpolationPhase: [Float]
    /// One for each phase, in their order; in sessions that make frames larger then one more, for the source frame.
    public let destinationFrames: [FrameProcessorFrame]

    /// Checks what can be checked without a session.
    ///
    /// - Parameters:
    ///   - sourceFrame: the latest frame.
    ///   - previousFrame: the one before, of the same format and size.
    ///   - interpolationPhase: between 0 and 1, both excluded, from the previous frame to the source frame, in any order;
    ///     those that a session allows are ``LowLatencyFrameInterpolationConfiguration/interpolationPhases``.
    ///   - destinationFrames: one for each phase, of the same format; in sessions that make frames larger one more at the
    ///     end, for the source frame.
    /// - Throws: ``FrameProcessorError`` that says why.
    public init(
        sourceFrame: FrameProcessorFrame, previousFrame: FrameProcessorFrame, interpolationPhase: [Float],
        destinationFrames: [FrameProcessorFrame]
    ) throws(FrameProcessorError) {
        self.sourceFrame = sourceFrame
        self.previousFrame = previousFrame
        self.interpolationPhase = interpolationPhase
        self.destinationFrames = destinationFrames
        if let phase = interpolationPhase.first(where: { !($0 > 0 && $0 < 1) }) {
            throw FrameProcessorError(
                .invalidParameterError, "phase \(phase) is not allowed; a phase lies between 0 and 1, both excluded")
        }
        let (phases, frames) = (interpolationPhase.count, destinationFrames.count)
        guard phases > 0, frames == phases || frames == phases + 1 else {
            throw FrameProcessorError(
                .invalidParameterError,
                "\(phases) phases and \(frames) destination frames were given; one or more phases are needed, and a frame for each, or one more in sessions that make frames larger"
            )
        }
        try self.frames.check()
    }
}

extension LowLatencyFrameInterpolationParameters: EffectParameters {
    package var frames: CallFrames {
        CallFrames(
            source: sourceFrame, previous: [previousFrame], destinations: destinationFrames, keepsSize: false)
    }
    /// Each call stands for itself.
    package var submissionMode: SubmissionMode { .random }
}
