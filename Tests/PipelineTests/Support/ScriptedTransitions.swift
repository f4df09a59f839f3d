import FrameCore
import Motion
import Pipeline

/// Transitions given in advance, coming out as late as a finder may be.
struct ScriptedTransitions: TransitionFinder {
    var lookAhead: Int
    /// Position of the second frame of a pair → what lies between; others are continuous.
    var kinds: [Int: Transition.Kind]
    var flashes: Set<Int>
    private var count = 0
    private var delivered = 0

    init(lookAhead: Int = 5, _ kinds: [Int: Transition.Kind] = [:], flashes: Set<Int> = []) {
        self.lookAhead = lookAhead
        self.kinds = kinds
        self.flashes = flashes
    }

    func signature(of buffer: PixelBuffer) -> Int { 0 }

    mutating func append(_ signature: Int) -> [Transition] {
        count += 1
        return deliver(upTo: count - 1 - lookAhead)
    }

    mutating func finish() -> [Transition] { deliver(upTo: count - 1) }

    private mutating func deliver(upTo last: Int) -> [Transition] {
        guard last > delivered else { return [] }
        defer { delivered = last }
        return (delivered + 1...last).map {
            Transition(index: $0, kind: kinds[$0] ?? .continuous, isFlash: flashes.contains($0))
        }
    }
}
