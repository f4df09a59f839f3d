public import FrameCore

/// Sets a session up to take noise out of frames with the help of their neighbours.
public struct TemporalNoiseFilterConfiguration: RevisedFrameProcessorConfiguration, Hashable {
    /// Version of the algorithm. Pin one to get the same pictures from later versions of the package.
    public enum Revision: Int, FrameProcessorRevision {
        /// The first.
        case revision1 = 1
    }

    /// The newest, ``Revision/revision1``.
    public static let defaultRevision: Revision = .revision1

    /// Pixel formats that source frames may have: all planar YCbCr of 8 to 16 bits.
    public static var supportedSourcePixelFormats: [PixelFormat] { PixelBufferAttributes.allFormats }

    /// Width of the frames in pixels, 16…8192.
    public let frameWidth: Int
    /// Height of the frames in pixels, 16…8192.
    public let frameHeight: Int
    /// Of source, reference and destination frames.
    public let sourcePixelFormat: PixelFormat
    /// Trade between speed and picture quality.
    public let qualityPrioritization: QualityPrioritization
    /// The version that a session runs.
    public let revision: Revision

    /// Checks size and format and keeps the rest.
    ///
    /// - Parameters:
    ///   - frameWidth: 16…8192 pixels, odd widths included.
    ///   - frameHeight: 16…8192 pixels, odd heights included.
    ///   - sourcePixelFormat: one of ``supportedSourcePixelFormats``; source, reference and destination frames have it.
    ///   - qualityPrioritization: `quality` filters twice and uses more neighbours.
    ///   - revision: of the algorithm.
    /// - Throws: ``FrameProcessorError`` that says why.
    public init(
        frameWidth: Int, frameHeight: Int, sourcePixelFormat: PixelFormat,
        qualityPrioritization: QualityPrioritization = .normal, revision: Revision = defaultRevision
    ) throws(FrameProcessorError) {
        try Self.checkSize(frameWidth: frameWidth, frameHeight: frameHeight)
        guard Self.supportedSourcePixelFormats.contains(sourcePixelFormat) else {
            throw FrameProcessorError(
                .unsupportedInput,
                "pixel format \(sourcePixelFormat) is not supported; allowed is planar YCbCr of 8 to 16 bits")
        }
        self.frameWidth = frameWidth
        self.frameHeight = frameHeight
        self.sourcePixelFormat = sourcePixelFormat
        self.qualityPrioritization = qualityPrioritization
        self.revision = revision
    }

    /// ``sourcePixelFormat`` alone.
    public var supportedPixelFormats: [PixelFormat] { [sourcePixelFormat] }

    /// The most references on each side of the source frame that are of use: 3, at `quality` 8; to ask before making a
    /// configuration.
    public static func maximumReferenceCount(_ quality: QualityPrioritization) -> Int {
        TemporalNoiseFilterEngine.maximumReferences(quality)
    }

    /// The most references after the source frame that are of use: 3, at `quality` 8. Fewer do as well.
    public var nextFrameCount: Int? { Self.maximumReferenceCount(qualityPrioritization) }
    /// The most references before the source frame that are of use: 3, at `quality` 8. Fewer do as well.
    public var previousFrameCount: Int? { Self.maximumReferenceCount(qualityPrioritization) }
}

extension TemporalNoiseFilterConfiguration: EffectConfiguration {
    package func makeEffect(format: PixelFormat, threads: Int) throws(FrameError) -> TemporalNoiseFilterEngine {
        try TemporalNoiseFilterEngine(
            format: format, width: frameWidth, height: frameHeight, quality: qualityPrioritization, threads: threads)
    }
}
