import CLibAV
import FrameCore

/// The container of an output, selected by format name or extension.
struct OutputFormat {
    let pointer: UnsafePointer<AVOutputFormat>
    let name: String

    init(_ output: String, named wanted: String?) throws(FrameError) {
        let location = FrameError.Location(file: output)
        if let wanted {
            // Extensions that users type as format names, where libavformat's name differs.
            let alias = ["mkv": "matroska", "y4m": "yuv4mpegpipe"][wanted] ?? wanted
            guard let found = av_guess_format(alias, nil, nil) else {
                throw FrameError(
                    .invalidArgument, "\"\(wanted)\" is not an output format that libavformat knows", at: location)
            }
            pointer = found
        } else if output == "-" || output.hasPrefix("pipe:") {
            throw FrameError(
                .invalidArgument,
                "standard output has no extension; specify a format with --format, e.g. yuv4mpegpipe",
                at: location)
        } else {
            guard let found = av_guess_format(nil, output, nil), String(c: found.pointee.name) != "image2" else {
                let base = output.split(separator: "/").last.map(String.init) ?? output
                let ending =
                    base.contains(".")
                    ? "\".\(base.split(separator: ".").last ?? "")\" is not a known extension"
                    : "the name has no extension"
                throw FrameError(
                    .unsupportedFormat,
                    "\(ending); use .mp4, .mov, .mkv, .webm, .y4m, .gif, an image sequence such as out_%05d.png, or another format with --format",
                    at: location)
            }
            pointer = found
        }
        name = String(c: pointer.pointee.name)
    }

    var isMatroska: Bool { name == "matroska" || name == "webm" }
    /// Whether the format uses libavformat's mov muxer.
    var isMov: Bool { ["mp4", "mov", "ipod", "3gp", "3g2", "psp", "ismv", "f4v"].contains(name) }
    var isY4M: Bool { name == "yuv4mpegpipe" }
    /// The format as one of animated images; nil for others.
    var animation: AnimationFormat? { AnimationFormat(rawValue: name) }
    /// Whether files are meant for players that know few pixel formats. QuickTime files are for editors, too.
    var isForPlayers: Bool { isMov && name != "mov" }
    /// Whether the format keeps alpha that a codec has: VP8 and VP9 store it beside their frames, for which only Matroska has a
    /// place. Hardly any reader of y4m knows it.
    func holdsAlpha(_ codec: AVCodecID) -> Bool {
        if isY4M { return false }
        return isMatroska || animation != nil || !AlphaDecoder.isNeeded(for: codec)
    }
    /// Whether the format holds one video and nothing else.
    var holdsVideoOnly: Bool { isY4M || animation != nil }
    /// Whether the format can start at another time than zero.
    var holdsStart: Bool { name != "avi" && !holdsVideoOnly }
    /// Whether the format counts frames instead of storing their times; y4m is written in its own way.
    var countsFrames: Bool {
        // libavformat's WebP muxer stores times, although its flags say otherwise.
        name == "avi" || pointer.pointee.flags & AVFMT_NOTIMESTAMPS != 0 && !isY4M && animation == nil
    }

    private static let onlyInMP4: Set<UInt32> = Set(
        [AV_CODEC_ID_FLAC, AV_CODEC_ID_OPUS, AV_CODEC_ID_VP9, AV_CODEC_ID_AV1, AV_CODEC_ID_TRUEHD].map(\.rawValue))

    /// Codecs that have a stream type in transport streams (ISO/IEC 13818-1, ATSC A/53, ETSI TS 101 154) and that
    /// libavformat writes; its muxer has no codec table to query.
    private static let inTransportStreams: Set<UInt32> = Set(
        [
            AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_MPEG4, AV_CODEC_ID_H264, AV_CODEC_ID_HEVC,
            AV_CODEC_ID_MP1, AV_CODEC_ID_MP2, AV_CODEC_ID_MP3, AV_CODEC_ID_AAC, AV_CODEC_ID_AC3, AV_CODEC_ID_EAC3,
            AV_CODEC_ID_DTS, AV_CODEC_ID_OPUS, AV_CODEC_ID_DVB_SUBTITLE, AV_CODEC_ID_DVB_TELETEXT,
            AV_CODEC_ID_SMPTE_KLV,
        ].map(\.rawValue))

    /// Whether an output keeps a stream of sound, or of pictures beside the processed ones, as far as is known before it is
    /// opened.
    func mayKeep(_ stream: SourceStream, audio: MediaWriterOptions.Audio) -> Bool {
        let parameters = stream.codecParameters.pointer.pointee
        switch stream.kind {
        case .audio:
            return audio != .drop && parameters.sample_rate > 0
                && (holds(parameters.codec_id) || AudioEncoderChoice.encoder(for: parameters.codec_id, in: self) != nil)
        case .video: return parameters.width > 0 && holds(parameters.codec_id)
        default: return false
        }
    }

    /// Whether the muxer supports a codec.
    func holds(_ codec: AVCodecID) -> Bool {
        // The y4m muxer accepts decoded frames, which no codec table lists.
        if isY4M { return codec == AV_CODEC_ID_WRAPPED_AVFRAME || codec == AV_CODEC_ID_RAWVIDEO }
        // libavformat's codec table for mov lists these, but the muxer rejects them.
        if name == "mov", Self.onlyInMP4.contains(codec.rawValue) { return false }
        if name == "mpegts" { return Self.inTransportStreams.contains(codec.rawValue) }
        // Matroska's muxer claims to hold any codec, and then rejects those that it has no tag for.
        if name == "matroska", avformat_query_codec(pointer, codec, FF_COMPLIANCE_NORMAL) != 1 {
            var tables = [avformat_get_riff_video_tags(), avformat_get_riff_audio_tags(), nil]
            return av_codec_get_tag(&tables, codec) != 0
        }
        return avformat_query_codec(pointer, codec, FF_COMPLIANCE_EXPERIMENTAL) == 1
    }

    /// Returns the video codecs to try when the user specifies none; the first that keeps the pixel format wins.
    ///
    /// - Parameters:
    ///   - source: libavcodec's name of the source's codec; nil when there is no source.
    ///   - withAlpha: whether frames have alpha.
    func defaultCodecs(source: String?, withAlpha: Bool) -> [MediaWriterOptions.Codec] {
        if name == "mov", withAlpha { return defaultCodecs(source: source, withAlpha: false) + [.prores] }
        switch name {
        case "webm": return source == "av1" ? [.av1, .vp9] : [.vp9, .av1]
        case "yuv4mpegpipe", "rawvideo": return [.rawvideo]
        case "matroska": return source == "hevc" ? [.hevc, .h264, .vp9, .ffv1] : [.h264, .hevc, .vp9, .ffv1]
        case "mp4": return source == "hevc" ? [.hevc, .h264, .vp9] : [.h264, .hevc, .vp9]
        case "mov": return source == "hevc" ? [.hevc, .h264] : [.h264, .hevc]
        case "ivf": return [.vp9, .av1]
        case "hevc": return [.hevc]
        default: return [.h264, .hevc, .ffv1, .vp9].filter { holds($0.codecID) }
        }
    }
}
