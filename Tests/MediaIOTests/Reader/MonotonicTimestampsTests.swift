import FrameCore
import MediaIO
import Testing

@Suite struct MonotonicTimestampsTests {
    @Test func whatDoesNotAscendIsRepaired() {
        var timestamps = MonotonicTimestamps(base: Rational(1, 1000), nominalTicks: 40, counts: false)
        let stamps: [Int64?] = [-80, -40, nil, 40, 40, 30, 160, -9000, -8960]
        let results = stamps.map { timestamps.next(stamp: $0, duration: 40) }
        #expect(results.map(\.ticks) == [-80, -40, 0, 40, 80, 120, 160, 200, 240])
        #expect(results.map(\.repair) == [.none, .none, .derived, .none, .moved, .moved, .none, .discontinuity, .none])
        for allowsDiscontinuities in [false, true] {
            var extreme = MonotonicTimestamps(
                base: Rational(1, 1), nominalTicks: 1, counts: false, allowsDiscontinuities: allowsDiscontinuities)
            for stamp: Int64 in [.min + 1, .max - 1, .min + 1, 0] { _ = extreme.next(stamp: stamp, duration: .max) }
        }
    }

    @Test func jumpsAheadAreJoinedWhereTimesMayJump() {
        let stamps: [Int64] = [0, 40, 9000, 9040, 95_000_000, 95_000_040, 95_010_041]
        var steady = MonotonicTimestamps(base: Rational(1, 1000), nominalTicks: 40, counts: false)
        #expect(stamps.map { steady.next(stamp: $0, duration: 40).ticks } == stamps)
        var jumping = MonotonicTimestamps(
            base: Rational(1, 1000), nominalTicks: 40, counts: false, allowsDiscontinuities: true)
        let results = stamps.map { jumping.next(stamp: $0, duration: 40) }
        #expect(results.map(\.ticks) == [0, 40, 9000, 9040, 9080, 9120, 9160])
        #expect(results.map(\.repair) == [.none, .none, .none, .none, .discontinuity, .none, .discontinuity])
    }
}
