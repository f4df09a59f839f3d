public import FrameCore

/// Whether a job is done in segments.
public struct SegmentPlan: Sendable, Hashable {
    /// Jobs over no more than this are done in one piece.
    public static let longest = MediaTime(value: 30, timescale: 1)

    /// Whether the video is encoded in segments, which begin at the reset points of ``ResetSchedule``.
    public let isSegmented: Bool

    /// - Parameter source: what is read. A source that does not say how long it is counts as long.
    public init(_ source: VideoStreamDescription) {
        isSegmented = source.duration.map { $0 > Self.longest } ?? true
    }
}
