import FrameCore
import FrameEffects
import Motion
import TestSupport
import Testing

/// Super resolution in a session: configuration, parameters and calls.
@Suite struct SuperResolutionScalerTests {
    typealias Configuration = SuperResolutionScalerConfiguration

    private func frame(_ time: Int64, _ width: Int = 64, _ height: Int = 48, dx: Int = 0) throws -> FrameProcessorFrame
    {
        try sessionFrame(time, dx: dx, width: width, height: height)
    }

    @Test func theModelIsThere() async throws {
        let configuration = try Configuration(frameWidth: 64, frameHeight: 48, scaleFactor: 2, inputType: .video)
        #expect(configuration.configurationModelStatus == .ready)
        #expect(configuration.configurationModelPercentageAvailable == 1)
        configuration.downloadConfigurationModel { #expect($0 == nil) }
        try await configuration.downloadConfigurationModel()
        #expect(Configuration.supportedScaleFactors == [2, 3, 4])
        #expect(Configuration.InputType.video.rawValue == 1 && Configuration.InputType.image.rawValue == 2)
        #expect(Configuration.ModelStatus.downloadRequired.rawValue == 0)
        #expect(configuration.previousFrameCount == 1 && configuration.nextFrameCount == 1)
        #expect(configuration.destinationPixelBufferAttributes.width == 128)
        #expect(configuration.sourcePixelBufferAttributes.width == 64)
    }

    @Test(arguments: [0, -1, 1, 17, Int.max, Int.min]) func wholeFactorsHaveARange(_ factor: Int) {
        let error = #expect(throws: FrameProcessorError.self) {
            try Configuration(frameWidth: 64, frameHeight: 48, scaleFactor: factor, inputType: .image)
        }
        #expect(error?.code == .invalidParameterError)
    }

    @Test func sizesHaveARange() throws {
        func refusal(_ body: () throws -> Configuration) -> FrameProcessorError.Code? {
            do {
                _ = try body()
                return nil
            } catch {
                return code(error)
            }
        }
        let wrong = FrameProcessorError.Code.unsupportedResolution
        #expect(
            refusal { try Configuration(frameWidth: 15, frameHeight: 48, scaleFactor: 2, inputType: .video) } == wrong)
        #expect(
            refusal { try Configuration(frameWidth: 4097, frameHeight: 48, scaleFactor: 2, inputType: .video) } == wrong
        )
        for (width, height) in [(63, 96), (64, 48), (128, 47), (1025, 96), (128, 8193)] {
            #expect(
                refusal {
                    try Configuration(
                        frameWidth: 64, frameHeight: 48, outputWidth: width, outputHeight: height, inputType: .video)
                } == wrong, "\(width)x\(height)")
        }
        let tall = try Configuration(
            frameWidth: 64, frameHeight: 48, outputWidth: 64, outputHeight: 100, inputType: .image)
        #expect(tall.outputHeight == 100)
    }

    @Test func previousFramesComeInPairs() throws {
        let source = try frame(1), target = try frame(1, 128, 96)
        func refused(_ body: @autoclosure () throws -> SuperResolutionScalerParameters, _ word: String) {
            let error = #expect(throws: FrameProcessorError.self) { _ = try body() }
            #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
        }
        let before = try frame(0), output = try frame(0, 128, 96)
        refused(
            try SuperResolutionScalerParameters(
                sourceFrame: source, previousFrame: before, submissionMode: .random, destinationFrame: target),
            "without a previousOutputFrame")
        refused(
            try SuperResolutionScalerParameters(
                sourceFrame: source, previousOutputFrame: output, submissionMode: .random, destinationFrame: target),
            "without a previousFrame")
        refused(
            try SuperResolutionScalerParameters(
                sourceFrame: source, previousFrame: before, previousOutputFrame: output,
                submissionMode: .sequentialReferencesUnchanged, destinationFrame: target),
            "not supported by this effect")
        refused(
            try SuperResolutionScalerParameters(
                sourceFrame: source, previousFrame: try frame(2), previousOutputFrame: output,
                submissionMode: .random, destinationFrame: target), "is not later than")
    }

    /// A session gives the same results as the engine, with internal motion and with flow to the previous frame.
    @Test func aSessionGivesWhatTheEngineGives() async throws {
        let frames = try (0..<3).map { try frame(Int64($0), 160, 120, dx: 3 * $0) }
        let size = FrameDimensions(width: 160, height: 120), large = FrameDimensions(width: 320, height: 240)
        let engine = try SuperResolutionScalerEngine(
            format: .yuv420p8, size: size, outputSize: large, model: .small, isStill: false, context: .serial)
        var reference: SuperResolutionScalerEngine.Reference?
        let wanted = try frames.map { frame in
            let output = try engine.upscale(
                try frame.buffer, color: .unspecified, reference: reference,
                relation: reference == nil ? .none : .follows)
            reference = .init(source: try frame.buffer, output: output)
            return output
        }
        for isPrecomputed in [false, true] {
            let processor = FrameProcessor(context: .init(threads: 2))
            try processor.startSession(
                configuration: Configuration(
                    frameWidth: 160, frameHeight: 120, scaleFactor: 2, inputType: .video,
                    usePrecomputedFlow: isPrecomputed))
            var outputs: [FrameProcessorFrame] = []
            for (index, source) in frames.enumerated() {
                let target = try frame(Int64(index), 320, 240)
                let flow =
                    isPrecomputed && index > 0
                    ? try FrameProcessorOpticalFlow(
                        forwardFlow: FlowField(width: 160, height: 120),
                        backwardFlow: FlowField(width: 160, height: 120))
                    : nil
                let parameters = try SuperResolutionScalerParameters(
                    sourceFrame: source, previousFrame: index > 0 ? frames[index - 1] : nil,
                    previousOutputFrame: outputs.last, opticalFlow: flow,
                    submissionMode: index == 0 ? .random : .sequential, destinationFrame: target)
                try await run(processor, parameters)
                outputs.append(target)
            }
            #expect(try outputs[0].buffer.hasSameSamples(as: wanted[0]))
            #expect(try outputs[2].buffer.hasSameSamples(as: wanted[2]) == !isPrecomputed)
            processor.endSession()
        }
    }

    /// At `quality`, a frame of a video that has no previous output is the mean over two rotations, and a single image over four.
    @Test(arguments: Configuration.InputType.allCases)
    func anImageIsDoubledInMoreRotationsThanAFrame(_ type: Configuration.InputType) async throws {
        let processor = FrameProcessor(context: .init(threads: 2))
        try processor.startSession(
            configuration: Configuration(
                frameWidth: 160, frameHeight: 120, scaleFactor: 2, inputType: type, qualityPrioritization: .quality))
        defer { processor.endSession() }
        let source = try frame(0, 160, 120), target = try frame(0, 320, 240)
        try await run(
            processor,
            SuperResolutionScalerParameters(
                sourceFrame: source, submissionMode: .random, destinationFrame: target))
        let picture = try source.buffer
        var luma = try PixelBuffer(
            format: PixelFormat(subsampling: .monochrome, bitDepth: 8), width: 320, height: 240)
        try luma.withOverwrittenPlanes { planes throws(FrameError) in
            try picture.withPlanes { from throws(FrameError) in
                let weights =
                    type == .image
                    ? NetworkWeights(image: DegradationCondition(of: from[0], bitDepth: 8, coding: 0))
                    : NetworkWeights(.large)
                try SuperResolutionNetwork(weights, rotations: type == .image ? .four : .two, context: .serial)
                    .apply(from[0], into: planes[0], bitDepth: 8)
            }
        }
        #expect(try target.buffer.samples(ofPlane: 0) == luma.samples(ofPlane: 0))
    }

    @Test func callsMustFitTheSession() async throws {
        let processor = FrameProcessor(context: .serial)
        try processor.startSession(
            configuration: Configuration(frameWidth: 64, frameHeight: 48, scaleFactor: 2, inputType: .image))
        defer { processor.endSession() }
        func parameters(
            _ target: FrameProcessorFrame, previous: Bool = false, next: Bool = false
        ) throws -> SuperResolutionScalerParameters {
            try SuperResolutionScalerParameters(
                sourceFrame: frame(1), previousFrame: previous ? frame(0) : nil,
                previousOutputFrame: previous ? frame(0, 128, 96) : nil, nextFrame: next ? frame(2) : nil,
                submissionMode: .random, destinationFrame: target)
        }
        let small = await failure(processor, try parameters(try frame(1)))
        #expect(code(small) == .unsupportedInput)
        let video = await failure(processor, try parameters(try frame(1, 128, 96), previous: true))
        #expect(code(video) == .invalidParameterError)
        let ahead = await failure(processor, try parameters(try frame(1, 128, 96), next: true))
        #expect(code(ahead) == .invalidParameterError)
        let target = try frame(1, 128, 96)
        #expect(await failure(processor, try parameters(target)) == nil)
        #expect(try target.buffer.width == 128)
        let withFlow = FrameProcessor(context: .serial)
        try withFlow.startSession(
            configuration: Configuration(
                frameWidth: 64, frameHeight: 48, scaleFactor: 2, inputType: .video, usePrecomputedFlow: true))
        defer { withFlow.endSession() }
        let unknown = await failure(withFlow, try parameters(try frame(1, 128, 96), next: true))
        #expect(code(unknown) == .invalidParameterError)
    }

    /// A session gives the same results as the engine if it is given the next frames.
    @Test func aSessionUsesTheNextFrame() async throws {
        let scene = MovingScene.translation(1.3, 0.6)
        let frames = try (0..<2).map {
            FrameProcessorFrame(
                buffer: try scene.picture(Float($0), width: 160, height: 120),
                presentationTimeStamp: MediaTime(value: Int64($0), timescale: 25))
        }
        let size = FrameDimensions(width: 160, height: 120), large = FrameDimensions(width: 320, height: 240)
        let engine = try SuperResolutionScalerEngine(
            format: .yuv420p8, size: size, outputSize: large, model: .small, isStill: false, context: .serial)
        let wanted = try engine.upscale(try frames[0].buffer, color: .unspecified, next: try frames[1].buffer)
        let alone = try engine.upscale(try frames[0].buffer, color: .unspecified)
        let processor = FrameProcessor(context: .init(threads: 2))
        let configuration = try Configuration(frameWidth: 160, frameHeight: 120, scaleFactor: 2, inputType: .video)
        #expect(configuration.nextFrameCount == 1)
        try processor.startSession(configuration: configuration)
        defer { processor.endSession() }
        let target = try frame(0, 320, 240)
        try await run(
            processor,
            SuperResolutionScalerParameters(
                sourceFrame: frames[0], nextFrame: frames[1], submissionMode: .random, destinationFrame: target))
        #expect(try target.buffer.hasSameSamples(as: wanted))
        #expect(!wanted.hasSameSamples(as: alone))
    }
}
