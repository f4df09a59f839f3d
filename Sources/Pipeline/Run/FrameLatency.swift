internal import Foundation

/// How long the frames of a run took.
public struct FrameLatency: Sendable, Hashable {
    /// A spread of durations, in seconds; those below the maximum within 1 %.
    public struct Spread: Sendable, Hashable {
        /// What half of the frames stayed below.
        public var median = 0.0
        /// What 19 of 20 frames stayed below.
        public var p95 = 0.0
        /// The longest.
        public var maximum = 0.0

        /// No duration at all.
        package init() {}
    }

    /// From a frame's arrival at the effect to its result, the wait for the frames after it included: those the effect
    /// looks at, and those that tell whether a cut lies between.
    public var total = Spread()
    /// In the effect alone.
    public var work = Spread()

    /// - Parameters:
    ///   - total: from a frame's arrival to its result.
    ///   - work: in the effect alone.
    package init(total: Spread = Spread(), work: Spread = Spread()) {
        self.total = total
        self.work = work
    }
}

/// Counts durations in steps of 1 %, so that memory does not grow with their number: a pure value.
package struct DurationHistogram: Sendable {
    /// The shortest duration told from zero, in seconds.
    private static let shortest = 1e-6
    private static let step = 1.01
    private var counts: [Int: Int] = [:]
    private var total = 0
    private var maximum = 0.0

    package init() {}

    package mutating func add(_ duration: Duration) {
        let seconds = max(0, duration / .seconds(1))
        let bucket = seconds <= Self.shortest ? 0 : Int((log(seconds / Self.shortest) / log(Self.step)).rounded(.up))
        counts[bucket, default: 0] += 1
        total += 1
        maximum = max(maximum, seconds)
    }

    package var spread: FrameLatency.Spread {
        var spread = FrameLatency.Spread()
        spread.median = value(at: 0.5)
        spread.p95 = value(at: 0.95)
        spread.maximum = maximum
        return spread
    }

    /// The smallest duration that the share `share` of all does not exceed, 0 without any.
    private func value(at share: Double) -> Double {
        var left = Int((share * Double(total)).rounded(.up))
        for (bucket, count) in counts.sorted(by: { $0.key < $1.key }) {
            left -= count
            if left <= 0 { return min(maximum, Self.shortest * pow(Self.step, Double(bucket))) }
        }
        return maximum
    }
}
