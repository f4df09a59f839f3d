package import FrameCore
package import Imaging

extension EffectChain {
    /// Returns the chain with a deinterlacer in front of it.
    package func deinterlaced(_ pass: DeinterlacePass, _ structure: FieldStructure) -> EffectChain {
        var chain = self
        chain.effects.insert(pass.knowing(structure, cuts: cuts), at: 0)
        return chain
    }

    /// Returns the chain for a clip whose fields are known, if it begins with a deinterlacer.
    package func knowing(_ structure: FieldStructure) -> EffectChain {
        guard let pass = effects.first as? DeinterlacePass else { return self }
        var chain = self
        let others = effects.dropFirst().compactMap(\.cuts)
        let isLive = !others.isEmpty && !others.contains(where: \.looksAhead)
        chain.effects[0] = pass.knowing(structure, cuts: isLive ? .live : nil)
        return chain
    }

    /// Returns the chain with a constant rate at its end, if its deinterlacer puts film together and no other effect makes the
    /// times even; the chain itself if there is no film, or no known rate.
    ///
    /// Where a cadence breaks, where a clip begins inside a film frame, and where only parts of a clip are film, pictures are
    /// not evenly spaced.
    ///
    /// - Throws: an error if an effect cannot process its input.
    package func spacingFilmEvenly(_ source: VideoStreamDescription) throws -> EffectChain {
        let makesEven = effects.contains { effect in
            if case .constant = effect.timing?.spacing { true } else { false }
        }
        guard let pass = effects.first as? DeinterlacePass, pass.film != nil, !makesEven, rateRestoration == nil,
            let rate = try outputStream(for: source).nominalFrameRate, rate.isPositive
        else { return self }
        var chain = self
        chain.effects.append(EvenTimesPass(rate: rate))
        return chain
    }
}
