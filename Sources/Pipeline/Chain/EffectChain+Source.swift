extension EffectChain {
    /// How cuts are to be found: with the help of later frames, unless no effect needs them. All effects of a chain see
    /// the same cuts.
    public var cuts: CutSearch {
        let needed = effects.compactMap(\.cuts)
        guard !needed.isEmpty, !needed.contains(where: \.looksAhead) else { return .lookingAhead }
        return needed.contains(where: \.detectsCuts) ? .live : .none
    }

    /// Whether the chain's settings depend on how strongly the source was compressed.
    public var adaptsToCompression: Bool { visible.contains(where: \.adaptsToCompression) }

    /// Returns the chain for a source. Only effects up to the first upscaling, or to the first reduction of blocking and
    /// ringing, see its compression (see ``ClipEffect/hidesCompression``).
    public func adapted(to compression: SourceCompression) -> EffectChain {
        var chain = self
        for index in visible.indices { chain.effects[index] = effects[index].adapted(to: compression) }
        return chain
    }

    /// The effects up to the first whose result no longer shows how the source was compressed.
    private var visible: ArraySlice<any ClipEffect> {
        effects[...(effects.firstIndex(where: \.hidesCompression) ?? effects.endIndex - 1)]
    }
}
