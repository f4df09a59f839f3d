internal import DequeModule
internal import FrameCore

/// The state of a loader: the pictures in memory, the requests waiting for each thumbnail, and the thumbnails to make
/// next.
///
/// A value type that uses no threads or files; the loader guards it with a lock and does the work.
struct LoaderQueue {
    typealias Completion = @Sendable (Result<StillPicture, any Error>) -> Void

    /// A thumbnail to make.
    struct Work {
        var key: String
        var request: ThumbnailRequest
        var generation: Int
    }

    private struct Job {
        var request: ThumbnailRequest
        var waiters: [UInt64: Completion] = [:]
        /// Whether the job was prefetched; a prefetch job is kept even when no request waits for it.
        var isPrefetch: Bool
        var isRunning = false
    }

    private struct Slot: Hashable, @unchecked Sendable {
        // `@unchecked Sendable`: only made from `Hashable & Sendable` values.
        let value: AnyHashable
    }

    private let concurrency: Int
    private var cache: PictureCache
    private var jobs: [String: Job] = [:]
    /// Keys in the order in which to make them; keys without a job are skipped.
    private var urgent = Deque<String>()
    private var later = Deque<String>()
    private var running = 0
    private var number: UInt64 = 0
    /// The request that each slot is waiting for.
    private var slots: [Slot: UInt64] = [:]
    private var slotOfRequest: [UInt64: Slot] = [:]
    private var keys: [UInt64: String] = [:]
    /// Incremented when the caches are cleared, so that thumbnails still being made are not cached.
    private(set) var generation = 0
    private var counts = ThumbnailLoader.Statistics()

    init(_ configuration: ThumbnailLoader.Configuration) {
        concurrency = configuration.concurrency
        cache = PictureCache(countLimit: configuration.memoryCount, byteLimit: configuration.memoryBytes)
    }

    var statistics: ThumbnailLoader.Statistics {
        var now = counts
        now.waiting = keys.count
        now.slots = slots.count
        now.jobs = jobs.count + urgent.count + later.count
        (now.memoryCount, now.memoryBytes) = (cache.count, cache.byteCount)
        return now
    }

    /// Returns a unique number for a request.
    mutating func nextNumber() -> UInt64 {
        number += 1
        return number
    }

    /// Returns the picture with this key if it is in memory, and counts the hit.
    mutating func picture(_ key: String) -> StillPicture? {
        let found = cache.picture(key)
        if found != nil { counts.memoryHits += 1 }
        return found
    }

    mutating func countDiskHit() { counts.diskHits += 1 }
    mutating func countGenerated() { counts.generated += 1 }

    mutating func clear() {
        cache.removeAll()
        generation += 1
    }
}

// MARK: - Slots

extension LoaderQueue {
    /// Assigns a slot to a request.
    ///
    /// - Returns: the request that the slot was waiting for.
    mutating func assign(_ slot: some Hashable & Sendable, to number: UInt64) -> UInt64? {
        let slot = Slot(value: AnyHashable(slot)), former = slots.updateValue(number, forKey: slot)
        if let former { slotOfRequest[former] = nil }
        slotOfRequest[number] = slot
        return former
    }

    /// Forgets the slot of a request, which has been answered or cancelled.
    ///
    /// - Returns: whether the slot was still waiting for it.
    mutating func release(_ number: UInt64) -> Bool {
        guard let slot = slotOfRequest.removeValue(forKey: number) else { return false }
        slots[slot] = nil
        return true
    }
}

// MARK: - Requests

extension LoaderQueue {
    /// Adds a request that a caller is waiting for.
    ///
    /// - Returns: the picture if it is in memory; the request is then complete and not added.
    mutating func add(
        _ request: ThumbnailRequest, _ key: String, _ number: UInt64, _ completion: @escaping Completion
    ) -> StillPicture? {
        if let found = picture(key) { return found }
        if jobs[key] == nil { jobs[key] = Job(request: request, isPrefetch: false) }
        jobs[key]?.waiters[number] = completion
        keys[number] = key
        if jobs[key]?.isRunning == false { urgent.append(key) }
        return nil
    }

    /// Adds a request whose thumbnail will be needed soon.
    mutating func prefetch(_ request: ThumbnailRequest, _ key: String) {
        guard cache.picture(key) == nil, jobs[key] == nil else { return }
        jobs[key] = Job(request: request, isPrefetch: true)
        later.append(key)
    }

    /// Cancels a request.
    ///
    /// - Returns: the completion handler that waited for it.
    mutating func cancel(_ number: UInt64) -> Completion? {
        guard let key = keys.removeValue(forKey: number) else { return nil }
        let waiter = jobs[key]?.waiters.removeValue(forKey: number)
        if let job = jobs[key], job.waiters.isEmpty, !job.isPrefetch, !job.isRunning {
            jobs[key] = nil
            counts.cancelled += 1
            dropUnusedKeys()
        }
        return waiter
    }

    /// Drops the places in the order of thumbnails that are no longer wanted, once they are most of it: while all videos
    /// are slow to open, a list that is scrolled fast adds and cancels any number of requests.
    private mutating func dropUnusedKeys() {
        guard urgent.count + later.count > 2 * jobs.count + 64 else { return }
        urgent.removeAll { jobs[$0]?.isRunning != false }
        later.removeAll { jobs[$0]?.isRunning != false }
    }

    /// Cancels prefetch jobs that have not started.
    mutating func cancelPrefetching() {
        for key in later {
            guard let job = jobs[key], job.waiters.isEmpty, !job.isRunning else { continue }
            jobs[key] = nil
            counts.cancelled += 1
        }
        later.removeAll()
    }

    /// Returns the next thumbnail to make; nil when there is none or the concurrency limit is reached.
    mutating func next() -> Work? {
        guard running < concurrency else { return nil }
        while let key = urgent.popFirst() ?? later.popFirst() {
            guard let job = jobs[key], !job.isRunning else { continue }
            jobs[key]?.isRunning = true
            running += 1
            counts.mostAtOnce = max(counts.mostAtOnce, running)
            return Work(key: key, request: job.request, generation: generation)
        }
        return nil
    }

    /// Completes work that ``next()`` started.
    ///
    /// - Returns: the completion handlers that waited for it.
    mutating func finish(_ work: Work, _ result: Result<StillPicture, any Error>) -> [Completion] {
        running -= 1
        if case .success(let picture) = result, work.generation == generation { cache.store(picture, as: work.key) }
        guard let job = jobs.removeValue(forKey: work.key) else { return [] }
        for number in job.waiters.keys { keys[number] = nil }
        return Array(job.waiters.values)
    }
}
