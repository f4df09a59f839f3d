import FrameCore
import MediaIO
import Testing

@Suite struct ConstantFrameRateTests {
    @Test func y4mRefusesUnevenTimesWithAdvice() throws {
        let folder = try TemporaryFolder()
        let base = Rational(1, 100)
        let frames = try clip(ticks: [0, 4, 8, 13, 16], base: base)
        let error = try refusal { try write(frames, to: folder("a.y4m"), base: base) }
        #expect(error.code == .output)
        #expect(error.message.contains("evenly") && error.message.contains(".mkv"))
        #expect(error.location.time == MediaTime(value: 13, timescale: 100))
        #expect(folder.contents.isEmpty)
    }

    /// A live output states its rate before the second frame is known.
    @Test func theFirstDurationConfirmsTheRate() throws {
        func agrees(_ duration: MediaTime?, _ rate: Rational?) throws -> Bool {
            var first = try clip(ticks: [0], base: Rational(1, 1000))[0]
            first.duration = duration
            return ConstantFrameRateCheck.agrees(first, with: rate, tick: milliseconds(1))
        }
        #expect(try agrees(milliseconds(40), Rational(25, 1)))
        // One of the source, after which others are made.
        #expect(try agrees(milliseconds(40), Rational(50, 1)))
        #expect(try agrees(milliseconds(33), Rational(30000, 1001)))
        #expect(try !agrees(milliseconds(50), Rational(25, 1)))
        #expect(try !agrees(milliseconds(1), Rational(25, 1)))
        #expect(try !agrees(nil, Rational(25, 1)) && !agrees(milliseconds(40), nil))
    }

    @Test func roundedEvenTimesAreEven() throws {
        let ticks = (0..<300).map { (Int64($0) * 1001 * 1000 + 15000) / 30000 }
        let frames = ticks.map { MediaTime(value: $0, timescale: 1000) }
        var even = ConstantFrameRateCheck(rate: Rational(30000, 1001), start: .zero, tick: milliseconds(1))
        for time in frames { try even.check(time, format: "y4m") }
        // A coarse time base does not hide a missing frame.
        var coarse = ConstantFrameRateCheck(
            rate: Rational(25, 1), start: .zero, tick: MediaTime(value: 1, timescale: 25))
        try coarse.check(.zero, format: "y4m")
        #expect(throws: FrameError.self) { try coarse.check(MediaTime(value: 2, timescale: 25), format: "y4m") }
    }
}
