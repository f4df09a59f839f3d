/// What one call processes; its type belongs to the session's configuration.
public protocol FrameProcessorParameters: Sendable {
    /// The frame that the call is about; phases and directions are counted from it.
    var sourceFrame: FrameProcessorFrame { get }
    /// The frames that are written, in the caller's order; empty for effects that write something else.
    var destinationFrames: [FrameProcessorFrame] { get }
}

extension FrameProcessorParameters {
    /// The frame that is written, for effects with a single one.
    public var destinationFrame: FrameProcessorFrame? { destinationFrames.count == 1 ? destinationFrames[0] : nil }
}

/// How a call relates to the one before it.
public enum SubmissionMode: Int, Sendable, Hashable, Codable, CaseIterable {
    /// No relation: a jump, or the first frame of a scene. What was kept of earlier frames is forgotten.
    case random = 1
    /// The next frame in presentation order, none left out.
    case sequential = 2
    /// The same frames as in the call before, with other phases. ``FrameRateConversionParameters`` alone take it.
    case sequentialReferencesUnchanged = 3

    /// - Throws: ``FrameProcessorError`` when it is ``sequentialReferencesUnchanged``.
    package func checkWithoutUnchanged() throws(FrameProcessorError) {
        guard self != .sequentialReferencesUnchanged else {
            throw FrameProcessorError(
                .invalidParameterError,
                "submission mode \(self) is not supported by this effect; allowed are random and sequential")
        }
    }
}
