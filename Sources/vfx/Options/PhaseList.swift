package import FrameCore
internal import Pipeline

/// Phases as written on the command line, exact.
package enum PhaseList {
    /// - Parameter text: numbers (`0.25`) or fractions (`1/3`) between 0 and 1, ascending, separated by commas.
    /// - Throws: ``FrameError`` that names the first entry that is not allowed.
    package static func parse(_ text: String) throws(FrameError) -> [Rational] {
        var phases: [Rational] = []
        var previous: (text: Substring, value: Rational)?
        for entry in text.split(separator: ",", omittingEmptySubsequences: false) {
            let entry = entry.trimmingSpaces()
            let isNegative = entry.hasPrefix("-")
            guard let value = ExactNumber.parse(isNegative ? entry.dropFirst() : entry) else {
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
        guard phases.count <= SlowMotionPlan.maximumPhaseCount else {
            throw FrameError(
                .invalidArgument,
                "\(phases.count) phases were given; 1 to \(SlowMotionPlan.maximumPhaseCount) are allowed")
        }
        return phases
    }
}

/// Decimals and fractions read without rounding.
package enum ExactNumber {
    /// `12`, `0.25`, `.5` or `1/3`, without a sign; nil when `text` is none of these, has more than 9 decimal places or does not
    /// fit 31 bits over 31 bits.
    package static func parse(_ text: Substring) -> Rational? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2 {
            guard let n = wholeNumber(parts[0]), let d = wholeNumber(parts[1]), d > 0 else { return nil }
            return Rational(reducing: n, d)
        }
        let digits = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 1, let whole = digits.first, digits.contains(where: { !$0.isEmpty }) else { return nil }
        let fraction = digits.count == 2 ? digits[1] : ""
        guard fraction.count <= 9, let w = whole.isEmpty ? 0 : wholeNumber(whole),
            let f = fraction.isEmpty ? 0 : wholeNumber(fraction)
        else { return nil }
        let scale = (0..<fraction.count).reduce(Int64(1)) { product, _ in product * 10 }
        return Rational(reducing: w * scale + f, scale)
    }

    private static func wholeNumber(_ text: Substring) -> Int64? {
        guard (1...9).contains(text.count), text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        return Int64(text)
    }
}

extension Substring {
    func trimmingSpaces() -> Substring {
        var text = drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
