internal import Glibc

/// The number of processors this process may use, at least 1: the CPU quota of its control group (version 1), rounded
/// up; without a quota, the size of the group's cpuset; otherwise all processors that are online.
package let processorCount = countProcessors(online: sysconf(Int32(_SC_NPROCESSORS_ONLN))) { name in
    guard let file = fopen("/sys/fs/cgroup/" + name, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
}

/// Returns the number of processors, at least 1.
///
/// - Parameters:
///   - online: the number of processors that are online.
///   - read: returns the text of a control group file, or nil if there is no such file.
package func countProcessors(online: Int, read: (String) -> String?) -> Int {
    func firstLine(_ name: String) -> Substring? { read(name)?.split(separator: "\n").first }
    func number(_ name: String) -> Int? { firstLine(name).flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } }
    if let quota = number("cpu/cpu.cfs_quota_us"), let period = number("cpu/cpu.cfs_period_us") {
        return (quota - 1 + period) / period
    }
    if let set = firstLine("cpuset/cpuset.cpus") {
        // Numbers and ranges, such as 0-3,7.
        let ranges = set.split(separator: ",").map { $0.split(separator: "-").compactMap { Int($0) } }
        let counts = ranges.compactMap { ends in ends.first.map { max(1, (ends.last ?? $0) - $0 + 1) } }
        if !counts.isEmpty { return counts.reduce(0, +) }
    }
    return max(1, online)
}

/// A value that only one thread can access at a time.
///
/// Used instead of `Synchronization.Mutex`, whose futex the Thread Sanitizer does not recognize: it would report every
/// access as a race and hide the real ones. It does recognize `pthread_mutex_t`.
///
/// `@unchecked Sendable`: the value is only accessed with the lock held.
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

    /// - Parameter body: must not take this lock again.
    package func withLock<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
