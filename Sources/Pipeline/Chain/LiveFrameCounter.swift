internal import FrameCore

/// Counts how many frames of one producer are alive in a run.
package final class LiveFrameCounter: Sendable {
    /// Held by a frame for as long as it lives.
    final class Token: Sendable {
        private let counter: LiveFrameCounter

        fileprivate init(_ counter: LiveFrameCounter) { self.counter = counter }

        deinit { counter.counts.withLock { $0.alive -= 1 } }
    }

    private let counts = Lock((alive: 0, peak: 0))

    package init() {}

    func token() -> Token {
        counts.withLock {
            $0.alive += 1
            $0.peak = max($0.peak, $0.alive)
        }
        return Token(self)
    }

    /// The largest number of frames alive at once so far.
    package var peak: Int { counts.withLock { $0.peak } }
}
