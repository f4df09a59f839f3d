import FrameCore
import FrameEffects
import Pipeline
import TestSupport
import Testing

@Suite struct PairContinuityTests {
    @Test func runsOnAndRestartsWhereItIsTold() {
        var tracker = PairContinuity()
        let continued = (0..<10).map { tracker.advance(toPair: $0, resets: $0 == 4) }
        for (index, value) in continued.enumerated() { #expect(value == (index == 0 || index == 4 ? .none : .follows)) }
    }

    /// The reset points of a clip.
    @Test func theTimelineRestartsAtFixedPlaces() throws {
        #expect(ResetSchedule.interval <= 250)
        let picture = try GeneratedPicture.flat(0, width: 16, height: 16)
        var timeline = SourceTimeline(ScriptedTransitions()), frames: [TimelineFrame] = []
        for index in 0..<1000 {
            let frame = Frame(buffer: picture, presentationTime: MediaTime(value: Int64(index), timescale: 1))
            frames += timeline.append(TimelineFrame(frame: frame))
        }
        frames += timeline.finish()
        #expect(frames.map(\.before.resetPoint) == (0..<1000).map { $0.isMultiple(of: 240) ? $0 / 240 : nil })
    }

    @Test func breaksWhereAPairIsLeftOut() {
        var tracker = PairContinuity()
        let continued = [1, 2, 4, 5, 9].map { tracker.advance(toPair: $0, resets: false) }
        #expect(continued == [.none, .follows, .none, .follows, .none])
    }

    @Test func breaksOnBothSidesOfAFlash() {
        var tracker = PairContinuity()
        let continued = [(1, false), (2, true), (3, true), (4, false), (5, false)].map {
            tracker.advance(toPair: $0.0, isFlash: $0.1, resets: false)
        }
        #expect(continued == [.none, .none, .none, .none, .follows])
    }

    @Test func furtherCallsForAPairAreKnownAsSuch() {
        var tracker = PairContinuity()
        let continued = [7, 7, 7, 8].map { tracker.advance(toPair: $0, resets: false) }
        #expect(continued == [.none, .samePair, .samePair, .follows])
    }
}
