/// How a pair of neighbours, or a call about them, relates to the one before it.
package enum PairRelation: Sendable, Hashable {
    /// Not at all, or across a cut: nothing may be taken over.
    case none
    /// It goes on where the one before ended, without a gap, so that motion found there may serve as a predictor.
    case follows
    /// The same pictures, whose motion is known.
    case samePair
}
