internal import Dispatch
public import FrameCore
internal import Imaging

/// Thumbnails for lists of videos: made once, kept in memory and on disk, cancelled when nobody wants them any more.
///
/// However many ask for the same thumbnail, it is made once. Requests of today go before prefetching. A slot of a list,
/// used again for another video, never gets what was asked for its former use.
public final class ThumbnailLoader: Sendable {
    private let configuration: Configuration
    private let open: @Sendable (String) throws -> any SeekableFrameSource
    private let encoder: any StillEncoder
    private let decoder: any StillDecoder
    private let disk: FileCache?
    private let state: Lock<LoaderQueue>
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
        state = Lock(LoaderQueue(configuration))
    }

    /// What happened so far.
    package var statistics: Statistics { state.withLock { $0.statistics } }

    /// The thumbnail of a request, from memory, from disk, or made.
    ///
    /// - Throws: `CancellationError` when the task was cancelled, else why there is none.
    public func thumbnail(for request: ThumbnailRequest) async throws -> StillPicture {
        let number = state.withLock { $0.nextNumber() }
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
        let number = state.withLock { $0.nextNumber() }
        if let former = state.withLock({ $0.assign(slot, to: number) }) { cancel(former) }
        let token = ThumbnailToken(number: number)
        let key = request.key
        if let known = state.withLock({ $0.picture(key) }) {
            deliver(token, .picture(known))
            return token
        }
        deliver(token, .placeholder)
        begin(request, number) { [self] result in
            guard state.withLock({ $0.holds(slot, number) }) else { return }
            switch result {
            case .success(let picture): deliver(token, .picture(picture))
            case .failure(let error): if !(error is CancellationError) { deliver(token, .failure(error)) }
            }
        }
        return token
    }

    /// Gives a request up; its slot gets nothing more.
    public func cancel(_ token: ThumbnailToken) {
        state.withLock { $0.release(token.number) }
        cancel(token.number)
    }

    /// Makes thumbnails that will be wanted soon, after all that are wanted now.
    public func prefetch(_ requests: [ThumbnailRequest]) {
        for request in requests {
            let key = request.key
            state.withLock { $0.prefetch(request, key) }
        }
        startSome()
    }

    /// Gives up prefetching that has not begun.
    public func cancelPrefetching() { state.withLock { $0.cancelPrefetching() } }

    /// Forgets all thumbnails in memory and, if asked, on disk.
    public func clearCache(onDisk: Bool = true) throws {
        state.withLock { $0.clear() }
        if onDisk { try disk?.removeAll() }
    }

    private func begin(_ request: ThumbnailRequest, _ number: UInt64, _ completion: @escaping LoaderQueue.Completion) {
        let key = request.key
        if let known = state.withLock({ $0.add(request, key, number, completion) }) {
            return completion(.success(known))
        }
        startSome()
    }

    private func cancel(_ number: UInt64) {
        let completion = state.withLock { $0.cancel(number) }
        completion?(.failure(CancellationError()))
    }

    /// Starts as many jobs as may run.
    private func startSome() {
        while let work = state.withLock({ $0.next() }) {
            queue.async { [self] in
                let result = Result { try make(work) }
                for waiter in state.withLock({ $0.finish(work, result) }) { waiter(result) }
                startSome()
            }
        }
    }

    /// From disk, or decoded and put there.
    private func make(_ work: LoaderQueue.Work) throws -> StillPicture {
        let name = stableHash(of: work.key), request = work.request
        if let bytes = disk?.read(name), let picture = try? decoder.decode(bytes) {
            state.withLock { $0.countDiskHit() }
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
        state.withLock { $0.countGenerated() }
        // A cache that cannot be written costs time, not the thumbnail.
        if work.generation == state.withLock({ $0.generation }),
            let file = try? encoder.encode(
                picture, as: .jpeg, options: StillOptions(quality: configuration.diskQuality))
        {
            try? disk?.store(file.bytes, as: name)
        }
        return picture
    }
}

extension ThumbnailLoader {
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
    package struct Statistics: Sendable, Hashable {
        /// Thumbnails decoded from their videos.
        package var generated = 0
        /// Answers from memory.
        package var memoryHits = 0
        /// Answers from disk.
        package var diskHits = 0
        /// Requests given up before they were begun.
        package var cancelled = 0
        /// Most videos that were open at the same time.
        package var mostAtOnce = 0
        /// Requests that wait for their thumbnail now.
        package var waiting = 0
        /// Thumbnails in memory.
        package var memoryCount = 0
        /// Bytes of thumbnails in memory.
        package var memoryBytes = 0
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
