/// Sets a session up to make frames between two neighbours.
///
/// The target rate is no part of it: each call says at which phases it wants frames.
public struct FrameRateConversionConfiguration: RevisedFrameProcessorConfiguration, Hashable {
    /// Version of the algorithm. Pin one to get the same pictures from later versions of the package.
    public enum Revision: Int, FrameProcessorRevision { case revision1 = 1 }

    public static let defaultRevision: Revision = .revision1

    public let frameWidth: Int
    public let frameHeight: Int
    public let usePrecomputedFlow: Bool
    public let qualityPrioritization: QualityPrioritization
    public let revision: Revision

    /// - Parameters:
    ///   - frameWidth: 16…8192 pixels, odd widths included.
    ///   - frameHeight: 16…8192 pixels, odd heights included.
    ///   - usePrecomputedFlow: whether calls bring their own optical flow (see ``OpticalFlowConfiguration``).
    /// - Throws: ``FrameProcessorError`` that says why.
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

    public var nextFrameCount: Int? { 1 }
}

extension FrameRateConversionConfiguration: EffectConfiguration {
    package func makeEffect(threads: Int) -> any FrameProcessorEffect<FrameRateConversionParameters> {
        FrameRateConversionEffect(configuration: self, threads: threads)
    }
}
