package import FrameCore

/// A model as text, so that it can be measured once and used elsewhere:
///
///     noise model 1
///     plane 2.31
///     deviations 2.02 2.11 …    16 standard deviations, from black to white
///     spectrum 1.3 1.2 …        64 parts of the variance, row by row
///     plane 0.87
///     …
///
/// The number after `plane` is the standard deviation over all ranges of brightness. All standard deviations are in
/// 8-bit code values. Empty lines and lines that begin with `#` are ignored. Parts of the variance are at least 0.001, because the filter
/// divides by them.
extension NoiseModel {
    /// The maximum length of a text in bytes.
    package static let maximumTextLength = 64 << 10
    private static let heading = "noise model 1"

    /// The model as text; ``init(text:)`` returns the same model.
    public var text: String {
        var lines = [Self.heading]
        for plane in planes {
            lines.append("plane \(plane.overall)")
            lines.append("deviations " + plane.deviations.map { "\($0)" }.joined(separator: " "))
            lines.append("spectrum " + plane.spectrum.map { "\($0)" }.joined(separator: " "))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A checksum that identifies the model.
    package var checksum: UInt32 { CRC32.of(text.utf8) }

    /// Reads a model from text.
    ///
    /// - Throws: `FrameError` that names the line if the text is not a model.
    public init(text: String) throws(FrameError) {
        guard text.utf8.count <= Self.maximumTextLength else {
            throw FrameError(
                .invalidArgument,
                "the noise model has \(text.utf8.count) bytes; at most \(Self.maximumTextLength) are allowed")
        }
        var lines: [(number: Int, words: [Substring])] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let words = line.split(whereSeparator: \.isWhitespace)
            if let first = words.first, !first.hasPrefix("#") { lines.append((index + 1, words)) }
        }
        guard let first = lines.first, first.words.joined(separator: " ") == Self.heading else {
            throw FrameError(.invalidArgument, "this is not a noise model; its first line is '\(Self.heading)'")
        }
        lines.removeFirst()
        guard [3, 9].contains(lines.count) else {
            throw FrameError(
                .invalidArgument,
                "the noise model has \(lines.count) lines after the first; it has 3 for each plane, of which there are 1 or 3"
            )
        }
        var planes: [PlaneNoise] = []
        for start in stride(from: 0, to: lines.count, by: 3) {
            planes.append(
                PlaneNoise(
                    deviations: try Self.numbers(lines[start + 1], "deviations", PlaneNoise.rangeCount),
                    spectrum: try Self.numbers(lines[start + 2], "spectrum", PlaneNoise.coefficientCount, from: 0.001),
                    overall: try Self.numbers(lines[start], "plane", 1)[0]))
        }
        self.init(planes: planes)
    }

    private static func numbers(
        _ line: (number: Int, words: [Substring]), _ name: String, _ count: Int, from least: Float = 0
    ) throws(FrameError) -> [Float] {
        guard line.words.first.map(String.init) == name, line.words.count == count + 1 else {
            throw FrameError(
                .invalidArgument,
                "line \(line.number) of the noise model is not '\(name)' and \(count) number\(count == 1 ? "" : "s")")
        }
        var numbers: [Float] = []
        for word in line.words.dropFirst() {
            guard let number = Float(word), (least...255).contains(number) else {
                throw FrameError(
                    .invalidArgument,
                    "'\(word)' in line \(line.number) of the noise model is not a number from \(least == 0 ? "0" : "\(least)") to 255"
                )
            }
            numbers.append(number)
        }
        return numbers
    }
}
