import FrameCore
import MediaIO
import Testing

@Suite struct TimestampRoundTripTests {
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
    func startOffsetIsWritten(name: String) throws {
        let folder = try TemporaryFolder()
        let frames = try clip(ticks: Array(250..<262))
        try write(frames, to: folder(name))
        let reading = try read(folder(name))
        #expect(reading.reader.info.startTime == MediaTime(value: 10, timescale: 1))
        #expect(reading.times == (0..<12).map { MediaTime(value: $0, timescale: 25) })
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
}
