package import FrameCore
internal import Motion

/// Sets a session up to find the motion between two frames, both ways.
///
/// The flow serves every effect that takes precomputed flow: with the same quality and the same order of calls, their
/// pictures are the same, bit for bit, as when they find the motion themselves.
public struct OpticalFlowConfiguration: RevisedFrameProcessorConfiguration, Hashable {
    /// Version of the algorithm. Pin one to get the same motion from later versions of the package.
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
    /// Speed or the best motion.
    public let qualityPrioritization: QualityPrioritization
    /// The version that a session runs.
    public let revision: Revision

    /// Checks the size and keeps the rest.
    ///
    /// - Parameters:
    ///   - frameWidth: 16…8192 pixels, odd widths included.
    ///   - frameHeight: 16…8192 pixels, odd heights included.
    ///   - qualityPrioritization: speed or the best motion.
    ///   - revision: version of the algorithm; the newest by default.
    /// - Throws: ``FrameProcessorError`` with `unsupportedResolution` that names the size and the limits.
    public init(
        frameWidth: Int, frameHeight: Int, qualityPrioritization: QualityPrioritization = .normal,
        revision: Revision = defaultRevision
    ) throws(FrameProcessorError) {
        try Self.checkSize(frameWidth: frameWidth, frameHeight: frameHeight)
        self.frameWidth = frameWidth
        self.frameHeight = frameHeight
        self.qualityPrioritization = qualityPrioritization
        self.revision = revision
    }

    /// 1: the frame after the source frame.
    public var nextFrameCount: Int? { 1 }

    /// Flow without motion of the right size, to be handed in as a destination.
    /// - Throws: ``FrameProcessorError`` when memory cannot be had.
    public func makeDestination() throws(FrameProcessorError) -> FrameProcessorOpticalFlow {
        do {
            let field = try FlowField(width: frameWidth, height: frameHeight)
            return FrameProcessorOpticalFlow(try OpticalFlow(forward: field, backward: field))
        } catch {
            throw FrameProcessorError(failing: .initializationFailed, error)
        }
    }
}

extension OpticalFlowConfiguration: EffectConfiguration {
    package func makeEffect(format: PixelFormat, threads: Int) -> OpticalFlowEngine {
        OpticalFlowEngine(
            width: frameWidth, height: frameHeight, quality: qualityPrioritization, threads: threads)
    }
}
