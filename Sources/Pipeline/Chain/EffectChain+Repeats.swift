package import FrameCore

extension EffectChain {
    /// Returns the chain with repeats left out before the first effect that shows frames at other times; the chain itself if
    /// there is none, if they are kept, or if the chain leaves them out before it already.
    package func leavingOutRepeats(_ treatment: RepeatTreatment) -> EffectChain {
        guard treatment != .keep else { return self }
        var chain = self
        guard let place = effects.firstIndex(where: { $0 is FrameRateConversionPass || $0 is RepeatsPass }) else {
            return self
        }
        if let pass = effects[place] as? RepeatsPass {
            if treatment == .drop { chain.effects[place] = pass.leavingOutAll() }
        } else {
            chain.effects.insert(RepeatsPass(all: treatment == .drop), at: place)
            if let pass = effects[place] as? FrameRateConversionPass {
                chain.effects[place + 1] = pass.afterRepeats
            }
        }
        return chain
    }

    /// The effect that restores the rate of the pictures; nil if there is none.
    package var rateRestoration: RepeatsPass? {
        effects.lazy.compactMap { $0 as? RepeatsPass }.first(where: \.restoresRate)
    }

    /// Returns the chain for a clip whose pictures have a known rate, if it restores that.
    ///
    /// - Parameter frameRate: the frame rate of the clip.
    package func knowing(_ pictures: PictureRate, frameRate: Rational?) -> EffectChain {
        var chain = self
        for (place, effect) in effects.enumerated() {
            if let pass = effect as? RepeatsPass { chain.effects[place] = pass.knowing(pictures, frameRate: frameRate) }
        }
        return chain
    }
}
