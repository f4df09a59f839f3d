package import FrameCore

/// Configures a session that upscales video calls and live video, each frame on its own.
public struct LowLatencySuperResolutionScalerConfiguration: FrameProcessorConfiguration, Hashable {
    /// The factors that are supported for at least one frame size.
    public static let supportedScaleFactors: [Float] = [1.5, 2, 3, 4]

    /// The width of source frames in pixels, 16…8192.
    public let frameWidth: Int
    /// The height of source frames in pixels, 16…8192.
    public let frameHeight: Int
    /// The scale factor, one of ``supportedScaleFactors(frameWidth:frameHeight:)``.
    public let scaleFactor: Float
    private let geometry: UpscalingGeometry

    /// Creates a configuration after checking size and factor.
    ///
    /// - Parameters:
    ///   - frameWidth: 16…8192 pixels, odd widths included.
    ///   - frameHeight: 16…8192 pixels, odd heights included.
    ///   - scaleFactor: one of ``supportedScaleFactors(frameWidth:frameHeight:)``.
    /// - Throws: ``FrameProcessorError``: `unsupportedResolution` if the size is out of range, `invalidParameterError`
    ///   if the factor is not supported for this size.
    public init(frameWidth: Int, frameHeight: Int, scaleFactor: Float) throws(FrameProcessorError) {
        try Self.checkSize(frameWidth: frameWidth, frameHeight: frameHeight)
        let allowed = Self.supportedScaleFactors(frameWidth: frameWidth, frameHeight: frameHeight)
        guard allowed.contains(scaleFactor) else {
            let list =
                allowed.isEmpty
                ? "no factor is supported" : "allowed are \(allowed.map { "\($0)" }.joined(separator: ", "))"
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

    /// Creates a configuration for a scaling that has been checked, by any factor.
    package init(unchecked geometry: UpscalingGeometry) {
        frameWidth = geometry.source.width
        frameHeight = geometry.source.height
        scaleFactor = Float(geometry.output.width) / Float(geometry.source.width)
        self.geometry = geometry
    }

    /// Returns the factors that are supported for a frame size; empty if the size itself is not supported.
    public static func supportedScaleFactors(frameWidth: Int, frameHeight: Int) -> [Float] {
        guard supports(frameWidth: frameWidth, frameHeight: frameHeight) else { return [] }
        let size = FrameDimensions(width: frameWidth, height: frameHeight)
        return supportedScaleFactors.filter { (try? UpscalingGeometry(source: size, factor: ratio($0))) != nil }
    }

    /// Returns the maximum width and height of source frames for a factor; 0 if the factor is not supported.
    public static func maximumDimension(forSpatialScaleFactor factor: Float) -> Int {
        guard supportedScaleFactors.contains(factor) else { return 0 }
        return Int(Float(UpscalingGeometry.outputRange.upperBound) / factor)
    }

    /// Returns the maximum number of pixels in a source frame for a factor; 0 if the factor is not supported.
    public static func maximumPixelCount(forSpatialScaleFactor factor: Float) -> Int {
        let side = maximumDimension(forSpatialScaleFactor: factor)
        return side * side
    }

    /// Converts a factor to a fraction; every supported factor is a multiple of one half.
    private static func ratio(_ factor: Float) -> Rational { Rational(Int32(factor * 2), 2).reduced }

    /// The supported formats at the output size.
    public var destinationPixelBufferAttributes: PixelBufferAttributes {
        PixelBufferAttributes(
            pixelFormats: supportedPixelFormats, width: geometry.output.width, height: geometry.output.height)
    }
}

extension LowLatencySuperResolutionScalerConfiguration: EffectConfiguration {
    package func makeEffect(
        format: PixelFormat, context: ExecutionContext
    ) throws(FrameError) -> LowLatencySuperResolutionScalerEngine {
        try LowLatencySuperResolutionScalerEngine(format: format, geometry: geometry, context: context)
    }
}

/// Requests an upscaled frame.
public struct LowLatencySuperResolutionScalerParameters: FrameProcessorParameters {
    /// The frame to upscale.
    public let sourceFrame: FrameProcessorFrame
    /// Receives the upscaled frame.
    public let destinationFrame: FrameProcessorFrame

    /// Only ``destinationFrame``.
    public var destinationFrames: [FrameProcessorFrame] { [destinationFrame] }

    /// Creates parameters after checking everything that does not depend on the session.
    ///
    /// - Parameters:
    ///   - sourceFrame: the frame to upscale.
    ///   - destinationFrame: a frame of the same format and the configuration's output size.
    /// - Throws: ``FrameProcessorError`` if a frame is not allowed; the message gives the reason.
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
    /// `random`: calls are independent of one another.
    package var submissionMode: SubmissionMode { .random }
}

/// Upscales each frame on its own, with the model for compressed sources.
///
/// Not `Sendable`: one caller at a time. The same inputs give the same bits for every thread count.
package final class LowLatencySuperResolutionScalerEngine {
    /// The source and output size.
    package let geometry: UpscalingGeometry
    private let engine: SuperResolutionScalerEngine

    /// - Parameters:
    ///   - format: pixel format of source and output.
    ///   - context: the threads and kernels to use.
    package init(format: PixelFormat, geometry: UpscalingGeometry, context: ExecutionContext) throws(FrameError) {
        self.geometry = geometry
        engine = try SuperResolutionScalerEngine(
            format: format, size: geometry.source, outputSize: geometry.output, model: .mediumCompressed,
            isStill: false, context: context)
    }

    /// - Parameter color: color description of the source; only the chroma location matters.
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
