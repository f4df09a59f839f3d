public import FrameCore

/// Chooses the effect of a session and how it works; can be asked about its needs without a session.
///
/// An effect of its own states its initialiser and what differs from the defaults here.
public protocol FrameProcessorConfiguration: Sendable {
    /// Whether the effect runs on this machine.
    static var isSupported: Bool { get }
    /// Smallest width and height of source frames, 16×16 unless the effect says otherwise.
    static var minimumDimensions: FrameDimensions { get }
    /// Largest width and height of source frames, 8192×8192 unless the effect says otherwise.
    static var maximumDimensions: FrameDimensions { get }
    /// Width of source frames in pixels.
    var frameWidth: Int { get }
    /// Height of source frames in pixels.
    var frameHeight: Int { get }
    /// Pixel formats of source frames: all planar YCbCr of 8 to 16 bits unless the effect says otherwise.
    var supportedPixelFormats: [PixelFormat] { get }
    /// What source and reference buffers must be like.
    var sourcePixelBufferAttributes: PixelBufferAttributes { get }
    /// What destination buffers must be like; as the source unless the effect says otherwise.
    var destinationPixelBufferAttributes: PixelBufferAttributes { get }
    /// Frames needed after the source frame; nil when the effect needs none.
    var nextFrameCount: Int? { get }
    /// Frames needed before the source frame; nil when the effect needs none.
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
    /// nil: none are needed.
    public var nextFrameCount: Int? { nil }
    /// nil: none are needed.
    public var previousFrameCount: Int? { nil }

    /// All depths from 8 to 16 bits in 4:2:0, 4:2:2, 4:4:4 and monochrome.
    public var supportedPixelFormats: [PixelFormat] { PixelBufferAttributes.allFormats }

    /// The supported formats at the configuration's size.
    public var sourcePixelBufferAttributes: PixelBufferAttributes {
        PixelBufferAttributes(pixelFormats: supportedPixelFormats, width: frameWidth, height: frameHeight)
    }

    /// As the source's.
    public var destinationPixelBufferAttributes: PixelBufferAttributes { sourcePixelBufferAttributes }

    /// Whether source frames may have this size; to ask before making a configuration.
    public static func supports(frameWidth: Int, frameHeight: Int) -> Bool {
        let (low, high) = (minimumDimensions, maximumDimensions)
        return frameWidth >= low.width && frameWidth <= high.width && frameHeight >= low.height
            && frameHeight <= high.height
    }

    /// - Throws: ``FrameProcessorError`` with `unsupportedResolution` when source frames may not have this size.
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

/// A configuration whose effect has numbered versions. A revision pins the output: the same frames give the same bits in
/// all versions of the package that support it.
public protocol RevisedFrameProcessorConfiguration: FrameProcessorConfiguration {
    /// The effect's versions.
    associatedtype Revision: FrameProcessorRevision
    /// Revisions this version of the package can run.
    static var supportedRevisions: [Revision] { get }
    /// The newest one.
    static var defaultRevision: Revision { get }
    /// The version that a session runs.
    var revision: Revision { get }
}

extension RevisedFrameProcessorConfiguration {
    /// All cases.
    public static var supportedRevisions: [Revision] { Array(Revision.allCases) }
}

/// Version of an effect's algorithm. Pin one to get the same pictures from later versions of the package.
public protocol FrameProcessorRevision: RawRepresentable, CaseIterable, Hashable, Codable, Sendable
where RawValue == Int {}

extension FrameProcessorRevision {
    /// The revision of this number, as stored with a job.
    /// - Throws: ``FrameProcessorError`` with `revisionNotSupported` when there is none.
    public init(number: Int) throws(FrameProcessorError) {
        guard let known = Self(rawValue: number) else {
            let allowed = Self.allCases.map { "\($0.rawValue)" }.joined(separator: ", ")
            throw FrameProcessorError(
                .revisionNotSupported, "revision \(number) is not supported; allowed is \(allowed)")
        }
        self = known
    }
}

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

/// Size of a picture in pixels.
public struct FrameDimensions: Sendable, Hashable, Codable {
    /// Pixels per row.
    public var width: Int
    /// Rows.
    public var height: Int

    /// A size of `width` by `height` pixels; any numbers are taken.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}
