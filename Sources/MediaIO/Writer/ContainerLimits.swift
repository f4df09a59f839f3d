import CLibAV
import FrameCore

/// What libavformat's muxers have no place for, found by writing each thing once; so that no loss goes untold.
extension OutputFormat {
    /// Dispositions that come back when the file is read.
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
        default: AV_DISPOSITION_DEFAULT
        }
    }

    /// Names of a file's tags that come back; nil where any does, or where it is not known.
    private var keptFileTags: Set<String>? {
        guard isMov else { return nil }
        let everywhere: Set<String> = [
            "title", "artist", "album", "date", "comment", "genre", "copyright", "location", "creation_time",
            // Comes back from the time code's track.
            "timecode",
        ]
        if name == "mov" { return everywhere.union(["make", "model"]) }
        return everywhere.union([
            "album_artist", "composer", "grouping", "lyrics", "description", "synopsis", "show", "network", "keywords",
            "track", "disc", "episode_id", "episode_sort", "season_number", "media_type", "hd_video",
            "gapless_playback", "compilation",
        ])
    }

    /// Names of a track's tags that come back in movies, or that go elsewhere.
    private static let keptTrackTags: Set<String> = [
        "language", "title", "handler_name", "timecode", "creation_time", "rotate",
    ]

    /// Whether cover art can be kept; QuickTime files and those with free tag names have no place for it.
    func holdsCoverArt(besides tags: some Collection<String>) -> Bool {
        isMov && name != "mov" && name != "3gp" && name != "3g2" && !needsFreeTags(tags)
    }

    /// Whether tags are there that MPEG-4 files hold only where all tags have free names.
    func needsFreeTags(_ tags: some Collection<String>) -> Bool { isMov && tags.contains { $0.hasPrefix("com.") } }

    /// A sentence that names the tags without a place; nil when all have one.
    func loss(ofTags tags: some Collection<String>) -> String? {
        guard let kept = keptFileTags, !needsFreeTags(tags) else { return nil }
        // A tag may carry its language.
        let lost = tags.filter { !kept.contains(String($0.lowercased().split(separator: "-").first ?? "")) }
        return lost.isEmpty ? nil : "\(name) has no place for these tags: \(lost.sorted().joined(separator: ", "))"
    }

    /// A sentence that names what a remuxed stream loses; nil when it is nothing.
    func loss(of stream: SourceStream) -> String? {
        guard isMov || isMatroska else { return nil }
        let kind = stream.kind
        guard kind == .video || kind == .audio || kind == .subtitle else { return nil }
        var lost = MediaStreamInfo.dispositions(stream.disposition & ~keptDispositions).map {
            "disposition \($0)"
        }
        let language = stream.metadata["language"]
        if let language, name == "mov", Self.quickTimeLanguage(language) == nil, language != "und" {
            lost.append("language \(language)")
        }
        if isMov {
            let names = Self.streamTags(stream.metadata).keys.filter {
                !Self.keptTrackTags.contains($0.lowercased())
            }
            lost += names.sorted().map { "tag \($0)" }
        }
        guard !lost.isEmpty else { return nil }
        return "\(name) has no place for some of stream \(stream.index) (\(kind.spoken)): "
            + lost.joined(separator: ", ")
    }

    /// Gives a stream the tags and dispositions of the one that it comes from, in the container's own words.
    func copyTags(from stream: SourceStream, to added: UnsafeMutablePointer<AVStream>) {
        added.pointee.disposition = stream.disposition
        var tags = Self.streamTags(stream.metadata)
        if isMov {
            // Movies call a track by the name of its handler.
            if let title = tags.first(where: { $0.key.lowercased() == "title" }) { tags["handler_name"] = title.value }
            if name == "mov", let language = tags["language"] {
                tags["language"] = Self.quickTimeLanguage(language) ?? language
            }
        }
        OptionDictionary.add(tags, to: &added.pointee.metadata)
    }
}

extension OutputFormat {
    /// Languages as libavformat names them in QuickTime files, which know a fixed set.
    private static let quickTimeLanguages: Set<String> = [
        "eng", "fra", "ger", "ita", "dut", "sve", "spa", "dan", "por", "nor", "heb", "jpn", "ara", "fin", "gre", "ice",
        "tur", "chi", "urd", "hin", "tha", "kor", "lit", "pol", "hun", "est", "lav", "per", "rus", "alb", "ron", "ces",
        "slk", "slv", "yid", "mac", "bul", "ukr", "bel", "kaz", "aze", "arm", "geo", "mon", "tib", "nep", "san", "mar",
        "ben", "guj", "mal", "kan", "tam", "tel", "bur", "khm", "lao", "vie", "ind", "tgl", "may", "amh", "swa", "mlg",
        "epo", "wel", "baq", "cat", "lat", "jav",
    ]
    /// The other one of ISO 639-2's two codes.
    private static let otherLanguageCodes = [
        "fre": "fra", "deu": "ger", "nld": "dut", "swe": "sve", "ell": "gre", "isl": "ice", "zho": "chi", "fas": "per",
        "sqi": "alb", "rum": "ron", "cze": "ces", "slo": "slk", "mkd": "mac", "hye": "arm", "kat": "geo", "bod": "tib",
        "mya": "bur", "msa": "may", "cym": "wel", "eus": "baq",
    ]

    /// The language in QuickTime files; nil for one that they do not know.
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

    /// A file's tags that still hold for the output.
    static func fileTags(_ tags: [String: String]) -> [String: String] {
        tags.filter { !describingTheFile.contains($0.key.lowercased()) }
    }

    /// A stream's tags that still hold for the output.
    static func streamTags(_ tags: [String: String]) -> [String: String] {
        tags.filter { key, _ in
            // Matroska's statistics tags may carry a language suffix.
            let name = key.lowercased()
            return !name.hasPrefix("_statistics")
                && !describingTheTrack.contains(String(name.split(separator: "-").first ?? ""))
        }
    }
}
