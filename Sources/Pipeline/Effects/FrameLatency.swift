internal import Glibc

/// How long the frames of a run took.
///
/// An effect makes frames for each frame that it receives: those shown from it until the next or, at low latency, those
/// between the one before and it. They all take as long as that frame.
public struct FrameLatency: Sendable, Hashable {
    /// The distribution of a set of durations, in seconds; values below the maximum are accurate to 1 %.
    public struct Spread: Sendable, Hashable {
        /// The median.
        public var median = 0.0
        /// The 95th percentile.
        public var p95 = 0.0
        /// The maximum.
        public var maximum = 0.0

        /// A distribution of no durations.
        public init() {}
    }

    /// From the arrival of a frame to the end of its way, including the wait for later frames: those that the effect
    /// looks at and those needed for cut detection.
    ///
    /// In the report of a run, once for each frame that is written: from when the source returned the frame that it was
    /// made for until it was in the output, which includes the encoder's look-ahead. In the report of an effect, once for
    /// each frame that reaches it: until the effect had made its frames.
    public var total = Spread()
    /// The time spent in the effect itself.
    public var work = Spread()

    /// - Parameters:
    ///   - total: time from a frame's arrival to the end of its way.
    ///   - work: time spent in the effect itself.
    public init(total: Spread = Spread(), work: Spread = Spread()) {
        self.total = total
        self.work = work
    }
}

/// Counts durations in buckets 1 % apart, so that memory does not grow with their number; a pure value.
package struct DurationHistogram: Sendable {
    /// The shortest duration distinguished from zero, in seconds.
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

    /// Returns the smallest duration that at least the fraction `share` of all durations do not exceed; 0 if there are
    /// none.
    private func value(at share: Double) -> Double {
        var left = Int((share * Double(total)).rounded(.up))
        for (bucket, count) in counts.sorted(by: { $0.key < $1.key }) {
            left -= count
            if left <= 0 { return min(maximum, Self.shortest * pow(Self.step, Double(bucket))) }
        }
        return maximum
    }
}
