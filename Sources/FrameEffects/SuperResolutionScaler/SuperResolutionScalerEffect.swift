public import FrameCore

/// Sets a session up to make pictures larger.
///
/// With `video` input each call may bring the frame before and what was made of it, from which detail is taken over.
public struct SuperResolutionScalerConfiguration: RevisedFrameProcessorConfiguration, Hashable {
    /// What frames are.
    public enum InputType: Int, Sendable, Hashable, Codable, CaseIterable {
        /// Frames of a video, which show nearly the same as their neighbours.
        case video = 1
        /// Pictures that stand alone.
        case image = 2
    }

    /// Whether the model behind the effect is there.
    public enum ModelStatus: Int, Sendable, Hashable, Codable, CaseIterable {
        /// Kept for source compatibility; does not occur here.
        case downloadRequired = 0
        /// Kept for source compatibility; does not occur here.
        case downloading = 1
        /// It is part of the package.
        case ready = 2
    }

    /// Version of the algorithm. Pin one to get the same pictures from later versions of the package.
    public enum Revision: Int, FrameProcessorRevision {
        /// The first.
        case revision1 = 1
    }

    /// The newest, ``Revision/revision1``.
    public static let defaultRevision: Revision = .revision1
    /// Factors that the model is made for; any fraction above 1 up to 16 is allowed.
    public static let supportedScaleFactors = [2, 3, 4]

    /// Width of source frames in pixels, 16…8192.
    public let frameWidth: Int
    /// Height of source frames in pixels, 16…8192.
    public let frameHeight: Int
    /// Width of destination frames in pixels, up to 8192.
    public let outputWidth: Int
    /// Height of destination frames in pixels, up to 8192.
    public let outputHeight: Int
    /// Whether frames stand alone.
    public let inputType: InputType
    /// Whether each call with a previous frame brings its own optical flow.
    public let usesPrecomputedFlow: Bool
    /// Speed or the best pictures.
    public let qualityPrioritization: QualityPrioritization
    /// The version that a session runs.
    public let revision: Revision

    /// Takes any fraction as the factor.
    ///
    /// - Parameters:
    ///   - frameWidth: 16…8192 pixels, odd widths included.
    ///   - frameHeight: 16…8192 pixels, odd heights included.
    ///   - scaleFactor: above 1, at most 16; sizes of the result are rounded to whole pixels.
    ///   - inputType: frames of a video, or pictures that stand alone.
    ///   - usePrecomputedFlow: whether calls bring their own optical flow (see ``OpticalFlowConfiguration``).
    ///   - qualityPrioritization: speed or the best pictures.
    ///   - revision: version of the algorithm; the newest by default.
    /// - Throws: ``FrameProcessorError``: `unsupportedResolution` for a size of source or result that is out of range,
    ///   `invalidParameterError` for another factor.
    public init(
        frameWidth: Int, frameHeight: Int, scaleFactor: Rational, inputType: InputType,
        usePrecomputedFlow: Bool = false, qualityPrioritization: QualityPrioritization = .normal,
        revision: Revision = defaultRevision
    ) throws(FrameProcessorError) {
        try Self.checkSize(frameWidth: frameWidth, frameHeight: frameHeight)
        let geometry = try UpscalingGeometry(
            source: FrameDimensions(width: frameWidth, height: frameHeight), factor: scaleFactor)
        self.init(geometry, inputType, usePrecomputedFlow, qualityPrioritization, revision)
    }

    /// Takes a whole number as the factor.
    ///
    /// - Parameters:
    ///   - frameWidth: 16…8192 pixels, odd widths included.
    ///   - frameHeight: 16…8192 pixels, odd heights included.
    ///   - scaleFactor: 2…16.
    ///   - inputType: frames of a video, or pictures that stand alone.
    ///   - usePrecomputedFlow: whether calls bring their own optical flow (see ``OpticalFlowConfiguration``).
    ///   - qualityPrioritization: speed or the best pictures.
    ///   - revision: version of the algorithm; the newest by default.
    /// - Throws: ``FrameProcessorError``: `unsupportedResolution` for a size of source or result that is out of range,
    ///   `invalidParameterError` for another factor.
    public init(
        frameWidth: Int, frameHeight: Int, scaleFactor: Int, inputType: InputType,
        usePrecomputedFlow: Bool = false, qualityPrioritization: QualityPrioritization = .normal,
        revision: Revision = defaultRevision
    ) throws(FrameProcessorError) {
        try self.init(
            frameWidth: frameWidth, frameHeight: frameHeight, scaleFactor: Rational(Int32(clamping: scaleFactor), 1),
            inputType: inputType, usePrecomputedFlow: usePrecomputedFlow,
            qualityPrioritization: qualityPrioritization, revision: revision)
    }

    /// Takes the size of the result.
    ///
    /// - Parameters:
    ///   - frameWidth: 16…8192 pixels, odd widths included.
    ///   - frameHeight: 16…8192 pixels, odd heights included.
    ///   - outputWidth: `frameWidth` to 16 times that, at most 8192.
    ///   - outputHeight: `frameHeight` to 16 times that, at most 8192; one of the two must be larger than the source's.
    ///   - inputType: frames of a video, or pictures that stand alone.
    ///   - usePrecomputedFlow: whether calls bring their own optical flow (see ``OpticalFlowConfiguration``).
    ///   - qualityPrioritization: speed or the best pictures.
    ///   - revision: version of the algorithm; the newest by default.
    /// - Throws: ``FrameProcessorError`` with `unsupportedResolution` for a size that is out of range.
    public init(
        frameWidth: Int, frameHeight: Int, outputWidth: Int, outputHeight: Int, inputType: InputType,
        usePrecomputedFlow: Bool = false, qualityPrioritization: QualityPrioritization = .normal,
        revision: Revision = defaultRevision
    ) throws(FrameProcessorError) {
        try Self.checkSize(frameWidth: frameWidth, frameHeight: frameHeight)
        let geometry = try UpscalingGeometry(
            source: FrameDimensions(width: frameWidth, height: frameHeight),
            output: FrameDimensions(width: outputWidth, height: outputHeight))
        self.init(geometry, inputType, usePrecomputedFlow, qualityPrioritization, revision)
    }

    private init(
        _ geometry: UpscalingGeometry, _ inputType: InputType, _ usesPrecomputedFlow: Bool,
        _ quality: QualityPrioritization, _ revision: Revision
    ) {
        frameWidth = geometry.source.width
        frameHeight = geometry.source.height
        outputWidth = geometry.output.width
        outputHeight = geometry.output.height
        self.inputType = inputType
        self.usesPrecomputedFlow = usesPrecomputedFlow
        qualityPrioritization = quality
        self.revision = revision
    }

    /// 1 for video, the frame before the source frame; nil for pictures that stand alone.
    public var previousFrameCount: Int? { inputType == .video ? 1 : nil }

    /// The supported formats at the size of the result.
    public var destinationPixelBufferAttributes: PixelBufferAttributes {
        PixelBufferAttributes(pixelFormats: supportedPixelFormats, width: outputWidth, height: outputHeight)
    }

    /// Always ``ModelStatus/ready``: the model is part of the package.
    public var configurationModelStatus: ModelStatus { .ready }
    /// Always 1, all of it.
    public var configurationModelPercentageAvailable: Float { 1 }

    /// Does nothing, since there is nothing to download.
    ///
    /// - Parameter completionHandler: called at once, without an error.
    public func downloadConfigurationModel(completionHandler: @Sendable ((any Error)?) -> Void) {
        completionHandler(nil)
    }

    /// Does nothing, since there is nothing to download.
    public func downloadConfigurationModel() async throws {}
}

extension SuperResolutionScalerConfiguration: EffectConfiguration {
    package func makeEffect(format: PixelFormat, threads: Int) throws(FrameError) -> SuperResolutionScalerEngine {
        try SuperResolutionScalerEngine(
            format: format, size: FrameDimensions(width: frameWidth, height: frameHeight),
            outputSize: FrameDimensions(width: outputWidth, height: outputHeight),
            model: SuperResolutionNetwork.Model(qualityPrioritization), inputType: inputType,
            quality: qualityPrioritization,
            threads: threads)
    }

    package func check(_ parameters: SuperResolutionScalerParameters) throws(FrameProcessorError) {
        guard inputType == .video || parameters.previousFrame == nil else {
            throw FrameProcessorError(
                .invalidParameterError,
                "a previousFrame was given; this session takes pictures that stand alone (inputType is image), so it must be nil"
            )
        }
        let needsFlow = usesPrecomputedFlow && parameters.previousFrame != nil
        guard needsFlow == (parameters.opticalFlow != nil) else {
            throw FrameProcessorError(
                .invalidParameterError,
                needsFlow
                    ? "opticalFlow is nil; this session was configured to use precomputed flow, so each call with a previousFrame needs one"
                    : "an opticalFlow was given; this session finds the motion itself, so it must be nil (usePrecomputedFlow is false)"
            )
        }
        guard let previous = parameters.previousOutputFrame else { return }
        guard previous.width == outputWidth, previous.height == outputHeight else {
            throw FrameProcessorError(
                .unsupportedInput,
                "previousOutputFrame is \(previous.width)x\(previous.height); this session gives \(outputWidth)x\(outputHeight)"
            )
        }
    }
}

/// Asks for a larger picture.
public struct SuperResolutionScalerParameters: FrameProcessorParameters {
    /// The frame that is made larger.
    public let sourceFrame: FrameProcessorFrame
    /// The frame before; nil for the first one and after a cut.
    public let previousFrame: FrameProcessorFrame?
    /// What was made of the frame before; nil for the first one and after a cut.
    public let previousOutputFrame: FrameProcessorFrame?
    /// Motion between source and previous frame, for sessions that take precomputed flow.
    public let opticalFlow: FrameProcessorOpticalFlow?
    /// How the call relates to the one before.
    public let submissionMode: SubmissionMode
    /// Receives the larger picture.
    public let destinationFrame: FrameProcessorFrame

    /// ``destinationFrame`` alone.
    public var destinationFrames: [FrameProcessorFrame] { [destinationFrame] }

    /// Checks what can be checked without a session.
    ///
    /// - Parameters:
    ///   - sourceFrame: the frame to make larger.
    ///   - previousFrame: the one before, of the same format and size; nil for the first one and after a cut.
    ///   - previousOutputFrame: what was made of `previousFrame`, given with it and only then; of the destination's format
    ///     and size.
    ///   - opticalFlow: motion from the source frame to the previous one, of their size; only with `previousFrame`.
    ///   - submissionMode: `random` or `sequential`; in a sequence, motion found before helps to find the next.
    ///   - destinationFrame: of the source frame's format and the size of the configuration's result.
    /// - Throws: ``FrameProcessorError`` that says why.
    public init(
        sourceFrame: FrameProcessorFrame, previousFrame: FrameProcessorFrame? = nil,
        previousOutputFrame: FrameProcessorFrame? = nil, opticalFlow: FrameProcessorOpticalFlow? = nil,
        submissionMode: SubmissionMode, destinationFrame: FrameProcessorFrame
    ) throws(FrameProcessorError) {
        self.sourceFrame = sourceFrame
        self.previousFrame = previousFrame
        self.previousOutputFrame = previousOutputFrame
        self.opticalFlow = opticalFlow
        self.submissionMode = submissionMode
        self.destinationFrame = destinationFrame
        guard (previousFrame == nil) == (previousOutputFrame == nil) else {
            let (given, missing) =
                previousFrame == nil
                ? ("previousOutputFrame", "previousFrame") : ("previousFrame", "previousOutputFrame")
            throw FrameProcessorError(
                .invalidParameterError, "a \(given) was given without a \(missing); give both or neither")
        }
        if let opticalFlow {
            guard previousFrame != nil else {
                throw FrameProcessorError(
                    .invalidParameterError,
                    "an opticalFlow was given without a previousFrame; flow is between both frames")
            }
            try opticalFlow.check(against: sourceFrame)
        }
        if let previousOutputFrame, previousOutputFrame.format != sourceFrame.format {
            throw FrameProcessorError(
                .unsupportedInput,
                "previousOutputFrame is \(previousOutputFrame.layout), the source frame \(sourceFrame.layout); formats must be alike"
            )
        }
        try submissionMode.checkWithoutUnchanged()
        try frames.check()
    }
}

extension SuperResolutionScalerParameters: EffectParameters {
    package var frames: CallFrames {
        var others: [any SessionBuffer] = []
        if let opticalFlow { others.append(opticalFlow) }
        if let previousOutputFrame { others.append(previousOutputFrame) }
        return CallFrames(
            source: sourceFrame, previous: previousFrame.map { [$0] } ?? [], destinations: [destinationFrame],
            otherInputs: others, keepsSize: false)
    }
}
