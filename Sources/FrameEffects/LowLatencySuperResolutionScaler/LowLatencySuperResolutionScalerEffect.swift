package import FrameCore

/// Sets a session up to make frames of calls and live video larger: a frame in, a frame out, nothing remembered.
public struct LowLatencySuperResolutionScalerConfiguration: FrameProcessorConfiguration, Hashable {
    /// Factors that some size can be scaled by.
    public static let supportedScaleFactors: [Float] = [1.5, 2, 3, 4]

    /// Width of source frames in pixels, 16…8192.
    public let frameWidth: Int
    /// Height of source frames in pixels, 16…8192.
    public let frameHeight: Int
    /// One of ``supportedScaleFactors(frameWidth:frameHeight:)``.
    public let scaleFactor: Float
    private let geometry: UpscalingGeometry

    /// Checks size and factor.
    ///
    /// - Parameters:
    ///   - frameWidth: 16…8192 pixels, odd widths included.
    ///   - frameHeight: 16…8192 pixels, odd heights included.
    ///   - scaleFactor: one of ``supportedScaleFactors(frameWidth:frameHeight:)``.
    /// - Throws: ``FrameProcessorError``: `unsupportedResolution` for a size out of range, `invalidParameterError` for a
    ///   factor that this size cannot be scaled by.
    public init(frameWidth: Int, frameHeight: Int, scaleFactor: Float) throws(FrameProcessorError) {
        try Self.checkSize(frameWidth: frameWidth, frameHeight: frameHeight)
        let allowed = Self.supportedScaleFactors(frameWidth: frameWidth, frameHeight: frameHeight)
        guard allowed.contains(scaleFactor) else {
            let list =
                allowed.isEmpty ? "there is none" : "allowed are \(allowed.map { "\($0)" }.joined(separator: ", "))"
            throw FrameProcessorError(
                .invalidParameterError,
                "scale factor \(scaleFactor) is not supported for frames of \(frameWidth)x\(frameHeight); \(list)")
        }
        self.frameWidth = frameWidth
        self.frameHeight = frameHeight
        self.scaleFactor = scaleFactor
        geometry = try UpscalingGeometry(
            source: FrameDimensions(width: frameWidth, height: frameHeight), factor: Self.ratio(scaleFactor))
    }

    /// Factors that frames of a size can be scaled by; none for a size that is not supported.
    public static func supportedScaleFactors(frameWidth: Int, frameHeight: Int) -> [Float] {
        guard supports(frameWidth: frameWidth, frameHeight: frameHeight) else { return [] }
        let size = FrameDimensions(width: frameWidth, height: frameHeight)
        return supportedScaleFactors.filter { (try? UpscalingGeometry(source: size, factor: ratio($0))) != nil }
    }

    /// The longest side that frames may have to be scaled by a factor; 0 for one that is not supported.
    public static func maximumDimension(forSpatialScaleFactor factor: Float) -> Int {
        guard supportedScaleFactors.contains(factor) else { return 0 }
        return Int(Float(UpscalingGeometry.outputRange.upperBound) / factor)
    }

    /// The most pixels that frames may have to be scaled by a factor; 0 for one that is not supported.
    public static func maximumPixelCount(forSpatialScaleFactor factor: Float) -> Int {
        let side = maximumDimension(forSpatialScaleFactor: factor)
        return side * side
    }

    /// Each is a whole number of halves.
    private static func ratio(_ factor: Float) -> Rational { Rational(Int32(factor * 2), 2).reduced }

    /// The supported formats at the size of the result.
    public var destinationPixelBufferAttributes: PixelBufferAttributes {
        PixelBufferAttributes(
            pixelFormats: supportedPixelFormats, width: geometry.output.width, height: geometry.output.height)
    }
}

extension LowLatencySuperResolutionScalerConfiguration: EffectConfiguration {
    package func makeEffect(
        format: PixelFormat, threads: Int
    ) throws(FrameError) -> LowLatencySuperResolutionScalerEngine {
        try LowLatencySuperResolutionScalerEngine(format: format, geometry: geometry, threads: threads)
    }
}

/// Asks for a larger frame.
public struct LowLatencySuperResolutionScalerParameters: FrameProcessorParameters {
    /// The frame that is made larger.
    public let sourceFrame: FrameProcessorFrame
    /// Receives the larger picture.
    public let destinationFrame: FrameProcessorFrame

    /// ``destinationFrame`` alone.
    public var destinationFrames: [FrameProcessorFrame] { [destinationFrame] }

    /// Checks what can be checked without a session.
    ///
    /// - Parameters:
    ///   - sourceFrame: the frame to make larger.
    ///   - destinationFrame: of the same format and the size of the configuration's result.
    /// - Throws: ``FrameProcessorError`` that says why.
    public init(
        sourceFrame: FrameProcessorFrame, destinationFrame: FrameProcessorFrame
    ) throws(FrameProcessorError) {
        self.sourceFrame = sourceFrame
        self.destinationFrame = destinationFrame
        try frames.check()
    }
}

extension LowLatencySuperResolutionScalerParameters: EffectParameters {
    package var frames: CallFrames {
        CallFrames(source: sourceFrame, destinations: [destinationFrame], keepsSize: false)
    }
    /// Each call stands for itself.
    package var submissionMode: SubmissionMode { .random }
}

/// Makes each picture larger by itself, with the model for compressed sources.
///
/// Not `Sendable`: one caller at a time. The same inputs give the same bits for every thread count.
package final class LowLatencySuperResolutionScalerEngine {
    /// From which size to which pictures are brought.
    package let geometry: UpscalingGeometry
    private let engine: SuperResolutionScalerEngine

    /// - Parameter format: of source and output.
    package init(format: PixelFormat, geometry: UpscalingGeometry, threads: Int) throws(FrameError) {
        self.geometry = geometry
        engine = try SuperResolutionScalerEngine(
            format: format, size: geometry.source, outputSize: geometry.output, model: .compressed, threads: threads)
    }

    /// - Parameter color: of the source: where its chroma sits counts.
    package func upscale(_ source: PixelBuffer, color: ColorDescription) throws(FrameError) -> PixelBuffer {
        try engine.upscale(source, color: color)
    }
}

extension LowLatencySuperResolutionScalerEngine: FrameProcessorEffect {
    package func process(
        _ parameters: LowLatencySuperResolutionScalerParameters, relation: PairRelation, results: CallResults
    ) throws {
        let source = parameters.sourceFrame
        let picture = try upscale(try source.buffer, color: try source.color)
        results.complete(0, with: picture) { geometry.scaleMetadata(of: &$0) }
    }
}
