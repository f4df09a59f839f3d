package import FrameCore
package import Motion

/// Makes the frames between two neighbours; keeps what the next pair can reuse.
///
/// Not `Sendable`: one caller at a time. The same inputs give the same bits for every thread count.
package final class FrameRateConversionEngine {
    package struct Outcome: Sendable {
        /// One picture per phase, in the order asked for.
        package var pictures: [PixelBuffer]
        package var modes: InterpolationModeCounts
        /// Between the two neighbours.
        package var flow: OpticalFlow
    }

    private let pool: PixelBufferPool
    private let threads: Int
    private var tracker: PairTracker

    package convenience init(
        format: PixelFormat, width: Int, height: Int, quality: QualityPrioritization, threads: Int
    ) throws(FrameError) {
        try self.init(
            format: format, width: width, height: height,
            effort: MotionEffort(quality, pixels: width * height), threads: threads)
    }

    init(format: PixelFormat, width: Int, height: Int, effort: MotionEffort, threads: Int) throws(FrameError) {
        pool = try PixelBufferPool(format: format, width: width, height: height)
        self.threads = threads
        tracker = PairTracker(width: width, height: height, effort: effort, resamples: true, threads: threads)
    }

    /// - Parameters:
    ///   - phases: 0…1 from `source` to `next`, in any order; 0 and 1 give the samples of the neighbour itself.
    ///   - relation: what of the previous call may be taken over. Pictures other than it promises are worked on afresh.
    ///   - flow: between `source` and `next`, of their size; nil has it computed.
    ///   - each: called with the position of a phase and its picture as soon as that is made; false leaves out the rest.
    package func interpolate(
        from source: PixelBuffer, to next: PixelBuffer, phases: [Float], relation: PairRelation,
        flow: OpticalFlow? = nil, each: (Int, PixelBuffer) -> Bool = { _, _ in true }
    ) throws(FrameError) -> Outcome {
        let a = try tracker.reference(source), b = try tracker.reference(next)
        let flow = tracker.flow(from: a, to: b, relation, known: flow)
        var outcome = Outcome(pictures: [], modes: InterpolationModeCounts(), flow: flow)
        for (index, phase) in phases.enumerated() {
            var picture = phase <= 0 ? source : next
            if phase > 0, phase < 1 {
                let motion = IntermediateFlow(flow, a: a.pyramid, b: b.pyramid, phase: phase, threads: threads)
                outcome.modes += motion.modes
                picture = try pool.makeBuffer()
                try FrameSynthesis(a: a, b: b, motion: motion, phase: phase).write(to: &picture, threads: threads)
            }
            outcome.pictures.append(picture)
            guard each(index, picture) else { break }
        }
        return outcome
    }
}

extension FrameRateConversionEngine: FrameProcessorEffect {
    package func process(
        _ parameters: FrameRateConversionParameters, relation: PairRelation, results: CallResults
    ) throws {
        _ = try interpolate(
            from: try parameters.sourceFrame.buffer, to: try parameters.nextFrame.buffer,
            phases: parameters.interpolationPhase, relation: relation, flow: try parameters.opticalFlow?.opticalFlow
        ) { index, picture in
            results.complete(index, with: picture) { $0.sideData = $0.sideData.forMadeFrames }
            return !results.isCancelled()
        }
        // Pictures are left out only when no reader waits for them.
        if !results.isComplete { try results.checkCancellation() }
    }
}
