/// Sets a session up to add motion blur to frames.
public struct MotionBlurConfiguration: RevisedFrameProcessorConfiguration, Hashable {
    /// Version of the algorithm. Pin one to get the same pictures from later versions of the package.
    public enum Revision: Int, FrameProcessorRevision {
        /// The first.
        case revision1 = 1
    }

    public static let defaultRevision: Revision = .revision1

    public let frameWidth: Int
    public let frameHeight: Int
    /// Whether calls bring their own optical flow.
    public let usePrecomputedFlow: Bool
    /// Trade between speed and picture quality.
    public let qualityPrioritization: QualityPrioritization
    /// Whether luma is integrated as light instead of as code values.
    public let linearLight: Bool
    public let revision: Revision

    /// - Parameters:
    ///   - frameWidth: 16…8192 pixels, odd widths included.
    ///   - frameHeight: 16…8192 pixels, odd heights included.
    ///   - usePrecomputedFlow: whether calls bring their own optical flow (see ``OpticalFlowConfiguration``).
    ///   - qualityPrioritization: of motion and of the sampling along it.
    ///   - linearLight: integrate luma as light, by the transfer each frame is tagged with: streaks of small bright lights
    ///     keep their brightness.
    ///   - revision: of the algorithm.
    /// - Throws: ``FrameProcessorError`` that says why.
    public init(
        frameWidth: Int, frameHeight: Int, usePrecomputedFlow: Bool = false,
        qualityPrioritization: QualityPrioritization = .normal, linearLight: Bool = false,
        revision: Revision = defaultRevision
    ) throws(FrameProcessorError) {
        try Self.checkSize(frameWidth: frameWidth, frameHeight: frameHeight)
        self.frameWidth = frameWidth
        self.frameHeight = frameHeight
        self.usePrecomputedFlow = usePrecomputedFlow
        self.qualityPrioritization = qualityPrioritization
        self.linearLight = linearLight
        self.revision = revision
    }

    public var previousFrameCount: Int? { 1 }
    public var nextFrameCount: Int? { 1 }
}

extension MotionBlurConfiguration: EffectConfiguration {
    package func makeEffect(threads: Int) -> any FrameProcessorEffect<MotionBlurParameters> {
        MotionBlurEffect(configuration: self, threads: threads)
    }
}
