public import FrameCore

/// Effects in the order in which frames pass through them.
public struct EffectChain: Sendable {
    /// The effects, at least one; the same effect may occur more than once.
    public internal(set) var effects: [any ClipEffect]
    /// Whether later effects reuse the motion that an earlier effect has found. If not, each effect finds its own, and
    /// the result is bit for bit that of running the effects one after another.
    public var sharesMotion = true

    /// - Throws: `FrameError` if there is no effect.
    public init(_ effects: [any ClipEffect]) throws(FrameError) {
        guard !effects.isEmpty else {
            throw FrameError(.invalidArgument, "a chain needs at least one effect")
        }
        self.effects = effects
    }

    /// A chain of one effect.
    public init(_ effect: any ClipEffect) { effects = [effect] }

    /// Whether all effects process each frame as it arrives.
    package var isImmediate: Bool { effects.allSatisfy(\.window.isImmediate) }

    /// A description of the effects and their settings.
    public var summary: String {
        effects.map(\.summary).joined(separator: ", ")
            + (effects.count > 1 && !sharesMotion ? ", each by its own motion" : "")
    }

    /// Returns the description of the chain's output for a given source.
    ///
    /// - Throws: an error if an effect cannot process its input.
    public func outputStream(for source: VideoStreamDescription) throws -> VideoStreamDescription {
        try streams(for: source).last ?? source
    }

    /// Whether any effect after the one at `index` can use motion.
    func wantsMotion(after index: Int) -> Bool {
        sharesMotion && effects[(index + 1)...].contains { $0.window.usesMotion }
    }

    /// Returns the position of the source frame from which the first effect must produce frames, so that the chain's
    /// output from reset point `segment` on is the same as in a complete run.
    ///
    /// Each effect drops its state at a reset point, but its window reaches back across it, so every effect except the
    /// first needs frames from the previous reset point on, and more if earlier effects have lowered the frame rate. If an
    /// effect counts frames, all are needed.
    func firstFrame(forSegment segment: Int, of source: VideoStreamDescription) throws -> Int {
        guard segment > 0 else { return 0 }
        var points = 0, speed = effects.first?.timing?.highestSpeed ?? 1
        for (index, (effect, stream)) in try zip(effects, streams(for: source)).enumerated().dropFirst() {
            if effect.countsFrames { return 0 }
            defer { speed *= effect.timing?.highestSpeed ?? 1 }
            // Repeats are found in less than the frames between two reset points, and no motion is found with them.
            let isAfterRepeats = index == 1 && effects[0] is RepeatsPass && effect.window.previous == 0
            if isAfterRepeats || (effect is RepeatsPass && index + 1 < effects.count) { continue }
            var sourceFrames = 1.0
            if let rate = stream.nominalFrameRate {
                guard let all = source.nominalFrameRate, rate.isPositive else { return 0 }
                sourceFrames = max(1, all.doubleValue / rate.doubleValue)
            } else if source.nominalFrameRate != nil {
                return 0
            }
            // The frame after the starting point lacks the motion that an earlier effect would have supplied.
            let reach = (Double(effect.window.previous + 1) * sourceFrames * speed).rounded(.up)
            points += 1 + ResetSchedule.segment(of: Int(reach))
        }
        return ResetSchedule.frame(of: segment - points)
    }

    /// The number of frames that the first effect looks back at.
    private var framesBack: Int {
        effects.first is RepeatsPass ? RepeatSearch.framesBack : effects.first?.window.previous ?? 0
    }

    /// The number of frames before a reset point at which its checkpoint is taken: those that the first effect looks
    /// back at, and enough for a check that the right frames were found.
    var checkpointLead: Int {
        min(ResetSchedule.interval - 1, max(8, framesBack + 2))
    }

    /// Whether the first effect can begin in the middle of the source. One that counts frames in its own way cannot.
    var canSkip: Bool { effects.first?.canSkip ?? false }

    /// Returns the checkpoints from which the chain's output can be made from reset point `segment` on, the latest
    /// first.
    ///
    /// - Parameters:
    ///   - segment: the number of the first reset point whose frames are needed.
    ///   - source: the source's description.
    ///   - checkpoints: checkpoints taken by an earlier run.
    /// - Throws: an error if an effect cannot process its input.
    public func checkpoints(
        forSegment segment: Int, of source: VideoStreamDescription, among checkpoints: [SourceCheckpoint]
    ) throws -> [SourceCheckpoint] {
        guard canSkip else { return [] }
        // A checkpoint holds the time of the first frame.
        let first = try sampled(from: .zero).firstFrame(forSegment: segment, of: source)
        let lead = framesBack
        return checkpoints.filter { $0.frame > 0 && $0.frame <= first - lead && $0.resetPoint <= segment }
            .sorted { $0.frame > $1.frame }
    }

    /// Returns the stream descriptions of the source and of each effect's output.
    func streams(for source: VideoStreamDescription) throws -> [VideoStreamDescription] {
        var streams = [source]
        for effect in effects {
            let stream = streams[streams.count - 1]
            try (effect as? any KeepingEffect)?.options.kept.check(stream)
            streams.append(try effect.outputStream(for: stream))
        }
        return streams
    }
}
