import FrameCore
import FrameEffects
import Motion
import TestSupport
import Testing

/// Flow computed in advance gives the same pictures as flow computed internally.
@Suite struct PrecomputedFlowTests {
    /// Four frames of an object over a background with different motion.
    private static func frames(_ width: Int, _ height: Int, _ format: PixelFormat) throws -> [FrameProcessorFrame] {
        let front = NoiseTexture.planes(8), behind = NoiseTexture.planes(9)
        let scene = MovingScene { plane, x, y, t in
            let inside = abs(x - 90 - 11 * t) < 40 && abs(y - 70 + 5 * t) < 30
            return inside ? front[plane].value(x - 11 * t, y + 5 * t) : behind[plane].value(x + 6 * t, y)
        }
        return try (0..<4).map {
            FrameProcessorFrame(
                buffer: try scene.picture(Float($0), format, width: width, height: height),
                presentationTimeStamp: MediaTime(value: Int64($0) * 10, timescale: 1))
        }
    }

    private static func flows(
        _ frames: [FrameProcessorFrame], _ quality: QualityPrioritization, _ mode: SubmissionMode
    ) async throws -> [OpticalFlow] {
        let configuration = try OpticalFlowConfiguration(
            frameWidth: frames[0].width, frameHeight: frames[0].height, qualityPrioritization: quality)
        let processor = FrameProcessor()
        try processor.startSession(configuration: configuration)
        defer { processor.endSession() }
        var flows: [OpticalFlow] = []
        for (source, next) in zip(frames, frames.dropFirst()) {
            let destination = try configuration.makeDestination()
            let _: any FrameProcessorParameters = try await processor.process(
                parameters: OpticalFlowParameters(
                    sourceFrame: source, nextFrame: next, submissionMode: mode, destinationOpticalFlow: destination))
            // Encodes the flow as a file and decodes it again.
            flows.append(try OpticalFlow(decoding: destination.opticalFlow.encoded()))
            #expect(try flows.last == destination.opticalFlow)
        }
        return flows
    }

    /// Interpolates pictures at 0.25, 0.5 and 0.75 of each pair, the last two in a separate batch.
    private static func pictures(
        _ frames: [FrameProcessorFrame], _ quality: QualityPrioritization, _ mode: SubmissionMode,
        flows: [OpticalFlow]?, order: [Int]
    ) async throws -> [Int: [PixelBuffer]] {
        let processor = FrameProcessor()
        try processor.startSession(
            configuration: FrameRateConversionConfiguration(
                frameWidth: frames[0].width, frameHeight: frames[0].height, usePrecomputedFlow: flows != nil,
                qualityPrioritization: quality))
        defer { processor.endSession() }
        var made: [Int: [PixelBuffer]] = [:]
        for pair in order {
            for (phases, mode) in [([Float(0.25)], mode), ([0.5, 0.75], .sequentialReferencesUnchanged)] {
                let targets = try phases.map {
                    FrameProcessorFrame(
                        buffer: try PixelBuffer(
                            format: frames[0].format, width: frames[0].width, height: frames[0].height),
                        presentationTimeStamp: MediaTime(value: Int64(pair * 10) + Int64($0 * 8), timescale: 1))
                }
                let parameters = try FrameRateConversionParameters(
                    sourceFrame: frames[pair], nextFrame: frames[pair + 1],
                    opticalFlow: flows.map { FrameProcessorOpticalFlow($0[pair]) }, interpolationPhase: phases,
                    submissionMode: mode, destinationFrames: targets)
                let _: any FrameProcessorParameters = try await processor.process(parameters: parameters)
                made[pair, default: []] += try targets.map { try $0.buffer }
            }
        }
        return made
    }

    @Test(arguments: QualityPrioritization.allCases, [(180, 140), (700, 500)])
    func sequence(_ quality: QualityPrioritization, _ size: (Int, Int)) async throws {
        let format = try PixelFormat(subsampling: .yuv422, bitDepth: 10)
        let frames = try Self.frames(size.0, size.1, format), order = [0, 1, 2]
        let inside = try await Self.pictures(frames, quality, .sequential, flows: nil, order: order)
        let flows = try await Self.flows(frames, quality, .sequential)
        let ahead = try await Self.pictures(frames, quality, .sequential, flows: flows, order: order)
        for pair in order {
            #expect(inside[pair]?.count == 3)
            for (a, b) in zip(inside[pair] ?? [], ahead[pair] ?? []) { #expect(a.hasSameSamples(as: b)) }
        }
        // Flow of another pair gives different pictures, which shows that the flow is used.
        let wrong = try await Self.pictures(
            frames, quality, .sequential, flows: [flows[1], flows[2], flows[0]], order: order)
        #expect(wrong[0]?[1].hasSameSamples(as: try #require(inside[0]?[1])) == false)
    }

    /// With random jumps, each pair gives the same result as on its own.
    @Test(arguments: QualityPrioritization.allCases) func randomOrder(_ quality: QualityPrioritization) async throws {
        let frames = try Self.frames(180, 140, .yuv420p8)
        let inside = try await Self.pictures(frames, quality, .random, flows: nil, order: [2, 0, 1])
        let flows = try await Self.flows(frames, quality, .random)
        let ahead = try await Self.pictures(frames, quality, .random, flows: flows, order: [1, 2, 0])
        for pair in 0..<3 {
            let alone = try await Self.pictures(frames, quality, .random, flows: nil, order: [pair])
            for index in 0..<3 {
                let picture = try #require(inside[pair]?[index])
                #expect(picture.hasSameSamples(as: try #require(ahead[pair]?[index])))
                #expect(picture.hasSameSamples(as: try #require(alone[pair]?[index])))
            }
        }
    }

    @Test func flowIsGivenWhenAndOnlyWhenConfigured() async throws {
        let frames = try Self.frames(64, 48, .yuv420p8)
        let flow = try FlowField(width: 64, height: 48)
        for configured in [false, true] {
            let processor = FrameProcessor()
            try processor.startSession(
                configuration: FrameRateConversionConfiguration(
                    frameWidth: 64, frameHeight: 48, usePrecomputedFlow: configured))
            func parameters(_ isGiven: Bool) throws -> FrameRateConversionParameters {
                try FrameRateConversionParameters(
                    sourceFrame: frames[0], nextFrame: frames[1],
                    opticalFlow: isGiven ? FrameProcessorOpticalFlow(forwardFlow: flow, backwardFlow: flow) : nil,
                    interpolationPhase: [0.5], submissionMode: .random,
                    destinationFrames: [
                        FrameProcessorFrame(
                            buffer: try PixelBuffer(format: .yuv420p8, width: 64, height: 48),
                            presentationTimeStamp: MediaTime(value: 5, timescale: 1))
                    ])
            }
            let error = await #expect(throws: FrameProcessorError.self) {
                let _: any FrameProcessorParameters = try await processor.process(parameters: parameters(!configured))
            }
            #expect(error?.code == .invalidParameterError)
            // The session continues.
            let _: any FrameProcessorParameters = try await processor.process(parameters: parameters(configured))
            processor.endSession()
        }
    }

    /// A call that is refused because of its flow has no effect: the sequence continues after it.
    @Test(arguments: [false, true]) func aRefusedFlowLeavesTheSequence(_ isConfigured: Bool) async throws {
        let frames = try Self.frames(64, 48, .yuv420p8)
        let flow = try FlowField(width: 64, height: 48)
        let processor = FrameProcessor()
        try processor.startSession(
            configuration: FrameRateConversionConfiguration(
                frameWidth: 64, frameHeight: 48, usePrecomputedFlow: isConfigured))
        func process(_ mode: SubmissionMode, isGiven: Bool) async throws {
            let target = FrameProcessorFrame(
                buffer: try PixelBuffer(format: .yuv420p8, width: 64, height: 48),
                presentationTimeStamp: MediaTime(value: 5, timescale: 1))
            let _: any FrameProcessorParameters = try await processor.process(
                parameters: FrameRateConversionParameters(
                    sourceFrame: frames[0], nextFrame: frames[1],
                    opticalFlow: isGiven ? FrameProcessorOpticalFlow(forwardFlow: flow, backwardFlow: flow) : nil,
                    interpolationPhase: [0.5], submissionMode: mode, destinationFrames: [target]))
        }
        try await process(.random, isGiven: isConfigured)
        await #expect(throws: FrameProcessorError.self) {
            try await process(.sequentialReferencesUnchanged, isGiven: !isConfigured)
        }
        try await process(.sequentialReferencesUnchanged, isGiven: isConfigured)
        processor.endSession()
    }

    @Test func badParametersAreRefused() throws {
        let frames = try Self.frames(64, 48, .yuv420p8)
        let configuration = try OpticalFlowConfiguration(frameWidth: 64, frameHeight: 48)
        let destination = try configuration.makeDestination()
        let small = try OpticalFlowConfiguration(frameWidth: 48, frameHeight: 64).makeDestination()
        func refusal(
            _ source: FrameProcessorFrame, _ next: FrameProcessorFrame, _ mode: SubmissionMode = .random,
            _ flow: FrameProcessorOpticalFlow
        ) -> FrameProcessorError.Code? {
            do throws(FrameProcessorError) {
                _ = try OpticalFlowParameters(
                    sourceFrame: source, nextFrame: next, submissionMode: mode, destinationOpticalFlow: flow)
                return nil
            } catch { return error.code }
        }
        #expect(refusal(frames[0], frames[1], .random, destination) == nil)
        #expect(refusal(frames[0], frames[1], .sequentialReferencesUnchanged, destination) == .invalidParameterError)
        #expect(refusal(frames[0], frames[1], .random, small) == .unsupportedInput)
        #expect(refusal(frames[1], frames[0], .random, destination) == .invalidFrameTiming)
        #expect(refusal(frames[1], frames[1], .random, destination) == .invalidParameterError)
        let other = try Self.frames(80, 48, .yuv420p8),
            deep = try Self.frames(64, 48, PixelFormat(subsampling: .yuv420, bitDepth: 10))
        #expect(refusal(frames[0], other[1], .random, destination) == .unsupportedInput)
        #expect(refusal(frames[0], deep[1], .random, destination) == .unsupportedInput)
        #expect(throws: FrameProcessorError.self) {
            try FrameProcessorOpticalFlow(
                forwardFlow: FlowField(width: 64, height: 48), backwardFlow: FlowField(width: 48, height: 64))
        }
        #expect(throws: FrameProcessorError.self) {
            try FrameRateConversionParameters(
                sourceFrame: frames[0], nextFrame: frames[1], opticalFlow: small, interpolationPhase: [0.5],
                submissionMode: .random, destinationFrames: [frames[2]])
        }
        for (width, height) in [(15, 48), (64, 0), (-1, -1), (8193, 64), (Int.max, Int.max)] {
            #expect(throws: FrameProcessorError.self) {
                try OpticalFlowConfiguration(frameWidth: width, frameHeight: height)
            }
        }
    }

    /// The flow of another session's frames is refused, and so is the form that yields frames.
    @Test func whatASessionDoesNotTake() async throws {
        let frames = try Self.frames(64, 48, .yuv420p8)
        let processor = FrameProcessor()
        try processor.startSession(configuration: OpticalFlowConfiguration(frameWidth: 80, frameHeight: 48))
        let destination = try OpticalFlowConfiguration(frameWidth: 64, frameHeight: 48).makeDestination()
        let parameters = try OpticalFlowParameters(
            sourceFrame: frames[0], nextFrame: frames[1], submissionMode: .random, destinationOpticalFlow: destination)
        let error = await #expect(throws: FrameProcessorError.self) {
            let _: any FrameProcessorParameters = try await processor.process(parameters: parameters)
        }
        #expect(error?.code == .unsupportedInput)
        #expect(try destination.forwardFlow.vector(x: 30, y: 30) == .zero)
        processor.endSession()
    }

    /// Whatever a flow file contains, nothing outside the buffers is read or written.
    @Test(arguments: QualityPrioritization.allCases) func wildFlow(_ quality: QualityPrioritization) throws {
        for (width, height) in [(16, 16), (61, 47), (700, 500)] {
            let a = try MovingScene.translation(3, 1).picture(0, width: width, height: height)
            let b = try MovingScene.translation(3, 1).picture(1, width: width, height: height)
            func wild(_ seed: Int) throws -> DenseFlow {
                try DenseFlow(
                    width: width, height: height,
                    vectors: (0..<width * height).map { i in
                        SIMD2(
                            1500 * sampleNoise(Float(i), 1, seed: seed), 1500 * sampleNoise(Float(i), 2, seed: seed))
                    })
            }
            let flow = try OpticalFlow(forward: wild(1), backward: wild(2))
            let engine = try FrameRateConversionEngine(
                format: a.format, width: width, height: height, quality: quality, context: .init(threads: 2))
            let outcome = try engine.interpolate(from: a, to: b, phases: [0.25, 0.9], relation: .none, flow: flow)
            #expect(outcome.pictures.count == 2)
        }
    }
}
