import FrameEffects
import TestSupport
import Testing

/// Processes the frames of a call as they arrive: enlarges them and doubles the frame rate.
@Suite struct ProcessCall {
    private let scene = MovingScene.translation(5, -2, seed: 5)

    private func frames(_ count: Int) throws -> [FrameProcessorFrame] {
        try (0..<count).map {
            FrameProcessorFrame(
                buffer: try scene.picture(Float($0), width: 320, height: 180),
                presentationTimeStamp: MediaTime(value: Int64($0), timescale: 30))
        }
    }

    /// The first ported program; it checks the scale factor in advance.
    private func scale(_ frames: [FrameProcessorFrame]) async throws -> [FrameProcessorFrame] {
        guard let first = frames.first, LowLatencySuperResolutionScalerConfiguration.isSupported else { return [] }
        let factors = LowLatencySuperResolutionScalerConfiguration.supportedScaleFactors(
            frameWidth: first.width, frameHeight: first.height)
        guard let factor = factors.first(where: { $0 >= 2 }) else { return [] }
        let configuration = try LowLatencySuperResolutionScalerConfiguration(
            frameWidth: first.width, frameHeight: first.height, scaleFactor: factor)
        let pool = try configuration.destinationPixelBufferAttributes.makePool(format: first.format)
        let processor = FrameProcessor()
        try processor.startSession(configuration: configuration)
        defer { processor.endSession() }
        var scaled: [FrameProcessorFrame] = []
        for source in frames {
            let destination = FrameProcessorFrame(
                buffer: try pool.makeBuffer(), presentationTimeStamp: source.presentationTimeStamp)
            let parameters = try LowLatencySuperResolutionScalerParameters(
                sourceFrame: source, destinationFrame: destination)
            let _: any FrameProcessorParameters = try await processor.process(parameters: parameters)
            scaled.append(destination)
        }
        return scaled
    }

    /// The second one: a frame between the latest two, optionally followed by the latest one at twice the size.
    private func interpolate(
        _ frames: [FrameProcessorFrame], _ configuration: LowLatencyFrameInterpolationConfiguration
    ) async throws -> [FrameProcessorFrame] {
        guard let first = frames.first else { return [] }
        let pool = try configuration.destinationPixelBufferAttributes.makePool(format: first.format)
        let processor = FrameProcessor()
        try processor.startSession(configuration: configuration)
        defer { processor.endSession() }
        var shown: [FrameProcessorFrame] = []
        for (previous, source) in zip(frames, frames.dropFirst()) {
            let start = previous.presentationTimeStamp, span = source.presentationTimeStamp - start
            var times = configuration.interpolationPhases.indices.map {
                start
                    + span.multiplied(
                        by: Rational(Int32($0 + 1), Int32(configuration.interpolationPhases.count + 1)))
            }
            if configuration.spatialScaleFactor > 1 { times.append(source.presentationTimeStamp) }
            let destinations = try times.map {
                FrameProcessorFrame(buffer: try pool.makeBuffer(), presentationTimeStamp: $0)
            }
            let parameters = try LowLatencyFrameInterpolationParameters(
                sourceFrame: source, previousFrame: previous,
                interpolationPhase: configuration.interpolationPhases, destinationFrames: destinations)
            let _: any FrameProcessorParameters = try await processor.process(parameters: parameters)
            shown += destinations
        }
        return shown
    }

    @Test func framesGrow() async throws {
        let frames = try frames(3), scaled = try await scale(frames)
        #expect(scaled.count == 3)
        for (index, frame) in scaled.enumerated() {
            #expect(frame.presentationTimeStamp == frames[index].presentationTimeStamp)
            let picture = try frame.buffer
            #expect(picture.width == 640 && picture.height == 360)
            let planes = (0..<3).map { picture.samples(ofPlane: $0) }
            // The result shows the source and is not blank.
            let back = try GeneratedPicture.draw(.yuv420p8, width: 320, height: 180) { plane, x, y in
                Int(planes[plane][2 * y * (plane == 0 ? 640 : 320) + 2 * x])
            }
            #expect(PictureDifference(back, try frames[index].buffer).psnr > 25)
        }
    }

    @Test func framesLieBetween() async throws {
        let shown = try await interpolate(
            frames(3),
            LowLatencyFrameInterpolationConfiguration(
                frameWidth: 320, frameHeight: 180, numberOfInterpolatedFrames: 2))
        #expect(
            shown.map { $0.presentationTimeStamp } == [1, 2, 3, 5, 6, 7].map { MediaTime(value: $0, timescale: 120) })
        for (frame, time) in zip(shown, [0.25, 0.5, 0.75, 1.25, 1.5, 1.75] as [Float]) {
            #expect(PictureDifference(try frame.buffer, try scene.picture(time, width: 320, height: 180)).psnr > 30)
        }
    }

    @Test func framesBetweenAreLargeToo() async throws {
        let configuration = try LowLatencyFrameInterpolationConfiguration(
            frameWidth: 320, frameHeight: 180, spatialScaleFactor: 2)
        let frames = try frames(2), shown = try await interpolate(frames, configuration)
        #expect(shown.count == 2)
        #expect(shown.allSatisfy { $0.width == 640 && $0.height == 360 })
        let scaled = try await scale(frames)
        #expect(try shown[1].buffer.hasSameSamples(as: scaled[1].buffer))
    }
}
