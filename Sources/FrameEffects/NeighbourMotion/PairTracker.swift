import FrameCore
import Motion

/// How a pair of neighbours, or a call about them, relates to the one before it.
package enum PairRelation: Sendable, Hashable {
    /// Not at all, or across a cut: nothing may be taken over.
    case none
    /// It goes on where the one before ended, without a gap, so that motion found there may serve as a predictor.
    case follows
    /// The same pictures, whose motion is known.
    case samePair
}

/// A picture as engines read it: the pyramid for matching and, where it is resampled, planes with margins.
struct ReferenceFrame {
    static let margin = 32
    let buffer: PixelBuffer
    let pyramid: LumaPyramid
    /// None where only the motion is wanted.
    let planes: [PaddedPlane]

    fileprivate init(_ buffer: PixelBuffer, resamples: Bool, threads: Int) throws(FrameError) {
        self.buffer = buffer
        pyramid = try LumaPyramid(buffer, threads: threads)
        planes = resamples ? try PaddedPlane.copies(of: buffer, margin: Self.margin + 4, threads: threads) : []
    }
}

/// Finds the motion of neighbouring pictures and keeps what the next pair can reuse.
struct PairTracker {
    private let width: Int
    private let height: Int
    private let resamples: Bool
    private let estimator: MotionEstimator
    /// The latest two pictures, the latest last.
    private var references: [ReferenceFrame] = []
    /// The latest pair; predictors for the one that follows, nil where the flow was brought along.
    private var latest: (source: PixelBuffer, next: PixelBuffer, flow: OpticalFlow, motion: MotionPair?)?

    /// - Parameter resamples: whether ``ReferenceFrame/planes`` are needed.
    init(width: Int, height: Int, effort: MotionEffort, resamples: Bool = false, threads: Int) {
        self.width = width
        self.height = height
        self.resamples = resamples
        estimator = MotionEstimator(effort: effort, threads: threads)
    }

    /// The picture made ready, which is done once for both of its pairs.
    mutating func reference(_ picture: PixelBuffer) throws(FrameError) -> ReferenceFrame {
        let reference: ReferenceFrame
        if let index = references.lastIndex(where: { $0.buffer.hasSameSamples(as: picture) }) {
            reference = references.remove(at: index)
        } else {
            reference = try ReferenceFrame(picture, resamples: resamples, threads: estimator.threads)
            if references.count == 2 { references.removeFirst() }
        }
        references.append(reference)
        return reference
    }

    /// The motion between two neighbours.
    ///
    /// - Parameters:
    ///   - relation: what of the pair before may be taken over. Pictures other than it promises are worked on afresh.
    ///   - known: between the two, of their size; nil has it estimated.
    mutating func flow(
        from a: ReferenceFrame, to b: ReferenceFrame, _ relation: PairRelation, known: OpticalFlow? = nil
    ) -> OpticalFlow {
        if let known {
            latest = (a.buffer, b.buffer, known, nil)
            return known
        }
        if relation == .samePair, let latest, latest.motion != nil, latest.source.hasSameSamples(as: a.buffer),
            latest.next.hasSameSamples(as: b.buffer)
        {
            return latest.flow
        }
        let follows = relation == .follows && latest?.next.hasSameSamples(as: a.buffer) == true
        let motion = estimator.estimate(a.pyramid, b.pyramid, previous: follows ? latest?.motion : nil)
        let flow = OpticalFlow(
            width: width, height: height, motion: motion, a: a.pyramid, b: b.pyramid, threads: estimator.threads)
        latest = (a.buffer, b.buffer, flow, motion)
        return flow
    }
}

extension MotionEffort {
    /// `normal` works on half size, where a cell covers 8×8 pixels, but for pictures so small that full size costs nothing.
    /// More rounds than these two make neither interpolated nor blurred pictures better.
    init(_ quality: QualityPrioritization, pixels: Int) {
        switch quality {
        case .normal where pixels > 640 * 480:
            self.init(finestLevel: pixels > 2560 * 1600 ? 2 : 1, refinements: 2, coarseRefinements: 2)
        case .normal: self.init(finestLevel: 0, refinements: 2, coarseRefinements: 2)
        case .quality: self.init(finestLevel: pixels > 4096 * 2304 ? 1 : 0, refinements: 5, coarseRefinements: 8)
        }
    }

    /// Where the next frame does not wait.
    static func lowLatency(pixels: Int) -> MotionEffort {
        var effort = MotionEffort(.normal, pixels: pixels)
        // Half a decibel less on larger pictures, in half the time.
        if pixels > 1024 * 576 { effort.finestLevel = max(effort.finestLevel, 2) }
        return effort
    }
}
