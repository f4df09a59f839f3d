import FrameEffects
import TestSupport
import Testing

/// Quadruples the frame rate: three frames between each two, at phases 0.25, 0.5 and 0.75.
@Suite struct ConvertFrameRate {
    private static let phases: [Float] = [0.25, 0.5, 0.75]

    /// The ported program.
    private func convert(_ frames: [FrameProcessorFrame]) async throws -> [FrameProcessorFrame] {
        guard let first = frames.first else { return [] }
        let configuration = try FrameRateConversionConfiguration(
            frameWidth: first.width, frameHeight: first.height, usePrecomputedFlow: false,
            qualityPrioritization: .normal, revision: FrameRateConversionConfiguration.defaultRevision)
        let pool = try configuration.destinationPixelBufferAttributes.makePool(format: first.format)
        let processor = FrameProcessor()
        try processor.startSession(configuration: configuration)
        defer { processor.endSession() }

        var converted = [first]
        for (source, next) in zip(frames, frames.dropFirst()) {
            let start = source.presentationTimeStamp
            let quarter = (next.presentationTimeStamp - start).multiplied(by: Rational(1, 4))
            let destinations = try (1...3).map { step in
                FrameProcessorFrame(
                    buffer: try pool.makeBuffer(),
                    presentationTimeStamp: start + quarter.multiplied(by: Rational(Int32(step), 1)))
            }
            let parameters = try FrameRateConversionParameters(
                sourceFrame: source, nextFrame: next, opticalFlow: nil, interpolationPhase: Self.phases,
                submissionMode: .sequential, destinationFrames: destinations)
            let _: any FrameProcessorParameters = try await processor.process(parameters: parameters)
            converted += destinations + [next]
        }
        return converted
    }

    @Test func framesShowTheMomentsBetween() async throws {
        let scene = MovingScene.translation(8, -4, seed: 5)
        let (width, height) = (320, 180)
        let frames = try (0..<3).map {
            FrameProcessorFrame(
                buffer: try scene.picture(Float($0), width: width, height: height),
                presentationTimeStamp: MediaTime(value: Int64($0) * 1001, timescale: 24000))
        }
        let converted = try await convert(frames)
        #expect(converted.count == 9)
        for (index, frame) in converted.enumerated() {
            #expect(frame.presentationTimeStamp == MediaTime(value: Int64(index) * 1001, timescale: 96000))
            let truth = try scene.picture(Float(index) / 4, width: width, height: height)
            let made = PictureDifference(try frame.buffer, truth).psnr
            // The better of the two neighbours, repeated.
            let held = try [index / 4, min(2, index / 4 + 1)].map {
                PictureDifference(try frames[$0].buffer, truth).psnr
            }
            #expect(made > 40, "frame \(index)")
            #expect(index % 4 == 0 || made > (held.max() ?? 100) + 10, "frame \(index)")
        }
    }

    /// The same conversion, with the variant that yields each frame when it is ready.
    @Test func framesComeAsTheyAreReady() async throws {
        let scene = MovingScene.translation(8, -4, seed: 5)
        let pictures = try (0..<2).map { try scene.picture(Float($0), width: 320, height: 180) }
        let frames = pictures.enumerated().map {
            FrameProcessorFrame(
                buffer: $1, presentationTimeStamp: MediaTime(value: Int64($0) * 4, timescale: 100))
        }
        let configuration = try FrameRateConversionConfiguration(frameWidth: 320, frameHeight: 180)
        let processor = FrameProcessor()
        try processor.startSession(configuration: configuration)
        defer { processor.endSession() }
        let pool = try configuration.destinationPixelBufferAttributes.makePool(format: .yuv420p8)
        let parameters = try FrameRateConversionParameters(
            sourceFrame: frames[0], nextFrame: frames[1], opticalFlow: nil, interpolationPhase: Self.phases,
            submissionMode: .random,
            destinationFrames: (1...3).map {
                FrameProcessorFrame(
                    buffer: try pool.makeBuffer(), presentationTimeStamp: MediaTime(value: $0, timescale: 100))
            })
        var ready: [FrameProcessorFrame.ReadOnlyFrame] = []
        for try await frame in processor.process(parameters: parameters) { ready.append(frame) }
        #expect(ready.map(\.timeStamp.value) == [1, 2, 3])
        for (index, frame) in ready.enumerated() {
            let truth = try scene.picture(Float(index + 1) / 4, width: 320, height: 180)
            #expect(PictureDifference(frame.frame, truth).psnr > 40)
        }
    }
}
