package import FrameCore

/// Turns a decoder's timestamps into strictly ascending ones.
///
/// Timestamps are unchanged as long as they ascend. A missing timestamp, or one that does not ascend, is replaced by
/// the end time of the previous frame. A jump back by more than 2 s (concatenated streams) shifts all following
/// timestamps. In formats that allow discontinuities, a long jump ahead does the same.
package struct MonotonicTimestamps {
    package enum Repair: Equatable { case none, derived, moved, discontinuity }

    /// The time base: duration of a tick in seconds.
    package let base: Rational
    /// Frame duration in ticks when nothing better is known, at least 1.
    package let nominalTicks: Int64
    /// Whether frame numbers are returned instead of timestamps.
    package let counts: Bool
    /// Whether the format allows timestamps to jump, so that a long jump ahead is a discontinuity and not a pause.
    package let allowsDiscontinuities: Bool
    private var last: Int64?
    private var lastStep: Int64
    /// Ticks added to all timestamps since the last discontinuity.
    package private(set) var shift: Int64 = 0
    private var index: Int64 = 0

    package init(base: Rational, nominalTicks: Int64, counts: Bool, allowsDiscontinuities: Bool = false) {
        self.base = base
        self.nominalTicks = max(1, nominalTicks)
        self.counts = counts
        self.allowsDiscontinuities = allowsDiscontinuities
        lastStep = self.nominalTicks
    }

    /// The state of the repair, from which another process can continue.
    package var state: SourcePosition.Clock { SourcePosition.Clock(last: last, lastStep: lastStep, shift: shift) }

    /// Continues from a recorded state.
    package mutating func restore(_ state: SourcePosition.Clock) {
        (last, lastStep, shift) = (state.last, max(1, state.lastStep), state.shift)
    }

    /// Returns the repaired timestamp of the next frame in ticks, and how it was repaired.
    ///
    /// - Parameters:
    ///   - stamp: the decoder's best-effort timestamp in ticks; nil when it has none.
    ///   - duration: the frame's own duration in ticks; 0 when unknown.
    package mutating func next(stamp: Int64?, duration: Int64) -> (ticks: Int64, repair: Repair) {
        if counts {
            index += 1
            return (index - 1, .none)
        }
        guard let previous = last else {
            let first = stamp ?? 0
            last = first
            if duration > 0 { lastStep = duration }
            return (first, stamp == nil ? .derived : .none)
        }
        let (ticks, repair) = continuing(previous, stamp: stamp)
        last = ticks
        lastStep = repair == .none ? ticks &- previous : duration > 0 ? duration : lastStep
        return (ticks, repair)
    }

    private mutating func continuing(_ previous: Int64, stamp: Int64?) -> (Int64, Repair) {
        let follow = previous &+ max(1, lastStep)
        guard let stamp else { return (follow, .derived) }
        let shifted = stamp &+ shift
        if shifted > previous {
            guard allowsDiscontinuities, isFar(previous, shifted) else { return (shifted, .none) }
            shift = follow &- stamp
            return (follow, .discontinuity)
        }
        let back = MediaTime(ticks: previous &- shifted, base: base)
        guard back > MediaTime(value: 2, timescale: 1) else { return (follow, .moved) }
        shift = follow &- stamp
        return (follow, .discontinuity)
    }

    /// Whether the step ahead is more than 10 s and more than 100 times the last step.
    private func isFar(_ previous: Int64, _ stamp: Int64) -> Bool {
        let step = stamp.subtractingReportingOverflow(previous)
        if step.overflow { return true }
        let isLong = MediaTime(ticks: step.partialValue, base: base) > MediaTime(value: 10, timescale: 1)
        return isLong && (step.partialValue - 1) / 100 >= lastStep
    }
}
