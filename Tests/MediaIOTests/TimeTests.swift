import FrameCore
import MediaIO
import Testing

@Suite struct TimeTests {
    private static let uneven: [Int64] = [0, 3003, 4004, 9009, 10010, 10011, 20000, 26000, 26500, 27000]

    @Test(arguments: ["a.mp4", "a.mov"])
    func unevenTimesAreKeptExactly(name: String) throws {
        let folder = try TemporaryFolder()
        let base = Rational(1, 30000)
        let frames = try clip(ticks: Self.uneven, base: base, lastTicks: 12345)
        try write(frames, to: folder(name), base: base, rate: nil)
        let reading = try read(folder(name))
        #expect(reading.times == frames.map(\.presentationTime))
        #expect(reading.durations == frames.map(\.duration))
        #expect(reading.reader.damage.isEmpty)
    }

    @Test(arguments: ["a.mkv", "a.webm"])
    func matroskaKeepsMilliseconds(name: String) throws {
        let folder = try TemporaryFolder()
        let base = Rational(1, 1000)
        let frames = try clip(ticks: [0, 33, 67, 100, 250, 251, 900], base: base, lastTicks: 333)
        try write(frames, to: folder(name), base: base, rate: nil)
        let reading = try read(folder(name))
        #expect(reading.times == frames.map(\.presentationTime))
        #expect(reading.durations == frames.map(\.duration))
    }

    @Test(arguments: ["a.mp4", "a.mov", "a.mkv"])
    func startOffsetIsKept(name: String) throws {
        let folder = try TemporaryFolder()
        let frames = try clip(ticks: Array(250..<262))
        try write(frames, to: folder(name))
        #expect(try read(folder(name)).times == frames.map(\.presentationTime))
    }

    @Test(arguments: ["a.mp4", "a.mkv"])
    func negativeStartMovesAllTimesAndSaysSo(name: String) throws {
        let folder = try TemporaryFolder()
        let frames = try clip(ticks: Array(-5..<7))
        let sink = try write(frames, to: folder(name))
        #expect(sink.notes.count == 1)
        let reading = try read(folder(name))
        #expect(reading.times == (0..<12).map { MediaTime(value: $0, timescale: 25) })
    }

    @Test(arguments: [Rational(24000, 1001), Rational(30000, 1001), Rational(60, 1), Rational(25, 2)])
    func rateIsReadBack(rate: Rational) throws {
        let folder = try TemporaryFolder()
        let base = Rational(rate.denominator, rate.numerator)
        let frames = try clip(ticks: Array(0..<10), base: base)
        for name in ["a.mp4", "a.y4m"] {
            try write(frames, to: folder(name), base: base, rate: rate)
            let reading = try read(folder(name))
            #expect(reading.times == frames.map(\.presentationTime))
            #expect(reading.reader.stream.nominalFrameRate == rate)
        }
    }

    @Test func rawStreamTakesTheGivenRate() throws {
        let folder = try TemporaryFolder()
        try write(try clip(ticks: Array(0..<10)), to: folder("a.h264"), rate: nil, options: .init(format: "h264"))
        let reading = try read(folder("a.h264"), .init(inputFrameRate: Rational(10, 1)))
        #expect(reading.times == (0..<10).map { MediaTime(value: $0, timescale: 10) })
        #expect(reading.frames.last?.duration == MediaTime(value: 1, timescale: 10))
    }

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
        var even = EvenTimes(rate: Rational(30000, 1001), start: .zero, tick: milliseconds(1))
        for time in frames { try even.check(time, format: "y4m") }
        // A coarse clock does not hide a missing frame.
        var coarse = EvenTimes(rate: Rational(25, 1), start: .zero, tick: MediaTime(value: 1, timescale: 25))
        try coarse.check(.zero, format: "y4m")
        #expect(throws: FrameError.self) { try coarse.check(MediaTime(value: 2, timescale: 25), format: "y4m") }
    }

    @Test func clockRepairsWhatDoesNotAscend() {
        var clock = FrameClock(base: Rational(1, 1000), nominalTicks: 40, counts: false)
        let stamps: [Int64?] = [-80, -40, nil, 40, 40, 30, 160, -9000, -8960]
        let results = stamps.map { clock.next(stamp: $0, duration: 40) }
        #expect(results.map(\.ticks) == [-80, -40, 0, 40, 80, 120, 160, 200, 240])
        #expect(results.map(\.repair) == [.none, .none, .derived, .none, .moved, .moved, .none, .rejoined, .none])
        for mayJump in [false, true] {
            var extreme = FrameClock(base: Rational(1, 1), nominalTicks: 1, counts: false, mayJump: mayJump)
            for stamp: Int64 in [.min + 1, .max - 1, .min + 1, 0] { _ = extreme.next(stamp: stamp, duration: .max) }
        }
    }

    @Test func jumpsAheadAreJoinedWhereTimesMayJump() {
        let stamps: [Int64] = [0, 40, 9000, 9040, 95_000_000, 95_000_040, 95_010_041]
        var steady = FrameClock(base: Rational(1, 1000), nominalTicks: 40, counts: false)
        #expect(stamps.map { steady.next(stamp: $0, duration: 40).ticks } == stamps)
        var jumping = FrameClock(base: Rational(1, 1000), nominalTicks: 40, counts: false, mayJump: true)
        let results = stamps.map { jumping.next(stamp: $0, duration: 40) }
        #expect(results.map(\.ticks) == [0, 40, 9000, 9040, 9080, 9120, 9160])
        #expect(results.map(\.repair) == [.none, .none, .none, .none, .rejoined, .none, .rejoined])
    }
}
