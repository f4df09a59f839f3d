import CLibAV
import FrameCore

/// The Dolby Vision configuration of a video stream.
public struct DolbyVision: Sendable, Hashable, Codable {
    /// The Dolby Vision profile.
    public var profile: Int
    /// The standard that the base layer conforms to: 1 HDR10, 2 SDR, 4 HLG, 6 HDR10 of Ultra HD Blu-ray, 0 none; nil if
    /// unknown.
    public var compatibility: Int?
    /// Whether the stream contains the base layer, as opposed to only the layer that enhances it.
    public var hasBaseLayer = true

    /// The profile and, where it distinguishes variants, the compatibility: `8.1`.
    public var name: String {
        guard let compatibility, ![4, 5, 7].contains(profile) else { return "\(profile)" }
        return "\(profile).\(compatibility)"
    }

    /// The profiles whose base layer always conforms to another standard, since an older format defines them so.
    private static let layeredProfiles: Set<Int> = [2, 4, 6, 7]

    /// Why the pixels cannot be processed like those of another video; nil if they can.
    var obstacle: String? {
        guard hasBaseLayer else { return "it holds only the enhancement layer, which is no picture of its own" }
        guard profile == 5 || compatibility == 0 && !Self.layeredProfiles.contains(profile) else { return nil }
        return "its pixels are IPTPQc2, not YCbCr, and there is no base layer in HDR10, HLG or SDR"
    }

    /// Whether players without Dolby Vision can show the video.
    public var isShownByOthers: Bool { obstacle == nil }

    /// Reads libav's copy of the configuration record of a container; nil if it is incomplete.
    init?(record: [UInt8]) {
        guard record.count >= 8 else { return nil }
        self.init(profile: Int(record[2]), compatibility: Int(record[7]), hasBaseLayer: record[6] != 0)
    }

    init(profile: Int, compatibility: Int?, hasBaseLayer: Bool = true) {
        (self.profile, self.compatibility, self.hasBaseLayer) = (profile, compatibility, hasBaseLayer)
    }

    /// Reads the configuration record of the container, or else infers it from the first frame's metadata; nil for other video.
    ///
    /// - Parameters:
    ///   - stream: the stream.
    ///   - frame: its first frame.
    ///   - hasMessages: whether its packets carry metadata that the decoder does not pass on, as in AV1.
    init?(_ stream: UnsafeMutablePointer<AVStream>, _ frame: UnsafePointer<AVFrame>, hasMessages: Bool) {
        if let record = Self.record(of: stream) {
            self = record
        } else if let found = Self(frame: frame) {
            self = found
        } else if let found = Self(tag: stream.pointee.codecpar?.pointee.codec_tag ?? 0) {
            self = found
        } else if hasMessages {
            self.init(profile: 10, compatibility: nil)
        } else {
            return nil
        }
    }

    /// Returns the configuration record of the container; nil if there is none.
    static func record(of stream: UnsafeMutablePointer<AVStream>) -> DolbyVision? {
        StreamSideData.bytes(of: stream, AV_PKT_DATA_DOVI_CONF).flatMap { DolbyVision(record: $0) }
    }

    /// Determines the profile from the metadata of a frame, as libavcodec and dovi_tool do.
    private init?(frame: UnsafePointer<AVFrame>) {
        guard let found = av_frame_get_side_data(frame, AV_FRAME_DATA_DOVI_METADATA)?.pointee.data else { return nil }
        let header = found.withMemoryRebound(to: AVDOVIMetadata.self, capacity: 1) { av_dovi_get_header($0).pointee }
        if header.vdr_rpu_profile == 0, header.bl_video_full_range_flag != 0 {
            self.init(profile: 5, compatibility: 0)
        } else if header.el_spatial_resampling_filter_flag != 0, header.disable_residual_flag == 0 {
            self.init(profile: header.vdr_bit_depth == 12 ? 7 : 4, compatibility: nil)
        } else {
            self.init(profile: 8, compatibility: nil)
        }
    }

    /// Determines the profile from the tag of the sample entries in mp4 files without a configuration record. These tags
    /// mean that players without Dolby Vision cannot show the video.
    private init?(tag: UInt32) {
        switch withUnsafeBytes(of: tag.littleEndian, { String(decoding: $0, as: UTF8.self) }) {
        case "dvh1", "dvhe": self.init(profile: 5, compatibility: 0)
        case "dav1": self.init(profile: 10, compatibility: 0)
        default: return nil
        }
    }
}

extension DolbyVision {
    /// - Throws: `FrameError` if the pixels cannot be processed like those of another video.
    func requireBaseLayer(at location: FrameError.Location) throws(FrameError) {
        guard let obstacle else { return }
        throw FrameError(
            .unsupportedFormat,
            "the video is Dolby Vision profile \(name): \(obstacle), so its colors would be wrong; convert it to HDR10 first, or process it as it is with --ignore-dolby-vision",
            at: location)
    }

    /// The note of a reader that ignores the obstacle; nil if there is none.
    var noteOnIgnoring: Note? {
        obstacle.map {
            Note(
                "dolby-vision-ignored",
                "the video is Dolby Vision profile \(name): \($0); it is processed as if it were another video")
        }
    }

    /// The note of a writer, which never writes Dolby Vision.
    var noteOnLoss: Note {
        .loss(
            "dolby-vision-dropped",
            "the Dolby Vision metadata (profile \(name)) is left out; players show the \(baseLayer)")
    }

    /// The base layer in words, such as `HDR10 base layer`.
    public var baseLayer: String {
        switch (compatibility, profile) {
        case (1, _), (6, _), (nil, 7): "HDR10 base layer"
        case (2, _), (nil, 4): "SDR base layer"
        case (4, _): "HLG base layer"
        default: "base layer"
        }
    }
}
