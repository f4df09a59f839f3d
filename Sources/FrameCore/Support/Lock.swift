internal import Glibc

/// A value that one thread at a time reaches.
///
/// Instead of `Synchronization.Mutex`: the Thread Sanitizer does not see through that one's futex and reports every use of
/// it as a race, so that nothing could be checked. It knows `pthread_mutex_t`.
///
/// `@unchecked Sendable`: the value is touched only with the lock held.
package final class Lock<Value: Sendable>: @unchecked Sendable {
    private var value: Value
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    package init(_ value: Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    /// - Parameter body: must not come back to this lock.
    package func withLock<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
