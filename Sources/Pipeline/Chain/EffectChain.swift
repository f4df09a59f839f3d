public import FrameCore

/// Effects in the order in which frames go through them.
public struct EffectChain: Sendable {
    /// At least one; the same may stand there more than once.
    public let effects: [any ClipEffect]
    /// Whether motion that one effect has found serves those after it. Otherwise each finds its own, and the result is
    /// bit for bit that of the effects one after another.
    public var sharesMotion = true

    /// - Throws: `FrameError` when there is no effect.
    public init(_ effects: [any ClipEffect]) throws(FrameError) {
        guard !effects.isEmpty else {
            throw FrameError(.invalidArgument, "a chain of no effects does nothing; name at least one")
        }
        self.effects = effects
    }

    /// A chain of one.
    public init(_ effect: any ClipEffect) { effects = [effect] }

    /// What comes out for a source so described.
    ///
    /// - Throws: when an effect cannot work on what reaches it.
    public func outputStream(for source: VideoStreamDescription) throws -> VideoStreamDescription {
        try streams(for: source).last ?? source
    }

    /// Whether an effect after that at `index` can use motion.
    func wantsMotion(after index: Int) -> Bool {
        sharesMotion && effects[(index + 1)...].contains { $0 is any MotionUser }
    }

    /// The source and what each effect makes of it.
    func streams(for source: VideoStreamDescription) throws -> [VideoStreamDescription] {
        var streams = [source]
        for effect in effects { streams.append(try effect.outputStream(for: streams[streams.count - 1])) }
        return streams
    }
}
