import FrameEffects
import Testing

/// Creates pools for source and destination buffers from the attributes in the configuration.
@Suite struct AllocateBuffers {
    /// The ported program.
    private struct Buffers {
        let sources: PixelBufferPool
        let destinations: PixelBufferPool

        init(for configuration: any FrameProcessorConfiguration, format: PixelFormat) throws {
            sources = try configuration.sourcePixelBufferAttributes.makePool(format: format)
            destinations = try configuration.destinationPixelBufferAttributes.makePool(format: format)
        }

        func makeDestinationFrames(at times: [MediaTime]) throws -> [FrameProcessorFrame] {
            try times.map {
                FrameProcessorFrame(buffer: try destinations.makeBuffer(), presentationTimeStamp: $0)
            }
        }
    }

    @Test(arguments: [(640, 360), (33, 17)]) func buffersConform(_ size: (width: Int, height: Int)) throws {
        let configuration = try FrameRateConversionConfiguration(frameWidth: size.width, frameHeight: size.height)
        #expect(configuration.nextFrameCount == 1)
        #expect(configuration.previousFrameCount == nil)
        for format in configuration.supportedPixelFormats {
            let buffers = try Buffers(for: configuration, format: format)
            let source = try buffers.sources.makeBuffer()
            #expect(source.format == format && source.width == size.width && source.height == size.height)
            let times = [MediaTime(value: 1, timescale: 50), MediaTime(value: 2, timescale: 50)]
            let frames = try buffers.makeDestinationFrames(at: times)
            #expect(frames.map(\.presentationTimeStamp) == times)
            #expect(frames.allSatisfy { $0.format == format && $0.width == size.width && $0.height == size.height })
        }
    }

    @Test func anotherFormatIsRefused() throws {
        let configuration = try FrameRateConversionConfiguration(frameWidth: 64, frameHeight: 48)
        var attributes = configuration.sourcePixelBufferAttributes
        attributes.pixelFormats = [.yuv420p8]
        let deep = try PixelFormat(subsampling: .yuv420, bitDepth: 10)
        let refusal = #expect(throws: FrameProcessorError.self) { try attributes.makePool(format: deep) }
        #expect(refusal?.code == .unsupportedInput)
    }
}
