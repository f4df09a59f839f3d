internal import Glibc

/// A dedicated thread for calls that block, so that they tie up neither the cooperative thread pool nor Dispatch's
/// workers.
///
/// `@unchecked Sendable`: the flag is accessed only while the condition is locked, and the error is set only by `init`.
package final class WorkerThread: @unchecked Sendable {
    private static let stackSize = 4 << 20

    private let condition = ThreadCondition()
    private var hasEnded = false
    /// The error if the system has no more threads; `body` is then never called, and there is nothing to wait for.
    package private(set) var launchError: FrameError?

    /// Starts a thread that runs `body`.
    ///
    /// - Parameter name: shown by debuggers; the system keeps its first 15 characters.
    package init(name: String, _ body: @escaping @Sendable () -> Void) {
        let start = ThreadStart(name) { [self] in
            body()
            condition.withLock {
                hasEnded = true
                condition.broadcast()
            }
        }
        var attributes = pthread_attr_t(), thread = pthread_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, Self.stackSize)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let context = Unmanaged.passRetained(start)
        let status = pthread_create(
            &thread, &attributes,
            { context in
                guard let context else { return nil }
                let start = Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue()
                nameThread(start.name)
                start.body()
                return nil
            }, context.toOpaque())
        guard status == 0 else {
            context.release()
            hasEnded = true
            launchError = FrameError(.allocation, "the system cannot start another thread (error \(status))")
            return
        }
    }

    /// Waits until `body` has returned.
    package func join() {
        condition.withLock {
            while !hasEnded { condition.wait() }
        }
    }

    /// Waits until `body` has returned, but no longer than `seconds`.
    /// - Returns: whether `body` has returned.
    package func join(forAtMost seconds: Double) -> Bool {
        let deadline = ThreadCondition.Deadline(after: seconds)
        return condition.withLock {
            while !hasEnded {
                guard condition.wait(until: deadline) else { return hasEnded }
            }
            return true
        }
    }
}

/// Names the calling thread. Swift sees no function for it, because the one in the C library is a GNU extension.
private func nameThread(_ name: String) {
    guard let file = fopen("/proc/thread-self/comm", "w") else { return }
    fputs(name, file)
    fclose(file)
}

/// What a new thread does.
private final class ThreadStart: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(_ name: String, _ body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}
