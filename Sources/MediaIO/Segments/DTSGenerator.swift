import DequeModule

/// Decoding timestamps (DTS) of packets whose encoder is restarted for every segment.
///
/// With a reordering delay of d frames the packet at position i is decoded when frame i − d is shown, and the first d as
/// much earlier as frame d is shown after the first. So times ascend over the boundaries of segments too, whatever times an
/// encoder that knows its own segment alone would give. A pure value.
package struct DTSGenerator {
    /// Frames that the encoder may hold back to reorder them.
    let delay: Int
    /// Presentation times of the first frames.
    private var first: [Int64] = []
    /// Presentation times that are not yet used as decoding times.
    private var waiting = Deque<Int64>()
    private var taken = 0
    private var given = 0
    private var hasEnded = false

    package init(delay: Int) { self.delay = max(0, delay) }

    /// Whether ``next()`` may be called: the first times need ``delay`` frames more, or the word that none follow.
    package var isReady: Bool { first.count > delay || hasEnded }

    /// Whether as many decoding times were given as presentation times were taken.
    package var isComplete: Bool { given == taken }

    /// Takes presentation times in ascending order.
    package mutating func append(_ ticks: Int64) {
        taken += 1
        if first.count <= delay { first.append(ticks) }
        waiting.append(ticks)
    }

    /// Says that no frame follows.
    package mutating func finish() { hasEnded = true }

    /// The decoding time of the next packet; nil when there are more packets than frames.
    package mutating func next() -> Int64? {
        defer { given += 1 }
        if given < delay, given < first.count {
            // Ticks that lie apart by more than 64 bits are nothing to reckon with.
            let span = (first.last ?? 0).subtractingReportingOverflow(first[0]).partialValue
            return first[given].subtractingReportingOverflow(span).partialValue
        }
        return waiting.popFirst()
    }
}
