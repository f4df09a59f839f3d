internal import FrameCore

/// A time as a fraction of 128-bit integers, for sums and products that must not round on the way.
///
/// Times and rates come in as fractions of at most 63 and 31 bits, so one product of each stays far inside 128 bits.
struct ExactTime: Sendable, Comparable {
    let numerator: Int128
    /// Always positive.
    let denominator: Int128

    private init(numerator: Int128, denominator: Int128) {
        self.numerator = numerator
        self.denominator = denominator
    }

    init(_ time: MediaTime) {
        self.init(reducing: Int128(time.value), Int128(time.timescale))
    }

    init(_ ratio: Rational) {
        self.init(reducing: Int128(ratio.numerator), Int128(ratio.denominator))
    }

    init(_ count: Int) { self.init(numerator: Int128(count), denominator: 1) }

    private init(reducing numerator: Int128, _ denominator: Int128) {
        var (a, b) = (numerator.magnitude, denominator.magnitude)
        while b != 0 { (a, b) = (b, a % b) }
        let divisor = Int128(max(1, a)) * (denominator < 0 ? -1 : 1)
        self.init(numerator: numerator / divisor, denominator: max(1, denominator / divisor))
    }

    static func + (a: ExactTime, b: ExactTime) -> ExactTime {
        ExactTime(reducing: a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator)
    }

    static func - (a: ExactTime, b: ExactTime) -> ExactTime {
        ExactTime(reducing: a.numerator * b.denominator - b.numerator * a.denominator, a.denominator * b.denominator)
    }

    static func * (a: ExactTime, b: ExactTime) -> ExactTime {
        ExactTime(reducing: a.numerator * b.numerator, a.denominator * b.denominator)
    }

    /// The quotient; `a` itself when `b` is zero.
    static func / (a: ExactTime, b: ExactTime) -> ExactTime {
        b.numerator == 0 ? a : ExactTime(reducing: a.numerator * b.denominator, a.denominator * b.numerator)
    }

    static func < (a: ExactTime, b: ExactTime) -> Bool {
        a.numerator * b.denominator < b.numerator * a.denominator
    }

    static func == (a: ExactTime, b: ExactTime) -> Bool {
        a.numerator == b.numerator && a.denominator == b.denominator
    }

    /// Nearest integer, halves up.
    var rounded: Int {
        let twice = 2 * numerator + denominator
        let step = 2 * denominator
        let quotient = twice / step
        return Int(clamping: twice % step < 0 ? quotient - 1 : quotient)
    }

    /// Smallest integer not below.
    var roundedUp: Int {
        let quotient = numerator / denominator
        return Int(clamping: numerator % denominator > 0 ? quotient + 1 : quotient)
    }

    /// As a fraction of 31-bit numbers; nil where it does not fit.
    var rational: Rational? {
        guard let n = Int32(exactly: numerator), let d = Int32(exactly: denominator) else { return nil }
        return Rational(n, d)
    }

    /// The longest time of which both are whole multiples.
    func commonTick(with other: ExactTime) -> ExactTime {
        var (a, b) = ((numerator * other.denominator).magnitude, (other.numerator * denominator).magnitude)
        while b != 0 { (a, b) = (b, a % b) }
        return ExactTime(reducing: Int128(a), denominator * other.denominator)
    }

    var isPositive: Bool { numerator > 0 }
    var floatValue: Float { Float(Double(numerator) / Double(denominator)) }

    /// The same time as a `MediaTime`: exact where its timescale fits 31 bits, else rounded to the nearest tick of the
    /// largest whole part of the denominator's scale that fits.
    var mediaTime: MediaTime {
        if let timescale = Int32(exactly: denominator) {
            return MediaTime(value: Int64(clamping: numerator), timescale: timescale)
        }
        // 705600000 ("flicks") divides by every usual frame and sample rate; one tick is 1.4 ns.
        let timescale: Int32 = 705_600_000
        let (whole, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
        let fraction = ExactTime(reducing: rest, denominator) * ExactTime(Int(timescale))
        return MediaTime(value: Int64(clamping: whole * Int128(timescale) + Int128(fraction.rounded)), timescale: timescale)
    }
}
