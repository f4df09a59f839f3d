import FrameEffects
import TestSupport
import Testing

/// Blurs along the motion, with neighbours on both sides.
@Suite struct BlurMotion {
    /// The neighbours of each frame: the first has no previous frame, the last no next frame.
    private func neighbours(of count: Int) -> [(previous: Int?, source: Int, next: Int?)] {
        (0..<count).map { (previous: $0 > 0 ? $0 - 1 : nil, source: $0, next: $0 + 1 < count ? $0 + 1 : nil) }
    }

    @Test func onlyTheEndsLackANeighbour() {
        #expect(neighbours(of: 4).map(\.previous) == [nil, 0, 1, 2])
        #expect(neighbours(of: 4).map(\.next) == [1, 2, 3, nil])
        #expect(neighbours(of: 1).map(\.source) == [0])
        #expect(neighbours(of: 0).isEmpty)
    }

    @Test func edgesSoftenAlongTheMotion() async throws {
        let scene = MovingScene.translation(12, 0, seed: 5)
        let frames = try (0..<3).map {
            FrameProcessorFrame(
                buffer: try scene.picture(Float($0), width: 320, height: 180),
                presentationTimeStamp: MediaTime(value: Int64($0), timescale: 25))
        }
        let blurred = try await blur(frames, strength: 50)
        #expect(blurred.count == 3)
        for (source, result) in zip(frames, blurred) {
            #expect(result.presentationTimeStamp == source.presentationTimeStamp)
            #expect(PictureDifference(try result.buffer, try source.buffer).psnr < 40)
        }
    }

    /// The ported program.
    private func blur(_ frames: [FrameProcessorFrame], strength: Int) async throws -> [FrameProcessorFrame] {
        guard let first = frames.first else { return [] }
        let configuration = try MotionBlurConfiguration(
            frameWidth: first.width, frameHeight: first.height, usePrecomputedFlow: false,
            qualityPrioritization: .normal, revision: .revision1)
        let pool = try configuration.destinationPixelBufferAttributes.makePool(format: first.format)
        let processor = FrameProcessor()
        try processor.startSession(configuration: configuration)
        defer { processor.endSession() }
        var blurred: [FrameProcessorFrame] = []
        for (previous, source, next) in neighbours(of: frames.count) {
            let destination = FrameProcessorFrame(
                buffer: try pool.makeBuffer(), presentationTimeStamp: frames[source].presentationTimeStamp)
            let parameters = try MotionBlurParameters(
                sourceFrame: frames[source], nextFrame: next.map { frames[$0] },
                previousFrame: previous.map { frames[$0] }, nextOpticalFlow: nil, previousOpticalFlow: nil,
                motionBlurStrength: strength, submissionMode: .sequential, destinationFrame: destination)
            let _: any FrameProcessorParameters = try await processor.process(parameters: parameters)
            blurred.append(destination)
        }
        return blurred
    }
}
