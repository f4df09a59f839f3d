import FrameCore
import FrameEffects
import TestSupport
import Testing

@Suite struct FrameRateConversionConfigurationTests {
    @Test(arguments: [(16, 16), (8192, 8192), (17, 8191), (161, 121), (1920, 1080)])
    func takesSizes(width: Int, height: Int) throws {
        let configuration = try FrameRateConversionConfiguration(frameWidth: width, frameHeight: height)
        #expect(FrameRateConversionConfiguration.supports(frameWidth: width, frameHeight: height))
        #expect(configuration.sourcePixelBufferAttributes.width == width)
        #expect(configuration.destinationPixelBufferAttributes.height == height)
        #expect(configuration.qualityPrioritization == .normal)
        #expect(configuration.revision == .revision1)
    }

    @Test(arguments: [
        (15, 16), (16, 15), (8193, 16), (16, 8193), (0, 0), (0, 64), (64, 0), (-5, 100), (64, -1), (Int.max, 64),
        (Int.max, Int.min),
    ])
    func refusesSizes(width: Int, height: Int) {
        #expect(!FrameRateConversionConfiguration.supports(frameWidth: width, frameHeight: height))
        let error = #expect(throws: FrameProcessorError.self) {
            try FrameRateConversionConfiguration(frameWidth: width, frameHeight: height)
        }
        #expect(error?.code == .unsupportedResolution)
        #expect(error?.message == "\(width)x\(height) is not supported; frames must be 16x16 to 8192x8192")
    }

    @Test(arguments: [0, 2, -1, 15, Int.max, Int.min])
    func refusesRevisions(number: Int) throws {
        let error = #expect(throws: FrameProcessorError.self) {
            try FrameRateConversionConfiguration(frameWidth: 64, frameHeight: 64, revision: .init(number: number))
        }
        #expect(error?.code == .revisionNotSupported)
        #expect(error?.message == "revision \(number) is not supported; allowed is 1")
    }

    @Test func tellsItsRevisions() throws {
        typealias Configuration = FrameRateConversionConfiguration
        #expect(Configuration.supportedRevisions == [.revision1])
        #expect(Configuration.defaultRevision == .revision1)
        for revision in Configuration.supportedRevisions {
            #expect(try Configuration.Revision(number: revision.rawValue) == revision)
            let made = try Configuration(frameWidth: 64, frameHeight: 64, revision: revision)
            #expect(made.revision == revision)
        }
        #expect(Configuration.minimumDimensions == FrameDimensions(width: 16, height: 16))
        #expect(Configuration.maximumDimensions == FrameDimensions(width: 8192, height: 8192))
    }

    @Test(arguments: [(0, 48), (64, -1), (Int.max, 1), (65536, 16)])
    func poolsOutOfRangeAreRefused(width: Int, height: Int) throws {
        let attributes = PixelBufferAttributes(pixelFormats: [.yuv420p8], width: width, height: height)
        let error = #expect(throws: FrameProcessorError.self) { try attributes.makePool(format: .yuv420p8) }
        #expect(error?.code == .unsupportedResolution)
        #expect(error?.message.contains("\(width)x\(height)") == true)
    }

    @Test func tellsItsNeeds() throws {
        let configuration = try FrameRateConversionConfiguration(frameWidth: 64, frameHeight: 48)
        #expect(configuration.supportedPixelFormats.count == 2 * 5 * 9)
        #expect(configuration.nextFrameCount == 1)
        #expect(configuration.previousFrameCount == nil)
        #expect(FrameRateConversionConfiguration.isSupported)
        let format = try PixelFormat(subsampling: .yuv422, bitDepth: 12)
        let buffer = try configuration.destinationPixelBufferAttributes.makePool(format: format).makeBuffer()
        #expect(buffer.format == format)
        #expect(buffer.width == 64)
        let narrow = PixelBufferAttributes(pixelFormats: [.yuv420p8], width: 64, height: 48)
        #expect(
            code(#expect(throws: FrameProcessorError.self) { try narrow.makePool(format: format) }) == .unsupportedInput
        )
    }
}

@Suite struct FrameRateConversionParametersTests {
    @Test(arguments: [
        [Float](), [-0.1], [-0.01], [1.01], [1.1], [.nan], [.infinity], [-.infinity], [0.5, -1], [0.5, .nan],
    ])
    func refusesPhases(phases: [Float]) throws {
        let error = #expect(throws: FrameProcessorError.self) { try sessionParameters(phases: phases) }
        #expect(error?.code == .invalidParameterError)
    }

    @Test func takesPhasesInAnyOrder() throws {
        #expect(try sessionParameters(phases: [1, 0, 0.5, 0.25, 0.5]).interpolationPhase == [1, 0, 0.5, 0.25, 0.5])
    }

    @Test func namesWhatDoesNotFit() throws {
        let source = try sessionFrame(0), next = try sessionFrame(1)
        func make(
            next other: FrameProcessorFrame? = nil, phases: [Float] = [0.5], to: [FrameProcessorFrame]
        ) -> FrameProcessorError? {
            #expect(throws: FrameProcessorError.self) {
                try FrameRateConversionParameters(
                    sourceFrame: source, nextFrame: other ?? next, interpolationPhase: phases, submissionMode: .random,
                    destinationFrames: to)
            }
        }
        let target = try sessionFrame(5)
        let format = try PixelFormat(subsampling: .yuv444, bitDepth: 10)
        #expect(
            make(next: try sessionFrame(1, width: 66), to: [target])?.message
                == "the next frame is 66x48 yuv420p, the source frame is 64x48 yuv420p; they must match")
        #expect(make(next: try sessionFrame(1, format: format), to: [target])?.code == .unsupportedInput)
        #expect(make(to: [try sessionFrame(5, format: format)])?.code == .unsupportedInput)
        #expect(make(to: [])?.code == .invalidParameterError)
        #expect(make(phases: [0.2, 0.4], to: [target])?.code == .invalidParameterError)
        #expect(make(phases: [0.2, 0.4], to: [target, target])?.code == .invalidParameterError)
        #expect(make(to: [source])?.code == .invalidParameterError)
        #expect(make(next: source, to: [target])?.code == .invalidParameterError)
        for time: Int64 in [0, -1] {
            #expect(make(next: try sessionFrame(time), to: [target])?.code == .invalidFrameTiming)
        }
    }

    @Test func countsDiffer() throws {
        let error = #expect(throws: FrameProcessorError.self) {
            try FrameRateConversionParameters(
                sourceFrame: sessionFrame(0), nextFrame: sessionFrame(1), interpolationPhase: [0.2, 0.4, 0.6],
                submissionMode: .random, destinationFrames: [sessionFrame(5), sessionFrame(6)])
        }
        #expect(
            error?.message
                == "3 phases and 2 destination frames were given; the two counts must be equal and at least 1"
        )
    }

    /// Code or a decoder can produce a timescale that division does not allow.
    @Test(arguments: [0, 1, 2], [Int32(0), -1, .min])
    func invalidTimes(role: Int, timescale: Int32) throws {
        var time = MediaTime(value: 5, timescale: 1)
        time.timescale = timescale
        let frames = try (0..<3).map { index in
            let frame = try sessionFrame(Int64(index))
            return index == role
                ? FrameProcessorFrame(buffer: try frame.buffer, presentationTimeStamp: time) : frame
        }
        let error = #expect(throws: FrameProcessorError.self) {
            try FrameRateConversionParameters(
                sourceFrame: frames[0], nextFrame: frames[1], interpolationPhase: [0.5], submissionMode: .random,
                destinationFrames: [frames[2]])
        }
        #expect(error?.code == .invalidFrameTiming)
        #expect(error?.message == "5/\(timescale) is not a valid time; the timescale must be 1 or more")
        let twice = #expect(throws: FrameProcessorError.self) {
            try FrameRateConversionParameters(
                sourceFrame: frames[role], nextFrame: frames[role], interpolationPhase: [0.5], submissionMode: .random,
                destinationFrames: [frames[role]])
        }
        #expect(twice?.message.hasPrefix("the frame at 5/\(timescale) was given twice") == true)
    }

    @Test func destinationsMayHaveAnyTimes() throws {
        let frames = try [-7, 0, 0].map { try sessionFrame($0) }
        #expect(throws: Never.self) {
            try FrameRateConversionParameters(
                sourceFrame: sessionFrame(0), nextFrame: sessionFrame(1), interpolationPhase: [0, 0.5, 1],
                submissionMode: .random, destinationFrames: frames)
        }
    }
}
