import FrameCore
import FrameEffects
import Motion
import TestSupport
import Testing

/// Every effect in a session with frames that have alpha or are RGB.
@Suite struct SessionFormatTests {
    static let formats: [PixelFormat] = [
        try? PixelFormat(subsampling: .yuv420, bitDepth: 8, hasAlpha: true), try? PixelFormat(rgbDepth: 10),
        try? PixelFormat(rgbDepth: 16, hasAlpha: true),
        try? PixelFormat(subsampling: .monochrome, bitDepth: 8, hasAlpha: true),
    ].compactMap(\.self)

    private let width = 67, height = 49

    private func frame(
        _ time: Int64, _ format: PixelFormat, scale: Int = 1
    ) throws -> FrameProcessorFrame {
        let disc = MovingDisc(format.withAlpha, width: width * scale, height: height * scale, velocity: (3, 1))
        let picture = try disc.picture(Float(time))
        return FrameProcessorFrame(
            buffer: format.hasAlpha ? picture : picture.withoutAlpha,
            presentationTimeStamp: MediaTime(value: time, timescale: 1))
    }

    /// Runs a session, and checks that its destination frames hold something new.
    private func check(
        _ configuration: any FrameProcessorConfiguration, _ parameters: any FrameProcessorParameters,
        before: [PixelBuffer]
    ) async throws {
        let processor = FrameProcessor(context: .init(threads: 2))
        try processor.startSession(configuration: configuration)
        defer { processor.endSession() }
        try await run(processor, parameters)
        for (frame, former) in zip(parameters.destinationFrames, before) {
            let made = try frame.buffer
            #expect(made.format == former.format && isWithinRange(made))
            #expect(!made.hasSameSamples(as: former), "\(type(of: configuration)), \(former.format)")
        }
    }

    @Test(arguments: formats) func motionEffects(_ format: PixelFormat) async throws {
        let empty = try frame(90, format), before = try empty.buffer
        let rate = try FrameRateConversionConfiguration(frameWidth: width, frameHeight: height)
        try await check(
            rate,
            FrameRateConversionParameters(
                sourceFrame: frame(0, format), nextFrame: frame(1, format), interpolationPhase: [0.5],
                submissionMode: .random, destinationFrames: [empty]), before: [before])
        let latency = try LowLatencyFrameInterpolationConfiguration(
            frameWidth: width, frameHeight: height, numberOfInterpolatedFrames: 1)
        try await check(
            latency,
            LowLatencyFrameInterpolationParameters(
                sourceFrame: frame(1, format), previousFrame: frame(0, format), interpolationPhase: [0.5],
                destinationFrames: [frame(90, format)]), before: [before])
        let blur = try MotionBlurConfiguration(frameWidth: width, frameHeight: height)
        try await check(
            blur,
            MotionBlurParameters(
                sourceFrame: frame(1, format), nextFrame: frame(2, format), previousFrame: frame(0, format),
                submissionMode: .random, destinationFrame: frame(90, format)), before: [before])
        let flow = try OpticalFlowConfiguration(frameWidth: width, frameHeight: height)
        let destination = try flow.makeDestination()
        try await check(
            flow,
            OpticalFlowParameters(
                sourceFrame: frame(0, format), nextFrame: frame(1, format), submissionMode: .random,
                destinationOpticalFlow: destination), before: [])
        let vector = try destination.forwardFlow.dense().vectors[height / 2 * width + width / 2]
        #expect(abs(vector.x - 3) < 0.5 && abs(vector.y - 1) < 0.5, "\(format): \(vector)")
    }

    @Test(arguments: formats) func otherEffects(_ format: PixelFormat) async throws {
        let before = try frame(90, format).buffer
        let noise = try TemporalNoiseFilterConfiguration(
            frameWidth: width, frameHeight: height, sourcePixelFormat: format)
        try await check(
            noise,
            TemporalNoiseFilterParameters(
                sourceFrame: frame(1, format), nextFrames: [frame(2, format)], previousFrames: [frame(0, format)],
                destinationFrame: frame(90, format), noiseLevel: .sigma(8)), before: [before])
        let deinterlacer = try DeinterlacerConfiguration(frameWidth: width, frameHeight: height)
        try await check(
            deinterlacer,
            DeinterlacerParameters(
                sourceFrame: frame(1, format), nextFrame: frame(2, format), previousFrame: frame(0, format),
                fieldOrder: .topFirst, submissionMode: .random, destinationFrame: frame(90, format)), before: [before])
        let scaler = try SuperResolutionScalerConfiguration(
            frameWidth: width, frameHeight: height, scaleFactor: 2, inputType: .video)
        let larger = try frame(90, format, scale: 2)
        try await check(
            scaler,
            SuperResolutionScalerParameters(
                sourceFrame: frame(0, format), previousFrame: nil, previousOutputFrame: nil, nextFrame: nil,
                opticalFlow: nil, submissionMode: .random, destinationFrame: larger), before: [larger.buffer])
    }

    @Test func everyFormatIsNamedOnce() {
        let formats = PixelBufferAttributes.allFormats
        #expect(formats.count == 90 && Set(formats).count == 90 && Set(formats.map(\.description)).count == 90)
    }

    @Test func refusalsNameTheFormats() throws {
        var attributes = PixelBufferAttributes(pixelFormats: PixelBufferAttributes.allFormats, width: 64, height: 48)
        #expect(
            PixelFormat.list(attributes.pixelFormats)
                == "gray, yuv420p, yuv422p, yuv444p, gbrp, ya, yuva420p, yuva422p, yuva444p and gbrap of 8 to 16 bits")
        attributes.pixelFormats = [.yuv420p8, try PixelFormat(rgbDepth: 10)]
        let refusal = #expect(throws: FrameProcessorError.self) {
            try attributes.makePool(format: PixelFormat(subsampling: .monochrome, bitDepth: 9, hasAlpha: true))
        }
        #expect(refusal?.message == "pixel format ya9 is not supported; allowed are yuv420p, gbrp10")
    }
}
