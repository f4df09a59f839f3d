public import FrameCore

/// An input that has been opened and asked what it holds, with or without a video among it.
///
/// `@unchecked Sendable`: the opened input is reached by one call of ``reader()`` alone, the one that takes it.
public final class MediaProbe: @unchecked Sendable {
    /// As given to ``init(_:options:)``.
    public let input: String
    /// What the head of the input says; ``MediaReader/info`` adds what its first picture says.
    public let info: MediaInfo

    private let options: MediaReaderOptions
    private let isTaken = Lock(false)
    /// nil from when it has been taken, so that it is closed with its reader.
    private var opened: OpenedInput?

    /// Reads the head of `input` and decodes nothing of it here.
    ///
    /// - Parameters:
    ///   - input: a path, `-` for standard input, or whatever URL libavformat opens.
    ///   - options: as the reader shall have them.
    /// - Throws: `FrameError` when it cannot be opened or no container is recognised; a file without a video is none.
    public init(_ input: String, options: MediaReaderOptions = MediaReaderOptions()) throws(FrameError) {
        self.input = input
        self.options = options
        let opened = try OpenedInput(input, options: options)
        info = MediaInfo(opened.context, videoStream: try? Demuxer.pickVideo(input, opened.context, options))
        self.opened = opened
    }

    /// Hands the opened input over to a reader; works once, since a pipe cannot be opened again.
    /// - Throws: `FrameError` as ``MediaReader/init(_:options:)``, and when called twice.
    public func reader() throws(FrameError) -> MediaReader {
        let isFirst = isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
        guard isFirst, let opened else {
            throw FrameError(.invalidArgument, "a probe gives one reader; make another one", at: .init(file: input))
        }
        self.opened = nil
        return try MediaReader(opened, options: options)
    }
}
