import Dispatch
public import FrameCore
import Imaging

/// Thumbnails for lists of videos: made once, kept in memory and on disk, cancelled when nobody wants them any more.
///
/// However many ask for the same thumbnail, it is made once. Requests of today go before prefetching. A slot of a list,
/// used again for another video, never gets what was asked for its former use.
public final class ThumbnailLoader: Sendable {
    /// How thumbnails are kept and made.
    public struct Configuration: Sendable {
        /// Most thumbnails in memory.
        public var memoryCount: Int
        /// Most bytes of thumbnails in memory.
        public var memoryBytes: Int
        /// Folder for thumbnails on disk; nil keeps none.
        public var diskDirectory: String?
        /// Videos that are opened at the same time.
        public var concurrency: Int
        /// Quality of the thumbnails on disk, 1…100.
        public var diskQuality: Int

        /// A configuration.
        public init(
            memoryCount: Int = 500, memoryBytes: Int = 64 << 20, diskDirectory: String? = nil, concurrency: Int = 4,
            diskQuality: Int = 85
        ) {
            self.memoryCount = memoryCount
            self.memoryBytes = memoryBytes
            self.diskDirectory = diskDirectory
            self.concurrency = max(1, concurrency)
            self.diskQuality = diskQuality
        }
    }

    /// Counts of what happened so far, for tests and tuning.
    public struct Statistics: Sendable, Hashable {
        /// Thumbnails decoded from their videos.
        public var generated = 0
        /// Answers from memory.
        public var memoryHits = 0
        /// Answers from disk.
        public var diskHits = 0
        /// Requests given up before they were begun.
        public var cancelled = 0
        /// Most videos that were open at the same time.
        public var mostAtOnce = 0
        /// Requests that wait for their thumbnail now.
        public var waiting = 0
        /// Thumbnails in memory.
        public var memoryCount = 0
        /// Bytes of thumbnails in memory.
        public var memoryBytes = 0
    }

    private typealias Completion = @Sendable (Result<StillPicture, any Error>) -> Void

    private struct Job {
        var request: ThumbnailRequest
        var waiters: [UInt64: Completion] = [:]
        /// Kept without anyone waiting.
        var isPrefetch: Bool
        var isRunning = false
    }

    private struct State {
        var cache: PictureCache
        var jobs: [String: Job] = [:]
        /// Keys in the order in which they are to be made; those that are gone are skipped.
        var urgent: [String] = []
        var later: [String] = []
        var running = 0
        var number: UInt64 = 0
        /// The token that each slot belongs to now.
        var slots: [AnySendableKey: UInt64] = [:]
        var keys: [UInt64: String] = [:]
        /// Grows when the caches are cleared, so that what is still being made is not kept.
        var generation = 0
        var statistics = Statistics()
    }

    private struct AnySendableKey: Hashable, @unchecked Sendable {
        // `@unchecked Sendable`: made of `Hashable & Sendable` values alone.
        let value: AnyHashable
    }

    private let configuration: Configuration
    private let open: @Sendable (String) throws -> any SeekableFrameSource
    private let encoder: any StillEncoder
    private let decoder: any StillDecoder
    private let disk: FileCache?
    private let state: Lock<State>
    private let queue = DispatchQueue(label: "vfx.thumbnail-loader", attributes: .concurrent)

    /// A loader.
    ///
    /// - Parameters:
    ///   - configuration: how thumbnails are kept.
    ///   - encoder: makes the files on disk.
    ///   - decoder: reads them.
    ///   - open: opens a video by path or address.
    public init(
        configuration: Configuration = Configuration(), encoder: any StillEncoder, decoder: any StillDecoder,
        opening open: @escaping @Sendable (String) throws -> any SeekableFrameSource
    ) {
        self.configuration = configuration
        self.open = open
        self.encoder = encoder
        self.decoder = decoder
        disk = configuration.diskDirectory.map { FileCache(directory: $0) }
        state = Lock(
            State(
                cache: PictureCache(countLimit: configuration.memoryCount, byteLimit: configuration.memoryBytes)))
    }

    /// What happened so far.
    public var statistics: Statistics {
        state.withLock {
            var now = $0.statistics
            now.waiting = $0.keys.count
            (now.memoryCount, now.memoryBytes) = ($0.cache.count, $0.cache.byteCount)
            return now
        }
    }

    /// The thumbnail of a request, from memory, from disk, or made.
    ///
    /// - Throws: `CancellationError` when the task was cancelled, else why there is none.
    public func thumbnail(for request: ThumbnailRequest) async throws -> StillPicture {
        let number = nextNumber()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
                begin(request, number) { continuation.resume(with: $0) }
            }
        } onCancel: {
            cancel(number)
        }
    }

    /// Fills a slot of a list: at once with what is in memory or a placeholder, and with the thumbnail when it is ready.
    ///
    /// A request for the same slot voids the one before: that one's thumbnail is not delivered any more. A delivery that
    /// had begun on another thread just then carries the former token; compare it with the slot's.
    /// - Parameters:
    ///   - request: what the slot shall show.
    ///   - slot: names the slot.
    ///   - deliver: called on any thread, at most twice, one call after the other.
    @discardableResult
    public func load(
        _ request: ThumbnailRequest, into slot: some Hashable & Sendable,
        deliver: @escaping @Sendable (ThumbnailToken, ThumbnailDelivery) -> Void
    ) -> ThumbnailToken {
        let number = nextNumber(), key = AnySendableKey(value: AnyHashable(slot))
        let former = state.withLock { state in
            defer { state.slots[key] = number }
            return state.slots[key]
        }
        if let former { cancel(former) }
        let token = ThumbnailToken(number: number)
        let name = request.key
        let known = state.withLock { state in
            let found = state.cache.picture(name)
            if found != nil { state.statistics.memoryHits += 1 }
            return found
        }
        if let known {
            deliver(token, .picture(known))
            return token
        }
        deliver(token, .placeholder)
        begin(request, number) { [self] result in
            let isCurrent = state.withLock { $0.slots[key] == number }
            guard isCurrent else { return }
            switch result {
            case .success(let picture): deliver(token, .picture(picture))
            case .failure(let error): if !(error is CancellationError) { deliver(token, .failure(error)) }
            }
        }
        return token
    }

    /// Gives a request up; its slot gets nothing more.
    public func cancel(_ token: ThumbnailToken) {
        state.withLock { state in
            for (slot, number) in state.slots where number == token.number { state.slots[slot] = nil }
        }
        cancel(token.number)
    }

    /// Makes thumbnails that will be wanted soon, after all that are wanted now.
    public func prefetch(_ requests: [ThumbnailRequest]) {
        for request in requests {
            let key = request.key
            state.withLock { state in
                guard state.cache.picture(key) == nil, state.jobs[key] == nil else { return }
                state.jobs[key] = Job(request: request, isPrefetch: true)
                state.later.append(key)
            }
        }
        startSome()
    }

    /// Gives up prefetching that has not begun.
    public func cancelPrefetching() {
        state.withLock { state in
            for key in state.later {
                guard let job = state.jobs[key], job.waiters.isEmpty, !job.isRunning else { continue }
                state.jobs[key] = nil
                state.statistics.cancelled += 1
            }
            state.later = []
        }
    }

    /// Forgets all thumbnails in memory and, if asked, on disk.
    public func clearCache(onDisk: Bool = true) throws {
        state.withLock {
            $0.cache.removeAll()
            $0.generation += 1
        }
        if onDisk { try disk?.removeAll() }
    }

    private func nextNumber() -> UInt64 {
        state.withLock { state in
            state.number += 1
            return state.number
        }
    }

    private func begin(_ request: ThumbnailRequest, _ number: UInt64, _ completion: @escaping Completion) {
        let key = request.key
        let known: StillPicture? = state.withLock { state in
            if let found = state.cache.picture(key) {
                state.statistics.memoryHits += 1
                return found
            }
            if state.jobs[key] == nil { state.jobs[key] = Job(request: request, isPrefetch: false) }
            state.jobs[key]?.waiters[number] = completion
            state.keys[number] = key
            if state.jobs[key]?.isRunning == false { state.urgent.append(key) }
            return nil
        }
        if let known { return completion(.success(known)) }
        startSome()
    }

    private func cancel(_ number: UInt64) {
        let completion: Completion? = state.withLock { state in
            guard let key = state.keys.removeValue(forKey: number) else { return nil }
            let waiter = state.jobs[key]?.waiters.removeValue(forKey: number)
            if let job = state.jobs[key], job.waiters.isEmpty, !job.isPrefetch, !job.isRunning {
                state.jobs[key] = nil
                state.statistics.cancelled += 1
            }
            return waiter
        }
        completion?(.failure(CancellationError()))
    }

    /// Starts as many jobs as may run.
    private func startSome() {
        while true {
            let next: (key: String, request: ThumbnailRequest, generation: Int)? = state.withLock { state in
                guard state.running < configuration.concurrency else { return nil }
                while let key = state.urgent.popFirst() ?? state.later.popFirst() {
                    guard let job = state.jobs[key], !job.isRunning else { continue }
                    state.jobs[key]?.isRunning = true
                    state.running += 1
                    state.statistics.mostAtOnce = max(state.statistics.mostAtOnce, state.running)
                    return (key, job.request, state.generation)
                }
                return nil
            }
            guard let next else { return }
            queue.async { [self] in
                let result = Result { try make(next.key, next.request, next.generation) }
                finish(next.key, result, next.generation)
                startSome()
            }
        }
    }

    private func finish(_ key: String, _ result: Result<StillPicture, any Error>, _ generation: Int) {
        let waiters: [Completion] = state.withLock { state in
            state.running -= 1
            if case .success(let picture) = result, generation == state.generation {
                state.cache.store(picture, as: key)
            }
            guard let job = state.jobs.removeValue(forKey: key) else { return [] }
            for number in job.waiters.keys { state.keys[number] = nil }
            return Array(job.waiters.values)
        }
        for waiter in waiters { waiter(result) }
    }

    /// From disk, or decoded and put there.
    private func make(_ key: String, _ request: ThumbnailRequest, _ generation: Int) throws -> StillPicture {
        let name = StableHash.name(of: key)
        if let bytes = disk?.read(name), let picture = try? decoder.decode(bytes) {
            state.withLock { $0.statistics.diskHits += 1 }
            return picture
        }
        let generator = ImageGenerator(opening: { [open] in try open(request.source) })
        generator.maximumSize = (request.maximumWidth, request.maximumHeight)
        if !request.isExact {
            generator.requestedTimeToleranceBefore = nil
            generator.requestedTimeToleranceAfter = nil
        }
        var picture = try generator.imageNow(at: request.time).picture
        picture = try picture.forThumbnail()
        state.withLock { $0.statistics.generated += 1 }
        // A cache that cannot be written costs time, not the thumbnail.
        if generation == state.withLock({ $0.generation }),
            let file = try? encoder.encode(
                picture, as: .jpeg, options: StillOptions(quality: configuration.diskQuality))
        {
            try? disk?.store(file.bytes, as: name)
        }
        return picture
    }
}

extension StillPicture {
    /// A copy in memory of its own with 8 bits, so that no decoder's frame is kept alive by a cache.
    fileprivate func forThumbnail() throws(FrameError) -> StillPicture {
        let buffer = frame.buffer, color = frame.color.resolved(height: buffer.height)
        let format = try PixelFormat(
            subsampling: buffer.format.subsampling == .monochrome ? .monochrome : .yuv420, bitDepth: 8)
        let resampler = try PictureResampler(
            from: buffer.format, sourceSize: (buffer.width, buffer.height), color: color, to: format,
            width: buffer.width, height: buffer.height, targetLocation: color.chromaLocation)
        var copy = self
        copy.frame.buffer = try resampler.resampled(buffer)
        copy.frame.color = color
        return copy
    }
}

extension Array {
    fileprivate mutating func popFirst() -> Element? { isEmpty ? nil : removeFirst() }
}
