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

/// Asks for the motion between two frames.
public struct OpticalFlowParameters: FrameProcessorParameters {
    /// The earlier neighbour.
    public let sourceFrame: FrameProcessorFrame
    /// The later neighbour.
    public let nextFrame: FrameProcessorFrame
    /// How the call relates to the one before.
    public let submissionMode: SubmissionMode
    /// Receives the motion.
    public let destinationOpticalFlow: FrameProcessorOpticalFlow

    /// Empty: the result is no frame, so the form of `process` that gives frames as they become ready does not take
    /// these parameters.
    public var destinationFrames: [FrameProcessorFrame] { [] }

    /// Checks what can be checked without a session.
    ///
    /// - Parameters:
    ///   - sourceFrame: the earlier neighbour.
    ///   - nextFrame: the later neighbour, of the same format and size.
    ///   - submissionMode: `random` or `sequential`; in a sequence, motion found before serves as a predictor.
    ///   - destinationOpticalFlow: of the frames' size.
    /// - Throws: ``FrameProcessorError``: `invalidParameterError` for what is out of range or given twice,
    ///   `unsupportedInput` for unlike formats or sizes, `invalidFrameTiming` for times out of order.
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
