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

    @Test(arguments: [(15, 16), (16, 15), (8193, 16), (16, 8193), (0, 0), (-5, 100), (Int.max, Int.min)])
    func refusesSizes(width: Int, height: Int) {
        #expect(!FrameRateConversionConfiguration.supports(frameWidth: width, frameHeight: height))
        let error = #expect(throws: FrameProcessorError.self) {
            try FrameRateConversionConfiguration(frameWidth: width, frameHeight: height)
        }
        #expect(error?.code == .unsupportedResolution)
        #expect(error?.message == "\(width)x\(height) is not supported; frames are 16x16 to 8192x8192")
    }

    @Test func precomputedFlowIsRefusedForNow() {
        let error = #expect(throws: FrameProcessorError.self) {
            try FrameRateConversionConfiguration(frameWidth: 64, frameHeight: 64, usePrecomputedFlow: true)
        }
        #expect(error?.code == .invalidParameterError)
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
