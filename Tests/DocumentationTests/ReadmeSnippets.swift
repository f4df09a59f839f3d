import FrameEffects
import TestSupport
import Testing

/// The code that the README shows.
@Suite struct ReadmeSnippets {
    // snippet
    /// The frame half-way between two neighbours.
    func middle(of first: FrameProcessorFrame, and second: FrameProcessorFrame) async throws -> PixelBuffer {
        let configuration = try FrameRateConversionConfiguration(frameWidth: first.width, frameHeight: first.height)
        let processor = FrameProcessor()
        try processor.startSession(configuration: configuration)
        defer { processor.endSession() }
        let pool = try configuration.destinationPixelBufferAttributes.makePool(format: first.format)
        let span = second.presentationTimeStamp - first.presentationTimeStamp
        let time = first.presentationTimeStamp + span.multiplied(by: Rational(1, 2))
        let middle = FrameProcessorFrame(buffer: try pool.makeBuffer(), presentationTimeStamp: time)
        try await processor.process(
            parameters: FrameRateConversionParameters(
                sourceFrame: first, nextFrame: second, interpolationPhase: [0.5], submissionMode: .random,
                destinationFrames: [middle]))
        return try middle.buffer
    }
    // end

    @Test func middleFrame() async throws {
        let scene = MovingScene.translation(6, -3, seed: 4)
        let frames = try (0..<2).map {
            FrameProcessorFrame(
                buffer: try scene.picture(Float($0), width: 320, height: 180),
                presentationTimeStamp: MediaTime(value: Int64($0), timescale: 25))
        }
        let made = try await middle(of: frames[0], and: frames[1])
        #expect(PictureDifference(made, try scene.picture(0.5, width: 320, height: 180)).psnr > 40)
    }
}
