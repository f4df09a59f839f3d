public import FrameCore
internal import Pipeline

/// How a job is divided.
public struct JobPlan: Sendable, Hashable {
    /// Jobs over no more than this are made in one piece.
    public static let longest = MediaTime(value: 30, timescale: 1)

    /// Whether the video is encoded in segments, which begin at the source's restart points.
    public let isSegmented: Bool

    /// - Parameter source: what is read. A source that does not say how long it is counts as long.
    public init(_ source: VideoStreamDescription) {
        isSegmented = source.duration.map { $0 > Self.longest } ?? true
    }

    /// Source frames in a segment.
    public static let framesPerSegment = ConversionPipeline.framesPerSegment
}
