import FrameCore
import FrameEffects
import TestSupport
import Testing

/// The two low-latency effects.
@Suite struct LowLatencyTests {
    typealias Scaler = LowLatencySuperResolutionScalerConfiguration
    typealias Interpolation = LowLatencyFrameInterpolationConfiguration

    @Test func factorsCanBeAskedForAhead() throws {
        #expect(Scaler.supportedScaleFactors(frameWidth: 640, frameHeight: 360) == [1.5, 2, 3, 4])
        #expect(Scaler.supportedScaleFactors(frameWidth: 3000, frameHeight: 360) == [1.5, 2])
        #expect(Scaler.supportedScaleFactors(frameWidth: 15, frameHeight: 360).isEmpty)
        #expect(Scaler.maximumDimension(forSpatialScaleFactor: 2) == 4096)
        #expect(Scaler.maximumDimension(forSpatialScaleFactor: 2.5) == 0)
        #expect(Scaler.maximumPixelCount(forSpatialScaleFactor: 4) == 2048 * 2048)
        for width in [96, 2048, 2730, 4096, 5461, 8192] {
            for factor in Scaler.supportedScaleFactors {
                let isListed = Scaler.supportedScaleFactors(frameWidth: width, frameHeight: 64).contains(factor)
                #expect(isListed == (width <= Scaler.maximumDimension(forSpatialScaleFactor: factor)))
                if isListed { _ = try Scaler(frameWidth: width, frameHeight: 64, scaleFactor: factor) }
            }
        }
    }

    @Test(arguments: [0, -1, 1, 17, 2.5, .nan, .infinity] as [Float]) func otherFactorsAreRefused(_ factor: Float) {
        let error = #expect(throws: FrameProcessorError.self) {
            try Scaler(frameWidth: 640, frameHeight: 360, scaleFactor: factor)
        }
        #expect(error?.message.contains("allowed are 1.5, 2.0, 3.0, 4.0") == true)
    }

    @Test(arguments: [0, -1, 5]) func depthsHaveARange(_ depth: Int) {
        let error = #expect(throws: FrameProcessorError.self) {
            try Interpolation(frameWidth: 640, frameHeight: 360, numberOfInterpolatedFrames: depth)
        }
        #expect(error?.message == "a depth of \(depth) is not allowed; numberOfInterpolatedFrames must be 1 to 4")
        #expect(throws: FrameProcessorError.self) {
            try Interpolation(frameWidth: 640, frameHeight: 360, spatialScaleFactor: depth)
        }
    }

    @Test func depthsGivePhases() throws {
        func phases(_ depth: Int) throws -> [Float] {
            try Interpolation(frameWidth: 64, frameHeight: 48, numberOfInterpolatedFrames: depth).interpolationPhases
        }
        #expect(try phases(1) == [0.5])
        #expect(try phases(2) == [0.25, 0.5, 0.75])
        #expect(try phases(4).count == 15)
        #expect(Interpolation.maximumDimension(forSpatialScaleFactor: 1) == 8192)
        #expect(Interpolation.maximumDimension(forSpatialScaleFactor: 2) == 4096)
        #expect(Interpolation.maximumDimension(forSpatialScaleFactor: 3) == 0)
        let large = try Interpolation(frameWidth: 64, frameHeight: 48, spatialScaleFactor: 2)
        #expect(large.interpolationPhases == [0.5] && large.destinationPixelBufferAttributes.width == 128)
        #expect(throws: FrameProcessorError.self) {
            try Interpolation(frameWidth: 4097, frameHeight: 48, spatialScaleFactor: 2)
        }
    }

    private func call(
        _ phases: [Float], _ targets: [FrameProcessorFrame], cut: Bool = false
    ) throws -> LowLatencyFrameInterpolationParameters {
        let scene = MovingScene.translation(4, 2, seed: 2)
        let other = MovingScene.translation(4, 2, seed: 77)
        func frame(_ time: Int64, _ scene: MovingScene) throws -> FrameProcessorFrame {
            FrameProcessorFrame(
                buffer: try scene.picture(Float(time), width: 160, height: 120),
                presentationTimeStamp: MediaTime(value: time, timescale: 1))
        }
        return try LowLatencyFrameInterpolationParameters(
            sourceFrame: frame(1, cut ? other : scene), previousFrame: frame(0, scene), interpolationPhase: phases,
            destinationFrames: targets)
    }

    private func targets(_ count: Int, scale: Int = 1) throws -> [FrameProcessorFrame] {
        try (0..<count).map { try sessionFrame(Int64($0), width: 160 * scale, height: 120 * scale) }
    }

    private func session(_ configuration: Interpolation) throws -> FrameProcessor {
        let processor = FrameProcessor(context: .init(threads: 2))
        try processor.startSession(configuration: configuration)
        return processor
    }

    @Test func framesLieBetweenBoth() async throws {
        let processor = try session(
            Interpolation(frameWidth: 160, frameHeight: 120, numberOfInterpolatedFrames: 2))
        defer { processor.endSession() }
        let targets = try targets(2)
        try await run(processor, call([0.75, 0.25], targets))
        let scene = MovingScene.translation(4, 2, seed: 2)
        for (phase, target) in zip([0.75, 0.25] as [Float], targets) {
            let truth = try scene.picture(phase, width: 160, height: 120)
            #expect(PictureDifference(try target.buffer, truth).psnr > 32)
        }
        let off = await failure(processor, try call([1 / 3], [targets[0]]))
        #expect(code(off) == .invalidParameterError)
        let many = await failure(processor, try call([0.5], targets))
        #expect(code(many) == .invalidParameterError)
    }

    /// Across a cut the nearer frame is repeated, and the result is never blank.
    @Test func cutsRepeatTheNearerPicture() async throws {
        let processor = try session(
            Interpolation(frameWidth: 160, frameHeight: 120, numberOfInterpolatedFrames: 2))
        defer { processor.endSession() }
        let targets = try targets(3)
        let parameters = try call([0.25, 0.5, 0.75], targets, cut: true)
        try await run(processor, parameters)
        #expect(try targets[0].buffer.hasSameSamples(as: parameters.previousFrame.buffer))
        #expect(try targets[1].buffer.hasSameSamples(as: parameters.sourceFrame.buffer))
        #expect(try targets[2].buffer.hasSameSamples(as: parameters.sourceFrame.buffer))
    }

    /// The results are the interpolated frame and then the source frame, both at twice the size.
    @Test func largerFramesComeWithTheSource() async throws {
        let processor = try session(Interpolation(frameWidth: 160, frameHeight: 120, spatialScaleFactor: 2))
        defer { processor.endSession() }
        let targets = try targets(2, scale: 2)
        let parameters = try call([0.5], targets)
        try await run(processor, parameters)
        let scaler = FrameProcessor(context: .serial)
        try scaler.startSession(configuration: Scaler(frameWidth: 160, frameHeight: 120, scaleFactor: 2))
        let alone = try sessionFrame(0, width: 320, height: 240)
        try await run(
            scaler,
            LowLatencySuperResolutionScalerParameters(
                sourceFrame: parameters.sourceFrame, destinationFrame: alone))
        #expect(try targets[1].buffer.hasSameSamples(as: alone.buffer))
        #expect(try !targets[0].buffer.hasSameSamples(as: alone.buffer))
        let lacking = await failure(processor, try call([0.5], [targets[0]]))
        #expect(code(lacking) == .invalidParameterError)
    }

    @Test(arguments: [0, 1, -0.5, .nan] as [Float]) func phasesLieBetween(_ phase: Float) throws {
        let targets = try targets(1)
        let error = #expect(throws: FrameProcessorError.self) { try call([phase], targets) }
        #expect(error?.message.contains("a phase must be between 0 and 1, both excluded") == true)
    }
}
