package import FrameEffects

/// Decides where motion found for one pair may help with the next: a pure value.
///
/// A chain breaks wherever a pair is left out (a cut, or a pair between which no frame is due), on both sides of a flash,
/// and at every source frame whose position is a multiple of ``restartInterval``. So what the engine remembers depends on
/// the source's timeline alone, and a job can be cut into segments at these places without a trace.
package struct MotionChain: Sendable {
    /// Source frames from one restart to the next.
    package static let restartInterval = 240

    /// Position of the later frame of the latest pair; nil when nothing may be taken over from it.
    private var reached: Int?
    /// Position of the first frame of the latest pair.
    private var current: Int?

    package init() {}

    /// How the pair that begins with source frame `index` relates to the latest one. Call it for each pair that is worked
    /// on, in order, once for each batch of its phases.
    package mutating func advance(toPair index: Int, isFlash: Bool = false) -> PairRelation {
        if current == index { return .samePair }
        let follows = reached == index && !isFlash && !index.isMultiple(of: Self.restartInterval)
        reached = isFlash ? nil : index + 1
        current = index
        return follows ? .follows : .none
    }
}
