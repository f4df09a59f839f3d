package import FrameEffects

/// Decides where motion found for one pair may help with the next: a pure value.
///
/// A chain breaks wherever a pair is left out (a cut, or a pair between which no frame is due), on both sides of a flash,
/// and where the source's timeline has a restart point: at every source frame whose position is a multiple of
/// ``restartInterval``. So what the engine remembers depends on the source's timeline alone, and a job can be cut into segments at these places without a trace.
package struct MotionChain: Sendable {
    /// Source frames from one restart to the next.
    package static let restartInterval = 240

    /// Which restart point lies at a source frame, counted from 0; nil for none.
    package static func restartPoint(at index: Int) -> Int? {
        index.isMultiple(of: restartInterval) ? index / restartInterval : nil
    }

    /// Position of the later frame of the latest pair; nil when nothing may be taken over from it.
    private var reached: Int?
    /// Position of the first frame of the latest pair.
    private var current: Int?

    package init() {}

    /// How the pair that begins with source frame `index` relates to the latest one. Call it for each pair that is worked
    /// on, in order, once for each batch of its phases.
    ///
    /// - Parameters:
    ///   - index: position of the pair's earlier frame.
    ///   - isFlash: whether exactly one of the two frames is lit by a flash.
    ///   - restarts: whether the clip, a scene or a new stretch of the timeline begins with the earlier frame.
    package mutating func advance(toPair index: Int, isFlash: Bool = false, restarts: Bool) -> PairRelation {
        if current == index { return .samePair }
        let follows = reached == index && !isFlash && !restarts
        reached = isFlash ? nil : index + 1
        current = index
        return follows ? .follows : .none
    }
}
