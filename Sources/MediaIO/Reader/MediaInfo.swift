public import FrameCore

/// What an input says about itself.
public struct MediaInfo: Sendable {
    /// libavformat's short name of the container, e.g. `mov,mp4,m4a,3gp,3g2,mj2`.
    public var container: String
    /// Length the container announces, when it does.
    public var duration: MediaTime?
    public var streams: [MediaStreamInfo]
    public var chapters: [MediaChapter]
    /// Tags of the whole file.
    public var metadata: [String: String]
    /// Index in ``streams`` of the video stream that is read.
    public var videoStream: Int
}

/// One stream of a container.
public struct MediaStreamInfo: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, Codable { case video, coverArt, audio, subtitle, attachment, data }

    public var index: Int
    public var kind: Kind
    /// libavcodec's name of the codec, e.g. `h264`.
    public var codec: String
    /// ISO 639 code, when the container states one.
    public var language: String?
    /// Names of the set disposition flags, e.g. `default`, `forced`.
    public var dispositions: [String]
    public var metadata: [String: String]
}

/// A named span of a file.
public struct MediaChapter: Sendable, Hashable {
    public var start: MediaTime
    public var end: MediaTime
    public var metadata: [String: String]
    public var title: String? { metadata["title"] }
}
