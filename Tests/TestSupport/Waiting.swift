public import Foundation

/// Waits until `condition` holds, however busy the computer is; a test must not depend on how soon an event occurs.
///
/// - Returns: false if it does not hold within half an hour.
public func waitUntil(_ condition: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(1800)
    while ContinuousClock.now < end {
        if try condition() { return true }
        usleep(5000)
    }
    return try condition()
}

/// Makes writes to a closed pipe fail in this thread, instead of ending all tests.
///
/// The signal is blocked rather than ignored: programs started from here must inherit its default treatment.
private func withoutPipeSignals<R>(_ body: () throws -> R) rethrows -> R {
    var blocked = sigset_t(), former = sigset_t()
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &blocked, &former)
    defer {
        // A signal that has arrived in the meantime is consumed before it can be delivered.
        var none = timespec()
        if sigismember(&former, SIGPIPE) == 0 { while sigtimedwait(&blocked, nil, &none) > 0 {} }
        pthread_sigmask(SIG_SETMASK, &former, nil)
    }
    return try body()
}

extension FileHandle {
    /// Writes as much as the reader takes.
    ///
    /// - Returns: false if the reader closed the pipe before everything was written.
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
    /// Whether the started program handles signal `number` itself, having blocked it.
    public func blocksSignal(_ number: Int32) -> Bool { hasSignal(number, in: "SigBlk") }

    /// Whether signal `number` was sent and has not been received yet.
    public func hasPendingSignal(_ number: Int32) -> Bool { hasSignal(number, in: "ShdPnd") }

    /// Whether the started program is stopped, as by SIGSTOP.
    public var isStopped: Bool {
        let text = try? String(contentsOfFile: "/proc/\(processIdentifier)/stat", encoding: .utf8)
        // The name before it may contain any character.
        return text?.split(separator: ")").last?.split(separator: " ").first == "T"
    }

    /// Whether a thread of the started program is waiting for signals, so that all received ones have been handled.
    public var waitsForSignals: Bool {
        // rt_sigtimedwait; the C headers define its number as a macro that Swift does not see.
        #if arch(x86_64)
            let number = 128
        #else
            let number = 137
        #endif
        return systemCalls.contains { $0.first == "\(number)" }
    }

    /// Whether a thread of the started program is waiting to write to the file with this descriptor.
    public func isWriting(to descriptor: Int32) -> Bool {
        #if arch(x86_64)
            let number = 1
        #else
            let number = 64
        #endif
        return systemCalls.contains { $0.starts(with: ["\(number)", "0x\(descriptor)"]) }
    }

    /// The numbers and arguments of the system calls in which its threads are waiting.
    private var systemCalls: [[String]] {
        let tasks = "/proc/\(processIdentifier)/task"
        return ((try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []).compactMap { task in
            let text = try? String(contentsOfFile: "\(tasks)/\(task)/syscall", encoding: .utf8)
            return text?.split(separator: " ").map(String.init)
        }
    }

    /// Returns one of the signal masks that the kernel reports.
    private func hasSignal(_ number: Int32, in field: String) -> Bool {
        let status = try? String(contentsOfFile: "/proc/\(processIdentifier)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("\(field):") }
        let mask = line.flatMap {
            UInt64($0.dropFirst(field.count + 1).trimmingCharacters(in: .whitespaces), radix: 16)
        }
        return (mask ?? 0) >> UInt64(number - 1) & 1 == 1
    }
}
