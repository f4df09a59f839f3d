package import FrameCore

/// The part of a chain's output that is written. Frames before it are made only so that effects have their state and
/// their neighbours there; the run ends with the first frame after it.
package struct OutputPart: Sendable, Hashable {
    /// The time at which the part begins, on the clock of the chain's output; frames are written with times from there.
    package let start: MediaTime
    /// The time at which it ends; nil for the end of the clip.
    package let end: MediaTime?
    /// The rate at which the part is sampled, so that it has its length times the rate frames, rounded; nil if its frames are
    /// those of the source.
    package let rate: Rational?
    /// The number of the source's last reset point at or before the beginning; the sink counts its segments from there.
    package let firstSegment: Int

    /// Creates a part.
    package init(start: MediaTime, end: MediaTime?, firstSegment: Int, rate: Rational? = nil) {
        self.rate = rate
        self.start = start
        self.end = end
        self.firstSegment = firstSegment
    }

    package enum Place {
        case before, after
        /// The frame with its time in the part, and a duration that does not exceed it.
        case inside(Frame)
    }

    package func place(of frame: Frame) -> Place {
        guard frame.presentationTime >= start else { return .before }
        var shown = frame
        shown.presentationTime = frame.presentationTime - start
        guard let end else { return .inside(shown) }
        guard frame.presentationTime < end else { return .after }
        if let rate {
            let index = shown.presentationTime.multiplied(by: rate).ticks(of: Rational(1, 1))
            let count = (end - start).multiplied(by: rate).ticks(of: Rational(1, 1))
            guard index < max(1, count) else { return .after }
        }
        shown.duration = frame.duration.map { min($0, end - frame.presentationTime) }
        return .inside(shown)
    }
}
