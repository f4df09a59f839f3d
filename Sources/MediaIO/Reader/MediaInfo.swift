public import FrameCore

/// What an input says about itself.
public struct MediaInfo: Sendable {
    /// libavformat's short name of the container, e.g. `mov,mp4,m4a,3gp,3g2,mj2`.
    public var container: String
    /// Length the container announces, when it does.
    public var duration: MediaTime?
    /// Earliest time of any stream, when known.
    public var startTime: MediaTime?
    /// Bits per second of the whole file, when known.
    public var bitRate: Int?
    /// In the container's order.
    public var streams: [MediaStreamInfo]
    /// In the order of their times; empty when there are none.
    public var chapters: [MediaChapter]
    /// Tags of the whole file.
    public var metadata: [String: String]
    /// Index in ``streams`` of the video stream that is read; nil when there is none.
    public var videoStream: Int?
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
    /// The codec's profile by name, e.g. `High`, when known.
    public var profile: String?
    /// ISO 639 code, when the container states one.
    public var language: String?
    /// Names of the set disposition flags, e.g. `default`, `forced`.
    public var dispositions: [String]
    /// Bits per second, when known.
    public var bitRate: Int?
    /// Duration of one tick of the stream's clock, in seconds.
    public var timeBase: Rational?
    /// Time of the first packet, when known.
    public var startTime: MediaTime?
    /// Length the container announces for the stream, when it does.
    public var duration: MediaTime?
    /// Frames the container announces, when it does.
    public var frameCount: Int?
    /// For pictures: video and cover art.
    public var video: VideoStreamInfo?
    /// For sound.
    public var audio: AudioStreamInfo?
    /// Bytes of an attachment.
    public var attachmentSize: Int?
    /// Tags of the stream.
    public var metadata: [String: String]
    /// The tag `title`.
    public var title: String? { metadata["title"] }
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
