/// The input and output of one call; the type belongs to the session's configuration.
public protocol FrameProcessorParameters: Sendable {
    /// The frame to process; phases and temporal directions are relative to it.
    var sourceFrame: FrameProcessorFrame { get }
    /// The frames to write, in the caller's order; empty for effects that write something else.
    var destinationFrames: [FrameProcessorFrame] { get }
}

extension FrameProcessorParameters {
    /// The frame to write, for effects with a single one.
    public var destinationFrame: FrameProcessorFrame? { destinationFrames.count == 1 ? destinationFrames[0] : nil }
}

/// How a call relates to the previous one.
public enum SubmissionMode: Int, Sendable, Hashable, Codable, CaseIterable {
    /// Unrelated: a jump, or the first frame of a scene. State from earlier frames is discarded.
    case random = 1
    /// The next frame in presentation order, with none skipped.
    case sequential = 2
    /// The same frames as in the previous call, with other phases. Only supported by ``FrameRateConversionParameters``.
    case sequentialReferencesUnchanged = 3

    /// - Throws: ``FrameProcessorError`` if the mode is ``sequentialReferencesUnchanged``.
    package func checkWithoutUnchanged() throws(FrameProcessorError) {
        guard self != .sequentialReferencesUnchanged else {
            throw FrameProcessorError(
                .invalidParameterError,
                "submission mode \(self) is not supported by this effect; allowed are random and sequential")
        }
    }
}
