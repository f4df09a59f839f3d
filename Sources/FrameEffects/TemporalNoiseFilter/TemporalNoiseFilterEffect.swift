/// The noise filter inside a session: drives the engine.
final class TemporalNoiseFilterEffect: FrameProcessorEffect {
    private let engine: TemporalNoiseFilterEngine

    init(engine: TemporalNoiseFilterEngine) { self.engine = engine }

    func process(
        _ parameters: TemporalNoiseFilterParameters, relation: PairRelation, results: CallResults
    ) throws {
        let previous = parameters.hasDiscontinuity ? [] : parameters.previousFrames
        let picture = try engine.filter(
            try parameters.sourceFrame.buffer, previous: previous.map { try $0.buffer },
            next: parameters.nextFrames.map { try $0.buffer }, noise: try parameters.noise())
        results.complete(0, with: picture)
    }
}
