package import FrameEffects

/// Decides how each pair of frames relates to the previous pair, and so whether its motion may be used as a starting
/// point; a pure value.
///
/// Nothing is carried over where a pair is skipped (at a cut, or if no frame is needed between the two), on both sides
/// of a flash, and at the reset points of the source's timeline. The engine's state therefore depends only on that
/// timeline.
package struct PairContinuity: Sendable {
    /// The index of the later frame of the latest pair; nil if nothing may be carried over from it.
    private var reached: Int?
    /// The index of the first frame of the latest pair.
    private var current: Int?

    package init() {}

    /// Returns how the pair that begins with source frame `index` relates to the latest one. Call it in order, once for
    /// each batch of phases of each pair that is processed.
    ///
    /// - Parameters:
    ///   - index: position of the pair's earlier frame.
    ///   - isFlash: whether exactly one of the two frames is lit by a flash.
    ///   - resets: whether the clip, a scene or a segment of the timeline begins with the earlier frame.
    package mutating func advance(toPair index: Int, isFlash: Bool = false, resets: Bool) -> PairRelation {
        if current == index { return .samePair }
        let follows = reached == index && !isFlash && !resets
        reached = isFlash ? nil : index + 1
        current = index
        return follows ? .follows : .none
    }
}
