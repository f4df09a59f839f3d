public import FrameCore

/// Frames of one video stream of a file, a pipe or a URL, in presentation order.
public final class MediaReader: FrameSource, @unchecked Sendable {
    /// As given to ``init(_:options:)``.
    public let input: String
    public let stream: VideoStreamDescription
    public let info: MediaInfo
    public private(set) var damage = DamageReport()
    /// Choices made where the input is silent or a format had to be converted, one sentence each.
    public private(set) var notes: [String] = []

    /// Opens `input` (a path, `-` for standard input, or whatever URL libavformat opens) and decodes the first frame.
    public init(_ input: String, options: MediaReaderOptions = MediaReaderOptions()) throws(FrameError) {
        throw FrameError(.input, "reading is not implemented yet", at: .init(file: input))
    }

    public func nextFrame() throws -> Frame? { nil }
}
