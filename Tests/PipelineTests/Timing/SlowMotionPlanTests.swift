import FrameCore
import Pipeline
import Testing

@Suite struct SlowMotionPlanTests {
    private func time(_ value: Int64, _ timescale: Int32 = 1) -> MediaTime {
        MediaTime(value: value, timescale: timescale)
    }

    /// Returns all output frames for source frames at `times`, the last of which is shown for `lastDuration`.
    private func run(_ plan: SlowMotionPlan, _ times: [MediaTime], lastDuration: MediaTime?) throws -> [PlannedFrame] {
        var plan = plan
        var frames: [PlannedFrame] = []
        let last = try #require(times.last)
        let end = lastDuration.map { last + $0 }
        for (index, (a, b)) in zip(times, times.dropFirst()).enumerated() {
            frames += plan.frames(from: a, to: b, end: index == times.count - 2 ? end : nil)
        }
        return frames + plan.closingFrames(last: last, end: end)
    }

    @Test(arguments: [
        [Rational(1, 2)], [Rational(1, 4), Rational(1, 2), Rational(3, 4)], [Rational(1, 5), Rational(7, 10)],
        [Rational(1, 1000), Rational(999, 1000)], (1..<8).map { Rational($0, 8) },
    ])
    func followsTheRuleExactly(phases: [Rational]) throws {
        let plan = try SlowMotionPlan(phases: phases)
        let stretch = Int32(phases.count + 1)
        // Variable intervals, an offset, and a start before zero.
        for times in [
            [time(0), time(1, 25), time(2, 25)], [time(900_000, 90000), time(903_003, 90000), time(909_009, 90000)],
            [time(-1, 2), time(1, 3), time(7, 2)],
        ] {
            let frames = try run(plan, times, lastDuration: time(1, 10))
            #expect(frames.count == (times.count - 1) * (phases.count + 1) + 1)
            var position = 0
            for (a, b) in zip(times, times.dropFirst()) {
                #expect(frames[position].content == .source)
                #expect(frames[position].time == a.multiplied(by: Rational(stretch, 1)))
                for (offset, phase) in phases.enumerated() {
                    let frame = frames[position + 1 + offset]
                    let expected = a + (b - a).multiplied(by: phase)
                    #expect(frame.time == expected.multiplied(by: Rational(stretch, 1)))
                    #expect(frame.content == .between(phase: Float(phase.doubleValue)))
                }
                position += phases.count + 1
            }
            let last = try #require(frames.last)
            #expect(last.content == .source)
            #expect(last.time == times[times.count - 1].multiplied(by: Rational(stretch, 1)))
            #expect(last.duration == time(Int64(stretch), 10))
            for (frame, next) in zip(frames, frames.dropFirst()) {
                let duration = try #require(frame.duration)
                #expect(frame.time + duration == next.time)
            }
        }
    }

    @Test func oneFrameStaysOneFrame() throws {
        let frames = try run(SlowMotionPlan(factor: 4), [time(3)], lastDuration: time(1, 25))
        #expect(frames == [PlannedFrame(content: .source, time: time(12), duration: time(4, 25))])
        let unknown = try run(SlowMotionPlan(factor: 4), [time(3)], lastDuration: nil)
        #expect(unknown.map(\.duration) == [nil])
    }

    @Test func threeHoursDoNotDrift() throws {
        var plan = try SlowMotionPlan(factor: 8)
        let last: Int64 = 3 * 3600 * 24
        let (a, b) = (time((last - 1) * 1001, 24000), time(last * 1001, 24000))
        let frames = plan.frames(from: a, to: b, end: nil)
        for index in 0..<8 {
            #expect(frames[index].time == time((8 * (last - 1) + Int64(index)) * 1001, 24000))
        }
    }

    @Test func awkwardPhasesStayWithinANanosecond() throws {
        // The exact denominator does not fit 31 bits here.
        var plan = try SlowMotionPlan(phases: [Rational(123_456_789, 1_000_000_000)])
        let frame = plan.frames(from: time(7, 90000), to: time(3010, 90000), end: nil)[1]
        let exact = 2 * (7.0 + 0.123456789 * 3003.0) / 90000
        #expect(abs(frame.time.seconds - exact) < 1e-9)
    }

    /// Damaged time stamps must not crash the program.
    @Test func absurdTimesDoNotTrap() throws {
        let values: [Int64] = [.min, .min + 1, -1, 0, 1, .max / 3, .max - 1, .max]
        for factor in [2, 255, 256] {
            for timescale: Int32 in [1, 999_999_937, .max] {
                for (a, b) in values.flatMap({ a in values.map { (a, $0) } }) where a < b {
                    var slow = try SlowMotionPlan(factor: factor)
                    var rate = try RateConversionPlan(rate: Rational(60000, 1001))
                    let (from, to) = (time(a, timescale), time(b, timescale == .max ? 999_999_937 : timescale))
                    for frame in slow.frames(from: from, to: to, end: to) { #expect(frame.duration != nil) }
                    _ = slow.closingFrames(last: to, end: to)
                    let planned = rate.frames(from: from, to: to, end: to)
                    if let last = planned.last { #expect(last.duration != nil) }
                    _ = rate.closingFrames(last: to, end: to).count
                }
            }
        }
    }

    @Test func evenPhasesAreToldFromUnevenOnes() throws {
        #expect(try SlowMotionPlan(factor: 3).isEven)
        #expect(try SlowMotionPlan(phases: [Rational(25, 100), Rational(1, 2), Rational(75, 100)]).isEven)
        #expect(try !SlowMotionPlan(phases: [Rational(1, 5), Rational(7, 10)]).isEven)
        #expect(try !SlowMotionPlan(phases: [Rational(333_333_333, 1_000_000_000), Rational(2, 3)]).isEven)
    }

    @Test(arguments: [
        ([Rational(0, 1)], "phase 0 is not allowed; a phase must be strictly between 0 and 1"),
        ([Rational(1, 1)], "phase 1 is not allowed; a phase must be strictly between 0 and 1"),
        ([Rational(-1, 2)], "phase -1/2 is not allowed; a phase must be strictly between 0 and 1"),
        ([Rational(1, 0)], "phase 1/0 is not allowed; a phase must be strictly between 0 and 1"),
        ([Rational(1, 2), Rational(1, 4)], "phase 1/4 comes after phase 1/2; phases must ascend"),
        ([Rational(1, 2), Rational(2, 4)], "phase 2/4 comes after phase 1/2; phases must ascend"),
        ([], "0 phases were given; 1 to 255 are allowed"),
    ])
    func refusesWhatItCannotShow(phases: [Rational], sentence: String) {
        let error = #expect(throws: FrameError.self) { try SlowMotionPlan(phases: phases) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message == sentence)
    }

    @Test(arguments: [-1, 0, 1, 257, Int.max])
    func refusesFactors(factor: Int) {
        #expect(throws: FrameError.self) { try SlowMotionPlan(factor: factor) }
    }

    @Test func describesItsOutput() throws {
        let source = VideoStreamDescription(
            format: .yuv420p8, width: 64, height: 48, timeBase: Rational(1, 12800), nominalFrameRate: Rational(25, 1),
            frameCount: 100, duration: time(4))
        let output = try SlowMotionPlan(phases: [Rational(1, 5), Rational(7, 10)]).outputStream(for: source)
        // 3 source ticks over a tenth of an interval.
        #expect(output.timeBase == Rational(3, 128_000))
        #expect(output.frameCount == 298)
        #expect(output.duration == time(12))
        #expect(output.nominalFrameRate == Rational(25, 1))
        let coarse = VideoStreamDescription(
            format: .yuv420p8, width: 64, height: 48, timeBase: Rational(1, 705_600_000))
        let fine = try SlowMotionPlan(phases: [Rational(1, 1_000_000)]).outputStream(for: coarse)
        #expect(fine.timeBase.isPositive)
        #expect(fine.frameCount == nil)
        // Without an announced frame count, it is estimated from the duration and the rate.
        var silent = source
        silent.frameCount = nil
        #expect(try SlowMotionPlan(factor: 2).outputStream(for: silent).frameCount == 199)
    }
}
