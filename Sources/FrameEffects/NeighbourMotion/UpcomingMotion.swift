import FrameCore

/// The motion of one of the pairs after the latest one, estimated on another thread while frames are made from the latest
/// one.
///
/// Neither of the two keeps all processors busy: both consist of many short parallel parts, and some work between these
/// runs on one thread. Side by side, they fill each other's gaps.
struct UpcomingMotion {
    private let source: PixelBuffer
    private let next: PixelBuffer
    private let relation: PairRelation
    /// The tracker after the pair, and the pair.
    typealias Found = (tracker: PairTracker, pair: TrackedPair)
    private enum State {
        case waiting(PairTracker)
        case running(BackgroundValue<Result<Found, FrameError>>)
        case found(Found)
    }
    private var state: State

    /// - Parameters:
    ///   - tracker: works on a copy, so nothing is lost if the pair is never asked for.
    ///   - source: the earlier frame of the pair.
    ///   - next: the later frame of the pair.
    ///   - relation: how the pair relates to the latest one of `tracker`.
    init(_ tracker: PairTracker, from source: PixelBuffer, to next: PixelBuffer, _ relation: PairRelation) {
        (self.source, self.next, self.relation) = (source, next, relation)
        guard tracker.context.threads > 1 else {
            state = .waiting(tracker)
            return
        }
        state = .running(
            BackgroundValue(threads: tracker.context.threads) {
                Result { () throws(FrameError) in try Self.find(tracker, source, next, relation) }
            })
    }

    private static func find(
        _ tracker: PairTracker, _ source: PixelBuffer, _ next: PixelBuffer, _ relation: PairRelation
    ) throws(FrameError) -> Found {
        var tracker = tracker
        let pair = try tracker.pair(from: source, to: next, relation)
        return (tracker, pair)
    }

    /// Whether this is the motion that ``PairTracker/pair(from:to:_:known:)`` would estimate for these arguments.
    func isOfPair(from source: PixelBuffer, to next: PixelBuffer, _ relation: PairRelation) -> Bool {
        self.source.storage === source.storage && self.next.storage === next.storage && self.relation == relation
    }

    /// Waits for the motion and returns it; nil if its computation failed before.
    mutating func found() throws(FrameError) -> Found? {
        switch state {
        case .found(let found): return found
        case .waiting(let tracker):
            let found = try Self.find(tracker, source, next, relation)
            state = .found(found)
            return found
        case .running(let result):
            guard let found = try result.take()?.get() else { return nil }
            state = .found(found)
            return found
        }
    }
}
