public import FrameCore

/// Sets a session up to make frames between two neighbours.
///
/// The target rate is no part of it: each call says at which phases it wants frames.
public struct FrameRateConversionConfiguration: FrameProcessorConfiguration, Hashable {
    /// Version of the algorithm. Pin one to get the same pictures from later versions of the package.
    public enum Revision: Int, Sendable, Hashable, Codable, CaseIterable { case revision1 = 1 }

    public static let supportedRevisions: [Revision] = Revision.allCases
    public static let defaultRevision: Revision = .revision1
    public static let minimumDimensions = FrameDimensions(width: 16, height: 16)
    public static let maximumDimensions = FrameDimensions(width: 8192, height: 8192)

    public let frameWidth: Int
    public let frameHeight: Int
    public let usePrecomputedFlow: Bool
    public let qualityPrioritization: QualityPrioritization
    public let revision: Revision

    /// - Parameters:
    ///   - frameWidth: 16…8192 pixels, odd widths included.
    ///   - frameHeight: 16…8192 pixels, odd heights included.
    ///   - usePrecomputedFlow: whether calls bring their own optical flow; not available yet.
    /// - Throws: ``FrameProcessorError`` that says why.
    public init(
        frameWidth: Int, frameHeight: Int, usePrecomputedFlow: Bool = false,
        qualityPrioritization: QualityPrioritization = .normal, revision: Revision = defaultRevision
    ) throws(FrameProcessorError) {
        guard Self.supports(frameWidth: frameWidth, frameHeight: frameHeight) else {
            let (low, high) = (Self.minimumDimensions, Self.maximumDimensions)
            throw FrameProcessorError(
                .unsupportedResolution,
                "\(frameWidth)x\(frameHeight) is not supported; frames are \(low.width)x\(low.height) to \(high.width)x\(high.height)"
            )
        }
        guard !usePrecomputedFlow else {
            throw FrameProcessorError(
                .invalidParameterError, "usePrecomputedFlow true is not supported; the only value allowed is false")
        }
        self.frameWidth = frameWidth
        self.frameHeight = frameHeight
        self.usePrecomputedFlow = usePrecomputedFlow
        self.qualityPrioritization = qualityPrioritization
        self.revision = revision
    }

    /// Whether frames of this size can be converted; to ask before making a configuration.
    public static func supports(frameWidth: Int, frameHeight: Int) -> Bool {
        (minimumDimensions.width...maximumDimensions.width).contains(frameWidth)
            && (minimumDimensions.height...maximumDimensions.height).contains(frameHeight)
    }

    /// All depths from 8 to 16 bits in 4:2:0, 4:2:2, 4:4:4 and monochrome.
    public var supportedPixelFormats: [PixelFormat] { Self.pixelFormats }

    private static let pixelFormats: [PixelFormat] = ChromaSubsampling.allCases.flatMap { subsampling in
        (8...16).compactMap { try? PixelFormat(subsampling: subsampling, bitDepth: $0) }
    }

    public var sourcePixelBufferAttributes: PixelBufferAttributes {
        PixelBufferAttributes(pixelFormats: supportedPixelFormats, width: frameWidth, height: frameHeight)
    }

    public var destinationPixelBufferAttributes: PixelBufferAttributes { sourcePixelBufferAttributes }
    public var nextFrameCount: Int? { 1 }
}

extension FrameRateConversionConfiguration: EffectConfiguration {
    package func makeEffect(threads: Int) throws(FrameProcessorError) -> any FrameProcessorEffect {
        FrameRateConversionEffect(configuration: self, threads: threads)
    }
}
