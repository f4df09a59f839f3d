import FrameEffects
import TestSupport
import Testing

/// What the articles about scaling and low latency show.
@Suite struct ScalingSnippets {
    /// Frames of a scene in motion, one second apart.
    private func frames(_ count: Int) throws -> [FrameProcessorFrame] {
        let scene = MovingScene.translation(6, -3, seed: 4)
        return try (0..<count).map {
            FrameProcessorFrame(
                buffer: try scene.picture(Float($0), width: 320, height: 180),
                presentationTimeStamp: MediaTime(value: Int64($0), timescale: 1))
        }
    }

    @Test func superResolution() async throws {
        let pictures = try frames(3)
        // snippet
        let configuration = try SuperResolutionScalerConfiguration(
            frameWidth: 320, frameHeight: 180, scaleFactor: 2, inputType: .video)
        let pool = try configuration.destinationPixelBufferAttributes.makePool(format: .yuv420p8)
        let processor = FrameProcessor()
        try processor.startSession(configuration: configuration)
        defer { processor.endSession() }
        var previous: (source: FrameProcessorFrame, output: FrameProcessorFrame)?
        for source in pictures {
            let output = FrameProcessorFrame(
                buffer: try pool.makeBuffer(), presentationTimeStamp: source.presentationTimeStamp)
            try await processor.process(
                parameters: SuperResolutionScalerParameters(
                    sourceFrame: source, previousFrame: previous?.source, previousOutputFrame: previous?.output,
                    submissionMode: previous == nil ? .random : .sequential, destinationFrame: output))
            previous = (source, output)
        }
        // end
        #expect(try previous?.output.buffer.width == 640)
    }

    @Test func lowLatencyScaling() throws {
        // snippet
        let factors = LowLatencySuperResolutionScalerConfiguration.supportedScaleFactors(
            frameWidth: 320, frameHeight: 180)
        guard let factor = factors.first(where: { $0 >= 2 }) else { return }
        let configuration = try LowLatencySuperResolutionScalerConfiguration(
            frameWidth: 320, frameHeight: 180, scaleFactor: factor)
        // end
        #expect(configuration.destinationPixelBufferAttributes.width == 640)
    }

    @Test func lowLatencyInterpolation() async throws {
        let pictures = try frames(2), previous = pictures[0], source = pictures[1]
        // snippet
        let doubling = try LowLatencyFrameInterpolationConfiguration(
            frameWidth: 320, frameHeight: 180, spatialScaleFactor: 2)
        let pool = try doubling.destinationPixelBufferAttributes.makePool(format: .yuv420p8)
        let destinations = try [Rational(1, 2), Rational(1, 1)].map {
            FrameProcessorFrame(
                buffer: try pool.makeBuffer(),
                presentationTimeStamp: previous.presentationTimeStamp
                    + (source.presentationTimeStamp - previous.presentationTimeStamp).multiplied(by: $0))
        }
        let parameters = try LowLatencyFrameInterpolationParameters(
            sourceFrame: source, previousFrame: previous, interpolationPhase: [0.5], destinationFrames: destinations)
        // end
        let processor = FrameProcessor()
        try processor.startSession(configuration: doubling)
        try await processor.process(parameters: parameters)
        #expect(try destinations[1].buffer.width == 640)
        processor.endSession()
    }
}
