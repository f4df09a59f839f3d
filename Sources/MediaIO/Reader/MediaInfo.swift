import CLibAV
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

/// What is known of a stream's sound.
public struct AudioStreamInfo: Sendable, Hashable {
    /// Number of channels.
    public var channels: Int
    /// libavutil's name of the channel layout, e.g. `stereo`, `5.1(side)`.
    public var layout: String
    /// Samples per second.
    public var sampleRate: Int
    /// libavutil's name of the sample format, e.g. `fltp`; nil when not known.
    public var sampleFormat: String?
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

extension MediaStreamInfo.Kind {
    init(_ stream: UnsafeMutablePointer<AVStream>) {
        switch stream.pointee.codecpar?.pointee.codec_type ?? AVMEDIA_TYPE_UNKNOWN {
        case AVMEDIA_TYPE_VIDEO:
            self = stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 ? .coverArt : .video
        case AVMEDIA_TYPE_AUDIO: self = .audio
        case AVMEDIA_TYPE_SUBTITLE: self = .subtitle
        case AVMEDIA_TYPE_ATTACHMENT: self = .attachment
        default: self = .data
        }
    }

    var spoken: String { self == .coverArt ? "cover art" : rawValue }
}

extension MediaStreamInfo {
    init(_ stream: UnsafeMutablePointer<AVStream>) {
        let tags = OptionDictionary.entries(of: stream.pointee.metadata)
        let kind = Kind(stream)
        let parameters = stream.pointee.codecpar?.pointee
        let base = Rational(stream.pointee.time_base)
        func time(_ ticks: Int64) -> MediaTime? { base.map { MediaTime(ticks: ticks, base: $0) } }
        self.init(
            index: Int(stream.pointee.index), kind: kind, codec: Self.codecName(stream),
            profile: parameters.flatMap {
                avcodec_profile_name($0.codec_id, $0.profile).map { String(c: $0) }
            },
            language: tags["language"].flatMap { $0 == "und" ? nil : $0 },
            dispositions: Self.dispositions(stream.pointee.disposition),
            bitRate: Self.bitRate(parameters, tags), timeBase: base,
            startTime: known(stream.pointee.start_time).flatMap(time),
            duration: known(stream.pointee.duration).flatMap { $0 > 0 ? time($0) : nil },
            frameCount: stream.pointee.nb_frames > 0 ? Int(stream.pointee.nb_frames) : nil,
            video: kind == .video || kind == .coverArt ? VideoStreamInfo(stream) : nil,
            audio: kind == .audio ? parameters.map(AudioStreamInfo.init) : nil,
            attachmentSize: kind == .attachment ? parameters.map { Int($0.extradata_size) } : nil, metadata: tags)
    }

    /// By the codec, else by the statistics that Matroska keeps in tags.
    private static func bitRate(_ parameters: AVCodecParameters?, _ tags: [String: String]) -> Int? {
        if let rate = parameters?.bit_rate, rate > 0 { return Int(rate) }
        let tag = tags["BPS"] ?? tags.first { $0.key.hasPrefix("BPS-") }?.value
        return tag.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    }

    static func codecName(_ stream: UnsafeMutablePointer<AVStream>) -> String {
        String(c: avcodec_get_name(stream.pointee.codecpar?.pointee.codec_id ?? AV_CODEC_ID_NONE))
    }

    static func dispositions(_ flags: Int32) -> [String] {
        let names: [(Int32, String)] = [
            (AV_DISPOSITION_DEFAULT, "default"), (AV_DISPOSITION_DUB, "dub"), (AV_DISPOSITION_ORIGINAL, "original"),
            (AV_DISPOSITION_COMMENT, "comment"), (AV_DISPOSITION_LYRICS, "lyrics"),
            (AV_DISPOSITION_KARAOKE, "karaoke"), (AV_DISPOSITION_FORCED, "forced"),
            (AV_DISPOSITION_HEARING_IMPAIRED, "hearing_impaired"),
            (AV_DISPOSITION_VISUAL_IMPAIRED, "visual_impaired"), (AV_DISPOSITION_CLEAN_EFFECTS, "clean_effects"),
            (AV_DISPOSITION_ATTACHED_PIC, "attached_pic"), (AV_DISPOSITION_CAPTIONS, "captions"),
            (AV_DISPOSITION_DESCRIPTIONS, "descriptions"), (AV_DISPOSITION_METADATA, "metadata"),
        ]
        return names.filter { flags & $0.0 != 0 }.map(\.1)
    }
}

extension AudioStreamInfo {
    init(_ parameters: AVCodecParameters) {
        var layout = parameters.ch_layout
        var name = [CChar](repeating: 0, count: 128)
        let length = av_channel_layout_describe(&layout, &name, name.count)
        let format = av_get_sample_fmt_name(AVSampleFormat(rawValue: parameters.format))
        self.init(
            channels: Int(parameters.ch_layout.nb_channels), layout: length > 0 ? String(nullTerminated: name) : "",
            sampleRate: Int(parameters.sample_rate), sampleFormat: format.map { String(c: $0) })
    }
}

extension MediaInfo {
    init(_ context: InputContext, videoStream: Int?) {
        let format = context.pointer.pointee
        var chapters: [MediaChapter] = []
        for index in 0..<Int(format.nb_chapters) {
            guard let chapter = format.chapters[index]?.pointee, let base = Rational(chapter.time_base) else {
                continue
            }
            chapters.append(
                MediaChapter(
                    start: MediaTime(ticks: chapter.start, base: base), end: MediaTime(ticks: chapter.end, base: base),
                    metadata: OptionDictionary.entries(of: chapter.metadata)))
        }
        func time(_ microseconds: Int64) -> MediaTime { MediaTime(value: microseconds, timescale: Int32(AV_TIME_BASE)) }
        self.init(
            container: String(c: format.iformat?.pointee.name),
            duration: known(format.duration).flatMap { $0 > 0 ? time($0) : nil },
            startTime: known(format.start_time).map(time), bitRate: format.bit_rate > 0 ? Int(format.bit_rate) : nil,
            streams: context.streams.map(MediaStreamInfo.init), chapters: chapters,
            metadata: OptionDictionary.entries(of: format.metadata), videoStream: videoStream)
    }
}
