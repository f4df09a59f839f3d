public import FrameCore

/// Slow motion by any factor, at the source's frame rate.
///
/// With source times t₀…tₙ, counted from the first frame of the part, and the factor f, output frame k shows the source at the position k/f, counted in frames: at
/// the phase p between tᵢ and tᵢ₊₁, where i + p = k/f. It is shown at `f·(tᵢ + p·(tᵢ₊₁ − tᵢ))`. N frames become N·f,
/// rounded up; evenly spaced frames stay evenly spaced. A source frame is shown unchanged where k/f is its number. After
/// the last one, that frame is held. Where a source frame stands still until h, it is shown from its own time on, and the
/// frames after it at `f·(h + p·(tᵢ₊₁ − h))`. All times are exact (see `MediaTime`). For whole factors,
/// ``SlowMotionPlan`` keeps every source frame.
public struct StretchPlan: TimingPlan, Hashable {
    /// The allowed factors, exclusive and inclusive.
    private static let least = 1, most = 256

    /// The factor by which the clip becomes longer.
    public let factor: Rational
    /// The number of source frames so far.
    private var index = 0
    /// The number of the source frame from which positions count: the first of a part.
    private var origin = 0

    /// The factor as text.
    public var summary: String { "x\(factor)" }

    /// - Throws: `FrameError` if `factor` is not above 1 and at most 256.
    public init(factor: Rational) throws(FrameError) {
        guard factor.isPositive, factor.numerator > factor.denominator,
            Int64(factor.numerator) <= Int64(Self.most) * Int64(factor.denominator)
        else {
            throw FrameError(
                .invalidArgument,
                "factor \(factor) is not allowed; it is a number above \(Self.least) and at most \(Self.most)")
        }
        self.factor = factor.reduced
    }

    /// Positions are evenly spaced.
    public var spacing: FrameSpacing { .kept }
    /// The number of source frames.
    public var history: TimingHistory { .count }

    /// Returns the plan for a part, whose first frame is shown; the plan itself if that frame's number is unknown.
    public func starting(at time: MediaTime, frame: Int?) -> StretchPlan {
        var plan = self
        plan.origin = frame ?? origin
        return plan
    }

    /// The number of output frames before the position of a source frame; negative before a part.
    private func count(before frame: Int) -> Int { (ExactTime(frame - origin) * ExactTime(factor)).roundedUp }

    /// Returns the output frames from a source frame to the next, and advances.
    ///
    /// - Parameter isHeld: whether the source frame is the last one, and `next` the clip's end.
    private mutating func advance(from source: MediaTime, to next: MediaTime, isHeld: Bool) -> PlannedFrames {
        let scale = ExactTime(factor), start = ExactTime(source), span = ExactTime(next) - start
        let number = ExactTime(index - origin), first = count(before: index), end = count(before: index + 1)
        index += 1
        return PlannedFrames(count: end - first) { offset in
            let phase = ExactTime(first + offset) / scale - number
            let following = min(ExactTime(first + offset + 1) / scale - number, ExactTime(1))
            // Where the frame after the last one of an interval is shown is not known yet; it follows one interval of the
            // same length.
            let duration = isHeld ? following - phase : ExactTime(1) / scale
            return PlannedFrame(
                content: phase.isPositive && !isHeld ? .between(phase: phase.floatValue) : .source,
                time: (scale * (start + phase * span)).mediaTime, duration: (scale * duration * span).mediaTime)
        }
    }

    public mutating func frames(
        from source: MediaTime, heldUntil hold: MediaTime?, to next: MediaTime, end: MediaTime?
    ) -> PlannedFrames {
        guard let hold, source < hold, hold < next else { return advance(from: source, to: next, isHeld: false) }
        // The frames move in the time after the hold. The first of them shows the source frame from its own time on.
        let moving = advance(from: hold, to: next, isHeld: false), scale = ExactTime(factor)
        let start = (scale * ExactTime(source)).mediaTime, change = (scale * ExactTime(hold)).mediaTime
        return PlannedFrames(count: moving.count) { index in
            var frame = moving[index]
            if index == 0 {
                let end = moving.count > 1 ? moving[1].time : (scale * ExactTime(next)).mediaTime
                frame = PlannedFrame(content: .source, time: start, duration: end - start)
            } else if index == 1 {
                frame.heldUntil = change
            }
            return frame
        }
    }

    public mutating func closingFrames(last: MediaTime, end: MediaTime?) -> PlannedFrames {
        if let end, end > last { return advance(from: last, to: end, isHeld: true) }
        // The time of a frame after the last one is unknown.
        let isShown = ExactTime(count(before: index)) / ExactTime(factor) == ExactTime(index - origin)
        let time = (ExactTime(factor) * ExactTime(last)).mediaTime
        index += 1
        return PlannedFrames(count: isShown || index == 1 ? 1 : 0) { _ in
            PlannedFrame(content: .source, time: time, duration: nil)
        }
    }

    /// Returns the output's description. Its tick is the coarsest that represents every phase exactly, if it fits 31
    /// bits; the nominal frame rate stays the same.
    public func outputStream(for source: VideoStreamDescription) -> VideoStreamDescription {
        var output = source
        let tick = ExactTime(source.timeBase) * ExactTime(factor) / ExactTime(Int(factor.numerator))
        output.timeBase = tick.rational ?? source.timeBase
        output.frameCount = expectedFrameCount(sourceFrames: source.likelyFrameCount, duration: source.duration)
        output.duration = source.duration.map { (ExactTime($0) * ExactTime(factor)).mediaTime }
        return output
    }

    public func expectedFrameCount(sourceFrames: Int?, duration: MediaTime?) -> Int? {
        sourceFrames.flatMap { $0 > 0 ? (ExactTime($0) * ExactTime(factor)).roundedUp : nil }
    }
}

extension StretchPlan {
    /// Advances past the frames and returns the number of output frames at their positions.
    public mutating func skip(frames: Int, from first: MediaTime, to time: MediaTime) -> Int {
        let before = count(before: index)
        index += frames
        return count(before: index) - before
    }
}
