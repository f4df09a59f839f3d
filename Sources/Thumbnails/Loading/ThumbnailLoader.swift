internal import Dispatch
public import FrameCore
internal import Imaging

/// Loads thumbnails for lists of videos: each is made once, cached in memory and on disk, and cancelled when no longer
/// wanted.
///
/// A thumbnail is made only once, however many callers request it. Requests that a caller is waiting for take
/// precedence over prefetching. When a list reuses a slot for another video, the slot never receives a thumbnail
/// requested for its previous use.
public final class ThumbnailLoader: Sendable {
    private let configuration: Configuration
    private let open: @Sendable (String) throws -> any SeekableFrameSource
    private let encoder: any StillEncoder
    private let decoder: any StillDecoder
    private let disk: FileCache?
    private let state: Lock<LoaderQueue>
    private let queue = DispatchQueue(label: "vfx.thumbnail-loader", attributes: .concurrent)

    /// Creates a loader.
    ///
    /// - Parameters:
    ///   - configuration: how thumbnails are cached and made.
    ///   - encoder: encodes the files on disk.
    ///   - decoder: decodes the files on disk.
    ///   - open: opens a video by path or address.
    public init(
        configuration: Configuration = Configuration(), encoder: any StillEncoder, decoder: any StillDecoder,
        opening open: @escaping @Sendable (String) throws -> any SeekableFrameSource
    ) {
        self.configuration = configuration
        self.open = open
        self.encoder = encoder
        self.decoder = decoder
        disk = configuration.diskDirectory.map { FileCache(directory: $0, byteLimit: configuration.diskBytes) }
        state = Lock(LoaderQueue(configuration))
    }

    /// Counters for tests and tuning.
    package var statistics: Statistics { state.withLock { $0.statistics } }

    /// Returns the thumbnail for a request, from memory, from disk or newly made.
    ///
    /// - Throws: `CancellationError` when the task was cancelled, otherwise the reason there is no thumbnail.
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

    /// Fills a slot of a list: immediately with the picture in memory or a placeholder, and later with the thumbnail.
    ///
    /// A new request for a slot replaces the previous one, whose thumbnail is no longer delivered. A delivery that had
    /// already started on another thread carries the previous token; compare it with the token of the slot's current
    /// request.
    /// - Parameters:
    ///   - request: the thumbnail to show in the slot.
    ///   - slot: identifies the slot.
    ///   - deliver: called on any thread, at most twice, never concurrently.
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
            state.withLock { _ = $0.release(number) }
            return token
        }
        deliver(token, .placeholder)
        begin(request, number) { [self] result in
            guard state.withLock({ $0.release(number) }) else { return }
            switch result {
            case .success(let picture): deliver(token, .picture(picture))
            case .failure(let error): if !(error is CancellationError) { deliver(token, .failure(error)) }
            }
        }
        return token
    }

    /// Cancels a request; its slot receives nothing more.
    public func cancel(_ token: ThumbnailToken) {
        state.withLock { _ = $0.release(token.number) }
        cancel(token.number)
    }

    /// Makes thumbnails that will be needed soon, after all those that callers are waiting for.
    public func prefetch(_ requests: [ThumbnailRequest]) {
        for request in requests {
            let key = request.key
            state.withLock { $0.prefetch(request, key) }
        }
        startSome()
    }

    /// Cancels prefetching that has not started.
    public func cancelPrefetching() { state.withLock { $0.cancelPrefetching() } }

    /// Removes all thumbnails from memory and, by default, from disk.
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

    /// Starts as many jobs as the concurrency limit allows.
    private func startSome() {
        while let work = state.withLock({ $0.next() }) {
            queue.async { [self] in
                let result = Result { try make(work) }
                for waiter in state.withLock({ $0.finish(work, result) }) { waiter(result) }
                startSome()
            }
        }
    }

    /// Returns the thumbnail from disk, or decodes it and stores it there.
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
        // If the cache cannot be written, the thumbnail is still valid; it only has to be made again next time.
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
    /// How thumbnails are cached and made.
    public struct Configuration: Sendable {
        /// The maximum number of thumbnails in memory.
        public var memoryCount: Int
        /// The maximum size of the thumbnails in memory, in bytes.
        public var memoryBytes: Int
        /// The folder for thumbnails on disk; nil disables the disk cache.
        public var diskDirectory: String?
        /// The maximum size of the thumbnails on disk, in bytes; the least recently used are removed first.
        public var diskBytes: Int
        /// The number of videos that may be open at the same time.
        public var concurrency: Int
        /// The quality of the thumbnails on disk, 1…100.
        public var diskQuality: Int

        /// Creates a configuration.
        public init(
            memoryCount: Int = 500, memoryBytes: Int = 64 << 20, diskDirectory: String? = nil,
            diskBytes: Int = 256 << 20, concurrency: Int = 4, diskQuality: Int = 85
        ) {
            self.memoryCount = memoryCount
            self.memoryBytes = memoryBytes
            self.diskDirectory = diskDirectory
            self.diskBytes = diskBytes
            self.concurrency = max(1, concurrency)
            self.diskQuality = diskQuality
        }
    }

    /// Counters for tests and tuning.
    package struct Statistics: Sendable, Hashable {
        /// The number of thumbnails decoded from their videos.
        package var generated = 0
        /// The number of requests answered from memory.
        package var memoryHits = 0
        /// The number of requests answered from disk.
        package var diskHits = 0
        /// The number of requests cancelled before their job started.
        package var cancelled = 0
        /// The highest number of videos that were open at the same time.
        package var mostAtOnce = 0
        /// The number of requests now waiting for their thumbnail.
        package var waiting = 0
        /// The number of slots whose thumbnail has not been delivered.
        package var slots = 0
        /// The number of thumbnails to make, and of their places in the order.
        package var jobs = 0
        /// The number of thumbnails in memory.
        package var memoryCount = 0
        /// The size of the thumbnails in memory, in bytes.
        package var memoryBytes = 0
    }
}

extension StillPicture {
    /// An 8-bit copy in its own memory, so that a cached thumbnail does not keep a decoder's frame alive.
    fileprivate func forThumbnail() throws(FrameError) -> StillPicture {
        let frame = try frame.inYCbCr(context: .serial)
        let buffer = frame.buffer.withoutAlpha, color = frame.color.resolved(height: buffer.height)
        let format = try PixelFormat(
            subsampling: buffer.format.subsampling == .monochrome ? .monochrome : .yuv420, bitDepth: 8)
        let resampler = try PictureResampler(
            from: buffer.format, sourceSize: (buffer.width, buffer.height), color: color, to: format,
            width: buffer.width, height: buffer.height, targetLocation: color.chromaLocation)
        var copy = self
        copy.frame.buffer = try resampler.resampled(buffer, context: .serial)
        copy.frame.color = color
        return copy
    }
}
