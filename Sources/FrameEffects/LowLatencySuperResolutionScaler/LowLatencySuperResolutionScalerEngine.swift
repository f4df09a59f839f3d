package import FrameCore

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
