import Foundation
import TestSupport
import Testing

/// What FFmpeg's own programs find in a file; the reference for the whole-file tests.
struct ProbedFile {
    struct Stream: Decodable {
        var index: Int
        var codecName: String?
        var codecType: String?
        var codecTagString: String?
        var width: Int?
        var height: Int?
        var startTime: String?
        var duration: String?
        var pixFmt: String?
        var colorRange: String?
        var colorSpace: String?
        var colorTransfer: String?
        var colorPrimaries: String?
        var chromaLocation: String?
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

        /// Luminance and primaries; nil for other kinds of side data.
        var light: String? {
            switch sideDataType {
            case "Mastering display metadata":
                "mastering \(number(redX)) \(number(whitePointY)) \(number(minLuminance))...\(number(maxLuminance))"
            case "Content light level metadata": "light level \(maxContent ?? -1), \(maxAverage ?? -1)"
            default: nil
            }
        }

        /// The value of a fraction: formats state the same number with different denominators.
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
        var flags: String?

        var time: Double? { ptsTime.flatMap { Double($0) } }
        var duration: Double? { durationTime.flatMap { Double($0) } }
    }

    struct Chapter: Decodable {
        var startTime: String
        var endTime: String
        var tags: [String: String]?
    }

    struct Format: Decodable {
        var formatName: String
        var tags: [String: String]?
    }

    struct Frame: Decodable {
        var streamIndex: Int
        var ptsTime: String?
        var sideDataList: [SideData]?
    }

    /// One item of ffprobe's output, in file order.
    private enum Item: Decodable {
        case packet(Packet)
        case frame(Frame)
        case other

        private enum Keys: CodingKey { case type }

        init(from decoder: any Decoder) throws {
            switch try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .type) {
            case "packet": self = .packet(try Packet(from: decoder))
            case "frame": self = .frame(try Frame(from: decoder))
            default: self = .other
            }
        }

        var packet: Packet? { if case .packet(let packet) = self { packet } else { nil } }
        var frame: Frame? { if case .frame(let frame) = self { frame } else { nil } }
    }

    private struct Whole: Decodable {
        var streams: [Stream]
        var packetsAndFrames: [Item]
        var chapters: [Chapter]
        var format: Format
    }

    let streams: [Stream]
    let chapters: [Chapter]
    let tags: [String: String]
    let format: String
    /// The packets of each stream, by stream index.
    let packets: [Int: [Packet]]
    let frames: [Frame]

    init(_ path: String) throws {
        let text = try tool(
            "ffprobe",
            [
                "-v", "error", "-of", "json", "-show_streams", "-show_packets", "-show_frames", "-show_chapters",
                "-show_format", "-show_data_hash", "md5", path,
            ])
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let whole = try decoder.decode(Whole.self, from: Data(text.utf8))
        streams = whole.streams.map { stream in
            var stream = stream
            stream.tags = Self.lowercased(stream.tags)
            return stream
        }
        chapters = whole.chapters
        format = whole.format.formatName
        tags = Self.lowercased(whole.format.tags) ?? [:]
        packets = Dictionary(grouping: whole.packetsAndFrames.compactMap(\.packet), by: \.streamIndex)
        let video = streams.first { $0.kind == "video" }?.index
        frames = whole.packetsAndFrames.compactMap(\.frame).filter { $0.streamIndex == video }
    }

    /// Returns the tags with keys in lower case; Matroska writes them in capitals.
    private static func lowercased(_ tags: [String: String]?) -> [String: String]? {
        tags.map { tags in tags.reduce(into: [:]) { $0[$1.key.lowercased()] = $1.value } }
    }

    var video: Stream? { streams.first { $0.kind == "video" } }
    /// The presentation times of the frames.
    var times: [Double] { frames.compactMap { $0.ptsTime.flatMap { Double($0) } } }
    /// When the last frame of the video ends: in Matroska, whose video blocks have no durations, from a tag; in movies,
    /// from the track's length. nil for transport streams, and where libavformat underestimates the length of reordered
    /// frames with uneven times.
    var end: Double? {
        guard let video, let last = times.last else { return nil }
        var end: Double?
        if let tag = video.tags?["duration"] {
            end = tag.split(separator: ":").reduce(0.0) { $0 * 60 + (Double($1) ?? 0) }
        } else if format.contains("mp4"), let start = video.startTime.flatMap(Double.init) {
            end = video.duration.flatMap(Double.init).map { start + $0 }
        }
        return end.flatMap { $0 > last ? $0 : nil }
    }
    /// Mastering luminance and primaries as stated by the container.
    var light: [String] { Set((video?.sideDataList ?? []).compactMap(\.light)).sorted() }
    /// Mastering luminance and primaries as stated by the frames.
    var lightOfPictures: [String] { Set((frames.first?.sideDataList ?? []).compactMap(\.light)).sorted() }
    var rotation: Double { video?.sideDataList?.compactMap(\.rotation).first ?? 0 }

    /// The sample aspect ratio of the video; 1 if unknown.
    var aspect: Double {
        let terms = (video?.sampleAspectRatio ?? "").split(separator: ":").compactMap { Double($0) }
        return terms.count == 2 && terms[1] > 0 ? terms[0] / terms[1] : 1
    }

    /// When the first presented packet of a stream begins; times before zero count as zero.
    func begin(of stream: Stream) -> Double? { packets[stream.index]?.compactMap(\.time).min().map { max(0, $0) } }

    func streams(_ kind: String) -> [Stream] { streams.filter { $0.kind == kind } }
}

/// One subtitle as displayed.
struct ShownSubtitle: Equatable, CustomStringConvertible {
    var start: Double
    var end: Double
    var text: String

    var description: String { "\(start)...\(end) \(text)" }

    /// The subtitles of a file's text streams, by stream.
    static func all(in path: String, count: Int) throws -> [[ShownSubtitle]] {
        guard count > 0 else { return [] }
        let folder = try TemporaryFolder()
        let names = (0..<count).map { "\($0).srt" }
        let outputs = names.enumerated().flatMap { ["-map", "0:s:\($0.offset)", folder.path($0.element)] }
        _ = try tool("ffmpeg", ["-v", "error", "-copyts", "-i", path] + outputs)
        return try names.map { name in
            let text = String(decoding: try folder.data(name), as: UTF8.self)
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
