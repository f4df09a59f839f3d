public import FrameCore

/// Chooses the effect of a session and how it works; can be asked about its needs without a session.
public protocol FrameProcessorConfiguration: Sendable {
    /// Whether the effect runs on this machine.
    static var isSupported: Bool { get }
    /// Sizes of source frames that are allowed.
    static var minimumDimensions: FrameDimensions { get }
    static var maximumDimensions: FrameDimensions { get }
    /// Pixel formats of source frames.
    var supportedPixelFormats: [PixelFormat] { get }
    /// What source and reference buffers must be like.
    var sourcePixelBufferAttributes: PixelBufferAttributes { get }
    /// What destination buffers must be like.
    var destinationPixelBufferAttributes: PixelBufferAttributes { get }
    /// Frames needed after the source frame; nil when the effect needs none.
    var nextFrameCount: Int? { get }
    /// Frames needed before the source frame; nil when the effect needs none.
    var previousFrameCount: Int? { get }
}

extension FrameProcessorConfiguration {
    public static var isSupported: Bool { true }
    public var nextFrameCount: Int? { nil }
    public var previousFrameCount: Int? { nil }
}

/// Size of a picture in pixels.
public struct FrameDimensions: Sendable, Hashable, Codable {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

/// What buffers for an effect must be like.
public struct PixelBufferAttributes: Sendable, Hashable {
    public var pixelFormats: [PixelFormat]
    public var width: Int
    public var height: Int

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
        guard pixelFormats.contains(format) else {
            throw FrameProcessorError(
                .unsupportedInput,
                "pixel format \(format) is not supported; allowed are \(pixelFormats.map(\.description).joined(separator: ", "))"
            )
        }
        do {
            return try PixelBufferPool(format: format, width: width, height: height)
        } catch {
            throw FrameProcessorError(.initializationFailed, error.message, cause: error)
        }
    }
}
