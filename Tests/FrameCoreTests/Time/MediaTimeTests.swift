import FrameCore
import Testing

@Suite struct MediaTimeTests {
    @Test func timescalesAreAtLeastOne() {
        #expect(MediaTime(value: 3, timescale: 0).timescale == 1)
        #expect(MediaTime(value: 3, timescale: -25) == MediaTime(value: 3, timescale: 1))
        #expect(MediaTime.zero.value == 0)
    }

    @Test(
        arguments: [
            (6, 4, 3, 2), (-6, 4, -3, 2), (0, 90_000, 0, 1), (1001, 24_000, 1001, 24_000), (.min, 2, .min / 2, 1),
            (.min, 3, .min, 3), (.max, 7, .max / 7, 1),
        ] as [(Int64, Int32, Int64, Int32)])
    func lowestTerms(value: Int64, timescale: Int32, lowest: Int64, lowestTimescale: Int32) {
        let reduced = MediaTime(value: value, timescale: timescale).reduced
        #expect(reduced.value == lowest && reduced.timescale == lowestTimescale)
    }

    /// Halves are rounded away from zero, for positive and negative values.
    @Test(
        arguments: [
            (1, 2, 1, 1), (-1, 2, 1, -1), (3, 2, 1, 2), (-3, 2, 1, -2), (1, 3, 1, 0), (-1, 3, 1, 0), (2, 3, 1, 1),
            (-2, 3, 1, -1), (1, 4, 2, 1), (-1, 4, 2, -1), (1, 25, 90_000, 3600), (5, 1, 0, 5),
            (1, .max, .max - 1, 1), (.max, 1, 1000, .max), (.min, 1, 1000, .min), (.max, .max, .max, .max),
        ] as [(Int64, Int32, Int32, Int64)])
    func ticksAreRounded(value: Int64, timescale: Int32, other: Int32, expected: Int64) {
        let converted = MediaTime(value: value, timescale: timescale).converted(toTimescale: other)
        #expect(converted.value == expected)
        #expect(converted.timescale == max(1, other))
    }

    @Test func ticksOfAnyLength() {
        let second = MediaTime(value: 1, timescale: 1)
        #expect(second.ticks(of: Rational(1001, 24_000)) == 24)
        #expect(second.ticks(of: Rational(2, 1)) == 1)
        #expect(MediaTime(value: -1, timescale: 1).ticks(of: Rational(2, 1)) == -1)
        #expect(second.ticks(of: Rational(.max, 1)) == 0)
        #expect(MediaTime(value: .max, timescale: .max).ticks(of: Rational(.max, 1)) == 2)
        for base in [Rational(0, 1), Rational(-1, 2), Rational(1, 0)] { #expect(second.ticks(of: base) == 0) }
    }

    @Test func sumsAreExact() {
        let third = MediaTime(value: 1, timescale: 3), quarter = MediaTime(value: 1, timescale: 4)
        #expect((third + quarter).value == 7 && (third + quarter).timescale == 12)
        #expect((quarter - third).value == -1 && (quarter - third).timescale == 12)
        #expect((third - third) == .zero)
    }

    /// Adding up the frame durations of three hours gives the same time as one multiplication.
    @Test(arguments: [(1001, 24_000), (1001, 30_000), (1, 60)] as [(Int64, Int32)])
    func nothingIsLostInLongSums(value: Int64, timescale: Int32) {
        let frame = MediaTime(value: value, timescale: timescale)
        let count = Int32(3 * 3600 * Int64(timescale) / value)
        let end = (0..<count).reduce(MediaTime.zero) { sum, _ in sum + frame }
        #expect(end == frame.multiplied(by: Rational(count, 1)))
        #expect(end.value == Int64(count) * value && end.timescale == timescale)
    }

    @Test func sumsWithoutACommonTimescaleAreRoundedToTheFiner() {
        let fine = MediaTime(value: 1, timescale: .max), other = MediaTime(value: 1, timescale: .max - 1)
        for sum in [fine + other, other + fine] { #expect(sum.value == 2 && sum.timescale == .max) }
        #expect((fine - other).value == 0)
    }

    @Test func sumsSaturate() {
        let most = MediaTime(value: .max, timescale: 1), least = MediaTime(value: .min, timescale: 1)
        let one = MediaTime(value: 1, timescale: 1)
        #expect((most + one).value == .max && (one + most).value == .max)
        #expect((least - one).value == .min && (least + least).value == .min)
        #expect((most - least).value == .max && (least - most).value == .min)
        #expect((MediaTime.zero - least).value == .max)
        #expect((most + least).value == -1)
    }

    @Test(
        arguments: [
            (1, 1, Rational(1001, 30_000), 1001, 30_000), (3, 1, Rational(-1, 2), -3, 2),
            (3, 1, Rational(1, -2), -3, 2),
            (7, 2, Rational(4, 14), 1, 1), (5, 3, Rational(0, 9), 0, 1), (5, 3, Rational(1, 0), 5, 3),
            // Common factors are cancelled before the multiplication, so that the result is exact.
            (.max, 7, Rational(7, 1), .max, 1), (.max - 1, 1, Rational(1, 2), .max / 2, 1),
            // Not exact: rounded to the time's own timescale, halves away from zero.
            (1, .max, Rational(1, 2), 1, .max), (-1, .max, Rational(1, 2), -1, .max),
            (1, .max, Rational(1, 3), 0, .max),
            (.max, 1, Rational(2, 1), .max, 1), (.min, 1, Rational(2, 1), .min, 1), (.min, 1, Rational(-1, 1), .max, 1),
        ] as [(Int64, Int32, Rational, Int64, Int32)])
    func products(value: Int64, timescale: Int32, ratio: Rational, expected: Int64, expectedTimescale: Int32) {
        let product = MediaTime(value: value, timescale: timescale).multiplied(by: ratio)
        #expect(product == MediaTime(value: expected, timescale: expectedTimescale), "\(product)")
    }

    @Test func orderIsExact() {
        let ascending: [MediaTime] = [
            .init(value: .min, timescale: 1), .init(value: .min, timescale: 2), .init(value: -1, timescale: 3),
            .zero, .init(value: 333_333_333, timescale: 1_000_000_000), .init(value: 1, timescale: 3),
            .init(value: .max - 1, timescale: .max), .init(value: .max, timescale: .max),
            .init(value: .max, timescale: 2), .init(value: .max, timescale: 1),
        ]
        for (a, first) in ascending.enumerated() {
            for (b, second) in ascending.enumerated() {
                #expect((first < second) == (a < b) && (first == second) == (a == b), "\(first), \(second)")
            }
        }
        #expect(ascending.reversed().sorted() == ascending)
    }

    @Test func equalTimesHashAlike() {
        let halves = [(1, 2), (2, 4), (45_000, 90_000)].map { MediaTime(value: $0.0, timescale: $0.1) }
        #expect(Set(halves).count == 1)
        #expect(Set([MediaTime(value: 0, timescale: 25), .zero]).count == 1)
        #expect(Set([MediaTime(value: .min, timescale: 3), MediaTime(value: .min / 3, timescale: 1)]).count == 2)
    }

    /// Compared with 128-bit fractions.
    @Test func arithmeticAgreesWithFractions() {
        var generator = SplitMix(state: 7)
        func time() -> MediaTime {
            MediaTime(
                value: Int64.random(in: -1_000_000_000...1_000_000_000, using: &generator),
                timescale: Int32.random(in: 1...46_000, using: &generator))
        }
        for _ in 0..<2000 {
            let a = time(), b = time()
            let x = Int128(a.value) * Int128(b.timescale), y = Int128(b.value) * Int128(a.timescale)
            let below = Int128(a.timescale) * Int128(b.timescale)
            let sum = a + b
            #expect(Int128(sum.value) * below == (x + y) * Int128(sum.timescale), "\(a.value)/\(a.timescale)")
            #expect((a < b) == (x < y) && (a == b) == (x == y))
            #expect(sum - b == a && b + a == sum)
        }
    }

    @Test(
        arguments: [
            (1, 3, "0.333333"), (-1, 2, "-0.500000"), (0, 1, "0.000000"), (2, 3, "0.666667"),
            (-1, 10_000_000, "0.000000"),
            (3601, 1, "3601.000000"), (.max, 1, "9223372036854.775807"), (.min, 1, "-9223372036854.775808"),
        ] as [(Int64, Int32, String)])
    func texts(value: Int64, timescale: Int32, text: String) {
        #expect(MediaTime(value: value, timescale: timescale).description == text)
    }

    @Test func secondsAreForDisplay() { #expect(MediaTime(value: -3, timescale: 2).seconds == -1.5) }
}

/// Returns the same sequence of numbers in every run.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }
}

@Suite struct CalendarTests {
    @Test(arguments: [
        (Int64(0), "1970:01:01 00:00:00"), (951_782_400, "2000:02:29 00:00:00"), (-1, "1969:12:31 23:59:59"),
        (1_709_164_800, "2024:02:29 00:00:00"), (4_107_542_400, "2100:03:01 00:00:00"),
    ])
    func secondsAreDates(seconds: Int64, text: String) {
        #expect(MediaTime(value: seconds, timescale: 1).calendar.text == text)
    }

    @Test func fractionsAreThousandths() {
        #expect(MediaTime(value: 1, timescale: 16).calendar.fraction == "063")
        let before = MediaTime(value: -1, timescale: 4).calendar
        #expect(before.text == "1969:12:31 23:59:59" && before.fraction == "750")
        #expect(MediaTime(value: .max, timescale: 1).calendar.text == "9999:12:31 23:59:59")
        #expect(MediaTime(value: .min, timescale: 1).calendar.text == "0000:01:01 00:00:00")
    }
}
