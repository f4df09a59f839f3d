public import Foundation

/// Waits until `condition` holds, however busy the machine is: a test that waits for an event must not bet on how soon it
/// comes.
///
/// - Returns: false when it still does not hold after half an hour, which is taken for never.
public func waitUntil(_ condition: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(1800)
    while ContinuousClock.now < end {
        if try condition() { return true }
        usleep(5000)
    }
    return try condition()
}

/// Has writes to a pipe whose reader is gone fail in this thread, instead of ending all tests.
///
/// Blocked, and not ignored: started programs must find the signal as they would anywhere else.
private func withoutPipeSignals<R>(_ body: () throws -> R) rethrows -> R {
    var blocked = sigset_t(), former = sigset_t()
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &blocked, &former)
    defer {
        // One that came in between is taken before it could be delivered.
        var none = timespec()
        if sigismember(&former, SIGPIPE) == 0 { while sigtimedwait(&blocked, nil, &none) > 0 {} }
        pthread_sigmask(SIG_SETMASK, &former, nil)
    }
    return try body()
}

extension FileHandle {
    /// Writes as much as the reader takes.
    ///
    /// - Returns: false when the reader went away before all was written.
    @discardableResult
    public func feed(_ data: Data) -> Bool {
        withoutPipeSignals {
            do {
                try write(contentsOf: data)
                return true
            } catch {
                return false
            }
        }
    }
}

extension Process {
    /// Whether the started program has taken signal `number` into its own hands by blocking it.
    public func blocksSignal(_ number: Int32) -> Bool { hasSignal(number, in: "SigBlk") }

    /// Whether signal `number` was sent and nobody has taken it yet.
    public func hasPendingSignal(_ number: Int32) -> Bool { hasSignal(number, in: "ShdPnd") }

    /// Whether the started program is stopped, as SIGSTOP does.
    public var isStopped: Bool {
        let text = try? String(contentsOfFile: "/proc/\(processIdentifier)/stat", encoding: .utf8)
        // The name before it may hold anything.
        return text?.split(separator: ")").last?.split(separator: " ").first == "T"
    }

    /// Whether a thread of the started program waits for signals: then all that were taken have been dealt with.
    public var waitsForSignals: Bool {
        // rt_sigtimedwait, which C's headers name by a macro that Swift does not see.
        #if arch(x86_64)
            let number = 128
        #else
            let number = 137
        #endif
        return systemCalls.contains { $0.first == "\(number)" }
    }

    /// Whether a thread of the started program waits for room to write to a file of this number.
    public func isWriting(to descriptor: Int32) -> Bool {
        #if arch(x86_64)
            let number = 1
        #else
            let number = 64
        #endif
        return systemCalls.contains { $0.starts(with: ["\(number)", "0x\(descriptor)"]) }
    }

    /// Number and arguments of what its threads wait in.
    private var systemCalls: [[String]] {
        let tasks = "/proc/\(processIdentifier)/task"
        return ((try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []).compactMap { task in
            let text = try? String(contentsOfFile: "\(tasks)/\(task)/syscall", encoding: .utf8)
            return text?.split(separator: " ").map(String.init)
        }
    }

    /// Looks into one of the masks that the kernel shows.
    private func hasSignal(_ number: Int32, in field: String) -> Bool {
        let status = try? String(contentsOfFile: "/proc/\(processIdentifier)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("\(field):") }
        let mask = line.flatMap {
            UInt64($0.dropFirst(field.count + 1).trimmingCharacters(in: .whitespaces), radix: 16)
        }
        return (mask ?? 0) >> UInt64(number - 1) & 1 == 1
    }
}
