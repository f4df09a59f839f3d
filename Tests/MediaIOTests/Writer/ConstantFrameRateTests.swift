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
