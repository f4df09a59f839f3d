public import Checkpoints
import FrameCore

/// How an output is encoded and packed.
public struct MediaWriterOptions: Sendable {
    /// Video codecs by family; the encoder is the best one libavcodec offers.
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
        /// Samples as they are.
        case rawvideo
    }

    /// What becomes of audio streams.
    public enum Audio: String, Sendable, Hashable, CaseIterable, Codable {
        /// Copied untouched; with a ``Retiming`` other than identity the same as ``stretch``.
        case carry
        /// Stretched to the new duration at constant pitch.
        case stretch
        /// Left out.
        case drop
    }

    /// How a video is divided into segments, each encoded by itself. They begin where `FrameSink.beginSegment(_:)` says.
    public enum Segments: Sendable {
        /// Encoded in one piece.
        case none
        /// The same bytes as with ``kept(_:)``, but nothing is kept for another run.
        case discarded
        /// Kept in a store; those that it holds already, from an earlier run, are taken over.
        case kept(any SegmentStore)
    }

    /// libavformat's name of the output format, e.g. `yuv4mpegpipe` or `matroska`; `null` writes nothing; nil goes by the
    /// name's extension.
    public var format: String?
    /// nil takes the container's default, HEVC for an HEVC source where the container holds it.
    public var codec: Codec?
    /// Constant rate factor in the encoder's own scale, smaller is better; nil takes a near-transparent default.
    public var crf: Double?
    /// The encoder's preset: a name for x264 and x265, a speed number for AV1 and VP9, a profile name for ProRes.
    public var preset: String?
    /// libavutil's name of the pixel format to encode, e.g. `yuv420p10le`; nil keeps depth and subsampling where possible.
    public var pixelFormat: String?
    /// Replaces an existing output.
    public var overwrites: Bool
    /// Threads of the encoder; 0 takes one per core.
    public var threads: Int
    /// What becomes of audio streams.
    public var audio: Audio
    /// Tags added to those of the source.
    public var metadata: [String: String]
    /// Bytes that the whole program may take, nil without a limit: where an encoder would take most of it for large
    /// pictures, it looks less far ahead.
    public var memoryLimit: Int?
    /// Whether the video is made in segments, so that an interrupted run can be resumed.
    public var segments: Segments

    /// Options; each default follows the source and the container.
    public init(
        format: String? = nil, codec: Codec? = nil, crf: Double? = nil, preset: String? = nil,
        pixelFormat: String? = nil, overwrites: Bool = false, threads: Int = 0, audio: Audio = .carry,
        metadata: [String: String] = [:], memoryLimit: Int? = nil, segments: Segments = .none
    ) {
        self.format = format
        self.codec = codec
        self.crf = crf
        self.preset = preset
        self.pixelFormat = pixelFormat
        self.overwrites = overwrites
        self.threads = threads
        self.audio = audio
        self.metadata = metadata
        self.memoryLimit = memoryLimit
        self.segments = segments
    }
}
