/// Tells cuts as soon as the later frame of a pair is there, by it and the frames before alone: sooner than
/// ``TransitionDetector``, and less sure of itself. A flash counts as a cut, both ways.
package struct CausalCutDetector: Sendable {
    private var pairs: [PairMeasurement] = []

    package init() {}

    /// Forgets what came before.
    package mutating func reset() { pairs = [] }

    /// Whether a new scene begins with `next`.
    ///
    /// - Parameters:
    ///   - frame: the frame before; that of the last call's `next` unless ``reset()`` was called.
    ///   - next: the frame that has just come.
    package mutating func isCut(_ frame: FrameSignature, _ next: FrameSignature) -> Bool {
        var pair = PairMeasurement(frame, next)
        pairs.append(pair)
        let score = PairContext(pairs: pairs, position: pairs.count - 1).cutScore
        if score > 0 {
            pair.isBreak = true
            pairs[pairs.count - 1] = pair
        }
        if pairs.count > PairContext.reach { pairs.removeFirst() }
        return score > 0
    }
}
