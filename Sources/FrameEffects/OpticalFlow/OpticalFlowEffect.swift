package import FrameCore
internal import Motion

/// Configures a session that estimates the motion between two frames in both directions.
///
/// Every effect that accepts precomputed flow can use the result. With the same quality and the same order of calls,
/// its output is bit for bit the same as if it had estimated the motion itself.
public struct OpticalFlowConfiguration: RevisedFrameProcessorConfiguration, Hashable {
    /// The revision of the algorithm. Specify one to get the same motion from later versions of the package.
    public enum Revision: Int, FrameProcessorRevision {
        /// The first revision.
        case revision1 = 1
    }

    /// The newest revision, ``Revision/revision1``.
    public static let defaultRevision: Revision = .revision1

    /// The width of the frames in pixels, 16…8192.
    public let frameWidth: Int
    /// The height of the frames in pixels, 16…8192.
    public let frameHeight: Int
    /// Whether to prefer speed or accurate motion.
    public let qualityPrioritization: QualityPrioritization
    /// Whether, at ``QualityPrioritization/quality``, the edges of motion are moved to those of the picture.
    public let filtersEdges: Bool
    /// The revision that a session uses.
    public let revision: Revision

    /// Creates a configuration after checking the size.
    ///
    /// - Parameters:
    ///   - frameWidth: 16…8192 pixels, odd widths included.
    ///   - frameHeight: 16…8192 pixels, odd heights included.
    ///   - qualityPrioritization: whether to prefer speed or accurate motion.
    ///   - filtersEdges: whether, at ``QualityPrioritization/quality``, the edges of motion are moved to those of the
    ///     picture, by a weighted median (D. Sun, S. Roth and M. J. Black, IJCV 2014). Good for flow that is shown, exported
    ///     or analysed; frames that effects make from it are no better, and blurred ones worse.
    ///   - revision: revision of the algorithm; the newest by default.
    /// - Throws: ``FrameProcessorError`` with `unsupportedResolution`, which names the size and the limits.
    public init(
        frameWidth: Int, frameHeight: Int, qualityPrioritization: QualityPrioritization = .normal,
        filtersEdges: Bool = false, revision: Revision = defaultRevision
    ) throws(FrameProcessorError) {
        try Self.checkSize(frameWidth: frameWidth, frameHeight: frameHeight)
        self.frameWidth = frameWidth
        self.frameHeight = frameHeight
        self.qualityPrioritization = qualityPrioritization
        self.filtersEdges = filtersEdges
        self.revision = revision
    }

    /// Creates a configuration for frames of any size that a pixel buffer can have, for flow that is an end in itself.
    package init(unchecked frames: FrameDimensions, qualityPrioritization: QualityPrioritization) {
        frameWidth = frames.width
        frameHeight = frames.height
        self.qualityPrioritization = qualityPrioritization
        filtersEdges = true
        revision = Self.defaultRevision
    }

    /// 1: the frame after the source frame.
    public var nextFrameCount: Int? { 1 }

    /// Returns zero flow of the right size, to be passed as a destination.
    /// - Throws: ``FrameProcessorError`` if memory cannot be allocated.
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
    package func makeEffect(format: PixelFormat, context: ExecutionContext) -> OpticalFlowEngine {
        OpticalFlowEngine(
            width: frameWidth, height: frameHeight, quality: qualityPrioritization, filtersEdges: filtersEdges,
            context: context)
    }
}

/// Requests the motion between two frames.
public struct OpticalFlowParameters: FrameProcessorParameters {
    /// The earlier frame.
    public let sourceFrame: FrameProcessorFrame
    /// The later frame.
    public let nextFrame: FrameProcessorFrame
    /// How the call relates to the previous one.
    public let submissionMode: SubmissionMode
    /// Receives the flow.
    public let destinationOpticalFlow: FrameProcessorOpticalFlow

    /// Empty, because the result is not a frame. The form of `process` that returns frames as they are completed does
    /// not accept these parameters.
    public var destinationFrames: [FrameProcessorFrame] { [] }

    /// Creates parameters after checking everything that does not depend on the session.
    ///
    /// - Parameters:
    ///   - sourceFrame: the earlier frame.
    ///   - nextFrame: the later frame, of the same format and size.
    ///   - submissionMode: `random` or `sequential`; in a sequence, the previous motion serves as a predictor.
    ///   - destinationOpticalFlow: flow of the frames' size.
    /// - Throws: ``FrameProcessorError``: `invalidParameterError` if a value is out of range or a frame is used twice,
    ///   `unsupportedInput` if formats or sizes do not match, `invalidFrameTiming` if times are out of order.
    public init(
        sourceFrame: FrameProcessorFrame, nextFrame: FrameProcessorFrame, submissionMode: SubmissionMode,
        destinationOpticalFlow: FrameProcessorOpticalFlow
    ) throws(FrameProcessorError) {
        self.sourceFrame = sourceFrame
        self.nextFrame = nextFrame
        self.submissionMode = submissionMode
        self.destinationOpticalFlow = destinationOpticalFlow
        try submissionMode.checkWithoutUnchanged()
        try frames.check()
        try destinationOpticalFlow.check(against: sourceFrame)
    }
}

extension OpticalFlowParameters: EffectParameters {
    package var frames: CallFrames {
        CallFrames(source: sourceFrame, next: [nextFrame], otherOutputs: [destinationOpticalFlow])
    }
}
