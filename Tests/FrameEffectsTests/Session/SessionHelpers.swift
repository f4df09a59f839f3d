import FrameCore
import FrameEffects
import TestSupport
import Testing

/// Makes a frame with a picture at `seconds`.
func sessionFrame(
    _ seconds: Int64, dx: Int = 0, format: PixelFormat = .yuv420p8, width: Int = 64, height: Int = 48,
    color: ColorDescription = .unspecified
) throws -> FrameProcessorFrame {
    FrameProcessorFrame(
        buffer: try GeneratedPicture.waves(format, width: width, height: height, dx: dx),
        presentationTimeStamp: MediaTime(value: seconds, timescale: 1), color: color)
}

/// Makes parameters for the pair at `time` and `time + 1`.
func sessionParameters(
    at time: Int64 = 0, phases: [Float] = [0.5], mode: SubmissionMode = .random, format: PixelFormat = .yuv420p8,
    width: Int = 64, height: Int = 48
) throws -> FrameRateConversionParameters {
    try FrameRateConversionParameters(
        sourceFrame: sessionFrame(time, format: format, width: width, height: height),
        nextFrame: sessionFrame(time + 1, dx: 4, format: format, width: width, height: height),
        interpolationPhase: phases,
        submissionMode: mode,
        destinationFrames: phases.indices.map {
            try sessionFrame(100 + Int64($0), format: format, width: width, height: height)
        })
}

func startedProcessor(width: Int = 64, height: Int = 48) throws -> FrameProcessor {
    let processor = FrameProcessor(context: .serial)
    try processor.startSession(configuration: FrameRateConversionConfiguration(frameWidth: width, frameHeight: height))
    return processor
}

/// Returns the error's code, for comparison.
func code(_ error: (any Error)?) -> FrameProcessorError.Code? { (error as? FrameProcessorError)?.code }

/// Processes with the `async` variant, whose call looks the same as that of the sequence variant.
func run(_ processor: FrameProcessor, _ parameters: any FrameProcessorParameters) async throws {
    let _: any FrameProcessorParameters = try await processor.process(parameters: parameters)
}

/// Returns the error that processing with the `async` variant throws.
func failure(_ processor: FrameProcessor, _ parameters: any FrameProcessorParameters) async -> (any Error)? {
    do {
        try await run(processor, parameters)
        return nil
    } catch {
        return error
    }
}

/// Processes with the sequence variant, under an unambiguous name.
func pictures(
    _ processor: FrameProcessor, _ parameters: any FrameProcessorParameters
) -> some AsyncSequence<FrameProcessorFrame.ReadOnlyFrame, any Error> {
    processor.process(parameters: parameters)
}

/// Checks that a session accepts a call and returns a correct result.
func expectUsable(
    _ processor: FrameProcessor, width: Int = 64, height: Int = 48, _ location: SourceLocation = #_sourceLocation
) async throws {
    let parameters = try sessionParameters(phases: [1, 0], width: width, height: height)
    #expect(await failure(processor, parameters) == nil, sourceLocation: location)
    let made = try parameters.destinationFrames.map { try $0.buffer }
    #expect(made[0].hasSameSamples(as: try parameters.nextFrame.buffer), sourceLocation: location)
    #expect(made[1].hasSameSamples(as: try parameters.sourceFrame.buffer), sourceLocation: location)
}
