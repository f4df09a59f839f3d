package import FrameCore

/// Sets a session up to make frames between two neighbours.
///
/// The target rate is no part of it: each call says at which phases it wants frames.
public struct FrameRateConversionConfiguration: RevisedFrameProcessorConfiguration, Hashable {
    /// Version of the algorithm. Pin one to get the same pictures from later versions of the package.
    public enum Revision: Int, FrameProcessorRevision {
        /// The first.
        case revision1 = 1
    }

    /// The newest, ``Revision/revision1``.
    public static let defaultRevision: Revision = .revision1

    /// Width of the frames in pixels, 16…8192.
    public let frameWidth: Int
    /// Height of the frames in pixels, 16…8192.
    public let frameHeight: Int
    /// Whether each call brings its own optical flow.
    public let usePrecomputedFlow: Bool
    /// Speed or the best pictures.
    public let qualityPrioritization: QualityPrioritization
    /// The version that a session runs.
    public let revision: Revision

    /// Checks the size and keeps the rest.
    ///
    /// - Parameters:
    ///   - frameWidth: 16…8192 pixels, odd widths included.
    ///   - frameHeight: 16…8192 pixels, odd heights included.
    ///   - usePrecomputedFlow: whether calls bring their own optical flow (see ``OpticalFlowConfiguration``).
    ///   - qualityPrioritization: speed or the best pictures.
    ///   - revision: version of the algorithm; the newest by default.
    /// - Throws: ``FrameProcessorError`` with `unsupportedResolution` that names the size and the limits.
    public init(
        frameWidth: Int, frameHeight: Int, usePrecomputedFlow: Bool = false,
        qualityPrioritization: QualityPrioritization = .normal, revision: Revision = defaultRevision
    ) throws(FrameProcessorError) {
        try Self.checkSize(frameWidth: frameWidth, frameHeight: frameHeight)
        self.frameWidth = frameWidth
        self.frameHeight = frameHeight
        self.usePrecomputedFlow = usePrecomputedFlow
        self.qualityPrioritization = qualityPrioritization
        self.revision = revision
    }

    /// 1: the frame after the source frame.
    public var nextFrameCount: Int? { 1 }
}

extension FrameRateConversionConfiguration: EffectConfiguration {
    package func makeEffect(format: PixelFormat, threads: Int) throws(FrameError) -> FrameRateConversionEngine {
        try FrameRateConversionEngine(
            format: format, width: frameWidth, height: frameHeight, quality: qualityPrioritization, threads: threads)
    }

    package func check(_ parameters: FrameRateConversionParameters) throws(FrameProcessorError) {
        guard usePrecomputedFlow == (parameters.opticalFlow != nil) else {
            throw FrameProcessorError(
                .invalidParameterError,
                usePrecomputedFlow
                    ? "opticalFlow is nil; this session was configured to use precomputed flow, so each call needs one"
                    : "an opticalFlow was given; this session finds the motion itself, so it must be nil (usePrecomputedFlow is false)"
            )
        }
    }
}
