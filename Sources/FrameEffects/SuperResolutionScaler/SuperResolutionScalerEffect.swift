public import FrameCore

/// Configures a session that upscales frames or images.
///
/// With `video` input, each call can supply the previous frame and its output, and the next frame, from which detail is
/// transferred.
public struct SuperResolutionScalerConfiguration: RevisedFrameProcessorConfiguration, Hashable {
    /// How frames relate to one another.
    public enum InputType: Int, Sendable, Hashable, Codable, CaseIterable {
        /// Consecutive frames of a video.
        case video = 1
        /// Independent images.
        case image = 2
    }

    /// Whether the model is available.
    public enum ModelStatus: Int, Sendable, Hashable, Codable, CaseIterable {
        /// Kept for source compatibility; not used here.
        case downloadRequired = 0
        /// Kept for source compatibility; not used here.
        case downloading = 1
        /// The model is available as part of the package.
        case ready = 2
    }

    /// The revision of the algorithm. Specify one to get the same frames from later versions of the package.
    public enum Revision: Int, FrameProcessorRevision {
        /// The first revision.
        case revision1 = 1
    }

    /// The newest revision, ``Revision/revision1``.
    public static let defaultRevision: Revision = .revision1
    /// The factors that the model is designed for; any fraction above 1 and up to 16 is allowed.
    public static let supportedScaleFactors = [2, 3, 4]

    /// The width of source frames in pixels, 16…8192.
    public let frameWidth: Int
    /// The height of source frames in pixels, 16…8192.
    public let frameHeight: Int
    /// The width of destination frames in pixels, up to 8192.
    public let outputWidth: Int
    /// The height of destination frames in pixels, up to 8192.
    public let outputHeight: Int
    /// Whether frames are consecutive video frames or independent images.
    public let inputType: InputType
    /// Whether each call with a previous frame supplies precomputed optical flow.
    public let usesPrecomputedFlow: Bool
    /// Whether to prefer speed or quality.
    public let qualityPrioritization: QualityPrioritization
    /// How coarsely the frames were compressed: the mean step with which the lowest frequencies of luma were quantized, in
    /// 8-bit code values of an orthonormal transform; 0 if they were not, or if that is not known.
    ///
    /// For a JPEG file, 11/35 of the sum of the luma table's entries (0, 1), (1, 0) and (1, 1); for H.264,
    /// 0.625·2^(QP/6), and 0.35 of that for HEVC; for VP9 and AV1, 0.6 of the step in their tables; for WebP, whose filter
    /// hides most of a step, 0.3 of the step. With `video` input, frames are cleaned before they are enlarged; with `image`
    /// input, the network adapts to the step.
    public let quantizerStep: Double
    /// The revision that a session uses.
    public let revision: Revision

    /// Creates a configuration with any fraction as the scale factor.
    ///
    /// - Parameters:
    ///   - frameWidth: 16…8192 pixels, odd widths included.
    ///   - frameHeight: 16…8192 pixels, odd heights included.
    ///   - scaleFactor: above 1 and at most 16; the output size is rounded to whole pixels.
    ///   - inputType: consecutive video frames or independent images.
    ///   - usePrecomputedFlow: whether calls supply optical flow (see ``OpticalFlowConfiguration``).
    ///   - qualityPrioritization: whether to prefer speed or quality.
    ///   - quantizerStep: how coarsely the frames were compressed (see ``quantizerStep``), 0…1024.
    ///   - revision: revision of the algorithm; the newest by default.
    /// - Throws: ``FrameProcessorError``: `unsupportedResolution` if the source or output size is out of range,
    ///   `invalidParameterError` if the factor or the step is not allowed.
    public init(
        frameWidth: Int, frameHeight: Int, scaleFactor: Rational, inputType: InputType,
        usePrecomputedFlow: Bool = false, qualityPrioritization: QualityPrioritization = .normal,
        quantizerStep: Double = 0, revision: Revision = defaultRevision
    ) throws(FrameProcessorError) {
        try Self.checkSize(frameWidth: frameWidth, frameHeight: frameHeight)
        try Self.check(quantizerStep: quantizerStep)
        let geometry = try UpscalingGeometry(
            source: FrameDimensions(width: frameWidth, height: frameHeight), factor: scaleFactor)
        self.init(
            unchecked: geometry, inputType: inputType, qualityPrioritization: qualityPrioritization,
            usesPrecomputedFlow: usePrecomputedFlow, quantizerStep: quantizerStep, revision: revision)
    }

    /// Creates a configuration with a whole number as the scale factor.
    ///
    /// - Parameters:
    ///   - frameWidth: 16…8192 pixels, odd widths included.
    ///   - frameHeight: 16…8192 pixels, odd heights included.
    ///   - scaleFactor: 2…16.
    ///   - inputType: consecutive video frames or independent images.
    ///   - usePrecomputedFlow: whether calls supply optical flow (see ``OpticalFlowConfiguration``).
    ///   - qualityPrioritization: whether to prefer speed or quality.
    ///   - quantizerStep: how coarsely the frames were compressed (see ``quantizerStep``), 0…1024.
    ///   - revision: revision of the algorithm; the newest by default.
    /// - Throws: ``FrameProcessorError``: `unsupportedResolution` if the source or output size is out of range,
    ///   `invalidParameterError` if the factor or the step is not allowed.
    public init(
        frameWidth: Int, frameHeight: Int, scaleFactor: Int, inputType: InputType,
        usePrecomputedFlow: Bool = false, qualityPrioritization: QualityPrioritization = .normal,
        quantizerStep: Double = 0, revision: Revision = defaultRevision
    ) throws(FrameProcessorError) {
        try self.init(
            frameWidth: frameWidth, frameHeight: frameHeight, scaleFactor: Rational(Int32(clamping: scaleFactor), 1),
            inputType: inputType, usePrecomputedFlow: usePrecomputedFlow,
            qualityPrioritization: qualityPrioritization, quantizerStep: quantizerStep, revision: revision)
    }

    /// Creates a configuration with the output size.
    ///
    /// - Parameters:
    ///   - frameWidth: 16…8192 pixels, odd widths included.
    ///   - frameHeight: 16…8192 pixels, odd heights included.
    ///   - outputWidth: `frameWidth` to 16 times `frameWidth`, at most 8192.
    ///   - outputHeight: `frameHeight` to 16 times `frameHeight`, at most 8192; at least one side must be larger than
    ///     the source's.
    ///   - inputType: consecutive video frames or independent images.
    ///   - usePrecomputedFlow: whether calls supply optical flow (see ``OpticalFlowConfiguration``).
    ///   - qualityPrioritization: whether to prefer speed or quality.
    ///   - quantizerStep: how coarsely the frames were compressed (see ``quantizerStep``), 0…1024.
    ///   - revision: revision of the algorithm; the newest by default.
    /// - Throws: ``FrameProcessorError``: `unsupportedResolution` if a size is out of range, `invalidParameterError` if the
    ///   step is not allowed.
    public init(
        frameWidth: Int, frameHeight: Int, outputWidth: Int, outputHeight: Int, inputType: InputType,
        usePrecomputedFlow: Bool = false, qualityPrioritization: QualityPrioritization = .normal,
        quantizerStep: Double = 0, revision: Revision = defaultRevision
    ) throws(FrameProcessorError) {
        try Self.checkSize(frameWidth: frameWidth, frameHeight: frameHeight)
        try Self.check(quantizerStep: quantizerStep)
        let geometry = try UpscalingGeometry(
            source: FrameDimensions(width: frameWidth, height: frameHeight),
            output: FrameDimensions(width: outputWidth, height: outputHeight))
        self.init(
            unchecked: geometry, inputType: inputType, qualityPrioritization: qualityPrioritization,
            usesPrecomputedFlow: usePrecomputedFlow, quantizerStep: quantizerStep, revision: revision)
    }

    /// Creates a configuration for sizes that have been checked.
    package init(
        unchecked geometry: UpscalingGeometry, inputType: InputType,
        qualityPrioritization quality: QualityPrioritization,
        usesPrecomputedFlow: Bool = false, quantizerStep: Double = 0, revision: Revision = defaultRevision
    ) {
        frameWidth = geometry.source.width
        frameHeight = geometry.source.height
        outputWidth = geometry.output.width
        outputHeight = geometry.output.height
        self.inputType = inputType
        self.usesPrecomputedFlow = usesPrecomputedFlow
        qualityPrioritization = quality
        self.quantizerStep = quantizerStep
        self.revision = revision
    }

    private static func check(quantizerStep step: Double) throws(FrameProcessorError) {
        guard (0...1024).contains(step) else {
            throw FrameProcessorError(
                .invalidParameterError, "quantizerStep is \(step); it must be 0 to 1024")
        }
    }

    /// 1 for video, the frame before the source frame; nil for independent images.
    public var previousFrameCount: Int? { inputType == .video ? 1 : nil }
    /// 1 for video, the frame after the source frame; nil for independent images and with precomputed flow. Above a factor
    /// of 4, frames are upscaled on their own whatever is given.
    public var nextFrameCount: Int? { inputType == .video && !usesPrecomputedFlow ? 1 : nil }

    /// The supported formats at the output size.
    public var destinationPixelBufferAttributes: PixelBufferAttributes {
        PixelBufferAttributes(pixelFormats: supportedPixelFormats, width: outputWidth, height: outputHeight)
    }

    /// Always ``ModelStatus/ready``: the model is part of the package.
    public var configurationModelStatus: ModelStatus { .ready }
    /// Always 1: the model is complete.
    public var configurationModelPercentageAvailable: Float { 1 }

    /// Does nothing, because there is nothing to download.
    ///
    /// - Parameter completionHandler: called immediately, without an error.
    public func downloadConfigurationModel(completionHandler: @Sendable ((any Error)?) -> Void) {
        completionHandler(nil)
    }

    /// Does nothing, because there is nothing to download.
    public func downloadConfigurationModel() async throws {}
}

extension SuperResolutionScalerConfiguration: EffectConfiguration {
    package func makeEffect(format: PixelFormat, context: ExecutionContext) throws(FrameError)
        -> SuperResolutionScalerEngine
    {
        guard inputType == .image else {
            return try makeEffect(
                format: format, compression: RestorationCondition(step: quantizerStep, isLoopFiltered: true),
                context: context)
        }
        return try makeEffect(
            format: format, model: .image, rotations: qualityPrioritization == .quality ? .four : .one,
            coding: DegradationCondition.coding(ofStep: quantizerStep), context: context)
    }

    /// Makes the engine.
    ///
    /// - Parameters:
    ///   - model: the network that doubles luma; nil for that of the quality.
    ///   - rotations: how many rotations to average; nil for the engine's choice.
    ///   - compression: how the source was compressed, if it is to be cleaned before it is enlarged; not for `image`.
    ///   - coding: how strongly a single image was compressed (see ``DegradationCondition/coding``); only `image` uses it.
    ///   - context: the threads and kernels to use.
    package func makeEffect(
        format: PixelFormat, model: SuperResolutionNetwork.Model? = nil,
        rotations: SuperResolutionNetwork.Rotations? = nil, compression: RestorationCondition? = nil,
        coding: Int = 0, context: ExecutionContext
    ) throws(FrameError) -> SuperResolutionScalerEngine {
        try SuperResolutionScalerEngine(
            format: format, size: FrameDimensions(width: frameWidth, height: frameHeight),
            outputSize: FrameDimensions(width: outputWidth, height: outputHeight),
            model: model ?? SuperResolutionNetwork.Model(qualityPrioritization), isStill: inputType == .image,
            rotations: rotations, compression: compression, coding: coding, quality: qualityPrioritization,
            context: context)
    }

    package func check(_ parameters: SuperResolutionScalerParameters) throws(FrameProcessorError) {
        guard inputType == .video || parameters.previousFrame == nil else {
            throw FrameProcessorError(
                .invalidParameterError,
                "a previousFrame was given; this session takes independent images (inputType is image), so it must be nil"
            )
        }
        guard nextFrameCount != nil || parameters.nextFrame == nil else {
            throw FrameProcessorError(
                .invalidParameterError,
                inputType == .image
                    ? "a nextFrame was given; this session takes independent images (inputType is image), so it must be nil"
                    : "a nextFrame was given; this session was configured to use precomputed flow, which leads to the previous frame only, so it must be nil"
            )
        }
        let needsFlow = usesPrecomputedFlow && parameters.previousFrame != nil
        guard needsFlow == (parameters.opticalFlow != nil) else {
            throw FrameProcessorError(
                .invalidParameterError,
                needsFlow
                    ? "opticalFlow is nil; this session was configured to use precomputed flow, so each call with a previousFrame needs one"
                    : "an opticalFlow was given; this session estimates the motion itself, so it must be nil (usePrecomputedFlow is false)"
            )
        }
        guard let previous = parameters.previousOutputFrame else { return }
        guard previous.width == outputWidth, previous.height == outputHeight else {
            throw FrameProcessorError(
                .unsupportedInput,
                "previousOutputFrame is \(previous.width)x\(previous.height); this session produces \(outputWidth)x\(outputHeight)"
            )
        }
    }
}

/// Requests an upscaled frame.
public struct SuperResolutionScalerParameters: FrameProcessorParameters {
    /// The frame to upscale.
    public let sourceFrame: FrameProcessorFrame
    /// The previous frame; nil for the first frame and after a cut.
    public let previousFrame: FrameProcessorFrame?
    /// The output for the previous frame; nil for the first frame and after a cut.
    public let previousOutputFrame: FrameProcessorFrame?
    /// The next frame; nil for the last frame, before a cut, and if it has not arrived yet.
    public let nextFrame: FrameProcessorFrame?
    /// The motion between source and previous frame, for sessions that use precomputed flow.
    public let opticalFlow: FrameProcessorOpticalFlow?
    /// How the call relates to the previous one.
    public let submissionMode: SubmissionMode
    /// Receives the upscaled frame.
    public let destinationFrame: FrameProcessorFrame

    /// Only ``destinationFrame``.
    public var destinationFrames: [FrameProcessorFrame] { [destinationFrame] }

    /// Creates parameters after checking everything that does not depend on the session.
    ///
    /// - Parameters:
    ///   - sourceFrame: the frame to upscale.
    ///   - previousFrame: the previous frame, of the same format and size; nil for the first frame and after a cut.
    ///   - previousOutputFrame: the output for `previousFrame`, of the destination's format and size; nil exactly if
    ///     `previousFrame` is nil.
    ///   - nextFrame: the next frame, of the same format and size; nil for the last frame and before a cut. In a sequence,
    ///     it is upscaled only once.
    ///   - opticalFlow: motion from the source frame to the previous one, of their size; only with `previousFrame`.
    ///   - submissionMode: `random` or `sequential`; in a sequence, the previous motion serves as a predictor.
    ///   - destinationFrame: a frame of the source frame's format and the configuration's output size.
    /// - Throws: ``FrameProcessorError`` if a value is not allowed; the message gives the reason.
    public init(
        sourceFrame: FrameProcessorFrame, previousFrame: FrameProcessorFrame? = nil,
        previousOutputFrame: FrameProcessorFrame? = nil, nextFrame: FrameProcessorFrame? = nil,
        opticalFlow: FrameProcessorOpticalFlow? = nil,
        submissionMode: SubmissionMode, destinationFrame: FrameProcessorFrame
    ) throws(FrameProcessorError) {
        self.sourceFrame = sourceFrame
        self.previousFrame = previousFrame
        self.previousOutputFrame = previousOutputFrame
        self.nextFrame = nextFrame
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
                    "an opticalFlow was given without a previousFrame; flow needs both frames")
            }
            try opticalFlow.check(against: sourceFrame)
        }
        if let previousOutputFrame, previousOutputFrame.format != sourceFrame.format {
            throw FrameProcessorError(
                .unsupportedInput,
                "previousOutputFrame is \(previousOutputFrame.layout), the source frame is \(sourceFrame.layout); formats must match"
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
            source: sourceFrame, previous: previousFrame.map { [$0] } ?? [],
            next: nextFrame.map { [$0] } ?? [], destinations: [destinationFrame],
            otherInputs: others, keepsSize: false)
    }
}
