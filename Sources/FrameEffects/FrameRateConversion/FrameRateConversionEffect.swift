internal import FrameCore

/// Frame-rate conversion inside a session: drives the engine.
final class FrameRateConversionEffect: FrameProcessorEffect {
    private let configuration: FrameRateConversionConfiguration
    private let threads: Int
    private var engine: (engine: FrameRateConversionEngine, format: PixelFormat)?

    init(configuration: FrameRateConversionConfiguration, threads: Int) {
        self.configuration = configuration
        self.threads = threads
    }

    func process(
        _ parameters: FrameRateConversionParameters, relation: SubmissionRelation, results: CallResults
    ) throws {
        _ = try makeEngine(for: parameters.sourceFrame.format).interpolate(
            from: try parameters.sourceFrame.buffer, to: try parameters.nextFrame.buffer,
            phases: parameters.interpolationPhase, relation: .init(relation),
            flow: try parameters.opticalFlow?.opticalFlow
        ) { index, picture in
            results.complete(index, with: picture)
            return !results.isCancelled()
        }
        // Pictures are left out only when nobody wants them any more.
        if !results.isComplete { try results.checkCancellation() }
    }

    private func makeEngine(for format: PixelFormat) throws -> FrameRateConversionEngine {
        if let engine, engine.format == format { return engine.engine }
        let fresh = try FrameRateConversionEngine(
            format: format, width: configuration.frameWidth, height: configuration.frameHeight,
            quality: configuration.qualityPrioritization, threads: threads)
        engine = (fresh, format)
        return fresh
    }
}
