/// A fraction of two 32-bit integers, for rates and aspect ratios.
public struct Rational: Sendable, Hashable, Codable {
    /// The number above the fraction bar.
    public var numerator: Int32
    /// The number below the fraction bar; if it is 0, the fraction is not a number.
    public var denominator: Int32

    /// Creates the fraction as given, without reducing it.
    public init(_ numerator: Int32, _ denominator: Int32) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// Creates `numerator/denominator` in lowest terms; nil if `denominator` is 0 or the result does not fit 32 bits.
    public init?(reducing numerator: Int64, _ denominator: Int64) {
        guard denominator != 0, numerator != .min, denominator != .min else { return nil }
        let divisor = max(1, greatestCommonDivisor(numerator, denominator)) * (denominator < 0 ? -1 : 1)
        guard let n = Int32(exactly: numerator / divisor), let d = Int32(exactly: denominator / divisor) else {
            return nil
        }
        self.init(n, d)
    }

    /// Whether numerator and denominator are both positive.
    public var isPositive: Bool { numerator > 0 && denominator > 0 }
    /// The nearest floating-point number; for display and kernels, not for exact arithmetic.
    public var doubleValue: Double { Double(numerator) / Double(denominator) }
    /// The same fraction in lowest terms with a positive denominator; unchanged if that does not exist.
    public var reduced: Rational { Rational(reducing: Int64(numerator), Int64(denominator)) ?? self }
}

extension Rational: CustomStringConvertible {
    /// The fraction as text: `30000/1001`, or `25` for a whole number.
    public var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}

/// Returns the greatest common divisor of the magnitudes; `gcd(0, n)` is `n`. Saturates if it is 2⁶³.
package func greatestCommonDivisor(_ a: Int64, _ b: Int64) -> Int64 {
    var (a, b) = (a.magnitude, b.magnitude)
    while b != 0 { (a, b) = (b, a % b) }
    return Int64(clamping: a)
}

/// Returns the quotient rounded toward minus infinity.
///
/// - Parameter divisor: must be positive.
package func floorDivide(_ dividend: Int64, _ divisor: Int64) -> Int64 {
    dividend / divisor - (dividend % divisor < 0 ? 1 : 0)
}

extension Rational {
    /// Parses a non-negative decimal or fraction without a sign, such as `12`, `0.25`, `.5` or `1/3`; nil if `text` is
    /// neither, has more than 9 decimal places, or needs a numerator or denominator of more than 31 bits.
    package init?(exactly text: Substring) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2 {
            guard let n = Self.wholeNumber(parts[0]), let d = Self.wholeNumber(parts[1]), d > 0 else { return nil }
            self.init(reducing: n, d)
            return
        }
        let digits = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 1, let whole = digits.first, digits.contains(where: { !$0.isEmpty }) else { return nil }
        let fraction = digits.count == 2 ? digits[1] : ""
        guard fraction.count <= 9, let w = whole.isEmpty ? 0 : Self.wholeNumber(whole),
            let f = fraction.isEmpty ? 0 : Self.wholeNumber(fraction)
        else { return nil }
        let scale = (0..<fraction.count).reduce(Int64(1)) { product, _ in product * 10 }
        self.init(reducing: w * scale + f, scale)
    }

    private static func wholeNumber(_ text: Substring) -> Int64? {
        guard (1...9).contains(text.count), text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        return Int64(text)
    }
}

extension Rational {
    /// Frame rates in common use, in frames per second.
    package static let usualFrameRates: [Rational] =
        [1, 2, 5, 6, 8, 10, 12, 15, 16, 18, 20, 24, 25, 30, 48, 50, 60, 72, 90, 100, 120, 144, 240].map {
            Rational($0, 1)
        } + [Rational(25, 2)] + [12, 15, 24, 30, 48, 60, 120, 240].map { Rational($0 * 1000, 1001) }
}
