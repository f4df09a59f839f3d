package import FrameCore

/// Points in time as written on the command line, exact.
package enum TimeValue {
    /// - Parameters:
    ///   - text: seconds as a decimal with 9 places at most, or a fraction, with or without a minus.
    ///   - option: name of the option, for the error's sentence.
    /// - Throws: ``FrameError`` when it is none.
    package static func parse(_ text: String, option: String) throws(FrameError) -> MediaTime {
        let trimmed = Substring(text).trimmingSpaces()
        let isNegative = trimmed.hasPrefix("-")
        guard let time = magnitude(isNegative ? trimmed.dropFirst() : trimmed) else {
            throw FrameError(
                .invalidArgument,
                "\(option) '\(text)' is not a time; give seconds such as 3.2 (9 decimal places at most) or a fraction such as 10/3"
            )
        }
        return isNegative ? .zero - time : time
    }

    private static func magnitude(_ text: Substring) -> MediaTime? {
        if text.contains("/") {
            return Rational(exactly: text).map { MediaTime(value: Int64($0.numerator), timescale: $0.denominator) }
        }
        // Whole seconds and their parts apart, so that long times keep all their decimals.
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = Rational(exactly: parts.first.map { $0.isEmpty ? "0" : $0 } ?? ""), whole.denominator == 1,
            parts.contains(where: { !$0.isEmpty })
        else { return nil }
        let start = MediaTime(value: Int64(whole.numerator), timescale: 1)
        guard parts.count == 2, !parts[1].isEmpty else { return start }
        return Rational(exactly: "0." + parts[1]).map {
            start + MediaTime(value: Int64($0.numerator), timescale: $0.denominator)
        }
    }
}
