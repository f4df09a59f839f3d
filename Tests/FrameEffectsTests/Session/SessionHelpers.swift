import FrameCore
import FrameEffects
import TestSupport

/// A frame with a picture at `seconds`.
func sessionFrame(
    _ seconds: Int64, dx: Int = 0, format: PixelFormat = .yuv420p8, width: Int = 64, height: Int = 48,
    color: ColorDescription = .unspecified
) throws -> FrameProcessorFrame {
    FrameProcessorFrame(
        buffer: try GeneratedPicture.waves(format, width: width, height: height, dx: dx),
        presentationTimeStamp: MediaTime(value: seconds, timescale: 1), color: color)
}

/// Parameters for the pair at `time` and `time + 1`.
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
    let processor = FrameProcessor(threads: 1)
    try processor.startSession(configuration: FrameRateConversionConfiguration(frameWidth: width, frameHeight: height))
    return processor
}

/// The error's code, for comparing.
func code(_ error: (any Error)?) -> FrameProcessorError.Code? { (error as? FrameProcessorError)?.code }
