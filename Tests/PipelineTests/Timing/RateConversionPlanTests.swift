import FrameCore
import Pipeline
import Testing

@Suite struct RateConversionPlanTests {
    private func time(_ value: Int64, _ timescale: Int32 = 1) -> MediaTime {
        MediaTime(value: value, timescale: timescale)
    }

    private struct Sample: Equatable {
        var source: Int
        var content: PlannedFrame.Content
        var time: MediaTime
    }

    /// Returns all output frames, each with the index of the source frame from which it starts.
    private func run(_ rate: Rational, _ times: [MediaTime], end: MediaTime?) throws -> [Sample] {
        var plan = try RateConversionPlan(rate: rate)
        var samples: [Sample] = []
        for index in 0..<times.count - 1 {
            let frames = plan.frames(
                from: times[index], to: times[index + 1], end: index == times.count - 2 ? end : nil)
            samples += frames.map { Sample(source: index, content: $0.content, time: $0.time) }
        }
        let closing = plan.closingFrames(last: times[times.count - 1], end: end)
        return samples + closing.map { Sample(source: times.count - 1, content: $0.content, time: $0.time) }
    }

    private func constant(_ count: Int, _ rate: Rational, start: MediaTime = .zero) -> (
        times: [MediaTime], end: MediaTime
    ) {
        let times = (0...count).map { start + time(Int64($0) * Int64(rate.denominator), rate.numerator) }
        return (Array(times.dropLast()), times[count])
    }

    @Test(arguments: [
        (Rational(24000, 1001), Rational(60, 1)), (Rational(50, 1), Rational(24, 1)),
        (Rational(25, 1), Rational(50, 1)),
        (Rational(25, 1), Rational(25, 1)), (Rational(30, 1), Rational(7, 2)), (Rational(1, 1), Rational(1000, 1)),
        (Rational(60, 1), Rational(1, 1)), (Rational(25, 2), Rational(30000, 1001)),
    ])
    func samplesAtTheTargetTimes(from: Rational, to: Rational) throws {
        for count in [1, 2, 3, 7, 50] {
            for start in [time(0), time(10), time(-7, 3), time(126_000, 90000)] {
                let (times, end) = constant(count, from, start: start)
                let samples = try run(to, times, end: end)
                let exact = (end.seconds - start.seconds) * to.doubleValue
                #expect(samples.count == max(1, Int((exact + 0.5).rounded(.down))))
                for (n, sample) in samples.enumerated() {
                    #expect(sample.time == start + time(Int64(n) * Int64(to.denominator), to.numerator))
                    #expect(sample.time < end)
                    // The source frame is the last one that is not later than the output frame.
                    #expect(times[sample.source] <= sample.time)
                    if sample.source + 1 < count {
                        #expect(sample.time < times[sample.source + 1])
                        let phase =
                            (sample.time.seconds - times[sample.source].seconds)
                            / (times[sample.source + 1].seconds - times[sample.source].seconds)
                        switch sample.content {
                        case .source: #expect(times[sample.source] == sample.time)
                        case .between(let made): #expect(abs(Double(made) - phase) < 1e-6)
                        }
                    } else {
                        #expect(sample.content == .source)
                    }
                }
            }
        }
    }

    /// A plan that knows the time of the first frame may begin with any source frame.
    @Test func aPlanWithAKnownFirstFrameBeginsAnywhere() throws {
        let start = time(7, 10)
        let times = (0..<40).map { start + MediaTime(value: Int64($0) * 1001 + Int64($0 % 3) * 90, timescale: 24_000) }
        for rate in [Rational(60, 1), Rational(24_000, 1001), Rational(10, 1)] {
            func frames(from first: Int, _ plan: RateConversionPlan) -> [PlannedFrame] {
                var plan = plan
                var shown: [PlannedFrame] = []
                for index in first..<times.count - 1 {
                    shown += plan.frames(from: times[index], to: times[index + 1], end: nil)
                }
                return shown + plan.closingFrames(last: times[times.count - 1], end: nil)
            }
            let plan = try RateConversionPlan(rate: rate), whole = frames(from: 0, plan)
            for first in [1, 2, 17, 39] {
                let part = frames(from: first, plan.starting(at: start, frame: nil))
                #expect(part == Array(whole.filter { $0.time >= times[first] }), "from frame \(first)")
            }
        }
    }

    @Test func coincidingFramesPassThrough() throws {
        let (times, end) = constant(8, Rational(25, 1))
        let samples = try run(Rational(50, 1), times, end: end)
        #expect(samples.count == 16)
        for (n, sample) in samples.enumerated() where n < 15 {
            #expect(sample.content == (n.isMultiple(of: 2) ? .source : .between(phase: 0.5)))
        }
    }

    @Test func threeHoursEndWithinHalfAFrame() throws {
        let count: Int64 = 3 * 3600 * 24000 / 1001
        let rate = Rational(60, 1)
        var plan = try RateConversionPlan(rate: rate)
        let frame = time(1001, 24000)
        let end = time(count * 1001, 24000)
        var total = plan.frames(from: .zero, to: frame, end: nil).count
        // A single pair from the second to the last-but-one frame is enough, because each time is computed from n.
        total += plan.frames(from: frame, to: time((count - 2) * 1001, 24000), end: nil).count
        total += plan.frames(from: time((count - 2) * 1001, 24000), to: time((count - 1) * 1001, 24000), end: end).count
        let closing = plan.closingFrames(last: time((count - 1) * 1001, 24000), end: end)
        total += closing.count
        let outputEnd = time(Int64(total), 60)
        let difference = outputEnd < end ? end - outputEnd : outputEnd - end
        #expect(difference <= time(1, 120))
        let last = try #require(closing.last)
        #expect(last.time == time(Int64(total - 1), 60))
    }

    @Test func variableTimesAreHonoured() throws {
        let times = [time(0), time(100, 1000), time(1100, 1000), time(1130, 1000)]
        let samples = try run(Rational(10, 1), times, end: time(1200, 1000))
        #expect(samples.map(\.source) == [0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2])
        #expect(samples.map(\.content).filter { $0 == .source }.count == 3)
        #expect(samples[2].content == .between(phase: 0.1))
        #expect(samples[11].content == .source)
    }

    @Test func aLongGapCostsNothingUntilItIsRead() throws {
        var plan = try RateConversionPlan(rate: Rational(1000, 1))
        let frames = plan.frames(from: .zero, to: time(1_000_000), end: nil)
        #expect(frames.count == 1_000_000_000)
        #expect(frames[999_999_999].time == time(999_999_999, 1000))
    }

    @Test func lastFrameOfUnknownLengthShowsOnce() throws {
        #expect(try run(Rational(30, 1), [time(5)], end: nil).count == 1)
    }

    @Test func noPairIsAskedForFramesAfterTheEnd() throws {
        // 50 → 24: the last source frame is shown for less than half an output frame.
        for count in 1...60 {
            let (times, end) = constant(count, Rational(50, 1))
            let samples = try run(Rational(24, 1), times, end: end)
            #expect(samples.count == max(1, Int((Double(count) * 24 / 50 + 0.5).rounded(.down))))
        }
    }

    @Test(arguments: [Rational(0, 1), Rational(-25, 1), Rational(1, 2), Rational(1001, 1), Rational(25, 0)])
    func refusesRates(rate: Rational) {
        let error = #expect(throws: FrameError.self) { try RateConversionPlan(rate: rate) }
        #expect(error?.message == "\(rate) frames per second are not allowed; the rate is 1 to 1000")
    }

    @Test func describesItsOutput() throws {
        let source = VideoStreamDescription(
            format: .yuv420p8, width: 64, height: 48, timeBase: Rational(1, 90000), duration: time(10))
        let output = try RateConversionPlan(rate: Rational(60000, 1001)).outputStream(for: source)
        #expect(output.nominalFrameRate == Rational(60000, 1001))
        #expect(output.timeBase == Rational(1, 180_000))
        #expect(output.frameCount == 599)
    }
}
