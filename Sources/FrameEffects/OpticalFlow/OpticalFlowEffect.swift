/// Optical flow inside a session: drives the engine.
final class OpticalFlowEffect: FrameProcessorEffect {
    private let engine: OpticalFlowEngine

    init(configuration: OpticalFlowConfiguration, threads: Int) {
        engine = OpticalFlowEngine(
            width: configuration.frameWidth, height: configuration.frameHeight,
            quality: configuration.qualityPrioritization, threads: threads)
    }

    func process(
        _ parameters: OpticalFlowParameters, relation: PairRelation, results: CallResults
    ) throws {
        let flow = try engine.flow(
            from: try parameters.sourceFrame.buffer, to: try parameters.nextFrame.buffer, relation: relation)
        results.complete(parameters.destinationOpticalFlow, with: flow)
    }
}
