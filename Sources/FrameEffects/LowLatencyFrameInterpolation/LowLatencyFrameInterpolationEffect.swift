package import FrameCore

/// Configures a session that interpolates between the latest two frames of live video without look-ahead, optionally at
/// twice the size.
public struct LowLatencyFrameInterpolationConfiguration: FrameProcessorConfiguration, Hashable {
    /// The allowed depths: n gives 2ⁿ−1 phases.
    public static let supportedDepths = 1...4
    /// The allowed scale factors, by which frames can be enlarged at the same time.
    public static let supportedSpatialScaleFactors = [1, 2]

    /// The width of source frames in pixels, 16…8192.
    public let frameWidth: Int
    /// The height of source frames in pixels, 16…8192.
    public let frameHeight: Int
    /// The depth n: phases are the multiples of 1/2ⁿ.
    public let numberOfInterpolatedFrames: Int
    /// The scale factor: 1, or 2 for frames twice as wide and high.
    public let spatialScaleFactor: Int
    /// The upscaling; nil if frames keep their size.
    private let geometry: UpscalingGeometry?

    /// Creates a configuration for interpolation without upscaling.
    ///
    /// - Parameters:
    ///   - frameWidth: 16…8192 pixels, odd widths included.
    ///   - frameHeight: 16…8192 pixels, odd heights included.
    ///   - numberOfInterpolatedFrames: the depth, 1…4; n gives the 2ⁿ−1 phases k/2ⁿ, of which a call can use fewer.
    /// - Throws: ``FrameProcessorError``: `unsupportedResolution` if the size is out of range, `invalidParameterError`
    ///   if the depth is not allowed.
    public init(
        frameWidth: Int, frameHeight: Int, numberOfInterpolatedFrames: Int
    ) throws(FrameProcessorError) {
        try Self.checkSize(frameWidth: frameWidth, frameHeight: frameHeight)
        guard Self.supportedDepths.contains(numberOfInterpolatedFrames) else {
            throw FrameProcessorError(
                .invalidParameterError,
                "a depth of \(numberOfInterpolatedFrames) is not allowed; numberOfInterpolatedFrames must be \(Self.supportedDepths.lowerBound) to \(Self.supportedDepths.upperBound)"
            )
        }
        self.frameWidth = frameWidth
        self.frameHeight = frameHeight
        self.numberOfInterpolatedFrames = numberOfInterpolatedFrames
        spatialScaleFactor = 1
        geometry = nil
    }

    /// Creates a configuration for one interpolated frame; it and the source frame are output at twice the size.
    ///
    /// - Parameters:
    ///   - frameWidth: 16…4096 pixels, odd widths included.
    ///   - frameHeight: 16…4096 pixels, odd heights included.
    ///   - spatialScaleFactor: 2.
    /// - Throws: ``FrameProcessorError``: `unsupportedResolution` if the size is out of range, `invalidParameterError`
    ///   if the factor is not allowed.
    public init(frameWidth: Int, frameHeight: Int, spatialScaleFactor: Int) throws(FrameProcessorError) {
        guard spatialScaleFactor == 2 else {
            throw FrameProcessorError(
                .invalidParameterError, "spatialScaleFactor \(spatialScaleFactor) is not supported; it must be 2")
        }
        try Self.checkSize(frameWidth: frameWidth, frameHeight: frameHeight)
        geometry = try UpscalingGeometry(
            source: FrameDimensions(width: frameWidth, height: frameHeight), factor: Rational(2, 1))
        self.frameWidth = frameWidth
        self.frameHeight = frameHeight
        numberOfInterpolatedFrames = 1
        self.spatialScaleFactor = spatialScaleFactor
    }

    /// Creates a configuration for values that have been checked.
    package init(unchecked source: FrameDimensions, depth: Int, geometry: UpscalingGeometry?) {
        frameWidth = source.width
        frameHeight = source.height
        numberOfInterpolatedFrames = depth
        spatialScaleFactor = geometry == nil ? 1 : 2
        self.geometry = geometry
    }

    /// Returns the maximum width and height of source frames; 0 if the factor is not supported.
    ///
    /// - Parameter factor: 1 for interpolation only, or 2.
    public static func maximumDimension(forSpatialScaleFactor factor: Int) -> Int {
        supportedSpatialScaleFactors.contains(factor) ? UpscalingGeometry.outputRange.upperBound / factor : 0
    }

    /// Returns the maximum number of pixels in a source frame; 0 if the factor is not supported.
    ///
    /// - Parameter factor: 1 for interpolation only, or 2.
    public static func maximumPixelCount(forSpatialScaleFactor factor: Int) -> Int {
        let side = maximumDimension(forSpatialScaleFactor: factor)
        return side * side
    }

    /// The phases that calls can request, in ascending order.
    public var interpolationPhases: [Float] {
        let count = 1 << numberOfInterpolatedFrames
        return (1..<count).map { Float($0) / Float(count) }
    }

    /// 1: the frame before the source frame.
    public var previousFrameCount: Int? { 1 }

    /// The supported formats at the output size.
    public var destinationPixelBufferAttributes: PixelBufferAttributes {
        PixelBufferAttributes(
            pixelFormats: supportedPixelFormats, width: frameWidth * spatialScaleFactor,
            height: frameHeight * spatialScaleFactor)
    }
}

extension LowLatencyFrameInterpolationConfiguration: EffectConfiguration {
    package func makeEffect(
        format: PixelFormat, context: ExecutionContext
    ) throws(FrameError) -> LowLatencyFrameInterpolationEngine {
        try LowLatencyFrameInterpolationEngine(
            format: format, size: FrameDimensions(width: frameWidth, height: frameHeight), geometry: geometry,
            context: context)
    }

    package func check(_ parameters: LowLatencyFrameInterpolationParameters) throws(FrameProcessorError) {
        let allowed = interpolationPhases
        if let phase = parameters.interpolationPhase.first(where: { !allowed.contains($0) }) {
            throw FrameProcessorError(
                .invalidParameterError,
                "phase \(phase) is not one of this session's phases; allowed are \(allowed.map { "\($0)" }.joined(separator: ", "))"
            )
        }
        let phases = parameters.interpolationPhase.count, wanted = phases + (spatialScaleFactor > 1 ? 1 : 0)
        guard parameters.destinationFrames.count == wanted else {
            let words =
                spatialScaleFactor > 1 ? "one for each phase and one for the source frame" : "one for each phase"
            throw FrameProcessorError(
                .invalidParameterError,
                "\(parameters.destinationFrames.count) destination frames were given for \(phases) phases; \(wanted) are needed, \(words)"
            )
        }
    }
}

/// Requests interpolated frames between the latest two frames.
public struct LowLatencyFrameInterpolationParameters: FrameProcessorParameters {
    /// The latest frame.
    public let sourceFrame: FrameProcessorFrame
    /// The frame before it.
    public let previousFrame: FrameProcessorFrame
    /// The phases, between 0 and 1, both excluded: 0 is the previous frame, 1 the source frame.
    public let interpolationPhase: [Float]
    /// One frame for each phase, in the same order; in sessions that upscale, followed by one for the source frame.
    public let destinationFrames: [FrameProcessorFrame]

    /// Creates parameters after checking everything that does not depend on the session.
    ///
    /// - Parameters:
    ///   - sourceFrame: the latest frame.
    ///   - previousFrame: the frame before it, of the same format and size.
    ///   - interpolationPhase: phases between 0 (the previous frame) and 1 (the source frame), both excluded, in any
    ///     order; a session allows those in ``LowLatencyFrameInterpolationConfiguration/interpolationPhases``.
    ///   - destinationFrames: one frame for each phase, of the same format; in sessions that upscale, followed by one
    ///     for the source frame.
    /// - Throws: ``FrameProcessorError`` if a value is not allowed; the message gives the reason.
    public init(
        sourceFrame: FrameProcessorFrame, previousFrame: FrameProcessorFrame, interpolationPhase: [Float],
        destinationFrames: [FrameProcessorFrame]
    ) throws(FrameProcessorError) {
        self.sourceFrame = sourceFrame
        self.previousFrame = previousFrame
        self.interpolationPhase = interpolationPhase
        self.destinationFrames = destinationFrames
        if let phase = interpolationPhase.first(where: { !($0 > 0 && $0 < 1) }) {
            throw FrameProcessorError(
                .invalidParameterError, "phase \(phase) is not allowed; a phase must be between 0 and 1, both excluded")
        }
        let (phases, frames) = (interpolationPhase.count, destinationFrames.count)
        guard phases > 0, frames == phases || frames == phases + 1 else {
            throw FrameProcessorError(
                .invalidParameterError,
                "\(phases) phases and \(frames) destination frames were given; at least one phase is needed, and one frame for each, plus one more in sessions that upscale"
            )
        }
        try self.frames.check()
    }
}

extension LowLatencyFrameInterpolationParameters: EffectParameters {
    package var frames: CallFrames {
        CallFrames(
            source: sourceFrame, previous: [previousFrame], destinations: destinationFrames, keepsSize: false)
    }
    /// `random`: calls are independent of one another.
    package var submissionMode: SubmissionMode { .random }
}
