internal import Foundation

/// A dedicated thread for calls that block, so that they tie up neither the cooperative thread pool nor Dispatch's
/// workers.
///
/// `@unchecked Sendable`: the flag is accessed only while the condition is locked.
package final class WorkerThread: @unchecked Sendable {
    private let condition = NSCondition()
    private var hasEnded = false

    /// Starts a thread that runs `body`.
    package init(name: String, _ body: @escaping @Sendable () -> Void) {
        let thread = Thread { [self] in
            body()
            condition.lock()
            hasEnded = true
            condition.broadcast()
            condition.unlock()
        }
        thread.name = name
        thread.stackSize = 4 << 20
        thread.start()
    }

    /// Waits until `body` has returned.
    package func join() {
        condition.lock()
        while !hasEnded { condition.wait() }
        condition.unlock()
    }

    /// Waits until `body` has returned, but no longer than `seconds`.
    /// - Returns: whether `body` has returned.
    package func join(forAtMost seconds: Double) -> Bool {
        let deadline = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        defer { condition.unlock() }
        while !hasEnded {
            guard condition.wait(until: deadline) else { return hasEnded }
        }
        return true
    }
}
