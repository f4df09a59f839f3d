internal import FrameCore

/// Counts frames from several threads and reports at most ten times a second.
package final class ProgressMeter: Sendable {
    private struct Counts {
        var read = 0
        var written = 0
        var lastReport: Duration?
    }

    private static let interval: Duration = .milliseconds(100)
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private let expected: Int?
    private let counts = Lock(Counts())
    private let report: @Sendable (PipelineEvent) -> Void

    package init(expected: Int?, report: @escaping @Sendable (PipelineEvent) -> Void) {
        self.expected = expected
        self.report = report
        start = clock.now
    }

    var seconds: Double { (clock.now - start) / .seconds(1) }

    func countRead() { counts.withLock { $0.read += 1 } }

    func countWritten() {
        let elapsed = clock.now - start
        let due: Counts? = counts.withLock { counts in
            counts.written += 1
            guard elapsed - (counts.lastReport ?? .zero) >= Self.interval else { return nil }
            counts.lastReport = elapsed
            return counts
        }
        if let due { send(due, elapsed) }
    }

    /// Sends the final counts.
    func conclude() { send(counts.withLock { $0 }, clock.now - start) }

    package var framesWritten: Int { counts.withLock { $0.written } }

    private func send(_ counts: Counts, _ elapsed: Duration) {
        // More frames than the container states have been found.
        let expected = expected.flatMap { counts.written > $0 ? nil : $0 }
        report(
            .progress(
                PipelineProgress(
                    framesRead: counts.read, framesWritten: counts.written, expectedFrames: expected,
                    seconds: elapsed / .seconds(1))))
    }
}
