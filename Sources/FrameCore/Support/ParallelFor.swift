import Dispatch
import Synchronization

/// Runs `body` once for each index, on up to `threads` threads; returns when all are done.
///
/// Items must not depend on one another: which thread runs which item is not fixed, so only independent items give the
/// same result for every thread count.
package func parallelFor(_ count: Int, threads: Int, _ body: @Sendable (Int) -> Void) {
    guard count > 1, threads > 1 else {
        for index in 0..<max(0, count) { body(index) }
        return
    }
    let next = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: min(threads, count)) { _ in
        while true {
            let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
            if index >= count { return }
            body(index)
        }
    }
}
