internal import Glibc
internal import Synchronization

/// Independent pieces of work, of which each thread that helps takes one after the other.
///
/// `@unchecked Sendable`: `helpers` is accessed only with the pool locked.
final class WorkItems: @unchecked Sendable {
    let count: Int
    let maximumHelpers: Int
    /// Whether an item takes so long that a thread that is waiting for something else must not start it.
    let isLong: Bool
    let body: @Sendable (Int) -> Void
    /// The number of threads other than the owner's that are running items.
    fileprivate var helpers = 0
    private let next = Atomic<Int>(0)

    init(count: Int, maximumHelpers: Int, isLong: Bool = false, _ body: @escaping @Sendable (Int) -> Void) {
        self.count = count
        self.maximumHelpers = maximumHelpers
        self.isLong = isLong
        self.body = body
    }

    /// Whether an item has not been started.
    fileprivate var hasMore: Bool { next.load(ordering: .relaxed) < count }

    /// Runs the next item.
    /// - Returns: false if all items have been started.
    fileprivate func runOne() -> Bool {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < count else { return false }
        body(index)
        return true
    }

    /// Prevents items that have not been started from running.
    fileprivate func exhaust() { next.store(count, ordering: .relaxed) }
}

/// The threads that help the callers of ``parallelFor(_:threads:_:)``.
///
/// There are as many as one call asks for, however many calls run at once, so processors are not shared by more threads
/// than there is work for. A thread that has to wait for items of its own that others are running helps elsewhere in
/// the meantime.
///
/// Dispatch's `concurrentPerform` is not used: while one of its threads runs a long block, calls from other threads get
/// no help.
///
/// `@unchecked Sendable`: the state is accessed only with the mutex locked.
final class HelperPool: @unchecked Sendable {
    static let shared = HelperPool()

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// Signalled when items are added.
    private let added = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    /// Signalled when items are added and when a helper has left its items, for threads that wait for theirs.
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var open: [WorkItems] = []
    private var helpers = 0
    private var idleHelpers = 0
    private var waiting = 0

    private init() {
        mutex.initialize(to: pthread_mutex_t())
        added.initialize(to: pthread_cond_t())
        changed.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(added, nil)
        pthread_cond_init(changed, nil)
    }

    /// Runs all items, and returns when they have finished.
    func run(_ work: WorkItems) {
        add(work, helpers: work.maximumHelpers)
        while work.runOne() {}
        finish(work)
    }

    /// Lets up to `helpers` threads work on the items.
    func add(_ work: WorkItems, helpers wanted: Int) {
        pthread_mutex_lock(mutex)
        open.append(work)
        while helpers < wanted, startHelper() { helpers += 1 }
        for _ in 0..<min(idleHelpers, wanted, work.count) { pthread_cond_signal(added) }
        if waiting > 0 { pthread_cond_broadcast(changed) }
        pthread_mutex_unlock(mutex)
    }

    /// Runs the items that have not been started, and waits for the others.
    func finish(_ work: WorkItems) {
        while work.runOne() {}
        pthread_mutex_lock(mutex)
        close(work)
        while work.helpers > 0 {
            if let other = open.first(where: { !$0.isLong && canHelp($0) }) {
                help(other) { _ = other.runOne() }
            } else {
                waiting += 1
                pthread_cond_wait(changed, mutex)
                waiting -= 1
            }
        }
        pthread_mutex_unlock(mutex)
    }

    /// Drops the items that have not been started, and does not wait for the others.
    func withdraw(_ work: WorkItems) {
        work.exhaust()
        pthread_mutex_lock(mutex)
        close(work)
        pthread_mutex_unlock(mutex)
    }

    private func close(_ work: WorkItems) {
        if let index = open.firstIndex(where: { $0 === work }) { open.remove(at: index) }
    }

    private func canHelp(_ work: WorkItems) -> Bool { work.helpers < work.maximumHelpers && work.hasMore }

    /// Calls `body` with the mutex unlocked, counted as a helper of `work`.
    private func help(_ work: WorkItems, _ body: () -> Void) {
        work.helpers += 1
        pthread_mutex_unlock(mutex)
        body()
        pthread_mutex_lock(mutex)
        work.helpers -= 1
        if work.helpers == 0, waiting > 0 { pthread_cond_broadcast(changed) }
    }

    /// - Returns: false if the system has no more threads; the owners then do all the work.
    private func startHelper() -> Bool {
        var thread = pthread_t()
        guard
            pthread_create(
                &thread, nil,
                { _ in
                    HelperPool.shared.helpForever()
                    return nil
                }, nil) == 0
        else { return false }
        pthread_detach(thread)
        return true
    }

    private func helpForever() {
        pthread_mutex_lock(mutex)
        while true {
            if let work = open.first(where: canHelp) {
                help(work) { while work.runOne() {} }
            } else {
                idleHelpers += 1
                pthread_cond_wait(added, mutex)
                idleHelpers -= 1
            }
        }
    }
}
