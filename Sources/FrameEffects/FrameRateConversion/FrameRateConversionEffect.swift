internal import FrameCore

/// Frame-rate conversion inside a session: checks the order of the calls and drives the engine.
final class FrameRateConversionEffect: FrameProcessorEffect {
    private let configuration: FrameRateConversionConfiguration
    private let threads: Int
    private var engine: (engine: FrameRateConversionEngine, format: PixelFormat)?
    /// Times of the latest pair.
    private var latest: (source: MediaTime, next: MediaTime)?

    init(configuration: FrameRateConversionConfiguration, threads: Int) {
        self.configuration = configuration
        self.threads = threads
    }

    func process(
        _ parameters: any FrameProcessorParameters, deliver: (Int, PixelBuffer) -> Void
    ) throws(FrameProcessorError) {
        guard let parameters = parameters as? FrameRateConversionParameters else {
            throw FrameProcessorError(
                .invalidParameterError,
                "\(type(of: parameters)) do not belong to this session; it takes FrameRateConversionParameters")
        }
        let source = parameters.sourceFrame, next = parameters.nextFrame
        guard source.width == configuration.frameWidth, source.height == configuration.frameHeight else {
            throw FrameProcessorError(
                .unsupportedInput,
                "the source frame is \(source.width)x\(source.height); the session was started for \(configuration.frameWidth)x\(configuration.frameHeight)"
            )
        }
        let times = (source: source.presentationTimeStamp, next: next.presentationTimeStamp)
        try check(parameters.submissionMode, times)
        let (sourceBuffer, nextBuffer) = (try source.buffer, try next.buffer)
        let relation: PairRelation =
            switch parameters.submissionMode {
            case .random: .none
            case .sequential: latest?.next == times.source ? .follows : .none
            case .sequentialReferencesUnchanged: .samePair
            }
        latest = nil
        do {
            let keepsEngine = engine?.format == source.format
            let outcome = try makeEngine(for: source.format).interpolate(
                from: sourceBuffer, to: nextBuffer, phases: parameters.interpolationPhase,
                relation: keepsEngine ? relation : .none)
            guard outcome.pictures.count == parameters.interpolationPhase.count else {
                throw FrameProcessorError(
                    .processingError,
                    "\(outcome.pictures.count) pictures came back for \(parameters.interpolationPhase.count) phases")
            }
            latest = times
            for (index, picture) in outcome.pictures.enumerated() { deliver(index, picture) }
        } catch {
            throw Self.failure(error)
        }
    }

    private func check(
        _ mode: SubmissionMode, _ times: (source: MediaTime, next: MediaTime)
    ) throws(FrameProcessorError) {
        guard let latest else {
            guard mode != .sequentialReferencesUnchanged else {
                throw FrameProcessorError(
                    .invalidFrameTiming,
                    "there was no call before whose frames could be unchanged; submit the first call as random")
            }
            return
        }
        switch mode {
        case .random: return
        case .sequential:
            guard latest.source < times.source else {
                throw FrameProcessorError(
                    .invalidFrameTiming,
                    "the source frame at \(times.source) s does not come after the one before at \(latest.source) s; submit a jump as random"
                )
            }
        case .sequentialReferencesUnchanged:
            guard latest == times else {
                throw FrameProcessorError(
                    .invalidFrameTiming,
                    "the frames at \(times.source) s and \(times.next) s are not those of the call before, at \(latest.source) s and \(latest.next) s; submit them as sequential or random"
                )
            }
        }
    }

    private func makeEngine(for format: PixelFormat) throws -> FrameRateConversionEngine {
        if let engine, engine.format == format { return engine.engine }
        let fresh = try FrameRateConversionEngine(
            format: format, width: configuration.frameWidth, height: configuration.frameHeight,
            quality: configuration.qualityPrioritization, threads: threads)
        engine = (fresh, format)
        return fresh
    }

    private static func failure(_ error: any Error) -> FrameProcessorError {
        if let error = error as? FrameProcessorError { return error }
        let code: FrameProcessorError.Code =
            switch (error as? FrameError)?.code {
            case .allocation?: .memoryAllocationFailure
            case .unsupportedSize?: .unsupportedResolution
            case .unsupportedFormat?: .unsupportedInput
            default: .processingError
            }
        return FrameProcessorError(code, (error as? FrameError)?.message ?? "\(error)", cause: error)
    }
}
