import FrameCore

/// The motion of the pair that follows the latest one, estimated on another thread while frames are made from the
/// latest one.
///
/// Neither of the two keeps all processors busy: both consist of many short parallel parts, and some work between these
/// runs on one thread. Side by side, they fill each other's gaps.
struct UpcomingMotion {
    private let source: PixelBuffer
    private let next: PixelBuffer
    private let relation: PairRelation
    private let result: BackgroundValue<Result<(PairTracker, TrackedPair), FrameError>>

    /// - Parameter tracker: works on a copy, so nothing is lost if the pair is never asked for.
    init(_ tracker: PairTracker, from source: PixelBuffer, to next: PixelBuffer, _ relation: PairRelation) {
        (self.source, self.next, self.relation) = (source, next, relation)
        result = BackgroundValue(threads: tracker.context.threads) {
            var tracker = tracker
            return Result { () throws(FrameError) in
                let pair = try tracker.pair(from: source, to: next, relation)
                return (tracker, pair)
            }
        }
    }

    /// Whether this is the motion that ``PairTracker/pair(from:to:_:known:)`` would estimate for these arguments.
    func isOfPair(from source: PixelBuffer, to next: PixelBuffer, _ relation: PairRelation) -> Bool {
        self.source.storage === source.storage && self.next.storage === next.storage && self.relation == relation
    }

    /// Waits for the motion. Returns it with the tracker as it is after that pair; nil after the first call.
    func take() throws(FrameError) -> (PairTracker, TrackedPair)? { try result.take()?.get() }
}
