public import FrameCore

/// A speed ramp: the clip is sampled at a constant rate, each frame at the moment that a `SpeedCurve` shows.
///
/// With the source's first frame shown at t₀, output frame n is shown at `t₀ + n/rate` and shows the source at the position
/// of the curve at that time, which is an exact fraction. A position within a microsecond of a source frame shows that
/// frame; others are interpolated. From t₀ to the end of the curve there are `max(1, ⌊(end − t₀)·rate + ½⌋)` frames.
///
/// With motion blur, a frame of which the source has more than one interval is the mean of moments in it: the shutter is
/// open for what is skipped, which at the source's rate and speed v is (v − 1)/v of the time of an output frame.
public struct SpeedRampPlan: TimingPlan, Hashable {
    /// The speeds.
    public let curve: SpeedCurve
    /// The output rate in frames per second; nil for that of the source.
    public private(set) var rate: Rational?
    /// Whether the shutter covers what is skipped.
    public let isBlurred: Bool
    /// The time of the first output frame, on the output's clock.
    private var first: ExactTime?
    /// The index of the next output frame.
    private var index = 0
    /// The source's frame rate; nil if it is not known.
    private var sourceRate: Rational?

    /// - Parameters:
    ///   - curve: the speeds, at times of the clip's clock.
    ///   - rate: the output rate in frames per second; nil for that of the source.
    ///   - isBlurred: whether the shutter covers what is skipped.
    /// - Throws: `FrameError` if the rate is not 1…1000 frames per second.
    public init(curve: SpeedCurve, rate: Rational? = nil, isBlurred: Bool = false) throws(FrameError) {
        self.rate = try rate.map { rate throws(FrameError) in try RateConversionPlan(rate: rate).rate }
        self.curve = curve
        self.isBlurred = isBlurred
    }

    /// Returns the plan for a source with this frame rate.
    package func knowing(sourceRate: Rational?) -> SpeedRampPlan {
        var plan = self
        plan.sourceRate = sourceRate
        plan.rate = rate ?? sourceRate.flatMap { try? RateConversionPlan(rate: $0).rate }
        return plan
    }

    /// The points, how speed changes between them, and the rate.
    public var summary: String {
        [
            curve.text, curve.easing.rawValue, rate.map { "at \($0)" } ?? "at the source's rate",
            isBlurred ? "with blur" : nil,
        ].compactMap(\.self).joined(separator: " ")
    }
    /// The largest factor by which a moment becomes longer.
    public var factor: Rational { curve.largestFactor }
    /// The highest speed of the curve.
    public var highestSpeed: Double { max(1, curve.speeds.upperBound) }
    /// Along the curve.
    public var retiming: Retiming { .along(curve) }
    /// Evenly, at the rate.
    public var spacing: FrameSpacing { rate.map { .constant(rate: $0) } ?? .kept }
    /// Only the time of the first source frame matters, unless that of the first output frame is known.
    public var history: TimingHistory { first == nil ? .count : .nothing }

    /// Returns the plan whose first output frame shows the source at `time`.
    public func starting(at time: MediaTime, frame: Int?) -> SpeedRampPlan {
        var plan = self
        plan.first = Self.shown(time, curve)
        return plan
    }

    private static func shown(_ time: MediaTime, _ curve: SpeedCurve) -> ExactTime {
        ExactTime(curve.time(of: ExactTime(time)).mediaTime)
    }

    /// How near to a source frame a position shows that frame.
    private static let tolerance = ExactTime(MediaTime(value: 1, timescale: 1_000_000))
    /// The rate of a clip that states none, until it is known better.
    private static let usualRate = Rational(25, 1)

    private var interval: ExactTime { ExactTime(1) / ExactTime(rate ?? Self.usualRate) }
    private var origin: ExactTime { first ?? ExactTime(0) }

    /// Returns the time of the output at a place between two of its frames, counted in frames.
    private func time(_ place: ExactTime) -> ExactTime { origin + place * interval }

    /// Returns the number of output frames whose positions lie before a time in the source.
    private func count(before time: MediaTime) -> Int {
        let limit = ExactTime(time) - Self.tolerance
        if let stop = curve.stop, ExactTime(stop) < limit { return Self.unlimited }
        // The time of the curve may be rounded, the positions are not.
        var count = min(max(0, ((curve.time(of: limit) - origin) / interval).roundedUp), Self.unlimited)
        while count > 0, !(curve.position(at: self.time(ExactTime(count - 1))) < limit) { count -= 1 }
        while count < Self.unlimited, curve.position(at: self.time(ExactTime(count))) < limit { count += 1 }
        return count
    }

    /// Returns the position at which a clip ends, or the last point if that is only just beyond: containers round lengths.
    private func reached(by end: MediaTime) -> ExactTime {
        guard let last = curve.points.last?.time, end < last, last <= end + Self.rounding else { return ExactTime(end) }
        return ExactTime(last)
    }

    /// By how much the length of a clip may be rounded.
    package static let rounding = MediaTime(value: 2, timescale: 1000)

    /// The number of output frames of a clip that ends at a time in the source.
    func frameCount(until end: MediaTime) -> Int {
        max(1, ((curve.end(of: reached(by: end)) - origin) / interval).rounded)
    }

    public mutating func frames(
        from source: MediaTime, heldUntil hold: MediaTime?, to next: MediaTime, end: MediaTime?
    ) -> PlannedFrames {
        if first == nil { first = Self.shown(source, curve) }
        let limit = min(end.map { frameCount(until: $0) } ?? Self.unlimited, mostFrames)
        let begin = max(index, count(before: source)), following = count(before: next)
        let stop = max(begin, min(following, limit))
        index = stop
        let start = ExactTime(source), span = ExactTime(next)
        let change = hold.map { max(start, min(ExactTime($0), span)) } ?? start
        @Sendable func content(_ position: ExactTime) -> PlannedFrame.Content {
            let phase = (position - change) / (span - change)
            guard Self.tolerance < position - change, phase.isPositive else { return .source }
            return .between(phase: min(phase.floatValue, Float(1).nextDown))
        }
        if isBlurred, curve.speeds.upperBound > 1 {
            // What follows the last interval is not part of any mean.
            return exposures(from: source, to: next, before: end == nil ? limit : min(limit, following), content)
        }
        let plan = self
        return PlannedFrames(count: stop - begin) { offset in
            let place = ExactTime(begin + offset), time = plan.time(place)
            return PlannedFrame(
                content: content(plan.curve.position(at: time)), time: time.mediaTime,
                duration: plan.interval.mediaTime)
        }
    }

    public mutating func closingFrames(last: MediaTime, end: MediaTime?) -> PlannedFrames {
        if first == nil { first = Self.shown(last, curve) }
        let begin = max(index, count(before: last))
        let sourceInterval = ExactTime(1) / ExactTime(sourceRate ?? rate ?? Self.usualRate)
        let stop = min(frameCount(until: end ?? (ExactTime(last) + sourceInterval).mediaTime), mostFrames)
        index = max(begin, stop)
        let plan = self
        return PlannedFrames(count: stop - begin) { offset in
            PlannedFrame(
                content: .source, time: plan.time(ExactTime(begin + offset)).mediaTime,
                duration: plan.interval.mediaTime)
        }
    }

    /// The number of output frames of a curve that ends with speed 0; unlimited for others.
    private var mostFrames: Int {
        curve.end.map { max(1, (($0 - origin) / interval).rounded) } ?? Self.unlimited
    }

    /// More frames than any clip has; sums of such numbers fit.
    private static let unlimited = Int.max / 4

    public mutating func skip(frames: Int, from first: MediaTime, to time: MediaTime) -> Int {
        if self.first == nil { self.first = Self.shown(first, curve) }
        let before = index
        index = max(index, min(count(before: time), mostFrames))
        return index - before
    }

    /// Returns the output's description, as ``RateConversionPlan`` gives it.
    public func outputStream(for source: VideoStreamDescription) -> VideoStreamDescription {
        let plan = knowing(sourceRate: source.nominalFrameRate)
        guard let rate = plan.rate, let sampling = try? RateConversionPlan(rate: rate) else { return source }
        var output = sampling.outputStream(for: source)
        output.frameCount = plan.expectedFrameCount(sourceFrames: source.likelyFrameCount, duration: source.duration)
        output.duration = source.duration.map { curve.end(of: reached(by: $0)).mediaTime }
        return output
    }

    public func expectedFrameCount(sourceFrames: Int?, duration: MediaTime?) -> Int? {
        guard rate != nil else { return nil }
        return duration.map { max(1, (curve.end(of: reached(by: $0)) / interval).rounded) }
    }
}

// MARK: - Motion blur

extension SpeedRampPlan {
    /// The moments in a source interval of which the mean is taken, and the largest number in a frame.
    private static let momentsPerInterval = 4, mostMoments = 32

    /// Returns the part of an output frame's time in which the shutter is open, and the number of its moments.
    private func exposure(ofFrame number: Int) -> (shutter: ExactTime, moments: Int) {
        let speed = curve.speed(at: time(ExactTime(number)).doubleValue)
        let intervals = speed * interval.doubleValue * (sourceRate ?? rate ?? Self.usualRate).doubleValue
        let moments = min(Int(((intervals - 1) * Double(Self.momentsPerInterval)).rounded(.up)), Self.mostMoments)
        guard moments > 1 else { return (ExactTime(0), 1) }
        // In thousandths, so that products of fractions stay small.
        let shutter = Rational(Int32(((intervals - 1) / intervals * 1000).rounded()), 1000)
        return (ExactTime(shutter), moments)
    }

    private func exposures(
        from source: MediaTime, to next: MediaTime, before limit: Int,
        _ content: (ExactTime) -> PlannedFrame.Content
    ) -> PlannedFrames {
        let begin = ExactTime(source) - Self.tolerance, end = ExactTime(next) - Self.tolerance
        let earliest = curve.position(at: origin)
        var frames: [PlannedFrame] = []
        // The moments of a frame lie within half an output frame of its time.
        var number = max(0, count(before: source) - 1)
        // Beyond that, the pair is refused anyway.
        while number < limit, frames.count <= OutputFrameLimit.mostOfPair {
            let (shutter, moments) = exposure(ofFrame: number)
            var isBeyond = true
            for moment in 0..<moments {
                let offset = ExactTime(Rational(Int32(2 * moment + 1 - moments), Int32(2 * moments))) * shutter
                let position = max(earliest, curve.position(at: time(ExactTime(number) + offset)))
                guard position < end else { break }
                isBeyond = false
                guard !(position < begin) else { continue }
                frames.append(
                    PlannedFrame(
                        content: content(position), time: time(ExactTime(number)).mediaTime,
                        duration: interval.mediaTime,
                        exposure: moments > 1 ? .init(moment: moment, count: moments) : nil))
            }
            if isBeyond { break }
            number += 1
        }
        return PlannedFrames(count: frames.count) { [frames] in frames[$0] }
    }
}
