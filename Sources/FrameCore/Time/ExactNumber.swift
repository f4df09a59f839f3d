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
