internal import DequeModule
internal import FrameCore

/// A first-in-first-out queue between two threads that holds at most `capacity` elements; both sides block.
///
/// `@unchecked Sendable`: all state is accessed only while the condition is locked.
package final class BoundedQueue<Element: Sendable>: @unchecked Sendable {
    private let condition = ThreadCondition()
    private let capacity: Int
    private var elements = Deque<Element>()
    private var isFinished = false
    private var isCancelled = false

    /// - Parameter capacity: the maximum number of elements held; values below 1 are treated as 1.
    package init(capacity: Int) { self.capacity = max(1, capacity) }

    /// Waits for space and adds `element`.
    /// - Returns: false if the queue was cancelled or finished, in which case the element is dropped.
    package func push(_ element: Element) -> Bool {
        condition.withLock {
            while elements.count >= capacity, !isCancelled { condition.wait() }
            guard !isCancelled, !isFinished else { return false }
            elements.append(element)
            condition.broadcast()
            return true
        }
    }

    /// Waits for an element and returns it; nil if the queue was cancelled, or is finished and empty.
    package func pop() -> Element? {
        condition.withLock {
            while elements.isEmpty, !isFinished, !isCancelled { condition.wait() }
            return takeFirst()
        }
    }

    private func takeFirst() -> Element? {
        guard !isCancelled, let element = elements.popFirst() else { return nil }
        condition.broadcast()
        return element
    }

    /// Marks the end of input; elements already in the queue can still be popped.
    package func finish() {
        condition.withLock {
            isFinished = true
            condition.broadcast()
        }
    }

    /// Wakes both sides and drops all elements.
    package func cancel() {
        condition.withLock {
            isCancelled = true
            elements.removeAll()
            condition.broadcast()
        }
    }
}
