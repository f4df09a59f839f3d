package import FrameCore
import Motion

/// Makes the frames between two neighbours; keeps what the next pair can reuse.
///
/// Not `Sendable`: one caller at a time. The same inputs give the same bits for every thread count.
package final class FrameRateConversionEngine {
    package struct Outcome: Sendable {
        /// One picture per phase, in the order asked for.
        package var pictures: [PixelBuffer]
        package var fallbacks: FallbackCounts
    }

    private let pool: PixelBufferPool
    private let estimator: MotionEstimator
    private let threads: Int
    private var last: (buffer: PixelBuffer, reference: ReferenceFrame, motion: MotionPair)?

    package init(format: PixelFormat, width: Int, height: Int, quality: QualityPrioritization, threads: Int)
        throws(FrameError)
    {
        pool = try PixelBufferPool(format: format, width: width, height: height)
        self.threads = threads
        estimator = MotionEstimator(effort: Self.effort(quality, pixels: width * height), threads: threads)
    }

    /// `normal` works on half size, where a cell covers 8×8 pixels, but for pictures so small that full size costs nothing.
    private static func effort(_ quality: QualityPrioritization, pixels: Int) -> MotionEffort {
        switch quality {
        case .normal where pixels > 640 * 480:
            MotionEffort(finestLevel: pixels > 2560 * 1600 ? 2 : 1, refinements: 3, coarseRefinements: 8)
        case .normal: MotionEffort(finestLevel: 0, refinements: 3, coarseRefinements: 8)
        case .quality: MotionEffort(finestLevel: pixels > 4096 * 2304 ? 1 : 0, refinements: 8, coarseRefinements: 12)
        }
    }

    /// - Parameters:
    ///   - phases: 0…1 from `source` to `next`, in any order; 0 and 1 give the samples of the neighbour itself.
    ///   - continues: whether `source` was `next` of the previous call and no cut lies between, so that motion found
    ///     there may serve as a predictor.
    package func interpolate(
        from source: PixelBuffer, to next: PixelBuffer, phases: [Float], continues: Bool
    ) throws(FrameError) -> Outcome {
        let previous = continues ? last : nil
        let a = if let previous { previous.reference } else { try ReferenceFrame(source, threads: threads) }
        let b = try ReferenceFrame(next, threads: threads)
        let motion = estimator.estimate(a.pyramid, b.pyramid, previous: previous?.motion)
        last = (next, b, motion)
        let errors = (
            forward: motion.forward.inconsistency(with: motion.backward, threads: threads),
            backward: motion.backward.inconsistency(with: motion.forward, threads: threads)
        )
        var outcome = Outcome(pictures: [], fallbacks: FallbackCounts())
        for phase in phases {
            if phase <= 0 || phase >= 1 {
                outcome.pictures.append(phase <= 0 ? source : next)
                continue
            }
            let field = PhaseField(motion, errors: errors, a: a.pyramid, b: b.pyramid, phase: phase, threads: threads)
            outcome.fallbacks += field.fallbacks
            var picture = try pool.makeBuffer()
            try PhaseSynthesis(a: a, b: b, field: field, phase: phase).write(to: &picture, threads: threads)
            outcome.pictures.append(picture)
        }
        return outcome
    }
}
