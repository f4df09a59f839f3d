public import FrameCore

/// What buffers for an effect must be like.
public struct PixelBufferAttributes: Sendable, Hashable {
    /// Formats that are allowed.
    public var pixelFormats: [PixelFormat]
    /// Luma samples per row.
    public var width: Int
    /// Rows of luma.
    public var height: Int

    /// Attributes of buffers of one size.
    public init(pixelFormats: [PixelFormat], width: Int, height: Int) {
        self.pixelFormats = pixelFormats
        self.width = width
        self.height = height
    }

    /// A pool of buffers that conform.
    ///
    /// - Parameter format: one of ``pixelFormats``.
    /// - Throws: ``FrameProcessorError`` for another format, or when the size is out of range.
    public func makePool(format: PixelFormat) throws(FrameProcessorError) -> PixelBufferPool {
        try check(format)
        do {
            return try PixelBufferPool(format: format, width: width, height: height)
        } catch {
            throw FrameProcessorError(failing: .initializationFailed, error)
        }
    }

    /// - Throws: ``FrameProcessorError`` with `unsupportedInput` when buffers may not have this format.
    func check(_ format: PixelFormat) throws(FrameProcessorError) {
        guard pixelFormats.contains(format) else {
            throw FrameProcessorError(
                .unsupportedInput,
                "pixel format \(format) is not supported; allowed are \(pixelFormats.map(\.description).joined(separator: ", "))"
            )
        }
    }

    /// All planar YCbCr formats.
    static let allFormats: [PixelFormat] = ChromaSubsampling.allCases.flatMap { subsampling in
        (8...16).compactMap { try? PixelFormat(subsampling: subsampling, bitDepth: $0) }
    }
}
