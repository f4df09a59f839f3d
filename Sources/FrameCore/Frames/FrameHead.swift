/// What is known of a frame while its samples are elsewhere: their format and size, and the frame's metadata.
package struct FrameHeader: Sendable, Hashable, Codable {
    private let format: PixelFormat
    private let width: Int
    private let height: Int
    private let metadata: Frame.Metadata

    package init(_ frame: Frame) {
        (format, width, height) = (frame.buffer.format, frame.buffer.width, frame.buffer.height)
        metadata = frame.metadata
    }

    /// The presentation time.
    package var time: MediaTime { metadata.presentationTime }

    /// Returns a buffer of the frame's format and size, with undefined samples.
    package func makeBuffer() throws(FrameError) -> PixelBuffer {
        try PixelBuffer(format: format, width: width, height: height)
    }

    /// Whether `buffer` has the frame's format and size.
    package func fits(_ buffer: PixelBuffer) -> Bool {
        buffer.format == format && buffer.width == width && buffer.height == height
    }

    /// Returns the frame with the samples of `buffer`.
    package func frame(_ buffer: PixelBuffer) -> Frame { Frame(buffer: buffer, metadata: metadata) }
}
