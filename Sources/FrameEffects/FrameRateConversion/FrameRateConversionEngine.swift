package import FrameCore
import Kernels
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

    package init(format: PixelFormat, width: Int, height: Int, quality: QualityPrioritization, threads: Int) throws(FrameError) {
        pool = try PixelBufferPool(format: format, width: width, height: height)
        self.threads = threads
        estimator = MotionEstimator(
            effort: quality == .normal ? MotionEffort(finestLevel: 1, refinements: 3) : MotionEffort(finestLevel: 0, refinements: 5),
            threads: threads)
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
        var pictures: [PixelBuffer] = []
        for phase in phases {
            if phase <= 0 || phase >= 1 {
                pictures.append(phase <= 0 ? source : next)
                continue
            }
            let field = PhaseField(motion, errors: errors, a: a.pyramid, b: b.pyramid, phase: phase, threads: threads)
            var picture = try pool.makeBuffer()
            do {
                try PhaseSynthesis(a: a, b: b, field: field, level: motion.level, phase: phase).write(to: &picture, threads: threads)
            } catch let error as FrameError { throw error } catch { throw FrameError(.allocation, "\(error)") }
            pictures.append(picture)
        }
        return Outcome(pictures: pictures, fallbacks: FallbackCounts())
    }
}

/// A frame as the effect reads it: planes with margins, and the pyramid for matching.
struct ReferenceFrame: Sendable {
    static let margin = 32
    let planes: [PaddedPlane]
    let pyramid: LumaPyramid

    init(_ picture: PixelBuffer, threads: Int) throws(FrameError) {
        pyramid = try LumaPyramid(picture, threads: threads)
        var planes: [PaddedPlane] = []
        for index in 0..<picture.format.planeCount {
            let plane = try picture.withPlanes { p throws(FrameError) in
                try PaddedPlane(copying: p[index], bytesPerSample: picture.format.bytesPerSample, margin: Self.margin + 4, threads: threads)
            }
            planes.append(plane)
        }
        self.planes = planes
    }
}
