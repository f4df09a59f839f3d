package import FrameCore

/// Makes each picture larger by itself, with the model for compressed sources.
///
/// Not `Sendable`: one caller at a time. The same inputs give the same bits for every thread count.
package final class LowLatencySuperResolutionScalerEngine {
    private let engine: SuperResolutionScalerEngine

    /// - Parameters:
    ///   - format: of source and output.
    ///   - size: of the source.
    ///   - outputSize: not smaller in either direction.
    package init(
        format: PixelFormat, size: FrameDimensions, outputSize: FrameDimensions, threads: Int
    ) throws(FrameError) {
        engine = try SuperResolutionScalerEngine(
            format: format, size: size, outputSize: outputSize, model: .compressed, threads: threads)
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
        results.complete(0, with: try upscale(try source.buffer, color: try source.color))
    }
}
