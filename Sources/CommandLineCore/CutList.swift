package import FrameCore

/// A list of scene cuts, as other programs write it.
///
/// Four forms are read: one position per line, as ``OptionValue/position(_:option:)`` reads it; the scene list of
/// PySceneDetect (CSV); an edit decision list (CMX 3600, record times); and the lists of `vfx info --write-cuts`, which
/// are of the first form. Empty lines and what follows a `#` are ignored.
package struct CutList: Sendable, Equatable {
    /// A cut and the line that it stands on.
    package struct Entry: Sendable, Equatable {
        /// The number of the line, from 1.
        package let line: Int
        /// The first frame of the new scene.
        package let position: ClipPosition

        package init(line: Int, position: ClipPosition) {
            self.line = line
            self.position = position
        }
    }

    /// The largest file that is read, in bytes.
    package static let maximumBytes = 16 << 20
    package private(set) var entries: [Entry] = []

    /// - Parameters:
    ///   - text: the file's contents.
    ///   - rate: the clip's frame rate, in which an edit decision list counts; nil if unknown.
    /// - Throws: ``FrameError`` that names the line that is not understood.
    package init(_ text: String, rate: Rational?) throws(FrameError) {
        // A carriage return and a line feed are one character.
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated().map {
            (number: $0 + 1, text: $1)
        }
        if let header = lines.first(where: { $0.text.hasPrefix("Scene Number,") }) {
            try readScenes(lines.drop { $0.number <= header.number }, columns: header.text)
        } else if lines.contains(where: { $0.text.hasPrefix("TITLE:") || $0.text.hasPrefix("FCM:") }) {
            try readEdits(lines, rate: rate)
        } else {
            for line in lines {
                let entry = line.text.prefix { $0 != "#" }.trimmingSpaces()
                if entry.isEmpty { continue }
                append(line.number, try OptionValue.position(String(entry), option: "line \(line.number):"))
            }
        }
    }

    private mutating func append(_ line: Int, _ position: ClipPosition) {
        entries.append(Entry(line: line, position: position))
    }

    /// Scenes with the number of their first frame, counted from 1; the clip's first frame is no cut.
    private mutating func readScenes(
        _ lines: some Sequence<(number: Int, text: Substring)>, columns: Substring
    ) throws(FrameError) {
        let names = columns.split(separator: ",", omittingEmptySubsequences: false)
        guard let column = names.firstIndex(of: "Start Frame") else {
            throw FrameError(.input, "the scene list has no column 'Start Frame'")
        }
        for line in lines where !line.text.isEmpty {
            let fields = line.text.split(separator: ",", omittingEmptySubsequences: false)
            guard fields.indices.contains(column), let frame = Int(fields[column]), frame > 0, frame <= Int(Int32.max)
            else { throw FrameError(.input, "line \(line.number) has no frame in the column 'Start Frame'") }
            if frame > 1 { append(line.number, .frame(frame - 1)) }
        }
    }

    /// Events with four times, of which the third is where the event begins in the programme.
    private mutating func readEdits(
        _ lines: [(number: Int, text: Substring)], rate: Rational?
    ) throws(FrameError) {
        guard let rate, rate.isPositive else {
            throw FrameError(.input, "an edit decision list counts frames, but the input states no frame rate")
        }
        let nominal = Int((Int64(rate.numerator) + Int64(rate.denominator) - 1) / Int64(rate.denominator))
        var first: Int?
        for line in lines {
            let fields = line.text.split(separator: " ", omittingEmptySubsequences: true)
            guard fields.count >= 8, Int(fields[0]) != nil else { continue }
            let times = fields.suffix(4).map { Self.frames($0, nominal) }
            guard let begin = times[2] else {
                throw FrameError(
                    .input, "line \(line.number) has no time such as 01:00:05:12 at \(nominal) frames per second")
            }
            if let first, begin > first { append(line.number, .frame(begin - first)) }
            first = min(first ?? begin, begin)
        }
        if first == nil { throw FrameError(.input, "the edit decision list has no events") }
    }

    /// Returns the number of frames of `h:m:s:f`, or of `h:m:s;f`, in which two numbers are dropped each minute but the
    /// tenth, at 30 frames per second.
    private static func frames(_ text: Substring, _ rate: Int) -> Int? {
        let fields = text.split { $0 == ":" || $0 == ";" }.map { Int($0) ?? -1 }
        guard fields.count == 4, fields.allSatisfy({ $0 >= 0 }), fields[0] < 1000, fields[1] < 60, fields[2] < 60,
            fields[3] < rate
        else { return nil }
        let minutes = 60 * fields[0] + fields[1]
        let dropped = text.contains(";") ? rate / 15 * (minutes - minutes / 10) : 0
        return (60 * minutes + fields[2]) * rate + fields[3] - dropped
    }
}
