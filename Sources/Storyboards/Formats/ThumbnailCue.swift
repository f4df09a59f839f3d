public import FrameCore

/// One stretch of a thumbnail track and where its picture lies.
public struct ThumbnailCue: Sendable, Hashable {
    /// When it begins.
    public var start: MediaTime
    /// When it ends.
    public var end: MediaTime
    /// The image as the track names it, fragment taken off.
    public var image: String
    /// The part of the image in pixels; nil for all of it.
    public var part: Part?

    /// A part of an image, in pixels.
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

    /// A cue.
    public init(start: MediaTime, end: MediaTime, image: String, part: Part? = nil) {
        self.start = start
        self.end = end
        self.image = image
        self.part = part
    }

    /// The cues of a WebVTT file whose payloads are images, in order of time.
    ///
    /// Names of cues, settings, comments and both forms of fragments (`#xywh=x,y,w,h`, also with `pixel:`, and
    /// `#x,y,w,h`) are understood.
    /// - Throws: `FrameError` that names the line, for bad times, bad coordinates, and files that are no WebVTT.
    public static func parse(webVTT text: String) throws(FrameError) -> [ThumbnailCue] {
        var lines = TextLines(text), number = 1
        let head = lines.next().map { $0.hasPrefix("\u{FEFF}") ? $0.dropFirst() : $0 } ?? ""
        guard head == "WEBVTT" || head.hasPrefix("WEBVTT ") || head.hasPrefix("WEBVTT\t") else {
            throw FrameError(.input, "this is no WebVTT file: it does not begin with WEBVTT")
        }
        var cues: [ThumbnailCue] = []
        while let line = lines.next() {
            number += 1
            guard let arrow = line.firstRange(of: "-->") else { continue }
            let before = line[..<arrow.lowerBound].split(whereSeparator: \.isWhitespace)
            let after = line[arrow.upperBound...].split(whereSeparator: \.isWhitespace)
            guard before.count == 1, let start = time(before[0]), let end = after.first.flatMap(time), start < end
            else {
                throw FrameError(.input, "line \(number) has no times from earlier to later: '\(line.prefix(80))'")
            }
            guard let below = lines.next(), !below.allSatisfy(\.isWhitespace) else {
                throw FrameError(.input, "the cue at line \(number) names no image")
            }
            number += 1
            cues.append(try cue(start, end, below.drop(while: \.isWhitespace), line: number))
        }
        guard !cues.isEmpty else { throw FrameError(.input, "there are no cues in it") }
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
                .input, "line \(line) has no part of an image such as #xywh=0,0,320,180: '\(payload.prefix(80))'")
        }
        return ThumbnailCue(
            start: start, end: end, image: String(payload[..<hash]),
            part: Part(x: x, y: y, width: width, height: height))
    }

    /// `(HH:)MM:SS.mmm`.
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

/// Numbered images with a fixed grid of tiles each, as castLabs' players describe them.
public struct ThumbnailGrid: Sendable, Hashable {
    /// What the images' names are put behind; may hold `$index$`.
    public var baseURL: String
    /// The images' names, `$index$` standing for a number that begins at 1.
    public var pathTemplate: String
    /// Tiles side by side.
    public var columns: Int
    /// Tiles one below the other.
    public var rows: Int
    /// How long a tile stands, in milliseconds.
    public var durationMilliseconds: Int64
    /// Number of the last image; nil when not known.
    public var maximumIndex: Int?

    /// Images that a grid may have.
    public static let indexRange = 1...100_000
    /// Bytes that its base address and its template may have, each.
    public static let maximumAddressBytes = 2048

    /// A grid.
    ///
    /// - Throws: `FrameError` for sides below 1, for more than is allowed, and where `$index$` stands nowhere.
    public init(
        baseURL: String, pathTemplate: String, columns: Int, rows: Int, durationMilliseconds: Int64,
        maximumIndex: Int? = nil
    ) throws(FrameError) {
        guard (1...1000).contains(columns), (1...1000).contains(rows), durationMilliseconds >= 1,
            durationMilliseconds <= 86_400_000, maximumIndex.map(Self.indexRange.contains) ?? true
        else {
            throw FrameError(
                .input,
                "a grid of \(columns)x\(rows) tiles of \(durationMilliseconds) ms is not allowed; all are at least 1")
        }
        guard max(baseURL.utf8.count, pathTemplate.utf8.count) <= Self.maximumAddressBytes else {
            throw FrameError(
                .input, "the grid's address is longer than the \(Self.maximumAddressBytes) bytes that are allowed")
        }
        guard maximumIndex == 1 || baseURL.contains("$index$") || pathTemplate.contains("$index$") else {
            throw FrameError(.input, "neither base address nor template holds $index$")
        }
        self.baseURL = baseURL
        self.pathTemplate = pathTemplate
        self.columns = columns
        self.rows = rows
        self.durationMilliseconds = durationMilliseconds
        self.maximumIndex = maximumIndex
    }

    /// The name of an image.
    /// - Parameter index: from 1.
    public func image(_ index: Int) -> String {
        let base = baseURL.isEmpty || baseURL.hasSuffix("/") || baseURL.contains("$index$") ? baseURL : baseURL + "/"
        return (base + pathTemplate).replacing("$index$", with: String(index))
    }
}
