import FrameCore
import FrameEffects
import Pipeline
import Testing

@Suite struct PairSpacingTests {
    private func time(_ milliseconds: Int64) -> MediaTime { MediaTime(value: milliseconds, timescale: 1000) }

    @Test func equalDistancesAreUsed() {
        var spacing = PairSpacing()
        #expect(
            spacing.neighbours(ofPair: 4, interval: time(33), next: time(34))
                == NeighbouringPairs(before: false, after: true))
        for _ in 0..<2 {
            // Two batches of one pair.
            #expect(
                spacing.neighbours(ofPair: 5, interval: time(34), next: time(33))
                    == NeighbouringPairs(before: true, after: true))
        }
        #expect(
            spacing.neighbours(ofPair: 6, interval: time(33), next: nil)
                == NeighbouringPairs(before: true, after: false))
    }

    @Test func otherDistancesAreNot() {
        var spacing = PairSpacing()
        _ = spacing.neighbours(ofPair: 0, interval: time(40), next: nil)
        // A frame is missing.
        #expect(spacing.neighbours(ofPair: 1, interval: time(80), next: time(40)) == .none)
        #expect(spacing.neighbours(ofPair: 2, interval: time(40), next: time(47)) == .none)
        // A pair was skipped.
        #expect(spacing.neighbours(ofPair: 4, interval: time(40), next: nil) == .none)
        #expect(spacing.neighbours(ofPair: 5, interval: nil, next: time(40)) == .none)
        #expect(spacing.neighbours(ofPair: 6, interval: .zero, next: .zero) == .none)
    }
}
