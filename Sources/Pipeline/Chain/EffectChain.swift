internal import Checkpoints
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

    /// What the effects do, in words and figures.
    public var summary: String {
        effects.map(\.summary).joined(separator: ", ")
            + (effects.count > 1 && !sharesMotion ? ", each by its own motion" : "")
    }

    /// What comes out for a source so described.
    ///
    /// - Throws: when an effect cannot work on what reaches it.
    public func outputStream(for source: VideoStreamDescription) throws -> VideoStreamDescription {
        try streams(for: source).last ?? source
    }

    /// Whether an effect after that at `index` can use motion.
    func wantsMotion(after index: Int) -> Bool {
        sharesMotion && effects[(index + 1)...].contains { $0.window.usesMotion }
    }

    /// Position of the source frame from which on the first effect must make frames so that those of the whole chain
    /// from reset point `segment` on are as they would be had nothing been left out.
    ///
    /// Each effect begins anew at a reset point, but its window reaches back over it: so every effect but the first
    /// needs frames from the reset point before. Where frames are counted, or left out so that a window may span
    /// several reset points, it needs them all.
    func firstFrame(forSegment segment: Int, of source: VideoStreamDescription) throws -> Int {
        guard segment > 0 else { return 0 }
        var points = 0
        for (effect, stream) in try zip(effects, streams(for: source)).dropFirst() {
            if effect.countsFrames { return 0 }
            if let rate = stream.nominalFrameRate {
                guard let all = source.nominalFrameRate, rate.doubleValue >= all.doubleValue else { return 0 }
            } else if source.nominalFrameRate != nil {
                return 0
            }
            // Motion that was brought along is missing before the first frame.
            points += 1 + (effect.window.previous + 1) / ResetSchedule.interval
        }
        return ResetSchedule.frame(of: segment - points)
    }

    /// The source and what each effect makes of it.
    func streams(for source: VideoStreamDescription) throws -> [VideoStreamDescription] {
        var streams = [source]
        for effect in effects { streams.append(try effect.outputStream(for: streams[streams.count - 1])) }
        return streams
    }
}
