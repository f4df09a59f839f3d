import FrameCore
import Testing

@Suite struct RationalTests {
    @Test(
        arguments: [
            (6, 4, Rational(3, 2)), (6, -4, Rational(-3, 2)), (-6, -4, Rational(3, 2)), (0, -5, Rational(0, 1)),
            (1 << 40, 1 << 39, Rational(2, 1)), (30_000, 1001, Rational(30_000, 1001)),
            (Int64(Int32.min), 1, Rational(.min, 1)), (Int64(Int32.max), 1, Rational(.max, 1)),
        ] as [(Int64, Int64, Rational)])
    func lowestTerms(numerator: Int64, denominator: Int64, expected: Rational) {
        #expect(Rational(reducing: numerator, denominator) == expected)
    }

    @Test(
        arguments: [(1, 0), (0, 0), (1 << 40, 1), (1 << 31, 1), (1, 1 << 31), (.min, 1), (1, .min)] as [(Int64, Int64)])
    func whatDoesNotFitIsNil(numerator: Int64, denominator: Int64) {
        #expect(Rational(reducing: numerator, denominator) == nil)
    }

    @Test func reducedKeepsWhatHasNoLowestTerms() {
        #expect(Rational(10, -4).reduced == Rational(-5, 2))
        #expect(Rational(7, 0).reduced == Rational(7, 0))
        // 2^31 does not fit.
        #expect(Rational(.min, -1).reduced == Rational(.min, -1))
    }

    @Test func equalityIsOfTheParts() {
        #expect(Rational(1, 2) != Rational(2, 4))
        #expect(Set([Rational(1, 2), Rational(2, 4).reduced]).count == 1)
    }

    @Test func positiveMeansBothParts() {
        #expect(Rational(1, 2).isPositive)
        for other in [Rational(0, 1), Rational(-1, 2), Rational(1, -2), Rational(-1, -2), Rational(1, 0)] {
            #expect(!other.isPositive, "\(other)")
        }
    }

    @Test func texts() {
        #expect(Rational(25, 1).description == "25")
        #expect(Rational(30_000, 1001).description == "30000/1001")
        #expect(Rational(-1, 2).description == "-1/2")
        #expect(Rational(3, 4).doubleValue == 0.75)
    }

    @Test(
        arguments: [
            (12, -18, 6), (0, 7, 7), (-7, 0, 7), (0, 0, 0), (1 << 40, 1 << 20, 1 << 20), (.min, 3, 1), (.min, 6, 2),
            (.min, .min, .max), (.min, 0, .max),
        ] as [(Int64, Int64, Int64)])
    func commonDivisors(a: Int64, b: Int64, divisor: Int64) {
        #expect(greatestCommonDivisor(a, b) == divisor)
    }
}
