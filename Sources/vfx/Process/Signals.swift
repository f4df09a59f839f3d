internal import CommandLineCore
internal import Foundation
internal import FrameCore

/// SIGINT, SIGTERM and SIGHUP: the first stops the job cleanly, a second one leaves at once.
final class Signals: Sendable {
    static let shared = Signals()

    private enum State {
        /// Nothing has been written; leaving at once is clean.
        case idle
        /// An output is being opened.
        case opening
        case running(cancel: @Sendable () -> Void)
    }

    private struct Contents {
        var state = State.idle
        var received: Int32?
    }

    private let contents = Lock(Contents())

    /// Blocks the signals in this thread and all that it starts, and takes them on a thread of their own.
    func install() {
        var set = sigset_t()
        sigemptyset(&set)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            var action = sigaction()
            sigaction(number, nil, &action)
            // What was ignored when we were started (nohup, background jobs) stays ignored.
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

    /// Said where nothing is left.
    static let nothingWritten = "; nothing was written"

    /// The failure of a job that the signal stopped.
    var failure: VfxFailure {
        let number = received ?? SIGINT
        return VfxFailure(
            "stopped by \(Self.name(of: number))\(Self.nothingWritten)",
            VfxExitCode(rawValue: 128 + number) ?? .interrupted)
    }

    /// The failure when a signal came while a file was written in one go; nil without a signal.
    func lateFailure(output: String) -> VfxFailure? {
        guard let received else { return nil }
        return VfxFailure(
            "stopped by \(Self.name(of: received)); \(output) was already written",
            VfxExitCode(rawValue: 128 + received) ?? .interrupted)
    }

    /// Says that an output is about to be opened: from now on a signal waits for the pipeline.
    func willOpenOutput() { contents.withLock { $0.state = .opening } }

    /// Says how the job is cancelled.
    func watch(cancel: @escaping @Sendable () -> Void) {
        let isLate = contents.withLock { contents in
            contents.state = .running(cancel: cancel)
            return contents.received != nil
        }
        if isLate { cancel() }
    }

    /// Says that nothing unfinished is left.
    func didCloseOutput() { contents.withLock { $0.state = .idle } }

    private func handle(_ number: Int32) {
        let cancel: (@Sendable () -> Void)? = contents.withLock { contents in
            if contents.received != nil { leave(number) }
            contents.received = number
            switch contents.state {
            case .idle: leave(number)
            case .opening: return nil
            case .running(let cancel): return cancel
            }
        }
        cancel?()
    }

    /// Leaves without waiting for anything.
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
    /// Runs `body`, which writes an output in one go: a signal waits until the output is whole or gone.
    ///
    /// - Throws: what `body` throws; ``VfxFailure`` for a signal that came meanwhile.
    func heldBack<R>(writing output: String, _ body: () throws -> R) throws -> R {
        willOpenOutput()
        let result = try body()
        didCloseOutput()
        if let failure = lateFailure(output: output) { throw failure }
        return result
    }
}
