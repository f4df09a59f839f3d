import FrameCore
import Pipeline
import Testing

@Suite struct StretchPlanTests {
    private func run(
        _ factor: Rational, _ times: [MediaTime], end: MediaTime?
    ) throws -> [(source: Int, frame: PlannedFrame)] {
        var plan = try StretchPlan(factor: factor)
        var found: [(Int, PlannedFrame)] = []
        for (index, (time, next)) in zip(times, times.dropFirst()).enumerated() {
            found += plan.frames(from: time, to: next, end: nil).map { (index, $0) }
        }
        if let last = times.last { found += plan.closingFrames(last: last, end: end).map { (times.count - 1, $0) } }
        return found
    }

    /// Evenly spaced frames stay evenly spaced, and each shows the place of the source that its time says.
    @Test(arguments: [Rational(3, 2), Rational(5, 4), Rational(7, 3), Rational(255, 2), Rational(1001, 1000)])
    func framesAreEven(factor: Rational) throws {
        let times = (0..<12).map { MediaTime(value: Int64($0) * 1001, timescale: 30_000) }
        let frames = try run(factor, times, end: MediaTime(value: 12 * 1001, timescale: 30_000))
        let count = (12 * Int(factor.numerator) + Int(factor.denominator) - 1) / Int(factor.denominator)
        #expect(frames.count == count)
        #expect(try StretchPlan(factor: factor).expectedFrameCount(sourceFrames: 12, duration: nil) == count)
        for (number, (source, frame)) in frames.enumerated() {
            #expect(frame.time == MediaTime(value: Int64(number) * 1001, timescale: 30_000), "\(number)")
            let place = Double(number) / factor.doubleValue
            switch frame.content {
            case .source: #expect(abs(place - Double(source)) < 1e-9 || source == 11)
            case .between(let phase): #expect(abs(Double(phase) + Double(source) - place) < 1e-5 && source < 11)
            }
        }
        // The clip ends where the factor says.
        let last = try #require(frames.last?.frame)
        let end = MediaTime(value: 12 * 1001, timescale: 30_000).multiplied(by: factor)
        #expect(last.time + (try #require(last.duration)) == end)
    }

    /// The count is the same with a hold, during which the source frame is shown from its own time on.
    @Test func aHoldIsStretchedAndShowsItsFrame() throws {
        func second(_ tenths: Int64) -> MediaTime { MediaTime(value: tenths, timescale: 10) }
        var plan = try StretchPlan(factor: Rational(3, 2)), plain = plan
        _ = plan.frames(from: second(0), to: second(1), end: nil)
        _ = plain.frames(from: second(0), to: second(1), end: nil)
        let held = Array(plan.frames(from: second(1), heldUntil: second(60), to: second(61), end: nil))
        #expect(held.count == plain.frames(from: second(1), to: second(61), end: nil).count)
        #expect(held.map(\.content) == [.source])
        #expect(held[0].time == MediaTime(value: 15, timescale: 100))
        let next = Array(plan.frames(from: second(61), heldUntil: second(99), to: second(100), end: nil))
        #expect(next.map(\.content).first == .source && next.count == 2)
        #expect(next[0].time == MediaTime(value: 915, timescale: 100))
        #expect(next[1].heldUntil == MediaTime(value: 1485, timescale: 100))
        #expect(next[1].time > MediaTime(value: 1485, timescale: 100) && next[1].time < second(150))
    }

    /// Uneven times are stretched, interval by interval.
    @Test func unevenTimesAreStretched() throws {
        let times = [0, 10, 40, 50].map { MediaTime(value: Int64($0), timescale: 100) }
        let frames = try run(Rational(3, 2), times, end: MediaTime(value: 60, timescale: 100))
        #expect(
            frames.map(\.frame.time) == [0, 10, 30, 60, 70, 80].map { MediaTime(value: Int64($0), timescale: 100) })
        #expect(frames.map(\.source) == [0, 0, 1, 2, 2, 3])
        #expect(try run(Rational(3, 2), times, end: nil).count == 5)
        #expect(try run(Rational(3, 2), [times[0]], end: nil).count == 1)
    }

    @Test(arguments: [Rational(1, 1), Rational(1, 2), Rational(513, 2), Rational(-3, 2), Rational(3, 0)])
    func otherFactorsAreRefused(factor: Rational) {
        #expect(throws: FrameError.self) { try StretchPlan(factor: factor) }
    }
}
