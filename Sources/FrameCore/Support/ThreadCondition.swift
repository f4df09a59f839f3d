internal import Glibc

/// A mutex with a condition that threads can wait for.
///
/// `@unchecked Sendable`: both are made to be used by several threads.
package final class ThreadCondition: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init() {
        mutex.initialize(to: pthread_mutex_t())
        condition.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        // With the default clock, setting the system's time would end a timed wait or prolong it.
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Locks the mutex while `body` runs.
    ///
    /// - Parameter body: must not lock the mutex again; may call ``wait()``.
    package func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }

    /// Unlocks the mutex until another thread calls ``broadcast()``, and may return earlier; call it with the mutex
    /// locked.
    package func wait() { pthread_cond_wait(condition, mutex) }

    /// Like ``wait()``, until `deadline` at the latest.
    /// - Returns: false if the deadline has passed.
    package func wait(until deadline: Deadline) -> Bool {
        var time = deadline.time
        return pthread_cond_timedwait(condition, mutex, &time) != ETIMEDOUT
    }

    /// Wakes all threads that wait.
    package func broadcast() { pthread_cond_broadcast(condition) }

    /// A time on the clock of ``ThreadCondition``.
    package struct Deadline: Sendable {
        fileprivate let time: timespec

        /// - Parameter seconds: counted from now; negative values count as 0, and more than a day as a day.
        package init(after seconds: Double) {
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            let second = 1_000_000_000, wait = seconds > 0 ? Int(min(seconds, 86_400) * Double(second)) : 0
            let nanoseconds = now.tv_nsec + wait
            time = timespec(tv_sec: now.tv_sec + nanoseconds / second, tv_nsec: nanoseconds % second)
        }
    }
}
