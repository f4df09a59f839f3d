internal import Dispatch
public import FrameCore
public import Imaging

/// Makes still images of a video at given times.
///
///     let generator = ImageGenerator { try MediaReader("in.mp4") }
///     generator.maximumSize = (1280, 720)
///     let image = try await generator.image(at: MediaTime(value: 25, timescale: 2))
///
/// Decoding runs on the generator's own serial queue, one image at a time. Settings are accessible as members and apply
/// from the next request on. An image depends only on its request, never on earlier ones.
@dynamicMemberLookup
public final class ImageGenerator: Sendable {
    /// Which pixels of a video are shown, and in what shape.
    public typealias ApertureMode = RenderingOptions.ApertureMode
    /// How high dynamic range is handled.
    public typealias DynamicRangePolicy = RenderingOptions.DynamicRangePolicy

    /// How images are made.
    public struct Settings: Sendable {
        /// How far before the requested time a frame may be; nil for any distance. With zero on both sides the exact
        /// frame is decoded; otherwise the keyframe before the time is used if it is within the tolerance.
        public var requestedTimeToleranceBefore: MediaTime? = .zero
        /// How far after the requested time a frame may be; nil for any distance.
        public var requestedTimeToleranceAfter: MediaTime? = .zero
        /// When players stop; nil at the end of the video. The last frame is shown until then, as where the sound is longer
        /// than the picture.
        public var playingTime: MediaTime?
        /// Makes a progressive frame of an interlaced one and the one that follows it, if there is one; nil leaves frames as
        /// they are.
        package var deinterlacer: (@Sendable (Frame, _ next: Frame?) throws -> Frame)?
        /// How a frame is rendered as an image.
        public var rendering = RenderingOptions()

        /// Creates settings for the exact frame, upright, with square pixels, in standard dynamic range.
        public init() {}
    }

    private let settings = Lock(Settings())
    private let queue = DispatchQueue(label: "vfx.image-generator")
    private let finder: FrameFinder
    /// Incremented by each cancellation; requests with an older number are cancelled.
    private let epoch = Lock(0)

    /// Creates a generator for one video.
    ///
    /// - Parameter open: opens the video. Called for the first image, and again when a source that cannot seek has to
    ///   go back.
    public init(opening open: @escaping @Sendable () throws -> any SeekableFrameSource) {
        finder = FrameFinder(open: open)
    }

    /// Accesses a setting.
    public subscript<Value: Sendable>(dynamicMember path: any WritableKeyPath<Settings, Value> & Sendable) -> Value {
        get { settings.withLock { $0[keyPath: path] } }
        set { settings.withLock { $0[keyPath: path] = newValue } }
    }

    /// Accesses a setting for rendering.
    public subscript<Value: Sendable>(
        dynamicMember path: any WritableKeyPath<RenderingOptions, Value> & Sendable
    ) -> Value {
        get { settings.withLock { $0.rendering[keyPath: path] } }
        set { settings.withLock { $0.rendering[keyPath: path] = newValue } }
    }

    /// Makes the image at a time.
    ///
    /// - Parameter time: the presentation time in the video.
    /// - Throws: `FrameError` when there is no image; `CancellationError` when it was cancelled before its turn.
    public func image(at time: MediaTime) async throws -> GeneratedImage {
        try await request(time, epoch.withLock { $0 })
    }

    /// Makes the images at several times, in the given order, each when the sequence is advanced.
    ///
    /// A time that fails is also an element, so the sequence always has as many elements as there are times.
    public func images(for times: [MediaTime]) -> Images {
        Images(generator: self, times: times, epoch: epoch.withLock { $0 })
    }

    /// Cancels all requests that have not started; each pending time yields a cancellation error.
    public func cancelAllImageGeneration() { epoch.withLock { $0 += 1 } }

    /// Makes the image at a time, blocking the caller.
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
        var frame = try finder.frame(
            at: time, before: settings.requestedTimeToleranceBefore, after: settings.requestedTimeToleranceAfter,
            until: settings.playingTime)
        if let deinterlacer = settings.deinterlacer { frame = try deinterlacer(frame, finder.following) }
        let picture = try FrameRenderer(stream: stream, options: settings.rendering).picture(of: frame)
        return GeneratedImage(requestedTime: time, picture: picture, actualTime: frame.presentationTime)
    }
}

/// An image of one moment.
public struct GeneratedImage: Sendable {
    /// The time that was requested.
    public var requestedTime: MediaTime
    /// The picture.
    public var picture: StillPicture
    /// The presentation time of the frame.
    public var actualTime: MediaTime
}

extension ImageGenerator {
    /// The images at several times; see ``ImageGenerator/images(for:)``.
    public struct Images: AsyncSequence, Sendable {
        fileprivate let generator: ImageGenerator
        fileprivate let times: [MediaTime]
        fileprivate let epoch: Int

        /// The result for one time.
        public enum Element: Sendable {
            /// The image was made.
            case success(GeneratedImage)
            /// No image could be made, for this reason.
            case failure(requestedTime: MediaTime, error: any Error)

            /// The time that was requested.
            public var requestedTime: MediaTime {
                switch self {
                case .success(let image): image.requestedTime
                case .failure(let time, _): time
                }
            }

            /// The image.
            /// - Throws: the reason there is none.
            public var image: GeneratedImage {
                get throws {
                    switch self {
                    case .success(let image): image
                    case .failure(_, let error): throw error
                    }
                }
            }
        }

        /// Makes one image per call.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let images: Images
            fileprivate var position = 0

            /// Returns the result for the next time; nil after the last. Never throws: a cancelled time is also a
            /// failure element.
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
