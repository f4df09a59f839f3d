package import FrameCore

/// What an output frame of a speed ramp shows.
package struct RampTime: Sendable, Hashable {
    /// When the frame is shown, counted from the first one.
    package let shown: MediaTime
    /// The time of the source that it shows.
    package let source: MediaTime
    /// The speed there.
    package let speed: Double
}

extension EffectChain {
    /// Returns what each output frame shows of a source from one time to another, for a chain with one speed ramp and no
    /// other effect that changes speed.
    ///
    /// - Parameters:
    ///   - start: the time of the first frame.
    ///   - end: when the last one stops being shown; nil if it is not known.
    /// - Throws: `FrameError` for other chains, and if the end or the frame rate is not known.
    package func rampTimes(from start: MediaTime, to end: MediaTime?) throws(FrameError) -> PlannedTimes {
        let plans = effects.compactMap(\.timing).filter { !$0.retiming.isIdentity || $0 is SpeedRampPlan }
        guard plans.count == 1, let plan = plans[0] as? SpeedRampPlan else {
            throw FrameError(
                .invalidArgument, "only the times of a speed ramp can be printed; give its points (--speed)")
        }
        guard let end else {
            throw FrameError(
                .input, "the length of the clip is not known, so the times of its frames cannot be printed")
        }
        guard let times = plan.times(from: start, to: end) else {
            throw FrameError(
                .input, "the frame rate of the clip is not known, so the times of its frames cannot be printed")
        }
        return times
    }
}

/// What frames show, computed on access.
package struct PlannedTimes: Sequence, Sendable {
    let count: Int
    let time: @Sendable (Int) -> RampTime

    package func makeIterator() -> AnyIterator<RampTime> {
        var number = 0
        return AnyIterator {
            guard number < count else { return nil }
            defer { number += 1 }
            return time(number)
        }
    }
}

extension SpeedRampPlan {
    /// Returns what each output frame shows; nil if the rate is not known.
    fileprivate func times(from start: MediaTime, to end: MediaTime) -> PlannedTimes? {
        guard let rate else { return nil }
        let plan = starting(at: start, frame: nil), first = curve.time(of: ExactTime(start))
        let last = ExactTime(end)
        return PlannedTimes(count: plan.frameCount(until: end)) { number in
            let shown = ExactTime(number) / ExactTime(rate)
            return RampTime(
                shown: shown.mediaTime, source: min(plan.curve.position(at: first + shown), last).mediaTime,
                speed: plan.curve.speed(at: (first + shown).doubleValue))
        }
    }
}
