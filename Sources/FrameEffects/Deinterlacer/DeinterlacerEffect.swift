package import FrameCore

/// Configures a session that makes progressive frames from interlaced ones.
///
/// VideoToolbox has no such effect; the shape is that of the others.
public struct DeinterlacerConfiguration: RevisedFrameProcessorConfiguration, Hashable {
    /// A version of the algorithm. Pin one to get the same frames from later versions of the package.
    public enum Revision: Int, FrameProcessorRevision {
        /// The first version.
        case revision1 = 1
    }

    /// The newest revision, ``Revision/revision1``.
    public static let defaultRevision: Revision = .revision1

    /// Width of the frames in pixels, 16…8192.
    public let frameWidth: Int
    /// Height of the frames in pixels, 16…8192.
    public let frameHeight: Int
    /// The trade-off between speed and image quality.
    public let qualityPrioritization: QualityPrioritization
    /// The revision that the session runs.
    public let revision: Revision

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - frameWidth: 16…8192 pixels, odd widths included.
    ///   - frameHeight: 16…8192 pixels, odd heights included: then the field of the even rows has one row more.
    ///   - qualityPrioritization: the trade-off between speed and quality.
    ///   - revision: the version of the algorithm; the newest by default.
    /// - Throws: ``FrameProcessorError`` with `unsupportedResolution` when the size is out of range.
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

    /// 1: each call takes the frame before the source frame, if there is one.
    public var previousFrameCount: Int? { 1 }
    /// 1: each call takes the frame after the source frame, if there is one.
    public var nextFrameCount: Int? { 1 }
}

extension DeinterlacerConfiguration: EffectConfiguration {
    package func makeEffect(format: PixelFormat, context: ExecutionContext) throws(FrameError) -> DeinterlacerEngine {
        try DeinterlacerEngine(
            format: format, width: frameWidth, height: frameHeight, quality: qualityPrioritization, context: context)
    }
}

/// Requests the progressive frames of an interlaced one.
///
/// An interlaced frame holds two moments: its even rows show one, its odd rows the other. Each becomes a frame, in which the
/// missing rows are made from those of the fields around it, along the motion. Where the picture stands still, the rows of the
/// source frame are kept as they are.
public struct DeinterlacerParameters: FrameProcessorParameters {
    /// The interlaced frame.
    public let sourceFrame: FrameProcessorFrame
    /// The interlaced frame after it; nil for the last frame and before a cut.
    public let nextFrame: FrameProcessorFrame?
    /// The interlaced frame before it; nil for the first frame and after a cut.
    public let previousFrame: FrameProcessorFrame?
    /// Which field of the frames is shown first.
    public let fieldOrder: FieldOrder
    /// How this call relates to the previous one.
    public let submissionMode: SubmissionMode
    /// Receives the frame of the first field.
    public let destinationFrame: FrameProcessorFrame
    /// Receives the frame of the second field; nil if it is not wanted.
    public let secondDestinationFrame: FrameProcessorFrame?

    /// Both destination frames, or the first only.
    public var destinationFrames: [FrameProcessorFrame] {
        [destinationFrame] + [secondDestinationFrame].compactMap(\.self)
    }

    /// Creates a request and checks everything that does not depend on a session.
    ///
    /// - Parameters:
    ///   - sourceFrame: the interlaced frame.
    ///   - nextFrame: the frame after it, of the same format and size; nil for the last frame and before a cut.
    ///   - previousFrame: the frame before it, likewise; nil for the first frame and after a cut. With neither neighbour, the
    ///     missing rows are interpolated in the field itself.
    ///   - fieldOrder: which field of all three frames is shown first.
    ///   - submissionMode: `random` or `sequential`; in a sequence, motion is reused from the previous call.
    ///   - destinationFrame: receives the frame of the field that is shown first; of the same format and size.
    ///   - secondDestinationFrame: receives the frame of the other field, usually half a frame interval later.
    /// - Throws: ``FrameProcessorError`` when formats, sizes or times do not match.
    public init(
        sourceFrame: FrameProcessorFrame, nextFrame: FrameProcessorFrame?, previousFrame: FrameProcessorFrame?,
        fieldOrder: FieldOrder, submissionMode: SubmissionMode, destinationFrame: FrameProcessorFrame,
        secondDestinationFrame: FrameProcessorFrame? = nil
    ) throws(FrameProcessorError) {
        self.sourceFrame = sourceFrame
        self.nextFrame = nextFrame
        self.previousFrame = previousFrame
        self.fieldOrder = fieldOrder
        self.submissionMode = submissionMode
        self.destinationFrame = destinationFrame
        self.secondDestinationFrame = secondDestinationFrame
        try submissionMode.checkWithoutUnchanged()
        try frames.check()
    }
}

extension DeinterlacerParameters: EffectParameters {
    package var frames: CallFrames {
        CallFrames(
            source: sourceFrame, previous: previousFrame.map { [$0] } ?? [], next: nextFrame.map { [$0] } ?? [],
            destinations: destinationFrames)
    }
}
