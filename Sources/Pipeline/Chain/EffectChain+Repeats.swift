extension EffectChain {
    /// Returns the chain with repeats left out before the first effect that shows frames at other times; the chain itself if
    /// there is none, if they are kept, or if the chain leaves them out already.
    package func leavingOutRepeats(_ treatment: RepeatTreatment) -> EffectChain {
        guard treatment != .keep, let place = effects.firstIndex(where: { $0 is FrameRateConversionPass }),
            !effects.contains(where: { $0 is RepeatsPass })
        else { return self }
        var chain = self
        chain.effects.insert(RepeatsPass(all: treatment == .drop), at: place)
        return chain
    }
}
