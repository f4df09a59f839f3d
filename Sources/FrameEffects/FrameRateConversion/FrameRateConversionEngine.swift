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
    private var pair: Pair?

    /// How a call relates to the one before it.
    package enum Relation: Sendable, Hashable {
        /// Not at all, or across a cut: nothing is taken over.
        case none
        /// `source` was `next` of the previous call, so that motion found there may serve as a predictor.
        case follows
        /// Other phases of the same two pictures, whose motion is known.
        case samePair
    }

    /// Two neighbours and the motion between them.
    private struct Pair {
        let source: PixelBuffer
        let next: PixelBuffer
        let a: ReferenceFrame
        let b: ReferenceFrame
        /// Filled; what the errors say of a cell holds for the motion it had before.
        let motion: MotionPair
        let errors: (forward: CellGrid<UInt16>, backward: CellGrid<UInt16>)
    }

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
        case .quality: MotionEffort(finestLevel: pixels > 4096 * 2304 ? 1 : 0, refinements: 5, coarseRefinements: 8)
        }
    }

    /// - Parameters:
    ///   - phases: 0…1 from `source` to `next`, in any order; 0 and 1 give the samples of the neighbour itself.
    ///   - relation: what of the previous call may be taken over. Pictures other than it promises are worked on afresh.
    package func interpolate(
        from source: PixelBuffer, to next: PixelBuffer, phases: [Float], relation: Relation
    ) throws(FrameError) -> Outcome {
        let pair = try prepare(source, next, relation)
        let (a, b, motion, errors) = (pair.a, pair.b, pair.motion, pair.errors)
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

    private func prepare(_ source: PixelBuffer, _ next: PixelBuffer, _ relation: Relation) throws(FrameError) -> Pair {
        let last = pair
        if let last, relation == .samePair, last.source.hasSameSamples(as: source), last.next.hasSameSamples(as: next) {
            return last
        }
        let previous =
            if let last, relation == .follows, last.next.hasSameSamples(as: source) { last } else { nil as Pair? }
        let a = if let previous { previous.b } else { try ReferenceFrame(source, threads: threads) }
        let b = try ReferenceFrame(next, threads: threads)
        let motion = estimator.estimate(a.pyramid, b.pyramid, previous: previous?.motion)
        let errors = (
            forward: motion.forward.inconsistency(with: motion.backward, threads: threads),
            backward: motion.backward.inconsistency(with: motion.forward, threads: threads)
        )
        let fresh = Pair(
            source: source, next: next, a: a, b: b,
            motion: motion.filled(a.pyramid, b.pyramid, inconsistency: errors, threads: threads), errors: errors)
        pair = fresh
        return fresh
    }
}
