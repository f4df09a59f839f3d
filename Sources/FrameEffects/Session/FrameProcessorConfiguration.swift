public import FrameCore

/// Selects the effect of a session and its settings, and reports its requirements without a session.
///
/// A conforming type supplies its initializer and whatever differs from the defaults below.
public protocol FrameProcessorConfiguration: Sendable {
    /// Whether the effect can run on this machine.
    static var isSupported: Bool { get }
    /// The minimum width and height of source frames; 16×16 by default.
    static var minimumDimensions: FrameDimensions { get }
    /// The maximum width and height of source frames; 8192×8192 by default.
    static var maximumDimensions: FrameDimensions { get }
    /// The width of source frames in pixels.
    var frameWidth: Int { get }
    /// The height of source frames in pixels.
    var frameHeight: Int { get }
    /// The supported pixel formats of source frames; by default, all of YCbCr and RGB, with and without alpha, of 8 to 16
    /// bits.
    var supportedPixelFormats: [PixelFormat] { get }
    /// The required properties of source and reference buffers.
    var sourcePixelBufferAttributes: PixelBufferAttributes { get }
    /// The required properties of destination buffers; by default, those of source buffers.
    var destinationPixelBufferAttributes: PixelBufferAttributes { get }
    /// The number of frames required after the source frame; nil if the effect requires none.
    var nextFrameCount: Int? { get }
    /// The number of frames required before the source frame; nil if the effect requires none.
    var previousFrameCount: Int? { get }
}

extension FrameProcessorConfiguration {
    /// True: effects run on every machine.
    public static var isSupported: Bool { true }
    /// 16×16 pixels.
    public static var minimumDimensions: FrameDimensions {
        FrameDimensions(width: WorkingSize.sides.lowerBound, height: WorkingSize.sides.lowerBound)
    }
    /// 8192×8192 pixels.
    public static var maximumDimensions: FrameDimensions {
        FrameDimensions(width: WorkingSize.sides.upperBound, height: WorkingSize.sides.upperBound)
    }
    /// nil: no frames are required after the source frame.
    public var nextFrameCount: Int? { nil }
    /// nil: no frames are required before the source frame.
    public var previousFrameCount: Int? { nil }

    /// All depths from 8 to 16 bits in 4:2:0, 4:2:2, 4:4:4, monochrome and RGB, with and without alpha.
    public var supportedPixelFormats: [PixelFormat] { PixelBufferAttributes.allFormats }

    /// The supported pixel formats at the configuration's frame size.
    public var sourcePixelBufferAttributes: PixelBufferAttributes {
        PixelBufferAttributes(pixelFormats: supportedPixelFormats, width: frameWidth, height: frameHeight)
    }

    /// The same as ``sourcePixelBufferAttributes``.
    public var destinationPixelBufferAttributes: PixelBufferAttributes { sourcePixelBufferAttributes }

    /// Whether source frames can have this size; use it before creating a configuration.
    public static func supports(frameWidth: Int, frameHeight: Int) -> Bool {
        let (low, high) = (minimumDimensions, maximumDimensions)
        return frameWidth >= low.width && frameWidth <= high.width && frameHeight >= low.height
            && frameHeight <= high.height
    }

    /// - Throws: ``FrameProcessorError`` with `unsupportedResolution` if source frames cannot have this size.
    package static func checkSize(frameWidth: Int, frameHeight: Int) throws(FrameProcessorError) {
        guard supports(frameWidth: frameWidth, frameHeight: frameHeight) else {
            let (low, high) = (minimumDimensions, maximumDimensions)
            throw FrameProcessorError(
                .unsupportedResolution,
                WorkingSize.refusal(
                    frameWidth, frameHeight, of: "frames",
                    allowed: "\(low.width)x\(low.height) to \(high.width)x\(high.height)"))
        }
    }
}

/// A configuration whose effect has numbered revisions.
///
/// A revision fixes the output: the same frames give the same bits in every version of the package that supports it.
///
/// Each effect has one revision so far, so there is nothing for an engine to select and none reads ``revision``: the
/// number is checked when it is converted and kept with a job. When an algorithm's output changes, the effect gets a new
/// case, and its engine takes the revision to keep the former algorithm for those who ask for it.
public protocol RevisedFrameProcessorConfiguration: FrameProcessorConfiguration {
    /// The effect's revisions.
    associatedtype Revision: FrameProcessorRevision
    /// The revisions that this version of the package supports.
    static var supportedRevisions: [Revision] { get }
    /// The newest revision.
    static var defaultRevision: Revision { get }
    /// The revision that a session uses.
    var revision: Revision { get }
}

extension RevisedFrameProcessorConfiguration {
    /// All revisions.
    public static var supportedRevisions: [Revision] { Array(Revision.allCases) }
}

/// The revision of an effect's algorithm. Specify one to get the same frames from later versions of the package.
public protocol FrameProcessorRevision: RawRepresentable, CaseIterable, Hashable, Codable, Sendable
where RawValue == Int {}

extension FrameProcessorRevision {
    /// Creates the revision with a number, such as one stored with a job.
    /// - Throws: ``FrameProcessorError`` with `revisionNotSupported` if there is no such revision.
    public init(number: Int) throws(FrameProcessorError) {
        guard let known = Self(rawValue: number) else {
            let allowed = Self.allCases.map { "\($0.rawValue)" }.joined(separator: ", ")
            throw FrameProcessorError(
                .revisionNotSupported, "revision \(number) is not supported; allowed is \(allowed)")
        }
        self = known
    }
}

/// Requirements on buffers that are passed to an effect.
public struct PixelBufferAttributes: Sendable, Hashable {
    /// The allowed pixel formats.
    public var pixelFormats: [PixelFormat]
    /// Width in pixels.
    public var width: Int
    /// Height in rows of pixels.
    public var height: Int

    /// Creates attributes for buffers of one size.
    public init(pixelFormats: [PixelFormat], width: Int, height: Int) {
        self.pixelFormats = pixelFormats
        self.width = width
        self.height = height
    }

    /// Creates a pool of buffers that meet the requirements.
    ///
    /// - Parameter format: one of ``pixelFormats``.
    /// - Throws: ``FrameProcessorError`` if the format is not allowed or the size is out of range.
    public func makePool(format: PixelFormat) throws(FrameProcessorError) -> PixelBufferPool {
        try check(format)
        do {
            return try PixelBufferPool(format: format, width: width, height: height)
        } catch {
            throw FrameProcessorError(failing: .initializationFailed, error)
        }
    }

    /// - Throws: ``FrameProcessorError`` with `unsupportedInput` if the format is not allowed.
    func check(_ format: PixelFormat) throws(FrameProcessorError) {
        guard pixelFormats.contains(format) else {
            throw FrameProcessorError(
                .unsupportedInput,
                "pixel format \(format) is not supported; allowed are \(PixelFormat.list(pixelFormats))")
        }
    }

    /// All formats, those without alpha first.
    package static let allFormats: [PixelFormat] = [false, true].flatMap { hasAlpha in
        let depths = 8...16
        let yCbCr = ChromaSubsampling.allCases.flatMap { subsampling in
            depths.compactMap { try? PixelFormat(subsampling: subsampling, bitDepth: $0, hasAlpha: hasAlpha) }
        }
        return yCbCr + depths.compactMap { try? PixelFormat(rgbDepth: $0, hasAlpha: hasAlpha) }
    }
}

/// The size of a frame in pixels.
public struct FrameDimensions: Sendable, Hashable, Codable {
    /// Width in pixels.
    public var width: Int
    /// Height in pixels.
    public var height: Int

    /// Creates a size of `width` by `height` pixels, without checking it.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}
