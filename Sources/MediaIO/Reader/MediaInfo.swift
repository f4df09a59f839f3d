public import FrameCore

/// What an input says about itself.
public struct MediaInfo: Sendable {
    /// libavformat's short name of the container, e.g. `mov,mp4,m4a,3gp,3g2,mj2`.
    public var container: String
    /// Length the container announces, when it does.
    public var duration: MediaTime?
    /// In the container's order.
    public var streams: [MediaStreamInfo]
    /// In the order of their times; empty when there are none.
    public var chapters: [MediaChapter]
    /// Tags of the whole file.
    public var metadata: [String: String]
    /// Index in ``streams`` of the video stream that is read.
    public var videoStream: Int
}

/// One stream of a container.
public struct MediaStreamInfo: Sendable, Hashable {
    /// What a stream holds.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// Moving pictures.
        case video
        /// One picture for the whole file.
        case coverArt
        /// Sound.
        case audio
        /// Text or pictures shown over the video.
        case subtitle
        /// A file inside the file, such as a font.
        case attachment
        /// Anything else.
        case data
    }

    /// Position in the container, counted from 0.
    public var index: Int
    /// What it holds.
    public var kind: Kind
    /// libavcodec's name of the codec, e.g. `h264`.
    public var codec: String
    /// ISO 639 code, when the container states one.
    public var language: String?
    /// Names of the set disposition flags, e.g. `default`, `forced`.
    public var dispositions: [String]
    /// Tags of the stream.
    public var metadata: [String: String]
}

/// A named span of a file.
public struct MediaChapter: Sendable, Hashable {
    /// Where it begins, on the file's clock.
    public var start: MediaTime
    /// Where it ends, on the file's clock.
    public var end: MediaTime
    /// Tags of the chapter.
    public var metadata: [String: String]
    /// The tag `title`, where there is one.
    public var title: String? { metadata["title"] }
}
