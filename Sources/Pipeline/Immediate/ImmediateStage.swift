package import FrameCore

/// What an effect made when a frame came.
package struct ImmediateOutcome: Sendable {
    /// In the order in which they are shown.
    package var frames: [Frame]
    /// Whether a cut lies before the frame that came.
    package var isCut = false
    /// How many of ``frames`` show a source frame untouched, and how many were held or mixed over a cut.
    package var sourceFramesShown = 0
    package var heldAtCut = 0
    package var blendedOverCut = 0

    package init(frames: [Frame]) { self.frames = frames }
}

/// An effect that waits for nothing: with each frame comes all that is shown up to it.
package protocol ImmediateEffect: SendableMetatype {
    /// Called once for each frame of the clip, in order.
    ///
    /// - Parameter index: position of the frame, counted from 0.
    mutating func process(_ frame: Frame, index: Int) throws -> ImmediateOutcome
}

/// The middle of a run of an ``ImmediateEffect``. One thread at a time.
struct ImmediateStage<Effect: ImmediateEffect>: RunStage {
    private let emit: (Frame) throws -> Void
    private let onCut: (SceneCut) -> Void
    private let clock = ContinuousClock()
    private var effect: Effect
    private var order: FrameOrder
    private var work = DurationHistogram()
    private var counts = ConversionReport()

    init(
        effect: Effect, stream: VideoStreamDescription, onCut: @escaping (SceneCut) -> Void,
        emit: @escaping (Frame) throws -> Void
    ) {
        self.effect = effect
        self.onCut = onCut
        self.emit = emit
        order = FrameOrder(stream)
    }

    /// Nothing is waited for, so the time from arrival to result is that of the work.
    var report: ConversionReport {
        var report = counts
        report.latency = FrameLatency(total: work.spread, work: work.spread)
        return report
    }

    mutating func append(_ frame: Frame, signature: Void) throws {
        try order.check(frame)
        let start = clock.now
        let outcome = try effect.process(frame, index: counts.framesRead)
        work.add(clock.now - start)
        if outcome.isCut {
            let cut = SceneCut(frame: counts.framesRead, time: frame.presentationTime)
            counts.cuts.append(cut)
            onCut(cut)
        }
        counts.framesRead += 1
        counts.sourceFramesShown += outcome.sourceFramesShown
        counts.heldAtCut += outcome.heldAtCut
        counts.blendedOverCut += outcome.blendedOverCut
        for frame in outcome.frames { try emit(frame) }
    }

    mutating func finish() throws {
        guard counts.framesRead > 0 else {
            throw FrameError(.input, "there is no video frame in the input that can be decoded")
        }
    }
}
