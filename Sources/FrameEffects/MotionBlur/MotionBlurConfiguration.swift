package import FrameCore

/// Sets a session up to add motion blur to frames.
public struct MotionBlurConfiguration: RevisedFrameProcessorConfiguration, Hashable {
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
    /// Whether calls bring their own optical flow.
    public let usePrecomputedFlow: Bool
    /// Trade between speed and picture quality.
    public let qualityPrioritization: QualityPrioritization
    /// Whether luma is integrated as light instead of as code values.
    public let linearLight: Bool
    /// The version that a session runs.
    public let revision: Revision

    /// Checks the size and keeps the rest.
    ///
    /// - Parameters:
    ///   - frameWidth: 16…8192 pixels, odd widths included.
    ///   - frameHeight: 16…8192 pixels, odd heights included.
    ///   - usePrecomputedFlow: whether calls bring their own optical flow (see ``OpticalFlowConfiguration``).
    ///   - qualityPrioritization: of the motion.
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

    /// 1: the frame before the source frame, where there is one.
    public var previousFrameCount: Int? { 1 }
    /// 1: the frame after the source frame, where there is one.
    public var nextFrameCount: Int? { 1 }
}

extension MotionBlurConfiguration: EffectConfiguration {
    package func makeEffect(format: PixelFormat, threads: Int) throws(FrameError) -> MotionBlurEngine {
        try MotionBlurEngine(
            format: format, width: frameWidth, height: frameHeight, quality: qualityPrioritization,
            linearLight: linearLight, threads: threads)
    }

    package func check(_ parameters: MotionBlurParameters) throws(FrameProcessorError) {
        try check(parameters.nextOpticalFlow, with: parameters.nextFrame, "next")
        try check(parameters.previousOpticalFlow, with: parameters.previousFrame, "previous")
    }

    private func check(
        _ flow: FrameProcessorOpticalFlow?, with frame: FrameProcessorFrame?, _ name: String
    ) throws(FrameProcessorError) {
        if usePrecomputedFlow, frame != nil, flow == nil {
            throw FrameProcessorError(
                .invalidParameterError,
                "\(name)OpticalFlow is nil; this session was configured to use precomputed flow, so each neighbour needs one"
            )
        }
        if !usePrecomputedFlow, flow != nil {
            throw FrameProcessorError(
                .invalidParameterError,
                "a \(name)OpticalFlow was given; this session finds the motion itself, so it must be nil (usePrecomputedFlow is false)"
            )
        }
    }
}
