/// A point in time or a duration: `value / timescale` seconds, exact.
///
/// Sums and products are exact as long as the least common timescale fits 31 bits; beyond that they are rounded to the
/// nearest tick of the finer operand. Comparison is always exact.
public struct MediaTime: Sendable, Hashable, Codable {
    /// The number of ticks.
    public var value: Int64
    /// The number of ticks per second, at least 1.
    public var timescale: Int32

    /// Creates a time of `value / timescale` seconds.
    ///
    /// - Parameters:
    ///   - value: number of ticks.
    ///   - timescale: ticks per second; values below 1 count as 1.
    public init(value: Int64, timescale: Int32) {
        self.value = value
        self.timescale = max(1, timescale)
    }

    /// - Throws: an error of the decoder, or `DecodingError` if the timescale is below 1.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        value = try values.decode(Int64.self, forKey: .value)
        timescale = try values.decode(Int32.self, forKey: .timescale)
        guard timescale >= 1 else {
            throw DecodingError.dataCorruptedError(
                forKey: .timescale, in: values,
                debugDescription: "a timescale of \(timescale) is not allowed; it is 1 or more")
        }
    }

    /// Creates a time of `ticks` ticks of `base` seconds each. Saturates at the limits of `Int64`.
    package init(ticks: Int64, base: Rational) {
        let whole = ticks.multipliedReportingOverflow(by: Int64(base.numerator))
        self.init(value: whole.overflow ? (ticks < 0 ? .min : .max) : whole.partialValue, timescale: base.denominator)
    }

    /// Zero seconds: an empty duration, or the origin.
    public static let zero = MediaTime(value: 0, timescale: 1)

    /// The time in seconds, rounded to floating point; for display and statistics only.
    public var seconds: Double { Double(value) / Double(timescale) }

    /// The same time in lowest terms.
    public var reduced: MediaTime {
        let divisor = max(1, greatestCommonDivisor(value, Int64(timescale)))
        return MediaTime(value: value / divisor, timescale: Int32(Int64(timescale) / divisor))
    }

    /// Returns the time in ticks of `base` seconds each, rounded to the nearest, with halves away from zero. Saturates
    /// at the limits of `Int64`.
    public func ticks(of base: Rational) -> Int64 {
        guard base.isPositive else { return 0 }
        return scaled(value, by: Int64(base.denominator), over: Int64(timescale) * Int64(base.numerator))
    }

    /// Returns the number of ticks of `1/timescale` seconds, rounded toward minus infinity.
    package func ticksDown(_ timescale: Int64) -> Int64 {
        let product = value.multipliedReportingOverflow(by: timescale)
        guard !product.overflow else { return value < 0 ? .min + 1 : .max }
        return floorDivide(product.partialValue, Int64(self.timescale))
    }

    /// Returns the time on another timescale, rounded to the nearest tick, with halves away from zero.
    public func converted(toTimescale timescale: Int32) -> MediaTime {
        MediaTime(value: ticks(of: Rational(1, max(1, timescale))), timescale: timescale)
    }

    /// Returns `self · numerator / denominator`, exact if the reduced timescale fits 31 bits.
    public func multiplied(by ratio: Rational) -> MediaTime {
        guard ratio.denominator != 0 else { return self }
        let ratio = ratio.reduced
        let start = reduced
        // Cancelling first keeps the result exact whenever it can be represented.
        let a = max(1, greatestCommonDivisor(start.value, Int64(ratio.denominator)))
        let b = max(1, greatestCommonDivisor(Int64(ratio.numerator), Int64(start.timescale)))
        let scale = (Int64(start.timescale) / b).multipliedReportingOverflow(by: Int64(ratio.denominator) / a)
        if !scale.overflow, let exact = Int32(exactly: scale.partialValue) {
            let product = (start.value / a).multipliedReportingOverflow(by: Int64(ratio.numerator) / b)
            if !product.overflow { return MediaTime(value: product.partialValue, timescale: exact) }
        }
        return MediaTime(
            value: scaled(value, by: Int64(ratio.numerator), over: Int64(ratio.denominator)), timescale: timescale)
    }

    /// The sum: exact, or rounded to the finer tick (see ``MediaTime``). Saturates at the limits of `Int64`.
    public static func + (a: MediaTime, b: MediaTime) -> MediaTime { combine(a, b) { $0.addingReportingOverflow($1) } }
    /// The difference: exact, or rounded to the finer tick (see ``MediaTime``). Saturates at the limits of `Int64`.
    public static func - (a: MediaTime, b: MediaTime) -> MediaTime {
        combine(a, b) { $0.subtractingReportingOverflow($1) }
    }

    private static func combine(
        _ a: MediaTime, _ b: MediaTime, _ operation: (Int64, Int64) -> (partialValue: Int64, overflow: Bool)
    ) -> MediaTime {
        let divisor = max(1, greatestCommonDivisor(Int64(a.timescale), Int64(b.timescale)))
        let common = Int64(a.timescale) / divisor * Int64(b.timescale)
        let timescale = Int32(exactly: common) ?? max(a.timescale, b.timescale)
        let x = a.converted(toTimescale: timescale).value, y = b.converted(toTimescale: timescale).value
        let result = operation(x, y)
        return MediaTime(value: result.overflow ? (x < 0 ? .min : .max) : result.partialValue, timescale: timescale)
    }
}

extension MediaTime: Comparable {
    /// Whether `a` is earlier than `b`, regardless of their timescales. Exact.
    public static func < (a: MediaTime, b: MediaTime) -> Bool {
        let left = a.value.multipliedFullWidth(by: Int64(b.timescale))
        let right = b.value.multipliedFullWidth(by: Int64(a.timescale))
        return left.high != right.high ? left.high < right.high : left.low < right.low
    }

    /// Whether `a` and `b` are the same time, regardless of their timescales. Exact.
    public static func == (a: MediaTime, b: MediaTime) -> Bool { !(a < b) && !(b < a) }

    /// Hashes the reduced time, so that equal times have the same hash.
    public func hash(into hasher: inout Hasher) {
        let lowest = reduced
        hasher.combine(lowest.value)
        hasher.combine(lowest.timescale)
    }
}

extension MediaTime: CustomStringConvertible {
    /// Seconds with six decimal places, computed without floating point.
    public var description: String {
        let micros = ticks(of: Rational(1, 1_000_000))
        let magnitude = micros.magnitude
        let fraction = (magnitude % 1_000_000).zeroPadded(to: 6)
        return "\(micros < 0 ? "-" : "")\(magnitude / 1_000_000).\(fraction)"
    }
}

extension MediaTime {
    /// The date and time in UTC, with this time as seconds since 1970-01-01 00:00:00 UTC: `YYYY:MM:DD HH:MM:SS` as EXIF
    /// requires, and the milliseconds as three digits. Clamped to the years 0…9999.
    package var calendar: (text: String, fraction: String) {
        let range = Int64(-62_167_219_200_000)...Int64(253_402_300_799_999)
        let milliseconds = min(max(ticks(of: Rational(1, 1000)), range.lowerBound), range.upperBound)
        let seconds = floorDivide(milliseconds, 1000)
        let days = floorDivide(seconds, 86_400)
        let second = seconds - days * 86_400
        // Days are counted in 400-year eras whose years begin in March, so that the leap day comes last.
        let shifted = days + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let text =
            "\(year.zeroPadded(to: 4)):\(month.zeroPadded(to: 2)):\(day.zeroPadded(to: 2)) "
            + "\((second / 3600).zeroPadded(to: 2)):\((second / 60 % 60).zeroPadded(to: 2)):\((second % 60).zeroPadded(to: 2))"
        return (text, (milliseconds - seconds * 1000).zeroPadded(to: 3))
    }
}

/// Returns `value · numerator / denominator` with a 128-bit product, rounded to nearest with halves away from zero,
/// saturating.
private func scaled(_ value: Int64, by numerator: Int64, over denominator: Int64) -> Int64 {
    let product = Int128(value) * Int128(numerator)
    let divisor = Int128(denominator)
    let half = divisor / 2
    let quotient = ((product < 0) == (divisor < 0) ? product + half : product - half) / divisor
    return Int64(clamping: quotient)
}
