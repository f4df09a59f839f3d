import FrameCore
import FrameEffects
import TestSupport
import Testing

/// The noise filter used in a session.
@Suite struct TemporalNoiseFilterTests {
    private static func frames(_ count: Int, _ format: PixelFormat = .yuv420p8, width: Int = 64, height: Int = 48)
        throws
        -> [FrameProcessorFrame]
    {
        let clip = try NoisyClip(.translation(1, 1), sigma: 10, count: count, format, width: width, height: height)
        return clip.noisy.enumerated().map {
            FrameProcessorFrame(buffer: $1, presentationTimeStamp: MediaTime(value: Int64($0), timescale: 25))
        }
    }

    private static func target(_ format: PixelFormat = .yuv420p8, width: Int = 64, height: Int = 48) throws
        -> FrameProcessorFrame
    {
        FrameProcessorFrame(
            buffer: try PixelBuffer(format: format, width: width, height: height),
            presentationTimeStamp: MediaTime(value: 1, timescale: 25))
    }

    private static func configuration(_ quality: QualityPrioritization = .normal) throws
        -> TemporalNoiseFilterConfiguration
    {
        try TemporalNoiseFilterConfiguration(
            frameWidth: 64, frameHeight: 48, sourcePixelFormat: .yuv420p8, qualityPrioritization: quality)
    }

    @Test(arguments: QualityPrioritization.allCases) func aSessionFilters(_ quality: QualityPrioritization) async throws
    {
        let frames = try Self.frames(7), target = try Self.target()
        let processor = FrameProcessor()
        try processor.startSession(configuration: Self.configuration(quality))
        defer { processor.endSession() }
        var parameters = try TemporalNoiseFilterParameters(
            sourceFrame: frames[3], nextFrames: Array(frames[4...]), previousFrames: Array(frames[..<3]),
            destinationFrame: target, noiseLevel: .sigma(10))
        let _: any FrameProcessorParameters = try await processor.process(parameters: parameters)
        let engine = try TemporalNoiseFilterEngine(
            format: .yuv420p8, width: 64, height: 48, quality: quality, context: .serial)
        let wanted = try engine.filter(
            frames[3].buffer, previous: frames[..<3].map { try $0.buffer }, next: frames[4...].map { try $0.buffer },
            noise: .sigma(10))
        #expect(try target.buffer.hasSameSamples(as: wanted))
        // After a discontinuity, the previous frames do not count.
        parameters.hasDiscontinuity = true
        let _: any FrameProcessorParameters = try await processor.process(parameters: parameters)
        let after = try engine.filter(
            frames[3].buffer, previous: [], next: frames[4...].map { try $0.buffer }, noise: .sigma(10))
        #expect(try target.buffer.hasSameSamples(as: after) && !after.hasSameSamples(as: wanted))
        // The strength may change from frame to frame.
        parameters.filterStrength = 0
        #expect(parameters.noiseLevel == .strength(0))
        let _: any FrameProcessorParameters = try await processor.process(parameters: parameters)
        #expect(try target.buffer.hasSameSamples(as: frames[3].buffer))
        parameters.filterStrength = 1.5
        let error = await #expect(throws: FrameProcessorError.self) {
            let _: any FrameProcessorParameters = try await processor.process(parameters: parameters)
        }
        #expect(error?.code == .invalidParameterError)
        parameters.filterStrength = nil
        #expect(parameters.noiseLevel == .automatic)
    }

    @Test func whatTheConfigurationSays() throws {
        let normal = try Self.configuration(), high = try Self.configuration(.quality)
        #expect(normal.previousFrameCount == 3 && normal.nextFrameCount == 3)
        #expect(high.previousFrameCount == 8 && high.nextFrameCount == 8)
        #expect(QualityPrioritization.allCases.map(TemporalNoiseFilterConfiguration.maximumReferenceCount) == [3, 8])
        #expect(normal.supportedPixelFormats == [.yuv420p8])
        #expect(TemporalNoiseFilterConfiguration.supportedSourcePixelFormats.count == 90)
        #expect(TemporalNoiseFilterConfiguration.minimumDimensions == FrameDimensions(width: 16, height: 16))
        for (width, height) in [(0, 48), (15, 48), (64, 15), (-1, -1), (8193, 48), (64, Int.max)] {
            let error = #expect(throws: FrameProcessorError.self) {
                try TemporalNoiseFilterConfiguration(
                    frameWidth: width, frameHeight: height, sourcePixelFormat: .yuv420p8)
            }
            #expect(error?.code == .unsupportedResolution)
        }
    }

    @Test(arguments: [Float(-0.1), 1.5, .nan, .infinity, -.infinity]) func strengths(_ strength: Float) throws {
        let frames = try Self.frames(2), target = try Self.target()
        let error = #expect(throws: FrameProcessorError.self) {
            try TemporalNoiseFilterParameters(
                sourceFrame: frames[0], nextFrames: [frames[1]], previousFrames: [], destinationFrame: target,
                filterStrength: strength)
        }
        #expect(error?.code == .invalidParameterError && error?.message.contains("0 to 1") == true)
    }

    @Test(arguments: [Float(-1), 300, .nan, .infinity]) func sigmas(_ sigma: Float) throws {
        let frames = try Self.frames(2), target = try Self.target()
        let error = #expect(throws: FrameProcessorError.self) {
            try TemporalNoiseFilterParameters(
                sourceFrame: frames[0], nextFrames: [frames[1]], previousFrames: [], destinationFrame: target,
                noiseLevel: .sigma(sigma))
        }
        #expect(error?.code == .invalidParameterError && error?.message.contains("0 to 255") == true)
    }

    @Test func badParameters() throws {
        let frames = try Self.frames(4), target = try Self.target()
        func refusal(
            _ source: FrameProcessorFrame, next: [FrameProcessorFrame], previous: [FrameProcessorFrame],
            _ target: FrameProcessorFrame
        ) -> FrameProcessorError.Code? {
            do throws(FrameProcessorError) {
                _ = try TemporalNoiseFilterParameters(
                    sourceFrame: source, nextFrames: next, previousFrames: previous, destinationFrame: target)
                return nil
            } catch { return error.code }
        }
        #expect(refusal(frames[1], next: [frames[2]], previous: [frames[0]], target) == nil)
        #expect(refusal(frames[1], next: [], previous: [], target) == .invalidParameterError)
        #expect(refusal(frames[1], next: [frames[3], frames[2]], previous: [], target) == .invalidFrameTiming)
        #expect(refusal(frames[1], next: [frames[0]], previous: [], target) == .invalidFrameTiming)
        #expect(refusal(frames[1], next: [frames[2], frames[2]], previous: [], target) == .invalidParameterError)
        let other = try Self.frames(4, width: 80),
            deep = try Self.frames(4, PixelFormat(subsampling: .yuv420, bitDepth: 10))
        #expect(refusal(frames[1], next: [other[2]], previous: [], target) == .unsupportedInput)
        #expect(refusal(frames[1], next: [deep[2]], previous: [], target) == .unsupportedInput)
        #expect(refusal(frames[1], next: [frames[2]], previous: [], try Self.target(width: 80)) == .unsupportedInput)
    }
}
