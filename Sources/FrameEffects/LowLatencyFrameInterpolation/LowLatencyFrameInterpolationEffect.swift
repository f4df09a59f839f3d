package import FrameCore

/// Sets a session up to make frames between the latest two of a live video, without looking ahead, and maybe twice as
/// large.
public struct LowLatencyFrameInterpolationConfiguration: FrameProcessorConfiguration, Hashable {
    /// Depths that are allowed: n gives 2ⁿ−1 phases.
    public static let supportedDepths = 1...4
    /// Factors by which frames may be made larger at the same time.
    public static let supportedSpatialScaleFactors = [1, 2]

    /// Width of source frames in pixels, 16…8192.
    public let frameWidth: Int
    /// Height of source frames in pixels, 16…8192.
    public let frameHeight: Int
    /// Depth n: phases are the multiples of 1/2ⁿ.
    public let numberOfInterpolatedFrames: Int
    /// 1, or 2 for frames twice as wide and high.
    public let spatialScaleFactor: Int
    /// nil where frames keep their size.
    private let geometry: UpscalingGeometry?

    /// Sets up for frames in between alone.
    ///
    /// - Parameters:
    ///   - frameWidth: 16…8192 pixels, odd widths included.
    ///   - frameHeight: 16…8192 pixels, odd heights included.
    ///   - numberOfInterpolatedFrames: the depth, 1…4; n gives the 2ⁿ−1 phases k/2ⁿ, of which calls may use fewer.
    /// - Throws: ``FrameProcessorError``: `unsupportedResolution` for a size out of range, `invalidParameterError` for
    ///   another depth.
    public init(
        frameWidth: Int, frameHeight: Int, numberOfInterpolatedFrames: Int
    ) throws(FrameProcessorError) {
        try Self.checkSize(frameWidth: frameWidth, frameHeight: frameHeight)
        guard Self.supportedDepths.contains(numberOfInterpolatedFrames) else {
            throw FrameProcessorError(
                .invalidParameterError,
                "a depth of \(numberOfInterpolatedFrames) is not allowed; numberOfInterpolatedFrames is \(Self.supportedDepths.lowerBound) to \(Self.supportedDepths.upperBound)"
            )
        }
        self.frameWidth = frameWidth
        self.frameHeight = frameHeight
        self.numberOfInterpolatedFrames = numberOfInterpolatedFrames
        spatialScaleFactor = 1
        geometry = nil
    }

    /// Sets up for one frame in between, and both twice as large.
    ///
    /// - Parameters:
    ///   - frameWidth: 16…4096 pixels, odd widths included.
    ///   - frameHeight: 16…4096 pixels, odd heights included.
    ///   - spatialScaleFactor: 2.
    /// - Throws: ``FrameProcessorError``: `unsupportedResolution` for a size out of range, `invalidParameterError` for
    ///   another factor.
    public init(frameWidth: Int, frameHeight: Int, spatialScaleFactor: Int) throws(FrameProcessorError) {
        guard spatialScaleFactor == 2 else {
            throw FrameProcessorError(
                .invalidParameterError, "spatialScaleFactor \(spatialScaleFactor) is not supported; it is 2")
        }
        try Self.checkSize(frameWidth: frameWidth, frameHeight: frameHeight)
        geometry = try UpscalingGeometry(
            source: FrameDimensions(width: frameWidth, height: frameHeight), factor: Rational(2, 1))
        self.frameWidth = frameWidth
        self.frameHeight = frameHeight
        numberOfInterpolatedFrames = 1
        self.spatialScaleFactor = spatialScaleFactor
    }

    /// The longest side that frames may have; 0 for a factor that is not supported.
    ///
    /// - Parameter factor: 1 for frames in between alone, or 2.
    public static func maximumDimension(forSpatialScaleFactor factor: Int) -> Int {
        supportedSpatialScaleFactors.contains(factor) ? UpscalingGeometry.outputRange.upperBound / factor : 0
    }

    /// The most pixels that frames may have; 0 for a factor that is not supported.
    ///
    /// - Parameter factor: 1 for frames in between alone, or 2.
    public static func maximumPixelCount(forSpatialScaleFactor factor: Int) -> Int {
        let side = maximumDimension(forSpatialScaleFactor: factor)
        return side * side
    }

    /// All phases that calls may ask for, ascending.
    public var interpolationPhases: [Float] {
        let count = 1 << numberOfInterpolatedFrames
        return (1..<count).map { Float($0) / Float(count) }
    }

    /// 1: the frame before the source frame.
    public var previousFrameCount: Int? { 1 }

    /// The supported formats at the size of the result.
    public var destinationPixelBufferAttributes: PixelBufferAttributes {
        PixelBufferAttributes(
            pixelFormats: supportedPixelFormats, width: frameWidth * spatialScaleFactor,
            height: frameHeight * spatialScaleFactor)
    }
}

extension LowLatencyFrameInterpolationConfiguration: EffectConfiguration {
    package func makeEffect(
        format: PixelFormat, threads: Int
    ) throws(FrameError) -> LowLatencyFrameInterpolationEngine {
        try LowLatencyFrameInterpolationEngine(
            format: format, size: FrameDimensions(width: frameWidth, height: frameHeight), geometry: geometry,
            threads: threads)
    }

    package func check(_ parameters: LowLatencyFrameInterpolationParameters) throws(FrameProcessorError) {
        let allowed = interpolationPhases
        if let phase = parameters.interpolationPhase.first(where: { !allowed.contains($0) }) {
            throw FrameProcessorError(
                .invalidParameterError,
                "phase \(phase) is not one of this session's; allowed are \(allowed.map { "\($0)" }.joined(separator: ", "))"
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

/// Asks for frames between the latest two.
public struct LowLatencyFrameInterpolationParameters: FrameProcessorParameters {
    /// The latest frame.
    public let sourceFrame: FrameProcessorFrame
    /// The one before it.
    public let previousFrame: FrameProcessorFrame
    /// Between 0 and 1, both excluded, from the previous frame to the source frame.
    public let interpolationPhase: [Float]
    /// One for each phase, in their order; in sessions that make frames larger then one more, for the source frame.
    public let destinationFrames: [FrameProcessorFrame]

    /// Checks what can be checked without a session.
    ///
    /// - Parameters:
    ///   - sourceFrame: the latest frame.
    ///   - previousFrame: the one before, of the same format and size.
    ///   - interpolationPhase: between 0 and 1, both excluded, from the previous frame to the source frame, in any order;
    ///     those that a session allows are ``LowLatencyFrameInterpolationConfiguration/interpolationPhases``.
    ///   - destinationFrames: one for each phase, of the same format; in sessions that make frames larger one more at the
    ///     end, for the source frame.
    /// - Throws: ``FrameProcessorError`` that says why.
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
                .invalidParameterError, "phase \(phase) is not allowed; a phase lies between 0 and 1, both excluded")
        }
        let (phases, frames) = (interpolationPhase.count, destinationFrames.count)
        guard phases > 0, frames == phases || frames == phases + 1 else {
            throw FrameProcessorError(
                .invalidParameterError,
                "\(phases) phases and \(frames) destination frames were given; one or more phases are needed, and a frame for each, or one more in sessions that make frames larger"
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
    /// Each call stands for itself.
    package var submissionMode: SubmissionMode { .random }
}
