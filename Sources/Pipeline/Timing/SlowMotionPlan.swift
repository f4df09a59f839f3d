public import FrameCore

/// Slow motion: every source frame is kept, frames at the given phases between neighbours are added, and time is
/// stretched by the number of phases plus one.
///
/// With source times t₀…tₙ and k phases, the frame at phase p between tᵢ and tᵢ₊₁ is shown at `(k+1)·(tᵢ + p·(tᵢ₊₁ −
/// tᵢ))`; phase 0 is the source frame itself. A frame that stands still until h is one long frame: those after it are shown
/// at `(k+1)·(h + p·(tᵢ₊₁ − h))`. N frames become `(N−1)·(k+1) + 1`, and the last one is shown for k+1
/// times its own duration. Phases need not be evenly spaced. All times are exact (see `MediaTime`).
public struct SlowMotionPlan: TimingPlan, Hashable {
    /// The maximum number of phases; enough for a slowdown of 256.
    public static let maximumPhaseCount = 255

    /// The phases, ascending, each strictly between 0 and 1.
    public let phases: [Rational]

    /// The factor by which the clip becomes longer, as a whole number.
    public var stretch: Int { phases.count + 1 }
    /// The number of phases plus one.
    public var factor: Rational { Rational(Int32(stretch), 1) }
    /// As even as the phases.
    public var spacing: FrameSpacing { isEven ? .kept : .uneven }
    /// Nothing: the frames from a source frame to the next depend on these two only.
    public var history: TimingHistory { .nothing }

    /// The phases as text.
    public var summary: String { phases.map { "\($0)" }.joined(separator: " ") }

    /// - Throws: `FrameError` if there are no phases or more than ``maximumPhaseCount``, if one is not strictly between
    ///   0 and 1, or if they do not ascend.
    public init(phases: [Rational]) throws(FrameError) {
        guard (1...Self.maximumPhaseCount).contains(phases.count) else {
            throw FrameError(
                .invalidArgument,
                "\(phases.count) phases were given; 1 to \(Self.maximumPhaseCount) are allowed")
        }
        for phase in phases
        where !phase.isPositive || phase.numerator >= phase.denominator {
            throw FrameError(
                .invalidArgument, "phase \(phase) is not allowed; a phase must be strictly between 0 and 1")
        }
        for (earlier, later) in zip(phases, phases.dropFirst()) where !(ExactTime(earlier) < ExactTime(later)) {
            throw FrameError(
                .invalidArgument, "phase \(later) comes after phase \(earlier); phases must ascend")
        }
        self.phases = phases.map(\.reduced)
    }

    /// Creates evenly spaced phases that make the clip `factor` times longer.
    /// - Throws: `FrameError` if `factor` is not 2…256.
    public init(factor: Int) throws(FrameError) {
        guard (2...Self.maximumPhaseCount + 1).contains(factor) else {
            throw FrameError(
                .invalidArgument,
                "factor \(factor) is not allowed; it is a whole number from 2 to \(Self.maximumPhaseCount + 1)")
        }
        try self.init(phases: (1..<factor).map { Rational(Int32($0), Int32(factor)) })
    }

    /// Whether a source with evenly spaced frames results in an output with evenly spaced frames.
    package var isEven: Bool {
        phases.enumerated().allSatisfy { index, phase in
            Int64(phase.numerator) * Int64(stretch) == Int64(index + 1) * Int64(phase.denominator)
        }
    }

    /// Returns the output frames from a source frame to the next, between which others were left out: about as many as with
    /// those, and evenly spaced. Where the phases are uneven, nothing takes the place of the frames that were left out.
    ///
    /// - Parameter interval: the usual time between source frames.
    func frames(from source: MediaTime, to next: MediaTime, filling interval: MediaTime) -> PlannedFrames {
        // A picture that is due between two frames of the source takes the place of one, not of two.
        let steps = (ExactTime(next - source) / ExactTime(interval)).floatValue + 0.25
        guard isEven, (2..<Float(Self.mostMissing + 1)).contains(steps) else {
            return self.frames(from: source, to: next)
        }
        let count = Int(steps) * stretch
        return self.frames(from: source, to: next, (1..<count).map { Rational(Int32($0), Int32(count)) })
    }

    /// The largest number of source frames from a picture to the next for which as many are made.
    private static let mostMissing = 16

    private func frames(from source: MediaTime, to next: MediaTime, _ phases: [Rational]? = nil) -> PlannedFrames {
        frames(from: source, heldUntil: nil, to: next, phases ?? self.phases)
    }

    public mutating func frames(
        from source: MediaTime, heldUntil hold: MediaTime?, to next: MediaTime, end: MediaTime?
    ) -> PlannedFrames {
        frames(from: source, heldUntil: hold, to: next, phases)
    }

    private func frames(
        from source: MediaTime, heldUntil hold: MediaTime?, to next: MediaTime, _ phases: [Rational]
    ) -> PlannedFrames {
        let start = ExactTime(source), stop = ExactTime(next), scale = ExactTime(stretch)
        let hold = hold.flatMap { source < $0 && $0 < next ? ExactTime($0) : nil }
        let change = hold ?? start
        let times = [start] + phases.map { change + ExactTime($0) * (stop - change) } + [stop]
        return PlannedFrames(count: phases.count + 1) { index in
            PlannedFrame(
                content: index == 0 ? .source : .between(phase: ExactTime(phases[index - 1]).floatValue),
                time: (scale * times[index]).mediaTime, duration: (scale * (times[index + 1] - times[index])).mediaTime,
                heldUntil: index == 1 ? hold.map { (scale * $0).mediaTime } : nil)
        }
    }

    public mutating func closingFrames(last: MediaTime, end: MediaTime?) -> PlannedFrames {
        let scale = ExactTime(stretch), start = ExactTime(last)
        let frame = PlannedFrame(
            content: .source, time: (scale * start).mediaTime,
            duration: end.map { (scale * (ExactTime($0) - start)).mediaTime })
        return PlannedFrames(count: 1) { _ in frame }
    }

    /// Returns the output's description. Its tick is the coarsest that represents every phase exactly, if it fits 31
    /// bits; the nominal frame rate stays the same.
    public func outputStream(for source: VideoStreamDescription) -> VideoStreamDescription {
        var output = source
        var finest: Int64 = 1
        for phase in phases { finest = leastCommonMultiple(finest, Int64(phase.denominator)) }
        if let tick = (ExactTime(source.timeBase) * ExactTime(stretch) / ExactTime(Int(finest))).rational {
            output.timeBase = tick
        }
        output.frameCount = expectedFrameCount(sourceFrames: source.likelyFrameCount, duration: source.duration)
        output.duration = source.duration.map { (ExactTime($0) * ExactTime(stretch)).mediaTime }
        return output
    }

    public func expectedFrameCount(sourceFrames: Int?, duration: MediaTime?) -> Int? {
        guard let sourceFrames, sourceFrames > 0 else { return nil }
        let product = (sourceFrames - 1).multipliedReportingOverflow(by: stretch)
        return product.overflow ? nil : product.partialValue + 1
    }
}

/// Returns the least common multiple of two positive numbers, or `a` if the result does not fit 31 bits.
private func leastCommonMultiple(_ a: Int64, _ b: Int64) -> Int64 {
    let product = a / max(1, greatestCommonDivisor(a, b)) * b
    return product <= Int64(Int32.max) ? product : a
}

extension SlowMotionPlan {
    /// Returns the number of output frames for the frames.
    public mutating func skip(frames: Int, from first: MediaTime, to time: MediaTime) -> Int {
        let product = frames.multipliedReportingOverflow(by: stretch)
        return product.overflow ? .max / 2 : product.partialValue
    }
}
