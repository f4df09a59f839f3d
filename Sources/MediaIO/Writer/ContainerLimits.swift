import CLibAV
import FrameCore

/// What libavformat's muxers cannot store, so that every loss is reported. Determined by writing and reading files.
extension OutputFormat {
    /// Disposition flags that survive writing and reading back.
    private var keptDispositions: Int32 {
        switch name {
        case "matroska":
            AV_DISPOSITION_DEFAULT | AV_DISPOSITION_DUB | AV_DISPOSITION_ORIGINAL | AV_DISPOSITION_COMMENT
                | AV_DISPOSITION_FORCED | AV_DISPOSITION_HEARING_IMPAIRED | AV_DISPOSITION_VISUAL_IMPAIRED
                | AV_DISPOSITION_DESCRIPTIONS
        case "webm": AV_DISPOSITION_DEFAULT | AV_DISPOSITION_FORCED
        case "mp4":
            AV_DISPOSITION_DEFAULT | AV_DISPOSITION_DUB | AV_DISPOSITION_COMMENT | AV_DISPOSITION_FORCED
                | AV_DISPOSITION_HEARING_IMPAIRED | AV_DISPOSITION_VISUAL_IMPAIRED | AV_DISPOSITION_CAPTIONS
                | AV_DISPOSITION_DESCRIPTIONS
        case "mpegts":
            AV_DISPOSITION_DEFAULT | AV_DISPOSITION_HEARING_IMPAIRED | AV_DISPOSITION_VISUAL_IMPAIRED
                | AV_DISPOSITION_CLEAN_EFFECTS
        default: AV_DISPOSITION_DEFAULT
        }
    }

    /// Names of the file tags that survive writing and reading back; nil when all do, or when it is not known.
    private var keptFileTags: Set<String>? {
        if name == "mpegts" || holdsVideoOnly { return [] }
        if name == "avi" {
            return [
                "title", "artist", "album", "date", "comment", "genre", "copyright", "track", "language", "encoded_by",
                "timecode",
            ]
        }
        guard isMov else { return nil }
        let everywhere: Set<String> = [
            "title", "artist", "album", "date", "comment", "genre", "copyright", "location", "creation_time",
            // Read back from the timecode track.
            "timecode",
        ]
        if name == "mov" { return everywhere.union(["make", "model"]) }
        return everywhere.union([
            "album_artist", "composer", "grouping", "lyrics", "description", "synopsis", "show", "network", "keywords",
            "track", "disc", "episode_id", "episode_sort", "season_number", "media_type", "hd_video",
            "gapless_playback", "compilation",
        ])
    }

    /// Names of the track tags that survive, are stored elsewhere, or describe only the source's track; nil when all do.
    private var keptTrackTags: Set<String>? {
        switch name {
        case "mpegts": ["language", "handler_name", "creation_time", "rotate"]
        case "avi": ["title", "handler_name", "creation_time", "rotate"]
        case "gif", "apng", "webp", "yuv4mpegpipe": ["handler_name", "creation_time", "rotate"]
        default: isMov ? ["language", "title", "handler_name", "timecode", "creation_time", "rotate"] : nil
        }
    }

    /// Whether the limits of the container are known.
    private var isKnown: Bool { isMov || isMatroska || ["mpegts", "avi"].contains(name) || holdsVideoOnly }

    /// Whether a time code tag survives.
    var holdsTimeCode: Bool { isMatroska || isKnown && keptFileTags?.contains("timecode") == true }

    /// Whether the muxer writes chapters.
    var holdsChapters: Bool { isMov || isMatroska || ["asf", "nut", "ogg", "ogv", "ffmetadata"].contains(name) }

    /// Whether the file can store cover art; QuickTime files and files with arbitrary tag names cannot.
    ///
    /// - Parameter tags: names of the file's tags.
    func holdsCoverArt(besides tags: some Collection<String>) -> Bool {
        isMov && name != "mov" && name != "3gp" && name != "3g2" && !needsFreeTags(tags)
    }

    /// Whether libavformat does not write the boxes for 360° and stereoscopic video, although players read them.
    var lacksSphericalBoxes: Bool { isMov && name != "mp4" }

    /// Whether some of the tags can be stored only in an MPEG-4 file that allows arbitrary tag names.
    func needsFreeTags(_ tags: some Collection<String>) -> Bool { isMov && tags.contains { $0.hasPrefix("com.") } }

    /// Returns a sentence that names the tags that the container cannot store; nil when it can store all.
    func loss(ofTags tags: some Collection<String>) -> String? {
        guard let kept = keptFileTags, !needsFreeTags(tags) else { return nil }
        // A tag's name may have a language suffix.
        let lost = tags.filter { !kept.contains(String($0.lowercased().split(separator: "-").first ?? "")) }
        return lost.isEmpty ? nil : "\(name) cannot store these tags: \(lost.sorted().joined(separator: ", "))"
    }

    /// Returns a sentence that names what the container cannot store of a remuxed stream; nil when it can store all.
    func loss(of stream: SourceStream) -> String? {
        guard isKnown else { return nil }
        let kind = stream.kind
        guard kind == .video || kind == .audio || kind == .subtitle else { return nil }
        var lost = MediaStreamInfo.dispositions(stream.disposition & ~keptDispositions).map {
            "disposition \($0)"
        }
        let language = stream.metadata["language"]
        if let language, name == "mov", Self.quickTimeLanguage(language) == nil, language != "und" {
            lost.append("language \(language)")
        }
        if let kept = keptTrackTags {
            let names = Self.streamTags(stream.metadata).filter { tag in
                !kept.contains(tag.key.lowercased()) && !(tag.key == "language" && tag.value == "und")
            }.keys
            lost += names.sorted().map { "tag \($0)" }
        }
        guard !lost.isEmpty else { return nil }
        return "\(name) cannot store everything of stream \(stream.index) (\(kind.spoken)): "
            + lost.joined(separator: ", ")
    }

    /// Copies tags and dispositions from a source stream to an output stream, translated for the container.
    func copyTags(from stream: SourceStream, to added: UnsafeMutablePointer<AVStream>) {
        added.pointee.disposition = stream.disposition
        var tags = Self.streamTags(stream.metadata)
        if isMov {
            // In mp4 and mov, the handler name serves as the title of a track.
            if let title = tags.first(where: { $0.key.lowercased() == "title" }) { tags["handler_name"] = title.value }
            if name == "mov", let language = tags["language"] {
                tags["language"] = Self.quickTimeLanguage(language) ?? language
            }
        }
        OptionDictionary.add(tags, to: &added.pointee.metadata)
    }
}

extension OutputFormat {
    /// The fixed set of languages in QuickTime files, by libavformat's codes.
    private static let quickTimeLanguages: Set<String> = [
        "eng", "fra", "ger", "ita", "dut", "sve", "spa", "dan", "por", "nor", "heb", "jpn", "ara", "fin", "gre", "ice",
        "tur", "chi", "urd", "hin", "tha", "kor", "lit", "pol", "hun", "est", "lav", "per", "rus", "alb", "ron", "ces",
        "slk", "slv", "yid", "mac", "bul", "ukr", "bel", "kaz", "aze", "arm", "geo", "mon", "tib", "nep", "san", "mar",
        "ben", "guj", "mal", "kan", "tam", "tel", "bur", "khm", "lao", "vie", "ind", "tgl", "may", "amh", "swa", "mlg",
        "epo", "wel", "baq", "cat", "lat", "jav",
    ]
    /// The code in ``quickTimeLanguages`` for the other of the two ISO 639-2 codes of a language.
    private static let otherLanguageCodes = [
        "fre": "fra", "deu": "ger", "nld": "dut", "swe": "sve", "ell": "gre", "isl": "ice", "zho": "chi", "fas": "per",
        "sqi": "alb", "rum": "ron", "cze": "ces", "slo": "slk", "mkd": "mac", "hye": "arm", "kat": "geo", "bod": "tib",
        "mya": "bur", "msa": "may", "cym": "wel", "eus": "baq",
    ]

    /// Returns the code of a language in QuickTime files; nil when they do not support it.
    private static func quickTimeLanguage(_ language: String) -> String? {
        let name = otherLanguageCodes[language] ?? language
        return quickTimeLanguages.contains(name) ? name : nil
    }
}

extension OutputFormat {
    private static let describingTheFile: Set<String> = [
        "major_brand", "minor_version", "compatible_brands", "encoder", "duration",
    ]
    private static let describingTheTrack: Set<String> = [
        "duration", "number_of_frames", "number_of_bytes", "bps", "encoder", "vendor_id",
    ]

    /// Returns the tags of the source file that are still true for the output.
    static func fileTags(_ tags: [String: String]) -> [String: String] {
        tags.filter { !describingTheFile.contains($0.key.lowercased()) }
    }

    /// Returns the tags of a source stream that are still true for the output.
    static func streamTags(_ tags: [String: String]) -> [String: String] {
        tags.filter { key, _ in
            // Matroska's statistics tags may have a language suffix.
            let name = key.lowercased()
            return !name.hasPrefix("_statistics")
                && !describingTheTrack.contains(String(name.split(separator: "-").first ?? ""))
        }
    }
}
