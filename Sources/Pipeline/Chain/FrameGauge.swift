internal import FrameCore

/// Counts how many frames of one maker are alive in a run.
final class FrameGauge: Sendable {
    /// Held by a frame as long as it lives.
    final class Token: Sendable {
        private let gauge: FrameGauge

        fileprivate init(_ gauge: FrameGauge) { self.gauge = gauge }

        deinit { gauge.counts.withLock { $0.alive -= 1 } }
    }

    private let counts = Lock((alive: 0, peak: 0))

    func token() -> Token {
        counts.withLock {
            $0.alive += 1
            $0.peak = max($0.peak, $0.alive)
        }
        return Token(self)
    }

    /// The most at once so far.
    var peak: Int { counts.withLock { $0.peak } }
}
