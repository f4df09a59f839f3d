import FrameCore
import Motion

/// How a pair of consecutive frames, or a call for it, relates to the previous one.
package enum PairRelation: Sendable, Hashable {
    /// Unrelated, or across a cut: nothing may be reused.
    case none
    /// The pair starts at the frame where the previous one ended, so its motion may serve as a predictor.
    case follows
    /// The same frames, whose motion is known.
    case samePair
}

/// The motion between two consecutive frames, and the frames prepared for it.
struct TrackedPair {
    let a: ReferenceFrame
    let b: ReferenceFrame
    let flow: OpticalFlow
    /// The change of brightness from `a` to `b`; nil if there is none.
    let change: BrightnessChange?

    /// Whether nothing of either frame is transparent.
    var isOpaque: Bool { a.isOpaque && b.isOpaque }

    /// Returns both frames with the brightness that the picture has at a phase: in a fade, or when the exposure changes,
    /// they can then be compared and blended.
    func brightnessCompensated(
        _ change: BrightnessChange, phase: Float, context: ExecutionContext
    ) throws(FrameError) -> (a: ReferenceFrame, b: ReferenceFrame) {
        (
            try ReferenceFrame(
                a, luma: { change.fromFirst(to: phase, bitDepth: $0) },
                chroma: { change.chromaFromFirst(to: phase, bitDepth: $0) }, context: context),
            try ReferenceFrame(
                b, luma: { change.fromSecond(to: phase, bitDepth: $0) },
                chroma: { change.chromaFromSecond(to: phase, bitDepth: $0) }, context: context)
        )
    }
}

/// Estimates the motion of consecutive frames and keeps what the next pair can reuse.
struct PairTracker {
    private let width: Int
    private let height: Int
    private let resamples: Bool
    private let estimator: MotionEstimator
    /// The threads and kernels to use.
    var context: ExecutionContext { estimator.context }
    /// The latest two frames, oldest first.
    private var references: [ReferenceFrame] = []
    /// The latest pair with its flow, and its motion as a predictor for the next pair; the motion is nil if the caller
    /// supplied the flow.
    private var latest: (source: PixelBuffer, next: PixelBuffer, flow: OpticalFlow, motion: MotionPair?)?

    /// - Parameters:
    ///   - resamples: whether ``ReferenceFrame/planes`` are needed.
    ///   - context: the threads and kernels to use.
    init(width: Int, height: Int, effort: MotionEffort, resamples: Bool = false, context: ExecutionContext) {
        self.width = width
        self.height = height
        self.resamples = resamples
        estimator = MotionEstimator(effort: effort, context: context)
    }

    /// Drops all frames and their motion.
    mutating func forget() {
        references = []
        latest = nil
    }

    /// Returns a frame prepared for matching. Each frame is prepared only once for the two pairs it belongs to.
    mutating func reference(_ picture: PixelBuffer) throws(FrameError) -> ReferenceFrame {
        let reference: ReferenceFrame
        if let index = references.lastIndex(where: { $0.buffer.hasSameSamples(as: picture) }) {
            reference = references.remove(at: index)
        } else {
            reference = try ReferenceFrame(picture, resamples: resamples, context: estimator.context)
            if references.count == 2 { references.removeFirst() }
        }
        references.append(reference)
        return reference
    }

    /// Prepares two consecutive frames and returns the motion between them; the parameters are those of
    /// ``flow(from:to:_:known:)``.
    mutating func pair(
        from source: PixelBuffer, to next: PixelBuffer, _ relation: PairRelation, known: OpticalFlow? = nil
    ) throws(FrameError) -> TrackedPair {
        let a = try reference(source), b = try reference(next)
        let change = BrightnessChange(from: a.pyramid, to: b.pyramid)
        let flow = try flow(from: a, to: b, relation, known: known, change: change)
        return TrackedPair(a: a, b: b, flow: flow, change: change)
    }

    /// Returns the motion between two consecutive frames.
    ///
    /// - Parameters:
    ///   - relation: how the pair relates to the previous one. If its frames contradict this, nothing is reused.
    ///   - known: precomputed flow between the two frames, of their size; nil to estimate it.
    /// - Throws: `FrameError` if memory cannot be allocated.
    mutating func flow(
        from a: ReferenceFrame, to b: ReferenceFrame, _ relation: PairRelation, known: OpticalFlow? = nil
    ) throws(FrameError) -> OpticalFlow {
        try flow(
            from: a, to: b, relation, known: known, change: BrightnessChange(from: a.pyramid, to: b.pyramid))
    }

    private mutating func flow(
        from a: ReferenceFrame, to b: ReferenceFrame, _ relation: PairRelation, known: OpticalFlow?,
        change: @autoclosure () -> BrightnessChange?
    ) throws(FrameError) -> OpticalFlow {
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
        let first = a.pyramid, second = try change()?.undone(in: b.pyramid, context: estimator.context) ?? b.pyramid
        let motion = estimator.estimate(first, second, previous: follows ? latest?.motion : nil)
        let filtered =
            estimator.effort.filtersEdges ? motion.edgesFiltered(first, second, context: estimator.context) : motion
        let flow = OpticalFlow(
            width: width, height: height, motion: filtered, a: first, b: second, context: estimator.context)
        latest = (a.buffer, b.buffer, flow, motion)
        return flow
    }
}

extension MotionEffort {
    /// `normal` estimates at half resolution, where a cell covers 8×8 pixels; small frames at full resolution, which
    /// costs little, and very large ones at a quarter. More than two refinement rounds improve neither interpolated nor
    /// blurred frames.
    ///
    /// - Parameters:
    ///   - quality: the trade-off between speed and quality.
    ///   - pixels: the size of the frames.
    ///   - filtersEdges: whether `quality` moves the edges of motion to those of the picture. The end-point error falls by
    ///     8 %; interpolated frames are the same on average, and blurred ones lose 0.15 dB.
    init(_ quality: QualityPrioritization, pixels: Int, filtersEdges: Bool = false) {
        switch quality {
        case .normal where pixels > 640 * 480:
            self.init(finestLevel: pixels > 2560 * 1600 ? 2 : 1, refinements: 2, coarseRefinements: 2)
        case .normal: self.init(finestLevel: 0, refinements: 2, coarseRefinements: 2)
        case .quality:
            self.init(
                finestLevel: pixels > 4096 * 2304 ? 1 : 0, refinements: 5, coarseRefinements: 8,
                filtersEdges: filtersEdges)
        }
    }

    /// The effort for live video, where each frame must be finished before the next one arrives.
    static func lowLatency(pixels: Int) -> MotionEffort {
        var effort = MotionEffort(.normal, pixels: pixels)
        // Costs half a decibel on frames above this size, but halves the time.
        if pixels > 1024 * 576 { effort.finestLevel = max(effort.finestLevel, 2) }
        return effort
    }
}
