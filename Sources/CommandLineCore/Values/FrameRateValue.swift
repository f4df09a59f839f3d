package import FrameCore

/// Frame rates as written on the command line.
package enum FrameRateValue {
    /// Whole rates that also exist slowed down by 1000/1001.
    private static let ntscRates: [Int32] = [24, 30, 48, 60, 72, 90, 96, 100, 120, 144, 240]

    /// - Parameters:
    ///   - text: `60`, `24000/1001`, or a decimal; `23.976`, `29.97`, `59.94` and their like (within 0.005 of n·1000/1001) mean
    ///     the exact rate, other decimals are taken as they stand.
    ///   - option: name of the option, for the error's sentence.
    /// - Throws: ``FrameError`` when it is not a number from 1 to 1000.
    package static func parse(_ text: String, option: String) throws(FrameError) -> Rational {
        guard let value = Rational(exactly: Substring(text).trimmingSpaces()) else {
            throw FrameError(
                .invalidArgument,
                "\(option) '\(text)' is not a frame rate; give a number such as 60 or 23.976 or a fraction such as 24000/1001"
            )
        }
        guard value.numerator >= value.denominator, Int64(value.numerator) <= 1000 * Int64(value.denominator) else {
            throw FrameError(.invalidArgument, "\(option) \(text) is not allowed; a frame rate is 1 to 1000")
        }
        guard text.contains("."), value.denominator > 1 else { return value }
        for rate in ntscRates {
            let exact = Rational(rate * 1000, 1001).reduced
            // |value − exact| ≤ 1/200, in whole numbers.
            let difference =
                Int64(value.numerator) * Int64(exact.denominator) - Int64(exact.numerator) * Int64(value.denominator)
            if abs(difference) * 200 <= Int64(value.denominator) * Int64(exact.denominator) { return exact }
        }
        return value
    }
}
