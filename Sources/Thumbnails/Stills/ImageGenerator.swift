internal import Dispatch
public import FrameCore
public import Imaging

/// Makes pictures of single moments of a video.
///
///     let generator = ImageGenerator { try MediaReader("in.mp4") }
///     generator.maximumSize = (1280, 720)
///     let image = try await generator.image(at: MediaTime(value: 25, timescale: 2))
///
/// Decoding happens on a thread of the generator's own, one picture after the other. Settings are read by member look-up
/// and count from the next request on. The picture depends on the request alone, never on those before it.
@dynamicMemberLookup
public final class ImageGenerator: Sendable {
    /// Which pixels of a video are shown, and in what shape.
    public typealias ApertureMode = RenderingOptions.ApertureMode
    /// What becomes of high dynamic range.
    public typealias DynamicRangePolicy = RenderingOptions.DynamicRangePolicy

    /// How pictures are made.
    public struct Settings: Sendable {
        /// How much before the time asked for a frame may lie; nil for any. With zero on both sides the exact frame is
        /// decoded, else the key frame before it is taken where it lies within.
        public var requestedTimeToleranceBefore: MediaTime? = .zero
        /// How much behind the time asked for a frame may lie; nil for any.
        public var requestedTimeToleranceAfter: MediaTime? = .zero
        /// How the frame becomes the picture.
        public var rendering = RenderingOptions()

        /// The exact frame, upright, square pixels, standard dynamic range.
        public init() {}
    }

    private let settings = Lock(Settings())
    private let queue = DispatchQueue(label: "vfx.image-generator")
    private let finder: FrameFinder
    /// Grows with each cancellation; requests of an older number are void.
    private let epoch = Lock(0)

    /// A generator for one video.
    ///
    /// - Parameter open: opens the video; called when the first picture is asked for, and again where a source that
    ///   cannot seek must go back.
    public init(opening open: @escaping @Sendable () throws -> any SeekableFrameSource) {
        finder = FrameFinder(open: open)
    }

    /// A setting.
    public subscript<Value: Sendable>(dynamicMember path: any WritableKeyPath<Settings, Value> & Sendable) -> Value {
        get { settings.withLock { $0[keyPath: path] } }
        set { settings.withLock { $0[keyPath: path] = newValue } }
    }

    /// A setting of how frames become pictures.
    public subscript<Value: Sendable>(
        dynamicMember path: any WritableKeyPath<RenderingOptions, Value> & Sendable
    ) -> Value {
        get { settings.withLock { $0.rendering[keyPath: path] } }
        set { settings.withLock { $0.rendering[keyPath: path] = newValue } }
    }

    /// The picture at a time.
    ///
    /// - Parameter time: on the clock of the video.
    /// - Throws: `FrameError` when there is none; `CancellationError` when it was cancelled before its turn.
    public func image(at time: MediaTime) async throws -> GeneratedImage {
        try await request(time, epoch.withLock { $0 })
    }

    /// The pictures at several times, in the order given, as they are asked for.
    ///
    /// A time that fails is an element too, so the sequence always has as many elements as there are times.
    public func images(for times: [MediaTime]) -> Images {
        Images(generator: self, times: times, epoch: epoch.withLock { $0 })
    }

    /// Cancels all that was asked for and has not begun; each pending time gets a result that says so.
    public func cancelAllImageGeneration() { epoch.withLock { $0 += 1 } }

    /// The picture at a time, made while the caller waits.
    package func imageNow(at time: MediaTime) throws -> GeneratedImage {
        let number = epoch.withLock { $0 }
        return try queue.sync { try make(time, number) }
    }

    fileprivate func request(_ time: MediaTime, _ number: Int) async throws -> GeneratedImage {
        let isCancelled = Lock(false)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { [self] in
                    continuation.resume(
                        with: Result {
                            if isCancelled.withLock({ $0 }) { throw CancellationError() }
                            return try make(time, number)
                        })
                }
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
    }

    private func make(_ time: MediaTime, _ number: Int) throws -> GeneratedImage {
        guard number == epoch.withLock({ $0 }) else { throw CancellationError() }
        let settings = settings.withLock { $0 }
        let stream = try finder.stream()
        let frame = try finder.frame(
            at: time, before: settings.requestedTimeToleranceBefore, after: settings.requestedTimeToleranceAfter)
        let picture = try FrameRenderer(stream: stream, options: settings.rendering).picture(of: frame)
        return GeneratedImage(requestedTime: time, picture: picture, actualTime: frame.presentationTime)
    }
}

/// A picture of one moment.
public struct GeneratedImage: Sendable {
    /// As asked for.
    public var requestedTime: MediaTime
    /// The picture.
    public var picture: StillPicture
    /// When the frame is first shown.
    public var actualTime: MediaTime
}

extension ImageGenerator {
    /// Pictures of several times; see ``ImageGenerator/images(for:)``.
    public struct Images: AsyncSequence, Sendable {
        fileprivate let generator: ImageGenerator
        fileprivate let times: [MediaTime]
        fileprivate let epoch: Int

        /// What became of one time.
        public enum Element: Sendable {
            /// A picture.
            case success(GeneratedImage)
            /// None, and why.
            case failure(requestedTime: MediaTime, error: any Error)

            /// As asked for.
            public var requestedTime: MediaTime {
                switch self {
                case .success(let image): image.requestedTime
                case .failure(let time, _): time
                }
            }

            /// The picture.
            /// - Throws: why there is none.
            public var image: GeneratedImage {
                get throws {
                    switch self {
                    case .success(let image): image
                    case .failure(_, let error): throw error
                    }
                }
            }
        }

        /// Makes one picture per call.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let images: Images
            fileprivate var position = 0

            /// The next time's result; nil after the last. Never throws: a cancelled time is a failure too.
            public mutating func next() async -> Element? {
                guard position < images.times.count else { return nil }
                let time = images.times[position]
                position += 1
                do {
                    return .success(try await images.generator.request(time, images.epoch))
                } catch {
                    return .failure(requestedTime: time, error: error)
                }
            }
        }

        public func makeAsyncIterator() -> Iterator { Iterator(images: self) }
    }
}
