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
}
