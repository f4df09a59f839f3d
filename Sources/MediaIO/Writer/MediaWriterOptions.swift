public import FrameCore

/// How an output is encoded and muxed.
public struct MediaWriterOptions: Sendable {
    /// Video codecs; the encoder is the best one for the codec that libavcodec offers.
    public enum Codec: String, Sendable, Hashable, CaseIterable, Codable {
        /// H.264 (AVC).
        case h264
        /// H.265 (HEVC).
        case hevc
        /// AOMedia Video 1.
        case av1
        /// VP9, for WebM.
        case vp9
        /// Apple ProRes, for editing.
        case prores
        /// FFV1, lossless.
        case ffv1
        /// Uncompressed samples.
        case rawvideo
    }

    /// What to do with audio streams.
    public enum Audio: String, Sendable, Hashable, CaseIterable, Codable {
        /// Stream copy; with a `Retiming` other than the identity, equivalent to ``stretch``.
        case carry
        /// Stretched to the new duration at constant pitch.
        case stretch
        /// Left out.
        case drop
    }

    /// Whether a video is divided into independently encoded segments, which begin at calls of
    /// `FrameSink.beginSegment(_:)`.
    public enum Segments: Sendable {
        /// The video is encoded in one piece.
        case onePiece
        /// The output has the same bytes as with ``kept(_:)``, but the segments are not kept for another run.
        case discarded
        /// Segments are kept in a store. Those that it already holds from an earlier run are reused.
        case kept(any SegmentStore)
    }

    /// libavformat's name of the output format, e.g. `yuv4mpegpipe` or `matroska`; `null` writes nothing; nil selects
    /// it by the file extension.
    public var format: String?
    /// Video codec; nil selects the container's default, or HEVC for an HEVC source if the container supports it.
    public var codec: Codec?
    /// Constant rate factor on the encoder's own scale; lower is better. nil selects a nearly transparent default.
    public var crf: Double?
    /// The encoder's preset: a name for x264 and x265, a speed number for AV1 and VP9, a profile name for ProRes.
    public var preset: String?
    /// libavutil's name of the pixel format to encode, e.g. `yuv420p10le`; nil keeps depth and subsampling where
    /// possible, except that RGB becomes 4:2:0 in mp4 and mov.
    public var pixelFormat: String?
    /// Whether an existing output is replaced.
    public var overwrites: Bool
    /// The number of encoder threads unless one is chosen: the same on every machine, because the bytes of x264, x265,
    /// libaom and libvpx depend on it.
    public static let usualEncoderThreads = 8

    /// Number of encoder threads, 1…64. The result of some encoders depends on it; nil selects
    /// ``usualEncoderThreads``, whatever the number of cores.
    public var encoderThreads: Int?
    /// What to do with audio streams.
    public var audio: Audio
    /// Tags added to those of the source; they replace tags of the same name.
    public var metadata: [String: String]
    /// Memory that the whole program may use, in bytes; nil for no limit. If the encoder's usual settings would exceed
    /// it, x264 and x265 use less lookahead.
    public var memoryLimit: Int?
    /// Whether the video is encoded in segments, so that an interrupted run can be resumed.
    public var segments: Segments
    /// Whether the earliest stream starts at the time that the source's container states; if false, it starts at zero.
    public var keepsStart: Bool
    /// Film grain to store with the video, for players to add; requires AV1. nil stores none.
    public var filmGrain: FilmGrainTable?

    /// Whether each frame is written as soon as it comes: encoders look at no later frames and reorder none, which makes the
    /// video larger, and output that is not a file is flushed after each frame. If false, one frame is held back, so that
    /// its duration is known, and encoders hold more.
    public var lowLatency = false

    /// Whether a note on a loss is an error: before the first frame if the loss is known by then, else before the output
    /// becomes visible.
    public var failsOnLoss = false

    /// Creates options; the defaults follow the source and the container.
    public init(
        format: String? = nil, codec: Codec? = nil, crf: Double? = nil, preset: String? = nil,
        pixelFormat: String? = nil, overwrites: Bool = false, encoderThreads: Int? = nil, audio: Audio = .carry,
        metadata: [String: String] = [:], memoryLimit: Int? = nil, segments: Segments = .onePiece,
        keepsStart: Bool = false
    ) {
        self.format = format
        self.codec = codec
        self.crf = crf
        self.preset = preset
        self.pixelFormat = pixelFormat
        self.overwrites = overwrites
        self.encoderThreads = encoderThreads
        self.audio = audio
        self.metadata = metadata
        self.memoryLimit = memoryLimit
        self.segments = segments
        self.keepsStart = keepsStart
    }
}
