public import FrameCore

extension EffectChain {
    /// The factor by which the clip becomes longer; the largest or smallest possible number if it is beyond that.
    public var stretch: Rational {
        let factor = effects.reduce(ExactTime(1)) { $0 * ExactTime($1.timing?.factor ?? Rational(1, 1)) }
        return factor.rational ?? (factor < ExactTime(1) ? Rational(1, .max) : Rational(.max, 1))
    }

    /// How the output's clock relates to the source's.
    public var retiming: Retiming {
        effects.reduce(.identity) { $0.then($1.timing?.retiming ?? .identity) }
    }

    /// Returns the chain for a source whose frame rate speed ramps keep.
    ///
    /// - Throws: an error if an effect cannot process its input, or if the rate is needed and not known.
    package func knowingRates(from source: VideoStreamDescription) throws -> EffectChain {
        var chain = self, stream = source
        for (place, effect) in effects.enumerated() {
            if let pass = effect as? FrameRateConversionPass {
                chain.effects[place] = try pass.knowing(sourceRate: stream.nominalFrameRate)
            }
            stream = try chain.effects[place].outputStream(for: stream)
        }
        return chain
    }

    /// Returns the chain for a clip whose first frame comes again at its end; nil if no effect makes frames in between.
    package var looping: EffectChain? {
        guard let place = effects.lastIndex(where: { $0 is FrameRateConversionPass }),
            let pass = effects[place] as? FrameRateConversionPass
        else { return nil }
        var chain = self
        chain.effects[place] = pass.looping
        return chain
    }

    /// The speed curves of the chain.
    package var speedCurves: [SpeedCurve] { effects.compactMap { ($0.timing as? SpeedRampPlan)?.curve } }

    /// Whether a source with evenly spaced frames results in an output with evenly spaced frames.
    public var hasEvenTimes: Bool {
        effects.reduce(true) { isEven, effect in
            switch effect.timing?.spacing ?? .kept {
            case .kept: isEven
            case .constant: true
            case .uneven: false
            }
        }
    }

    /// The frame rate of the output if the last effect that changes the times samples the clip; nil otherwise.
    package var sampledRate: Rational? {
        guard case .constant(let rate) = effects.compactMap(\.timing).last?.spacing else { return nil }
        return rate
    }

    /// Whether the chain's output can be made in segments, each by a process that begins in the middle of the source. It
    /// cannot if an effect counts frames in its own way, rather than by its timing, as grain from a table counts times.
    public var isDivisible: Bool { effects.allSatisfy { !$0.countsFrames || $0.timing?.history == .count } }

    /// Returns the chain for a part that begins at `time`: a change of the frame rate or of the speed samples the part from
    /// its first frame on.
    ///
    /// - Parameter frame: the number of the part's first frame; nil if it is not known.
    package func sampled(from time: MediaTime, frame: Int? = nil) -> EffectChain {
        var start = time, frame = frame, chain = self
        chain.effects = effects.map { effect in
            let begun = effect.starting(at: start, frame: frame)
            if let timing = effect.timing {
                start = timing.retiming.time(of: start)
                // Frames are counted in another way after it.
                frame = frame.flatMap { timing.number(ofSourceFrame: $0) }
            }
            return begun
        }
        return chain
    }

    /// Returns the time of the first output frame.
    ///
    /// - Parameters:
    ///   - first: the time of the first source frame.
    ///   - next: the time of the second; nil if there is only one.
    package func firstTime(_ first: MediaTime, next: MediaTime?) -> MediaTime {
        effects.reduce((first, next)) { times, effect in
            guard var plan = effect.timing else { return times }
            let frames = times.1.map { plan.frames(from: times.0, to: $0, end: nil) }
            let shown = frames.map(Array.init) ?? Array(plan.closingFrames(last: times.0, end: nil))
            return (shown.first?.time ?? times.0, shown.count > 1 ? shown[1].time : times.1)
        }.0
    }
}
