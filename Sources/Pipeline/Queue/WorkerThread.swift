internal import Foundation

/// A thread of its own for calls that block, so that neither the cooperative pool nor Dispatch's workers are held up.
///
/// `@unchecked Sendable`: the flag is reached only while the condition is locked.
package final class WorkerThread: @unchecked Sendable {
    private let condition = NSCondition()
    private var hasEnded = false

    /// Starts `body` at once.
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

    /// Waits until the body has returned.
    package func join() {
        condition.lock()
        while !hasEnded { condition.wait() }
        condition.unlock()
    }

    /// Waits until the body has returned, for `seconds` at most.
    /// - Returns: whether it has.
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
