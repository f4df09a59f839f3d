import MediaIO
import Testing

/// Decoding timestamps across segment boundaries.
@Suite struct DTSGeneratorTests {
    /// Returns the decoding timestamps for frames with presentation times `ticks`.
    private func times(_ ticks: [Int64], delay: Int) -> [Int64] {
        var times = DTSGenerator(delay: delay), found: [Int64] = []
        for tick in ticks {
            times.append(tick)
            while times.isReady, found.count < ticks.count, let next = times.next() { found.append(next) }
        }
        times.finish()
        while found.count < ticks.count, let next = times.next() { found.append(next) }
        return found
    }

    @Test func withoutReorderingTheyAreThePresentationTimes() {
        #expect(times([0, 10, 25, 26, 100], delay: 0) == [0, 10, 25, 26, 100])
    }

    @Test func aDelayMovesThem() {
        #expect(times([0, 10, 20, 30, 40], delay: 2) == [-20, -10, 0, 10, 20])
        #expect(times([5, 6, 30, 40], delay: 2) == [-20, -19, 5, 6])
    }

    @Test(arguments: 0..<4, 1..<9)
    func theyAscendAndComeBeforeAnyOrder(delay: Int, count: Int) {
        let ticks = (0..<Int64(count)).map { $0 * $0 * 3 + 7 }
        let found = times(ticks, delay: delay)
        #expect(found.count == count)
        #expect(zip(found, found.dropFirst()).allSatisfy { $0 < $1 })
        // A packet may contain any frame up to `delay` positions before its own.
        for (index, time) in found.enumerated() { #expect(time <= ticks[max(0, index - delay)]) }
    }

    @Test(arguments: 0..<4, 1..<6) func aMissingPacketShows(delay: Int, count: Int) {
        var times = DTSGenerator(delay: delay)
        for tick in 0..<Int64(count) { times.append(tick) }
        times.finish()
        for _ in 0..<count {
            #expect(!times.isComplete)
            _ = times.next()
        }
        #expect(times.isComplete)
    }

    @Test func timesWithoutMeaningDoNotCrash() {
        #expect(times([.min, 0, .max], delay: 2).count == 3)
    }
}
