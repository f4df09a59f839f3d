import FrameCore
import Pipeline
import Testing

@Suite struct SpeedRampPlanTests {
    private static let count = 96
    private static func time(_ frame: Int) -> MediaTime { MediaTime(value: Int64(frame) * 1001, timescale: 24_000) }
    private static let end = time(count)

    private func run(_ plan: SpeedRampPlan, _ frames: Range<Int> = 0..<count) -> [(source: Int, frame: PlannedFrame)] {
        var plan = plan, found: [(Int, PlannedFrame)] = []
        for index in frames.dropLast() {
            let isLast = index == Self.count - 2
            found += plan.frames(from: Self.time(index), to: Self.time(index + 1), end: isLast ? Self.end : nil)
                .map { (index, $0) }
        }
        if let last = frames.last, last == Self.count - 1 {
            found += plan.closingFrames(last: Self.time(last), end: Self.end).map { (last, $0) }
        }
        return found
    }

    private func plan(_ text: String, rate: Rational? = nil, isBlurred: Bool = false) throws -> SpeedRampPlan {
        try SpeedRampPlan(curve: SpeedCurve(text: text), rate: rate, isBlurred: isBlurred)
            .knowing(sourceRate: Rational(24_000, 1001))
    }

    @Test(arguments: [nil, Rational(60, 1)])
    func framesShowThePositionsOfTheCurve(rate: Rational?) throws {
        let text = "0:1,1:0.25,2:0.25@0.5,2.5:1,3:6,4:1", plan = try plan(text, rate: rate)
        let frames = run(plan), curve = plan.curve, step = 1 / (rate ?? Rational(24_000, 1001)).doubleValue
        #expect(frames.count == Int((curve.time(of: ExactTime(Self.end)).doubleValue / step).rounded()))
        #expect(plan.expectedFrameCount(sourceFrames: nil, duration: Self.end) == frames.count)
        for (number, (source, frame)) in frames.enumerated() {
            #expect(abs(frame.time.seconds - Double(number) * step) < 1e-9)
            let phase: Double
            switch frame.content {
            case .source: phase = 0
            case .between(let found): phase = Double(found)
            }
            guard source < Self.count - 1 else { continue }
            let shown = Self.time(source).seconds + phase * 1001 / 24_000
            #expect(abs(shown - curve.position(at: ExactTime(frame.time)).doubleValue) < 2e-6, "frame \(number)")
        }
    }

    /// At the clip's own speed, each frame is a source frame.
    @Test func ownSpeedKeepsFrames() throws {
        let frames = run(try plan("0:1"))
        #expect(frames.count == Self.count)
        #expect(frames.allSatisfy { $0.frame.content == .source })
    }

    /// A run that begins in the middle plans the same frames.
    @Test(arguments: [false, true])
    func theMiddleIsThatOfTheWhole(isBlurred: Bool) throws {
        let text = "0:1,1:0.25,2:0.25@0.5,2.5:1,3:6,4:1"
        var rest = try plan(text, isBlurred: isBlurred)
        let whole = run(rest)
        _ = rest.skip(frames: 40, from: .zero, to: Self.time(40))
        let part = run(rest, 40..<Self.count)
        #expect(part.map(\.frame) == whole.filter { $0.source >= 40 }.map(\.frame))
    }

    /// With blur, fast frames are means of moments in their order, which cover what is skipped.
    @Test func fastFramesHaveMoments() throws {
        let frames = run(try plan("0:4", isBlurred: true))
        let moments = Dictionary(grouping: frames.filter { $0.frame.exposure != nil }, by: \.frame.time)
        #expect(moments.count > 20)
        for (time, moments) in moments where time > .zero && time.seconds < 0.9 {
            #expect(moments.map(\.frame.exposure?.moment) == Array(0..<12))
            #expect(moments.allSatisfy { $0.frame.exposure?.count == 12 })
            let places = moments.map { moment in
                if case .between(let phase) = moment.frame.content {
                    Float(moment.source) + phase
                } else {
                    Float(moment.source)
                }
            }
            // Three of four intervals, less the half moment at both ends.
            #expect(abs((places[11] - places[0]) - 2.75) < 0.01, "\(places)")
        }
        // Slow frames have none.
        #expect(run(try plan("0:0.5", isBlurred: true)).allSatisfy { $0.frame.exposure == nil })
    }

    @Test func aStopEndsTheOutput() throws {
        let frames = run(try plan("0:1,2:0@1"))
        // 2·2/1 + 1 s at 23.976 frames/s.
        #expect(frames.count == 120)
    }

    /// Regression: a freeze at the very end was lost.
    @Test(arguments: [false, true])
    func aFreezeAtTheEndIsShown(isBlurred: Bool) throws {
        let end = "96096/24000"
        let frames = run(try plan("0:4,\(end):4@2", isBlurred: isBlurred))
        #expect(Set(frames.map(\.frame.time)).count == 24 + 48)
        #expect(Set(run(try plan("0:4,\(end):0@2", isBlurred: isBlurred)).map(\.frame.time)).count == 48 + 48)
    }

    @Test func theRateIsChecked() {
        #expect(throws: FrameError.self) { try SpeedRampPlan(curve: SpeedCurve(text: "0:1"), rate: Rational(2000, 1)) }
    }
}
