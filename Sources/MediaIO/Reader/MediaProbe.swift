public import FrameCore

/// An opened input and what it contains, with or without video.
///
/// `@unchecked Sendable`: only the first call of ``reader()`` accesses the opened input.
public final class MediaProbe: @unchecked Sendable {
    /// The path or URL that was passed to ``init(_:options:)``.
    public let input: String
    /// Properties from the header of the input; ``MediaReader/info`` also includes those of the first frame.
    public let info: MediaInfo

    private let options: MediaReaderOptions
    private let isTaken = Lock(false)
    /// nil once a reader has taken it, so that it is closed together with the reader.
    private var opened: OpenedInput?

    /// Opens `input` and reads its header. Frames are decoded only by ``reader()``.
    ///
    /// - Parameters:
    ///   - input: a path, `-` for standard input, or a URL that libavformat can open.
    ///   - options: how it is opened, and how ``reader()`` reads it.
    /// - Throws: `FrameError` when it cannot be opened or no container is recognised. A file without video is no error.
    public init(_ input: String, options: MediaReaderOptions = MediaReaderOptions()) throws(FrameError) {
        self.input = input
        self.options = options
        let opened = try OpenedInput(input, options: options)
        info = MediaInfo(opened, videoStream: try? Demuxer.pickVideo(input, opened.context, options))
        self.opened = opened
    }

    /// Returns a reader that takes over the opened input. Works once, since a pipe cannot be opened again.
    ///
    /// - Throws: `FrameError` as ``MediaReader/init(_:options:)`` does, and when called a second time.
    public func reader() throws(FrameError) -> MediaReader {
        let isFirst = isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
        guard isFirst, let opened else {
            throw FrameError(
                .invalidArgument, "a probe returns only one reader; create another probe", at: .init(file: input))
        }
        self.opened = nil
        return try MediaReader(opened, options: options)
    }
}
