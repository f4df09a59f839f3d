import FrameCore
import FrameEffects
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
        #expect(error?.message == "\(width)x\(height) is not supported; frames are 16x16 to 8192x8192")
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

    @Test(arguments: [(0, 48), (64, -1), (Int.max, 1), (16385, 16)])
    func poolsOutOfRangeAreRefused(width: Int, height: Int) throws {
        let attributes = PixelBufferAttributes(pixelFormats: [.yuv420p8], width: width, height: height)
        let error = #expect(throws: FrameProcessorError.self) { try attributes.makePool(format: .yuv420p8) }
        #expect(error?.code == .unsupportedResolution)
        #expect(error?.message.contains("\(width)x\(height)") == true)
    }

    @Test func tellsItsNeeds() throws {
        let configuration = try FrameRateConversionConfiguration(frameWidth: 64, frameHeight: 48)
        #expect(configuration.supportedPixelFormats.count == 4 * 9)
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
