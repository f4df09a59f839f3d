import CLibAV
public import FrameCore

/// Properties of an input: its container, streams, chapters and tags.
public struct MediaInfo: Sendable {
    /// libavformat's short name of the container, e.g. `mov,mp4,m4a,3gp,3g2,mj2`.
    public var container: String
    /// Duration that the container states; nil when unknown.
    public var duration: MediaTime?
    /// Earliest start time of any stream; nil when unknown.
    public var startTime: MediaTime?
    /// Bit rate of the whole file in bits per second; nil when unknown.
    public var bitRate: Int?
    /// All streams in the container's order.
    public var streams: [MediaStreamInfo]
    /// Chapters in the container's order.
    public var chapters: [MediaChapter]
    /// Tags of the whole file.
    public var metadata: [String: String]
    /// Index in ``streams`` of the video stream that is read; nil when there is none.
    public var videoStream: Int?
    /// How often an animated image is played; 0 for endlessly, nil for other files.
    public var plays: Int?
}

/// One stream of a container.
public struct MediaStreamInfo: Sendable, Hashable {
    /// Kinds of streams.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// A video stream.
        case video
        /// A single image that represents the whole file.
        case coverArt
        /// An audio stream.
        case audio
        /// Text or images shown over the video.
        case subtitle
        /// A file inside the file, such as a font.
        case attachment
        /// Any other stream.
        case data
    }

    /// Index in the container, counted from 0.
    public var index: Int
    /// The kind of the stream.
    public var kind: Kind
    /// libavcodec's name of the codec, e.g. `h264`.
    public var codec: String
    /// Name of the codec profile, e.g. `High`; nil when unknown.
    public var profile: String?
    /// ISO 639 code of the language; nil when the container states none.
    public var language: String?
    /// Names of the disposition flags that are set, e.g. `default`, `forced`.
    public var dispositions: [String]
    /// Bit rate in bits per second; nil when unknown.
    public var bitRate: Int?
    /// Duration of one tick of the stream's clock, in seconds; nil when unknown.
    public var timeBase: Rational?
    /// Presentation time of the first packet; nil when unknown.
    public var startTime: MediaTime?
    /// Duration that the container states for the stream; nil when unknown.
    public var duration: MediaTime?
    /// Number of frames that the container states; nil when unknown.
    public var frameCount: Int?
    /// Properties of a video or cover art stream; nil for other kinds.
    public var video: VideoStreamInfo?
    /// Properties of an audio stream; nil for other kinds.
    public var audio: AudioStreamInfo?
    /// Size of an attachment in bytes; nil for other kinds.
    public var attachmentSize: Int?
    /// Tags of the stream.
    public var metadata: [String: String]
    /// Value of the tag `title`; nil when there is none.
    public var title: String? { metadata["title"] }
}

/// Properties of an audio stream.
public struct AudioStreamInfo: Sendable, Hashable {
    /// Number of channels.
    public var channels: Int
    /// libavutil's name of the channel layout, e.g. `stereo`, `5.1(side)`.
    public var layout: String
    /// Sample rate in samples per second.
    public var sampleRate: Int
    /// libavutil's name of the sample format, e.g. `fltp`; nil when unknown.
    public var sampleFormat: String?
}

/// A chapter of a file.
public struct MediaChapter: Sendable, Hashable {
    /// Start time: in ``MediaReader/info`` on the clip's clock, otherwise on the container's.
    public var start: MediaTime
    /// End time on the same clock.
    public var end: MediaTime
    /// Tags of the chapter.
    public var metadata: [String: String]
    /// Value of the tag `title`; nil when there is none.
    public var title: String? { metadata["title"] }

    /// Returns the chapter at another time.
    func moved(by offset: MediaTime) -> MediaChapter {
        var chapter = self
        (chapter.start, chapter.end) = (start + offset, end + offset)
        return chapter
    }
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

    /// Returns the bit rate from the codec parameters, else from Matroska's statistics tags.
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
    init(_ opened: OpenedInput, videoStream: Int?) {
        let context = opened.context, format = context.pointer.pointee
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
        if LocalFile(opened.input)?.isRegular == true { plays = AnimationPlays.count(inFileAt: opened.input) }
        guard let original = opened.original else { return }
        // The file in memory is not the user's.
        (container, bitRate, metadata) = (original, nil, [:])
        for index in streams.indices { (streams[index].codec, streams[index].metadata) = (original, [:]) }
    }
}

extension MediaInfo {
    /// Whether a tag announces an alpha channel in Matroska or WebM.
    static func announcesAlpha(_ tag: (key: String, value: String)) -> Bool {
        tag.key.lowercased() == "alpha_mode" && tag.value != "0"
    }
}
