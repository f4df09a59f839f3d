import Motion

/// Super resolution inside a session: drives the engine.
final class SuperResolutionScalerEffect: FrameProcessorEffect {
    private var engines: EngineOfFormat<SuperResolutionEngine>

    init(configuration: SuperResolutionScalerConfiguration, threads: Int) {
        engines = EngineOfFormat { format in
            try SuperResolutionEngine(
                format: format,
                size: FrameDimensions(width: configuration.frameWidth, height: configuration.frameHeight),
                outputSize: FrameDimensions(width: configuration.outputWidth, height: configuration.outputHeight),
                model: UpscalingModel(configuration.qualityPrioritization), inputType: configuration.inputType,
                quality: configuration.qualityPrioritization, threads: threads)
        }
    }

    func process(
        _ parameters: SuperResolutionScalerParameters, relation: PairRelation, results: CallResults
    ) throws {
        let source = parameters.sourceFrame
        let engine = try engines.engine(for: source.format)
        var reference: SuperResolutionEngine.Reference?
        if let previous = parameters.previousFrame, let output = parameters.previousOutputFrame {
            // The caller's flow goes back in time, the engine's ahead.
            let flow = try parameters.opticalFlow?.opticalFlow
            reference = SuperResolutionEngine.Reference(
                source: try previous.buffer, output: try output.buffer,
                flow: try flow.map { try OpticalFlow(forward: $0.backward, backward: $0.forward) })
        }
        let picture = try engine.upscale(
            try source.buffer, color: source.color, reference: reference, relation: relation)
        results.complete(0, with: picture)
    }
}

/// What a network has been trained for.
package typealias UpscalingModel = SuperResolutionNetwork.Model

extension UpscalingModel {
    package init(_ quality: QualityPrioritization) { self = quality == .quality ? .quality : .normal }
}
