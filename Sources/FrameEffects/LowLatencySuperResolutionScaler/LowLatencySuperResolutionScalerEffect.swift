internal import FrameCore

/// Low-latency super resolution inside a session: drives the engine.
final class LowLatencySuperResolutionScalerEffect: FrameProcessorEffect {
    private var engines: EngineOfFormat<SuperResolutionScalerEngine>

    init(geometry: UpscalingGeometry, threads: Int) {
        engines = EngineOfFormat { format in
            try SuperResolutionScalerEngine(
                format: format, size: geometry.source, outputSize: geometry.output, model: .compressed,
                threads: threads)
        }
    }

    func process(
        _ parameters: LowLatencySuperResolutionScalerParameters, relation: PairRelation, results: CallResults
    ) throws {
        let source = parameters.sourceFrame
        let engine = try engines.engine(for: source.format)
        results.complete(0, with: try engine.upscale(try source.buffer, color: source.color))
    }
}
