public import FrameCore

/// Frame-rate conversion: the source is sampled at `t₀ + n/rate`, regardless of the times of its frames.
///
/// Output frame n shows the source at exactly that time: a source frame where the times coincide, otherwise a frame
/// interpolated between its two neighbours, or the earlier of them while it stands still. From t₀ to the end (when the last frame stops being shown) there are `N =
/// max(1, ⌊(end − t₀)·rate + ½⌋)` frames, so every output time is inside the source's interval, and the result ends
/// within half an output frame of the source. After the time of the last source frame, that frame is held. No error
/// accumulates: each time is computed from n, so three hours end as exactly as three seconds.
public struct RateConversionPlan: TimingPlan, Hashable {
    /// The output rate in frames per second.
    public let rate: Rational
    private var first: MediaTime?
    /// The index of the next output frame.
    private var index = 0

    /// The allowed rates, in frames per second.
    public static let rateRange: ClosedRange<Int32> = 1...1000

    /// The rate as text.
    public var summary: String { "\(rate)" }

    /// - Throws: `FrameError` if `rate` is not 1…1000 frames per second.
    public init(rate: Rational) throws(FrameError) {
        guard rate.isPositive,
            rate.numerator >= rate.denominator,
            Int64(rate.numerator) <= Int64(Self.rateRange.upperBound) * Int64(rate.denominator)
        else {
            throw FrameError(
                .invalidArgument,
                "\(rate) frames per second are not allowed; the rate is \(Self.rateRange.lowerBound) to \(Self.rateRange.upperBound)"
            )
        }
        self.rate = rate.reduced
    }

    /// Evenly, at the rate.
    public var spacing: FrameSpacing { .constant(rate: rate) }
    /// Only the time of the first source frame matters, unless that of the first output frame is known.
    public var history: TimingHistory { first == nil ? .count : .nothing }

    /// Returns a plan whose first output frame is at `time`, whichever source frames come before. It may begin with any
    /// source frame.
    public func starting(at time: MediaTime, frame: Int?) -> RateConversionPlan {
        var plan = self
        plan.first = time
        return plan
    }

    public mutating func frames(
        from source: MediaTime, heldUntil hold: MediaTime?, to next: MediaTime, end: MediaTime?
    ) -> PlannedFrames {
        if first == nil { first = source }
        let start = ExactTime(source), stop = ExactTime(next)
        let change = hold.map { max(start, min(ExactTime($0), stop)) } ?? start
        // Behind all frames seen so far, this changes nothing.
        index = max(index, ((start - origin) * ExactTime(rate)).roundedUp)
        // The first output time at or after `next` belongs to the following pair.
        let beyond = ((stop - origin) * ExactTime(rate)).roundedUp
        return advance(to: min(beyond, end.map { frameCount(until: $0) } ?? .max)) { time in
            let phase = (time - change) / (stop - change)
            return phase.isPositive ? .between(phase: phase.floatValue) : .source
        }
    }

    public mutating func closingFrames(last: MediaTime, end: MediaTime?) -> PlannedFrames {
        if first == nil { first = last }
        index = max(index, ((ExactTime(last) - origin) * ExactTime(rate)).roundedUp)
        // If the end is unknown, the last frame is shown for the duration of one output frame.
        let end = end ?? (ExactTime(last) + ExactTime(1) / ExactTime(rate)).mediaTime
        return advance(to: frameCount(until: end)) { _ in .source }
    }

    /// Returns the output's description. Its tick divides both the source's tick (because the start need not be zero)
    /// and the duration of an output frame, if that fits 31 bits.
    public func outputStream(for source: VideoStreamDescription) -> VideoStreamDescription {
        var output = source
        let frame = Rational(rate.denominator, rate.numerator)
        output.timeBase = ExactTime(source.timeBase).commonTick(with: ExactTime(frame)).rational ?? frame
        output.nominalFrameRate = rate
        output.frameCount = expectedFrameCount(sourceFrames: source.likelyFrameCount, duration: source.duration)
        return output
    }

    public func expectedFrameCount(sourceFrames: Int?, duration: MediaTime?) -> Int? {
        duration.map { max(1, (ExactTime($0) * ExactTime(rate)).rounded) }
    }

    private var origin: ExactTime { ExactTime(first ?? .zero) }

    private func frameCount(until end: MediaTime) -> Int {
        max(1, ((ExactTime(end) - origin) * ExactTime(rate)).rounded)
    }

    private mutating func advance(
        to end: Int, content: @escaping @Sendable (ExactTime) -> PlannedFrame.Content
    ) -> PlannedFrames {
        let (begin, origin, rate) = (index, origin, ExactTime(rate))
        let duration = MediaTime(value: Int64(self.rate.denominator), timescale: self.rate.numerator)
        index = max(begin, end)
        return PlannedFrames(count: end - begin) { offset in
            let time = origin + ExactTime(begin + offset) / rate
            return PlannedFrame(content: content(time), time: time.mediaTime, duration: duration)
        }
    }
}

extension RateConversionPlan {
    /// Advances past the frames and returns the number of those shown until `time`.
    public mutating func skip(frames: Int, from first: MediaTime, to time: MediaTime) -> Int {
        self.frames(from: first, to: time, end: nil).count
    }
}
