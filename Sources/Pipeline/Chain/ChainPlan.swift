internal import FrameCore

/// What is known of a chain's run over a source before its first frame.
struct ChainPlan: Sendable {
    private let chain: EffectChain
    /// The source and what each effect makes of it.
    private let streams: [VideoStreamDescription]
    /// Number of the reset point from which on frames are written.
    let firstSegment: Int
    /// Position of the source frame from which on the first effect makes frames.
    private let firstFrame: Int
    /// Frames that will be written, when known.
    let framesExpected: Int?

    /// - Throws: when an effect cannot work on what reaches it.
    init(
        _ chain: EffectChain, for source: VideoStreamDescription, resumingAt resumePoint: ResumePoint
    ) throws {
        self.chain = chain
        streams = try chain.streams(for: source)
        firstSegment = resumePoint.segment
        firstFrame = try chain.firstFrame(forSegment: firstSegment, of: source)
        framesExpected = streams.last?.likelyFrameCount.map { $0 - resumePoint.framesWritten }
    }

    /// The stage of the effect at `index`, which puts what it makes into its queue.
    func stage<Signature>(
        _ index: Int, _ queues: RunQueues<Signature>, _ onEvent: @escaping (PipelineEvent) -> Void
    ) -> EffectStage {
        let output = queues.made[index]
        return EffectStage(
            chain.effects[index], source: streams[index], counter: queues.counters[index + 1],
            wantsMotion: chain.wantsMotion(after: index), firstFrame: index == 0 ? firstFrame : 0,
            onCut: { onEvent(.cut($0)) }
        ) { frame in
            guard output.push(frame) else { throw CancellationError() }
        }
    }
}
