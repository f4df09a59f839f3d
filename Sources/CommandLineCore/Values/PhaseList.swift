package import FrameCore

/// Phases as written on the command line, exact.
package enum PhaseList {
    /// - Parameters:
    ///   - text: numbers (`0.25`) or fractions (`1/3`) between 0 and 1, ascending, separated by commas.
    ///   - maximumCount: how many are allowed.
    /// - Throws: ``FrameError`` that names the first entry that is not allowed.
    package static func parse(_ text: String, maximumCount: Int) throws(FrameError) -> [Rational] {
        var phases: [Rational] = []
        var previous: (text: Substring, value: Rational)?
        for entry in text.split(separator: ",", omittingEmptySubsequences: false) {
            let entry = entry.trimmingSpaces()
            let isNegative = entry.hasPrefix("-")
            guard let value = Rational(exactly: isNegative ? entry.dropFirst() : entry) else {
                throw FrameError(
                    .invalidArgument,
                    "phase '\(entry)' is not a number; give decimals such as 0.25 (9 decimal places at most) or fractions such as 1/3"
                )
            }
            guard !isNegative, value.numerator > 0, value.numerator < value.denominator else {
                throw FrameError(
                    .invalidArgument, "phase \(entry) is not allowed; a phase lies strictly between 0 and 1")
            }
            if let previous,
                !(Int64(previous.value.numerator) * Int64(value.denominator)
                    < Int64(value.numerator) * Int64(previous.value.denominator))
            {
                throw FrameError(
                    .invalidArgument,
                    "phase \(entry) comes after phase \(previous.text); phases must ascend, each given once")
            }
            previous = (entry, value)
            phases.append(value)
        }
        guard phases.count <= maximumCount else {
            throw FrameError(
                .invalidArgument, "\(phases.count) phases were given; 1 to \(maximumCount) are allowed")
        }
        return phases
    }
}
