internal import FrameCore

/// What is known of a chain's run over a source before its first frame.
struct ChainPlan {
    /// The source and what each effect makes of it.
    let streams: [VideoStreamDescription]
    /// Position of the source frame from which on the first effect makes frames.
    let firstFrame: Int
    /// Frames that will be written, when known.
    let framesExpected: Int?

    /// - Throws: when an effect cannot work on what reaches it.
    init(
        _ chain: EffectChain, for source: VideoStreamDescription, resumingAt resumePoint: ResumePoint
    ) throws {
        streams = try chain.streams(for: source)
        firstFrame = try chain.firstFrame(forSegment: resumePoint.segment, of: source)
        framesExpected = streams.last?.likelyFrameCount.map { $0 - resumePoint.framesWritten }
    }
}
