import CLibAV
import FrameCore

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
        self.init(
            index: Int(stream.pointee.index), kind: Kind(stream), codec: Self.codecName(stream),
            language: tags["language"].flatMap { $0 == "und" ? nil : $0 },
            dispositions: Self.dispositions(stream.pointee.disposition), metadata: tags)
    }

    static func codecName(_ stream: UnsafeMutablePointer<AVStream>) -> String {
        String(c: avcodec_get_name(stream.pointee.codecpar?.pointee.codec_id ?? AV_CODEC_ID_NONE))
    }

    private static func dispositions(_ flags: Int32) -> [String] {
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

extension MediaInfo {
    init(_ context: InputContext, videoStream: Int) {
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
        self.init(
            container: String(c: format.iformat?.pointee.name),
            duration: known(format.duration).flatMap {
                $0 > 0 ? MediaTime(value: $0, timescale: Int32(AV_TIME_BASE)) : nil
            },
            streams: context.streams.map(MediaStreamInfo.init), chapters: chapters,
            metadata: OptionDictionary.entries(of: format.metadata), videoStream: videoStream)
    }
}
