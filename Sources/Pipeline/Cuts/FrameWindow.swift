internal import DequeModule
package import FrameCore
package import Motion

/// Two neighbouring frames and what lies between them.
package struct FramePair: Sendable {
    package var source: Frame
    package var next: Frame
    /// Position of `source` in the clip.
    package var index: Int
    package var transition: Transition.Kind
    package var isFlash: Bool
    /// Whether no frame follows `next`.
    package var isLast: Bool
}

/// Holds frames until it is known what lies between them and whether more follow: a pure value.
///
/// Holds at most ``capacity(lookAhead:)`` frames when the transitions come no later than promised.
package struct FrameWindow: Sendable {
    private var frames = Deque<Frame>()
    private var transitions = Deque<Transition>()
    private var index = 0
    private var hasEnded = false

    package init() {}

    /// Frames that are held at most for a finder that looks `lookAhead` frames ahead of a pair.
    package static func capacity(lookAhead: Int) -> Int { 2 + max(1, lookAhead) }

    package var count: Int { frames.count }

    /// Takes the next frame and the transitions that it settled.
    package mutating func append(_ frame: Frame, settled: [Transition]) {
        frames.append(frame)
        transitions.append(contentsOf: settled)
    }

    /// Says that no frame follows.
    package mutating func finish(settled: [Transition]) {
        transitions.append(contentsOf: settled)
        hasEnded = true
    }

    /// The next pair about which all is known; nil when more must be appended first, or none is left.
    package mutating func nextPair() -> FramePair? {
        guard frames.count > 2 || (hasEnded && frames.count == 2) else { return nil }
        // At the end a pair whose transition never came counts as continuous.
        guard
            let transition = transitions.popFirst()
                ?? (hasEnded ? Transition(index: index + 1, kind: .continuous) : nil)
        else { return nil }
        let source = frames.removeFirst()
        defer { index += 1 }
        return FramePair(
            source: source, next: frames[0], index: index, transition: transition.kind, isFlash: transition.isFlash,
            isLast: hasEnded && frames.count == 1)
    }

    /// The clip's last frame, once all pairs are taken.
    package var lastFrame: Frame? { hasEnded && frames.count == 1 ? frames.first : nil }
}
