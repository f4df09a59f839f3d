internal import DequeModule
internal import Foundation

/// First-in-first-out hand-over between two threads that holds at most `capacity` elements; both sides block.
///
/// `@unchecked Sendable`: all state is reached only while the condition is locked.
package final class BoundedQueue<Element: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private let capacity: Int
    private var elements = Deque<Element>()
    private var isFinished = false
    private var isCancelled = false

    /// - Parameter capacity: elements held at most; values below 1 are taken as 1.
    package init(capacity: Int) { self.capacity = max(1, capacity) }

    /// Waits for room and adds `element`.
    /// - Returns: false when the queue was cancelled or finished, and the element dropped.
    package func push(_ element: Element) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while elements.count >= capacity, !isCancelled { condition.wait() }
        guard !isCancelled, !isFinished else { return false }
        elements.append(element)
        condition.broadcast()
        return true
    }

    /// Waits for an element; nil when the queue was cancelled, or finished and is empty.
    package func pop() -> Element? {
        condition.lock()
        defer { condition.unlock() }
        while elements.isEmpty, !isFinished, !isCancelled { condition.wait() }
        guard !isCancelled, let element = elements.popFirst() else { return nil }
        condition.broadcast()
        return element
    }

    /// Says that nothing more will be pushed; what is held can still be popped.
    package func finish() {
        condition.lock()
        isFinished = true
        condition.broadcast()
        condition.unlock()
    }

    /// Wakes both sides and drops what is held.
    package func cancel() {
        condition.lock()
        isCancelled = true
        elements.removeAll()
        condition.broadcast()
        condition.unlock()
    }
}
