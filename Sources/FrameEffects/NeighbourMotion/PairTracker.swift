package import FrameCore
package import Motion

/// A picture made ready for matching.
package protocol MatchablePicture: Sendable {
    var pyramid: LumaPyramid { get }
    init(_ picture: PixelBuffer, threads: Int) throws(FrameError)
}

extension LumaPyramid: MatchablePicture {
    package var pyramid: LumaPyramid { self }
}

/// Finds the motion of neighbouring pictures and keeps what the next pair can reuse.
package struct PairTracker<Picture: MatchablePicture> {
    /// Two neighbours made ready, and the motion between them.
    package struct Pair {
        package let a: Picture
        package let b: Picture
        package let flow: OpticalFlow
        fileprivate let source: PixelBuffer
        fileprivate let next: PixelBuffer
        /// Predictors for the pair that follows; nil for motion that was brought along.
        fileprivate let motion: MotionPair?

        fileprivate func isOf(_ source: PixelBuffer, _ next: PixelBuffer) -> Bool {
            self.source.hasSameSamples(as: source) && self.next.hasSameSamples(as: next)
        }
    }

    private let width: Int
    private let height: Int
    private let estimator: MotionEstimator
    private var last: Pair?

    package init(width: Int, height: Int, quality: QualityPrioritization, threads: Int) {
        self.init(width: width, height: height, effort: MotionEffort(quality, pixels: width * height), threads: threads)
    }

    package init(width: Int, height: Int, effort: MotionEffort, threads: Int) {
        self.width = width
        self.height = height
        estimator = MotionEstimator(effort: effort, threads: threads)
    }

    /// - Parameters:
    ///   - relation: what of the pair before may be taken over. Pictures other than it promises are worked on afresh.
    ///   - flow: between the two, of their size; nil has it estimated.
    package mutating func pair(
        _ source: PixelBuffer, _ next: PixelBuffer, _ relation: PairRelation, flow: OpticalFlow? = nil
    ) throws(FrameError) -> Pair {
        let threads = estimator.threads
        let same = relation == .samePair ? last.flatMap { $0.isOf(source, next) ? $0 : nil } : nil
        if let same, flow == nil, same.motion != nil { return same }
        let previous = relation == .follows ? last.flatMap { $0.next.hasSameSamples(as: source) ? $0 : nil } : nil
        let a = if let known = same?.a ?? previous?.b { known } else { try Picture(source, threads: threads) }
        let b = if let known = same?.b { known } else { try Picture(next, threads: threads) }
        let found: (flow: OpticalFlow, motion: MotionPair?)
        if let flow {
            found = (flow, nil)
        } else {
            let motion = estimator.estimate(a.pyramid, b.pyramid, previous: previous?.motion)
            found = (
                OpticalFlow(
                    width: width, height: height, motion: motion, a: a.pyramid, b: b.pyramid, threads: threads), motion
            )
        }
        let pair = Pair(a: a, b: b, flow: found.flow, source: source, next: next, motion: found.motion)
        last = pair
        return pair
    }
}
