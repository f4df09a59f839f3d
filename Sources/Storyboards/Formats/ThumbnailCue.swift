public import FrameCore

/// An interval of a thumbnail track and the location of its image.
public struct ThumbnailCue: Sendable, Hashable {
    /// The start time.
    public var start: MediaTime
    /// The end time.
    public var end: MediaTime
    /// The image as the track names it, without the fragment.
    public var image: String
    /// The region of the image, in pixels; nil for the whole image.
    public var part: Part?

    /// A region of an image, in pixels.
    public struct Part: Sendable, Hashable {
        /// Left edge.
        public var x: Int
        /// Upper edge.
        public var y: Int
        /// Width, at least 1.
        public var width: Int
        /// Height, at least 1.
        public var height: Int
    }

    /// Creates a cue.
    public init(start: MediaTime, end: MediaTime, image: String, part: Part? = nil) {
        self.start = start
        self.end = end
        self.image = image
        self.part = part
    }
}

extension ThumbnailCue {
    /// Parses a WebVTT file whose payloads are images, and returns its cues in time order.
    ///
    /// Accepts cue names, settings, comments and both forms of fragments: `#xywh=x,y,w,h`, optionally with `pixel:`,
    /// and `#x,y,w,h`.
    /// - Throws: `FrameError` that names the line, for invalid times or coordinates, and for files that are not WebVTT.
    public static func parse(webVTT text: String) throws(FrameError) -> [ThumbnailCue] {
        var lines = TextLines(text), number = 1
        let head = lines.next().map { $0.hasPrefix("\u{FEFF}") ? $0.dropFirst() : $0 } ?? ""
        guard head == "WEBVTT" || head.hasPrefix("WEBVTT ") || head.hasPrefix("WEBVTT\t") else {
            throw FrameError(.input, "this is not a WebVTT file: it does not begin with WEBVTT")
        }
        var cues: [ThumbnailCue] = []
        while let line = lines.next() {
            number += 1
            guard let arrow = line.firstRange(of: "-->") else { continue }
            let before = line[..<arrow.lowerBound].split(whereSeparator: \.isWhitespace)
            let after = line[arrow.upperBound...].split(whereSeparator: \.isWhitespace)
            guard before.count == 1, let start = time(before[0]), let end = after.first.flatMap(time), start < end
            else {
                throw FrameError(
                    .input, "line \(number) has no start time followed by a later end time: '\(line.prefix(80))'")
            }
            guard let below = lines.next(), !below.allSatisfy(\.isWhitespace) else {
                throw FrameError(.input, "the cue at line \(number) names no image")
            }
            number += 1
            cues.append(try cue(start, end, below.drop(while: \.isWhitespace), line: number))
        }
        guard !cues.isEmpty else { throw FrameError(.input, "the WebVTT file has no cues") }
        return cues.sorted { $0.start < $1.start }
    }

    private static func cue(
        _ start: MediaTime, _ end: MediaTime, _ payload: Substring, line: Int
    ) throws(FrameError) -> ThumbnailCue {
        var payload = payload
        while payload.last?.isWhitespace == true { payload.removeLast() }
        guard let hash = payload.lastIndex(of: "#") else {
            return ThumbnailCue(start: start, end: end, image: String(payload))
        }
        var numbers = payload[payload.index(after: hash)...]
        for prefix in ["xywh=", "pixel:"] where numbers.hasPrefix(prefix) { numbers = numbers.dropFirst(prefix.count) }
        let values = numbers.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        let limit = 1 << 20
        guard values.count == 4, let x = values[0], let y = values[1], let width = values[2], let height = values[3],
            (0...limit).contains(x), (0...limit).contains(y), (1...limit).contains(width), (1...limit).contains(height)
        else {
            throw FrameError(
                .input, "line \(line) has no image region such as #xywh=0,0,320,180: '\(payload.prefix(80))'")
        }
        return ThumbnailCue(
            start: start, end: end, image: String(payload[..<hash]),
            part: Part(x: x, y: y, width: width, height: height))
    }

    /// Parses a time of the form `(HH:)MM:SS.mmm`.
    static func time(_ text: Substring) -> MediaTime? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, let last = parts.last else { return nil }
        let seconds = last.split(separator: ".", omittingEmptySubsequences: false)
        func number(_ text: Substring, _ digits: ClosedRange<Int>) -> Int64? {
            guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
            return Int64(text)
        }
        guard seconds.count == 2, let whole = number(seconds[0], 2...2), let fraction = number(seconds[1], 3...3),
            let minutes = number(parts[parts.count - 2], 2...2), whole < 60, minutes < 60,
            let hours = parts.count == 3 ? number(parts[0], 2...6) : 0
        else { return nil }
        return MediaTime(value: ((hours * 60 + minutes) * 60 + whole) * 1000 + fraction, timescale: 1000)
    }
}

/// Iterates over the lines of a text one at a time, so that a file consisting only of line breaks needs no more memory
/// than its bytes. As in WebVTT, a line ends with a line feed, a carriage return or both.
private struct TextLines {
    private var rest: Substring.UTF8View
    private var isOver = false

    init(_ text: String) { rest = text[...].utf8 }

    mutating func next() -> Substring? {
        guard !isOver else { return nil }
        guard let end = rest.firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else {
            isOver = true
            return Substring(rest)
        }
        let line = Substring(rest[..<end])
        var after = rest.index(after: end)
        if rest[end] == UInt8(ascii: "\r"), after < rest.endIndex, rest[after] == UInt8(ascii: "\n") {
            after = rest.index(after: after)
        }
        rest = rest[after...]
        return line
    }
}
