package import FrameEffects

/// Tells how each pair of frames relates to the one before, and so where its motion may help with the next: a pure value.
///
/// Nothing is taken over where a pair is left out (a cut, or a pair between which no frame is due), on both sides of a
/// flash, and at the reset points of the source's timeline. So what the engine remembers depends on that timeline alone.
package struct PairContinuity: Sendable {
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
    ///   - resets: whether the clip, a scene or a new stretch of the timeline begins with the earlier frame.
    package mutating func advance(toPair index: Int, isFlash: Bool = false, resets: Bool) -> PairRelation {
        if current == index { return .samePair }
        let follows = reached == index && !isFlash && !resets
        reached = isFlash ? nil : index + 1
        current = index
        return follows ? .follows : .none
    }
}
