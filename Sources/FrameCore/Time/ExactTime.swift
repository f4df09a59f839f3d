/// A time as a fraction of 128-bit integers, for sums and products whose intermediate results must not be rounded.
///
/// Results are exact while they fit into 127 bits, which holds for every realistic time. Beyond that (for example, a
/// damaged timestamp of centuries in nanoseconds), operands are first cut to 62 significant bits; nothing traps.
package struct ExactTime: Sendable, Hashable, Comparable {
    package let numerator: Int128
    /// Always positive.
    package let denominator: Int128

    private init(numerator: Int128, denominator: Int128) {
        self.numerator = numerator
        self.denominator = denominator
    }

    package init(_ time: MediaTime) {
        self.init(reducing: Int128(time.value), Int128(time.timescale))
    }

    package init(_ ratio: Rational) {
        self.init(reducing: Int128(ratio.numerator), Int128(ratio.denominator))
    }

    package init(_ count: Int) { self.init(numerator: Int128(count), denominator: 1) }

    private init(reducing numerator: Int128, _ denominator: Int128) {
        var (a, b) = (numerator.magnitude, denominator.magnitude)
        while b != 0 { (a, b) = (b, a % b) }
        let divisor = Int128(max(1, a)) * (denominator < 0 ? -1 : 1)
        self.init(numerator: numerator / divisor, denominator: max(1, denominator / divisor))
    }

    package static func + (a: ExactTime, b: ExactTime) -> ExactTime {
        crossed(a, b) { x, y in x.addingReportingOverflow(y) }
    }

    package static func - (a: ExactTime, b: ExactTime) -> ExactTime {
        crossed(a, b) { x, y in x.subtractingReportingOverflow(y) }
    }

    package static func * (a: ExactTime, b: ExactTime) -> ExactTime {
        let n = a.numerator.multipliedReportingOverflow(by: b.numerator)
        let d = a.denominator.multipliedReportingOverflow(by: b.denominator)
        guard n.overflow || d.overflow else { return ExactTime(reducing: n.partialValue, d.partialValue) }
        let (x, y) = (a.shortened, b.shortened)
        return ExactTime(reducing: x.numerator * y.numerator, x.denominator * y.denominator)
    }

    /// Returns the quotient, or `a` if `b` is zero.
    package static func / (a: ExactTime, b: ExactTime) -> ExactTime {
        guard b.numerator != 0 else { return a }
        let b = b.shortened
        return a * ExactTime(reducing: b.denominator, b.numerator)
    }

    package static func < (a: ExactTime, b: ExactTime) -> Bool {
        let left = a.numerator.multipliedReportingOverflow(by: b.denominator)
        let right = b.numerator.multipliedReportingOverflow(by: a.denominator)
        guard left.overflow || right.overflow else { return left.partialValue < right.partialValue }
        let (x, y) = (a.shortened, b.shortened)
        return x.numerator * y.denominator < y.numerator * x.denominator
    }

    private static func crossed(
        _ a: ExactTime, _ b: ExactTime, _ operation: (Int128, Int128) -> (partialValue: Int128, overflow: Bool)
    ) -> ExactTime {
        let left = a.numerator.multipliedReportingOverflow(by: b.denominator)
        let right = b.numerator.multipliedReportingOverflow(by: a.denominator)
        let bottom = a.denominator.multipliedReportingOverflow(by: b.denominator)
        let top = operation(left.partialValue, right.partialValue)
        guard left.overflow || right.overflow || bottom.overflow || top.overflow else {
            return ExactTime(reducing: top.partialValue, bottom.partialValue)
        }
        let (x, y) = (a.shortened, b.shortened)
        let shorter = operation(x.numerator * y.denominator, y.numerator * x.denominator).partialValue
        return ExactTime(reducing: shorter, x.denominator * y.denominator)
    }

    /// The same value within a relative error of 2⁻⁶¹, in parts of at most 62 bits, whose products and sums fit into
    /// 127 bits.
    private var shortened: ExactTime {
        var (n, d) = (numerator, denominator)
        let limit = Int128(1) << 62
        while n.magnitude > limit.magnitude || d > limit { (n, d) = (n >> 1, max(1, d >> 1)) }
        return ExactTime(numerator: n, denominator: d)
    }

    package static func == (a: ExactTime, b: ExactTime) -> Bool {
        a.numerator == b.numerator && a.denominator == b.denominator
    }

    /// The nearest integer; halves round up.
    package var rounded: Int {
        let short = shortened
        let twice = 2 * short.numerator + short.denominator
        let step = 2 * short.denominator
        let quotient = twice / step
        return Int(clamping: twice % step < 0 ? quotient - 1 : quotient)
    }

    /// The smallest integer that is not below the value.
    package var roundedUp: Int {
        let quotient = numerator / denominator
        return Int(clamping: numerator % denominator > 0 ? quotient + 1 : quotient)
    }

    /// The value as a fraction of 31-bit numbers; nil if it does not fit.
    package var rational: Rational? {
        guard let n = Int32(exactly: numerator), let d = Int32(exactly: denominator) else { return nil }
        return Rational(n, d)
    }

    /// Returns the longest time of which both values are whole multiples.
    package func commonTick(with other: ExactTime) -> ExactTime {
        let (x, y) = (shortened, other.shortened)
        var (a, b) = ((x.numerator * y.denominator).magnitude, (y.numerator * x.denominator).magnitude)
        while b != 0 { (a, b) = (b, a % b) }
        return ExactTime(reducing: Int128(a), x.denominator * y.denominator)
    }

    package var isPositive: Bool { numerator > 0 }
    package var floatValue: Float { Float(doubleValue) }
    package var doubleValue: Double { Double(numerator) / Double(denominator) }

    /// The time as a `MediaTime`: exact if the denominator fits 31 bits, otherwise rounded to the nearest 1/705600000
    /// s.
    package var mediaTime: MediaTime {
        if let timescale = Int32(exactly: denominator) {
            return MediaTime(value: Int64(clamping: numerator), timescale: timescale)
        }
        // 705600000 ("flicks") is divisible by every common frame and sample rate; one tick is 1.4 ns.
        let timescale: Int32 = 705_600_000
        let (whole, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
        let fraction = ExactTime(reducing: rest, denominator) * ExactTime(Int(timescale))
        return MediaTime(
            value: Int64(clamping: whole * Int128(timescale) + Int128(fraction.rounded)), timescale: timescale)
    }
}
