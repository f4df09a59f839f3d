internal import DequeModule
internal import FrameCore

/// Measures how long frames take from the source into the output; a pure value.
struct WrittenFrames {
    /// When the frames that the sink may still hold were read, in order.
    private var waiting = Deque<ContinuousClock.Instant>()
    private var durations = DurationHistogram()

    /// Counts a frame before it is written.
    ///
    /// - Parameter reading: when the source frame was read that it was made for.
    mutating func add(readAt reading: ContinuousClock.Instant) { waiting.append(reading) }

    /// Counts the frames that have reached the output.
    ///
    /// - Parameters:
    ///   - held: the number of frames that the sink holds.
    ///   - now: the time at which the others were in the output.
    mutating func reach(holding held: Int, at now: ContinuousClock.Instant = .now) {
        while waiting.count > max(0, held), let reading = waiting.popFirst() { durations.add(now - reading) }
    }

    var latency: FrameLatency.Spread { durations.spread }
}
