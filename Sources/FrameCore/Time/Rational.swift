/// Fraction of two 32-bit integers, for rates and aspect ratios.
public struct Rational: Sendable, Hashable, Codable {
    /// Above the line.
    public var numerator: Int32
    /// Below the line; 0 makes it no number.
    public var denominator: Int32

    /// The fraction as given, not reduced.
    public init(_ numerator: Int32, _ denominator: Int32) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// Lowest terms of `numerator/denominator`; nil when the denominator is zero or the result does not fit 32 bits.
    public init?(reducing numerator: Int64, _ denominator: Int64) {
        guard denominator != 0, numerator != .min, denominator != .min else { return nil }
        let divisor = max(1, greatestCommonDivisor(numerator, denominator)) * (denominator < 0 ? -1 : 1)
        guard let n = Int32(exactly: numerator / divisor), let d = Int32(exactly: denominator / divisor) else {
            return nil
        }
        self.init(n, d)
    }

    /// Whether it is a number above zero, both parts positive.
    public var isPositive: Bool { numerator > 0 && denominator > 0 }
    /// The nearest floating-point number: for display and kernels, not for reckoning.
    public var doubleValue: Double { Double(numerator) / Double(denominator) }
    /// The same fraction in lowest terms with a positive denominator; itself where there is none.
    public var reduced: Rational { Rational(reducing: Int64(numerator), Int64(denominator)) ?? self }
}

extension Rational: CustomStringConvertible {
    /// `30000/1001`, or `25` for a whole number.
    public var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}

/// Greatest common divisor of the magnitudes; `gcd(0, n)` is `n`. Saturates where only `Int64.min` divides both.
package func greatestCommonDivisor(_ a: Int64, _ b: Int64) -> Int64 {
    var (a, b) = (a.magnitude, b.magnitude)
    while b != 0 { (a, b) = (b, a % b) }
    return Int64(clamping: a)
}
