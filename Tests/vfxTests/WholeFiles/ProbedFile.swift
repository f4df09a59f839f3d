import Foundation
import TestSupport
import Testing

/// What FFmpeg's own programs find in a file: the witness of the whole-file tests.
struct ProbedFile {
    struct Stream: Decodable {
        var index: Int
        var codecName: String?
        var codecType: String?
        var codecTagString: String?
        var width: Int?
        var height: Int?
        var pixFmt: String?
        var colorRange: String?
        var colorSpace: String?
        var colorTransfer: String?
        var colorPrimaries: String?
        var sampleAspectRatio: String?
        var extradataHash: String?
        var disposition: [String: Int]?
        var tags: [String: String]?
        var sideDataList: [SideData]?

        var isCover: Bool { disposition?["attached_pic"] == 1 }
        var kind: String { isCover ? "cover art" : codecType ?? "?" }
    }

    struct SideData: Decodable {
        var sideDataType: String?
        var rotation: Double?
        var redX: String?
        var whitePointY: String?
        var maxLuminance: String?
        var minLuminance: String?
        var maxContent: Int?
        var maxAverage: Int?

        /// What it says of brightness and primaries; nil for other kinds.
        var light: String? {
            switch sideDataType {
            case "Mastering display metadata":
                "mastering \(number(redX)) \(number(whitePointY)) \(number(minLuminance))...\(number(maxLuminance))"
            case "Content light level metadata": "light level \(maxContent ?? -1), \(maxAverage ?? -1)"
            default: nil
            }
        }

        /// A fraction's value: formats state the same number over different denominators.
        private func number(_ text: String?) -> String {
            let terms = (text ?? "").split(separator: "/").compactMap { Double($0) }
            guard terms.count == 2 else { return text ?? "nothing" }
            return String(format: "%.4f", terms[0] / terms[1])
        }
    }

    struct Packet: Decodable {
        var streamIndex: Int
        var ptsTime: String?
        var durationTime: String?
        var dataHash: String?
        var size: String?

        var time: Double? { ptsTime.flatMap { Double($0) } }
        var duration: Double? { durationTime.flatMap { Double($0) } }
    }

    struct Chapter: Decodable {
        var startTime: String
        var endTime: String
        var tags: [String: String]?
    }

    struct Format: Decodable {
        var tags: [String: String]?
    }

    struct Frame: Decodable {
        var ptsTime: String?
        var sideDataList: [SideData]?
    }

    private struct Whole: Decodable {
        var streams: [Stream]
        var packets: [Packet]
        var chapters: [Chapter]
        var format: Format
    }

    private struct Pictures: Decodable { var frames: [Frame] }

    let streams: [Stream]
    let chapters: [Chapter]
    let tags: [String: String]
    /// By stream.
    let packets: [Int: [Packet]]
    let frames: [Frame]

    init(_ path: String) throws {
        let whole: Whole = try Self.decode(
            ["-show_streams", "-show_packets", "-show_chapters", "-show_format", "-show_data_hash", "md5", path])
        streams = whole.streams.map { stream in
            var stream = stream
            stream.tags = Self.lowercased(stream.tags)
            return stream
        }
        chapters = whole.chapters
        tags = Self.lowercased(whole.format.tags) ?? [:]
        packets = Dictionary(grouping: whole.packets, by: \.streamIndex)
        let pictures: Pictures = try Self.decode(["-select_streams", "V:0", "-show_frames", path])
        frames = pictures.frames
    }

    /// Matroska's tags are written in capitals.
    private static func lowercased(_ tags: [String: String]?) -> [String: String]? {
        tags.map { tags in tags.reduce(into: [:]) { $0[$1.key.lowercased()] = $1.value } }
    }

    private static func decode<T: Decodable>(_ arguments: [String]) throws -> T {
        let text = try tool("ffprobe", ["-v", "error", "-of", "json"] + arguments)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(T.self, from: Data(text.utf8))
    }

    var video: Stream? { streams.first { $0.kind == "video" } }
    /// When each picture is shown.
    var times: [Double] { frames.compactMap { $0.ptsTime.flatMap { Double($0) } } }
    /// Brightness and primaries, from the container or the pictures.
    var light: [String] {
        let stated = (video?.sideDataList ?? []) + (frames.first?.sideDataList ?? [])
        return Set(stated.compactMap(\.light)).sorted()
    }
    var rotation: Double { video?.sideDataList?.compactMap(\.rotation).first ?? 0 }

    func streams(_ kind: String) -> [Stream] { streams.filter { $0.kind == kind } }
}

/// One subtitle as it is shown.
struct ShownSubtitle: Equatable, CustomStringConvertible {
    var start: Double
    var end: Double
    var text: String

    var description: String { "\(start)...\(end) \(text)" }

    /// The subtitles of a file's text streams, stream by stream.
    static func all(in path: String, count: Int) throws -> [[ShownSubtitle]] {
        try (0..<count).map { index in
            let text = try tool(
                "ffmpeg", ["-v", "error", "-copyts", "-i", path, "-map", "0:s:\(index)", "-f", "srt", "-"])
            return text.replacing("\r", with: "").split(separator: "\n\n").compactMap(Self.init)
        }
    }

    private init?(_ block: Substring) {
        let lines = block.split(separator: "\n")
        guard lines.count > 2 else { return nil }
        let times = lines[1].split(separator: " ").filter { $0.contains(":") }.map { stamp in
            stamp.replacing(",", with: ".").split(separator: ":").reduce(0.0) { $0 * 60 + (Double($1) ?? 0) }
        }
        guard times.count == 2 else { return nil }
        (start, end) = (times[0], times[1])
        text = lines.dropFirst(2).joined(separator: " ").replacing(/<[^>]*>|\{[^}]*\}/, with: "")
    }
}
