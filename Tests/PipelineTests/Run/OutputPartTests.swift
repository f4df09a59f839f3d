import FrameCore
import Pipeline
import TestSupport
import Testing

struct OutputPartTests {
    private func count(_ seconds: Rational, rate: Rational?, effect: Rational) throws -> Int {
        let end = MediaTime(value: Int64(seconds.numerator), timescale: seconds.denominator)
        let part = OutputPart(start: .zero, end: end, firstSegment: 0, rate: rate)
        let buffer = try GeneratedPicture.flat(20, width: 16, height: 16)
        return (0..<200).count { index in
            let time = MediaTime(value: Int64(index) * Int64(effect.denominator), timescale: effect.numerator)
            guard case .inside = part.place(of: Frame(buffer: buffer, presentationTime: time)) else { return false }
            return true
        }
    }

    /// 20 frames of 30000/1001 last 0.667 s, which are 40.04 frames of 60.
    @Test func aSampledPartHasItsLengthTimesTheRate() throws {
        let sixty = Rational(60, 1)
        #expect(try count(Rational(20 * 1001, 30000), rate: sixty, effect: sixty) == 40)
        #expect(try count(Rational(1, 1), rate: sixty, effect: sixty) == 60)
        #expect(try count(Rational(101, 100), rate: sixty, effect: sixty) == 61)
        #expect(try count(Rational(1, 1000), rate: sixty, effect: sixty) == 1)
    }

    @Test func aPartOfTheSourceEndsBeforeItsEnd() throws {
        #expect(try count(Rational(41, 100), rate: nil, effect: Rational(25, 1)) == 11)
        #expect(try count(Rational(2, 5), rate: nil, effect: Rational(25, 1)) == 10)
    }
}
