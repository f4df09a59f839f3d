import FrameCore
import Pipeline
import TestSupport
import Testing

/// The times of pictures that are made of fields.
@Suite struct FieldRatePlanTests {
    private func times(
        _ times: [MediaTime], durations: [MediaTime?] = [], rate: Rational? = nil,
        longHolds: LongHoldTreatment = .hold
    ) throws -> [Frame] {
        let picture = try GeneratedPicture.waves(dx: 0)
        let source = GeneratedSource(
            times: times, durations: durations,
            stream: VideoStreamDescription(
                format: .yuv420p8, width: 64, height: 48, timeBase: Rational(1, 90_000), nominalFrameRate: rate,
                frameCount: times.count)
        ) { _ in picture }
        let sink = RecordingSink()
        let pass = DeinterlacePass(fields: .topFirst, options: ConversionOptions(longHolds: longHolds))
        _ = try ConversionPipeline(source: source, sink: sink, chain: EffectChain(pass)).run()
        return sink.frames
    }

    @Test(arguments: [Rational(25, 1), Rational(30000, 1001), Rational(24000, 1001), Rational(1, 1)])
    func fieldsAreEvenlySpaced(rate: Rational) throws {
        let step = MediaTime(value: Int64(rate.denominator), timescale: rate.numerator)
        let half = MediaTime(value: Int64(rate.denominator), timescale: rate.numerator * 2)
        let frames = try times(
            (0..<9).map { step.multiplied(by: Rational($0, 1)) }, durations: Array(repeating: step, count: 9),
            rate: rate)
        #expect(frames.map(\.presentationTime) == (0..<18).map { half.multiplied(by: Rational($0, 1)) })
        #expect(frames.allSatisfy { $0.duration == half })
    }

    /// Each field is halfway to the next frame, however long that takes.
    @Test func unevenFramesKeepTheirTimes() throws {
        let ticks: [Int64] = [0, 3, 4, 9, 11]
        let frames = try times(ticks.map { MediaTime(value: $0, timescale: 100) }, rate: nil)
        let expected: [Int64] = [0, 3, 6, 7, 8, 13, 18, 20, 22, 24]
        #expect(frames.map(\.presentationTime) == expected.map { MediaTime(value: $0, timescale: 200) })
        let ends = expected.dropFirst() + [26]
        #expect(frames.map(\.duration) == zip(expected, ends).map { MediaTime(value: $1 - $0, timescale: 200) })
    }

    @Test func theLastFrameHasItsDuration() throws {
        let times = [MediaTime(value: 0, timescale: 25), MediaTime(value: 1, timescale: 25)]
        let frames = try self.times(
            times, durations: [times[1], MediaTime(value: 1, timescale: 10)], rate: Rational(25, 1))
        #expect(frames.map(\.presentationTime).last == MediaTime(value: 9, timescale: 100))
        #expect(frames.map(\.duration).last == MediaTime(value: 1, timescale: 20))
    }

    /// A frame that stands still has its second field soon, not in the middle of the hold.
    @Test func aHoldBeginsAfterTheSecondField() throws {
        let ticks = Array(Int64(0)..<8) + Array(Int64(58)..<66)
        let times = ticks.map { MediaTime(value: $0, timescale: 25) }
        let held = try self.times(times, rate: Rational(25, 1))
        #expect(held.count == 32)
        #expect(held[15].presentationTime == MediaTime(value: 15, timescale: 50))
        #expect(held[15].duration == MediaTime(value: 101, timescale: 50))
        let spread = try self.times(times, rate: Rational(25, 1), longHolds: .interpolate)
        #expect(spread[15].presentationTime == MediaTime(value: 65, timescale: 50))
    }

    @Test func aClipOfOneFrameHasBothFieldsIfItsLengthIsKnown() throws {
        let known = try times([.zero], durations: [MediaTime(value: 1, timescale: 25)], rate: Rational(25, 1))
        #expect(known.map(\.presentationTime) == [.zero, MediaTime(value: 1, timescale: 50)])
        let stated = try times([.zero], rate: Rational(25, 1))
        #expect(stated.count == 2)
        let unknown = try times([.zero])
        #expect(unknown.count == 1 && unknown.first?.duration == nil)
    }

    @Test func theOutputIsDescribed() {
        let source = VideoStreamDescription(
            format: .yuv420p8, width: 720, height: 576, timeBase: Rational(1, 90_000),
            nominalFrameRate: Rational(30000, 1001), frameCount: 7, duration: MediaTime(value: 7007, timescale: 30000))
        let output = DeinterlacePass(options: ConversionOptions()).outputStream(for: source)
        #expect(output.nominalFrameRate == Rational(60000, 1001) && output.frameCount == 14)
        #expect(output.timeBase == Rational(1, 180_000) && output.duration == source.duration)
        let single = DeinterlacePass(rate: .frame, options: ConversionOptions()).outputStream(for: source)
        #expect(single.nominalFrameRate == source.nominalFrameRate && single.frameCount == 7)
    }

    /// Positions of slow motion by a fraction count fields from the first of a part.
    @Test func aPartIsSampledFromItsFirstField() throws {
        let chain = try EffectChain([
            DeinterlacePass(fields: .topFirst, options: ConversionOptions()),
            EffectStep.slomo(factor: Rational(3, 2)).effect(ConversionOptions()),
        ])
        let sampled = chain.sampled(from: MediaTime(value: 7, timescale: 25), frame: 7)
        var plan = try #require(sampled.effects[1].timing)
        var times: [MediaTime] = []
        for field in 0..<20 {
            let time = MediaTime(value: Int64(field), timescale: 50)
            let frames = plan.frames(from: time, to: MediaTime(value: Int64(field + 1), timescale: 50), end: nil)
            times += frames.map(\.time)
        }
        #expect(times.contains(MediaTime(value: 21, timescale: 50)))
    }
}
