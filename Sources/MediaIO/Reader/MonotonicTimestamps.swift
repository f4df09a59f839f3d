package import FrameCore

/// Turns a decoder's timestamps into strictly ascending ones.
///
/// Times stay as they are while they ascend. A missing one continues the previous frame; one that does not ascend is
/// moved to where the previous frame ends, and a jump far back (a joined stream starting again) moves all that follows.
/// In formats whose times may jump anywhere, a jump far ahead moves all that follows too.
package struct MonotonicTimestamps {
    package enum Repair: Equatable { case none, derived, moved, discontinuity }

    /// Ticks per second are its inverse.
    package let base: Rational
    /// Ticks of a frame when nothing better is known, at least 1.
    package let nominalTicks: Int64
    /// Numbers the frames instead of reading time stamps.
    package let counts: Bool
    /// Whether the format's times may jump, so that a jump far ahead is a discontinuity and not a pause.
    package let allowsDiscontinuities: Bool
    private var last: Int64?
    private var lastStep: Int64
    /// Ticks that are added to the stamps since the last discontinuity.
    package private(set) var shift: Int64 = 0
    private var index: Int64 = 0

    package init(base: Rational, nominalTicks: Int64, counts: Bool, allowsDiscontinuities: Bool = false) {
        self.base = base
        self.nominalTicks = max(1, nominalTicks)
        self.counts = counts
        self.allowsDiscontinuities = allowsDiscontinuities
        lastStep = self.nominalTicks
    }

    /// - Parameters:
    ///   - stamp: the decoder's best effort in ticks; nil when it has none.
    ///   - duration: the frame's own duration in ticks, 0 when unknown.
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

    /// More than 10 s and more than 100 of the last step.
    private func isFar(_ previous: Int64, _ stamp: Int64) -> Bool {
        let step = stamp.subtractingReportingOverflow(previous)
        if step.overflow { return true }
        let isLong = MediaTime(ticks: step.partialValue, base: base) > MediaTime(value: 10, timescale: 1)
        return isLong && (step.partialValue - 1) / 100 >= lastStep
    }
}
