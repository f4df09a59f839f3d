internal import CommandLineCore
internal import Foundation
internal import FrameCore
internal import Jobs

/// Handles SIGINT, SIGTERM and SIGHUP: the first signal stops the job cleanly, a later one exits at once.
final class Signals: Interruption {
    static let shared = Signals()

    private enum State {
        /// Nothing has been written, so exiting at once is clean.
        case idle
        /// An output is being opened.
        case opening
        case running(cancel: @Sendable () -> Void)
    }

    private struct Contents {
        var state = State.idle
        var received: Int32?
        var firstArrival: ContinuousClock.Instant?
    }

    /// The same signal within this time of the first is the same request: `timeout` and some shells signal the
    /// process and then its group.
    private static let repetition = Duration.milliseconds(500)

    private let contents = Lock(Contents())

    /// Blocks the signals in this thread and in all threads it starts, and receives them on a dedicated thread.
    func install() {
        var set = sigset_t()
        sigemptyset(&set)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            var action = sigaction()
            sigaction(number, nil, &action)
            // Signals ignored at startup (nohup, background jobs) stay ignored.
            let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            if handler != unsafeBitCast(SIG_IGN, to: Int.self) { sigaddset(&set, number) }
        }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let thread = Thread { [self, set] in
            var set = set
            while true {
                var number: Int32 = 0
                guard sigwait(&set, &number) == 0 else { return }
                handle(number)
            }
        }
        thread.name = "vfx-signals"
        thread.start()
    }

    /// The signal that stopped the job, if one did.
    var received: Int32? { contents.withLock { $0.received } }

    /// Whether a signal has stopped the job.
    var isRequested: Bool { received != nil }

    /// The failure of a job stopped by the signal.
    var failure: JobFailure {
        let number = received ?? SIGINT
        return JobFailure(
            "stopped by \(Self.name(of: number))\(JobFailure.nothingWritten)",
            JobExitCode(rawValue: 128 + number) ?? .interrupted)
    }

    /// Returns the failure if a signal arrived while a file was being written in one step; nil without a signal.
    func lateFailure(output: String) -> JobFailure? {
        guard let received else { return nil }
        return JobFailure(
            "stopped by \(Self.name(of: received)); \(output) was already written",
            JobExitCode(rawValue: 128 + received) ?? .interrupted)
    }

    /// Announces that an output is about to be opened: from now on, a signal waits until there is a way to cancel.
    func willOpenOutput() { contents.withLock { $0.state = .opening } }

    /// Sets how to cancel the job.
    func watch(cancel: @escaping @Sendable () -> Void) {
        let isLate = contents.withLock { contents in
            contents.state = .running(cancel: cancel)
            return contents.received != nil
        }
        if isLate { cancel() }
    }

    /// Announces that no unfinished output remains.
    func didCloseOutput() { contents.withLock { $0.state = .idle } }

    private func handle(_ number: Int32) {
        let cancel: (@Sendable () -> Void)? = contents.withLock { contents in
            let now = ContinuousClock.now
            if let first = contents.firstArrival {
                if number == contents.received, now - first < Self.repetition { return nil }
                leave(number)
            }
            contents.received = number
            contents.firstArrival = now
            switch contents.state {
            case .idle: leave(number)
            case .opening: return nil
            case .running(let cancel): return cancel
            }
        }
        cancel?()
    }

    /// Exits without waiting for anything.
    private func leave(_ number: Int32) -> Never {
        Console.lastError("stopped by \(Self.name(of: number))")
        _exit(128 + number)
    }

    static func name(of number: Int32) -> String {
        switch number {
        case SIGTERM: "SIGTERM"
        case SIGHUP: "SIGHUP"
        default: "SIGINT"
        }
    }
}

extension Signals {
    /// Runs `body`, which writes an output in one step; a signal waits until the output is complete or removed.
    ///
    /// - Throws: any error of `body`; ``JobFailure`` if a signal arrived in the meantime.
    func heldBack<R>(writing output: String, _ body: () throws -> R) throws -> R {
        willOpenOutput()
        let result = try body()
        didCloseOutput()
        if let failure = lateFailure(output: output) { throw failure }
        return result
    }
}
