import FrameEffects
import TestSupport
import Testing

/// Doubles the size of a video; each call gets the previous frame and the result for it.
@Suite struct ScaleVideo {
    /// The ported program.
    private func scale(_ frames: [FrameProcessorFrame], factor: Int) async throws -> [FrameProcessorFrame] {
        guard let first = frames.first else { return [] }
        let configuration = try SuperResolutionScalerConfiguration(
            frameWidth: first.width, frameHeight: first.height, scaleFactor: factor, inputType: .video,
            usePrecomputedFlow: false, qualityPrioritization: .normal,
            revision: SuperResolutionScalerConfiguration.defaultRevision)
        if configuration.configurationModelStatus != .ready { try await configuration.downloadConfigurationModel() }
        let pool = try configuration.destinationPixelBufferAttributes.makePool(format: first.format)
        let processor = FrameProcessor()
        try processor.startSession(configuration: configuration)
        defer { processor.endSession() }

        var scaled: [FrameProcessorFrame] = []
        for (index, source) in frames.enumerated() {
            let destination = FrameProcessorFrame(
                buffer: try pool.makeBuffer(), presentationTimeStamp: source.presentationTimeStamp)
            let parameters = try SuperResolutionScalerParameters(
                sourceFrame: source, previousFrame: index > 0 ? frames[index - 1] : nil,
                previousOutputFrame: scaled.last, opticalFlow: nil,
                submissionMode: index > 0 ? .sequential : .random, destinationFrame: destination)
            let _: any FrameProcessorParameters = try await processor.process(parameters: parameters)
            scaled.append(destination)
        }
        return scaled
    }

    @Test func framesGrowAndGainDetail() async throws {
        let texture = NoiseTexture(seed: 4, finest: 3)
        let scene = MovingScene { _, x, y, t in texture.value(x - 2.6 * t, y + 1.3 * t) }
        let times = (0..<4).map { MediaTime(value: $0 * 1001, timescale: 30000) }
        let truth = try (0..<4).map { try scene.picture(Float($0), width: 256, height: 160) }
        let frames = try zip(truth, times).map {
            FrameProcessorFrame(buffer: try halved($0), presentationTimeStamp: $1)
        }
        let scaled = try await scale(frames, factor: 2)
        #expect(scaled.map(\.presentationTimeStamp) == times)
        for (frame, truth) in zip(scaled, truth) {
            let picture = try frame.buffer
            #expect(picture.width == 256 && picture.height == 160 && picture.format == .yuv420p8)
            let plain = try repeated(halved(truth))
            func psnr(_ a: PixelBuffer) -> Double {
                PictureDifference(a, truth) { x, y in x > 16 && y > 16 && x < 240 && y < 144 }.psnr
            }
            #expect(psnr(picture) > psnr(plain) + 2)
        }
    }

    /// Returns the means of 2×2 samples of each plane.
    private func halved(_ picture: PixelBuffer) throws -> PixelBuffer {
        let planes = (0..<3).map { picture.samples(ofPlane: $0).map(Int.init) }
        return try GeneratedPicture.draw(.yuv420p8, width: picture.width / 2, height: picture.height / 2) { p, x, y in
            let width = p == 0 ? picture.width : picture.width / 2, first = 2 * y * width + 2 * x
            return
                (planes[p][first] + planes[p][first + 1] + planes[p][first + width] + planes[p][first + width + 1] + 2)
                / 4
        }
    }

    /// Repeats each sample in a 2×2 square.
    private func repeated(_ picture: PixelBuffer) throws -> PixelBuffer {
        let planes = (0..<3).map { picture.samples(ofPlane: $0).map(Int.init) }
        return try GeneratedPicture.draw(.yuv420p8, width: 2 * picture.width, height: 2 * picture.height) { p, x, y in
            planes[p][y / 2 * (p == 0 ? picture.width : picture.width / 2) + x / 2]
        }
    }
}
