import FrameCore
import FrameEffects
import TestSupport
import Testing

/// Which network doubles compressed sources.
@Suite struct CompressedSourceTests {
    private static let size = FrameDimensions(width: 150, height: 90)

    private func upscaled(
        _ picture: PixelBuffer, _ model: SuperResolutionNetwork.Model, compression: Float, factor: Int = 2
    ) throws -> PixelBuffer {
        try SuperResolutionScalerEngine(
            format: picture.format, size: Self.size,
            outputSize: FrameDimensions(width: factor * Self.size.width, height: factor * Self.size.height),
            model: model, isStill: false, compression: compression, context: .init(threads: 2)
        ).upscale(picture, color: .unspecified)
    }

    @Test(arguments: [8, 10, 16]) func strongCompressionSelectsTheNetwork(_ depth: Int) throws {
        let format = try PixelFormat(subsampling: .monochrome, bitDepth: depth)
        let picture = try GeneratedPicture.texture(format, width: Self.size.width, height: Self.size.height)
        let clean = try upscaled(picture, .small, compression: 0)
        let compressed = try upscaled(picture, .smallCompressed, compression: 0)
        #expect(!clean.hasSameSamples(as: compressed))
        #expect(try upscaled(picture, .small, compression: 1).hasSameSamples(as: compressed))
        #expect(try upscaled(picture, .small, compression: 0.5).hasSameSamples(as: compressed))
        #expect(try upscaled(picture, .small, compression: 0.4375).hasSameSamples(as: clean))
    }

    /// What is doubled again shows no compression.
    @Test func onlyTheSourceIsTreated() throws {
        let format = try PixelFormat(subsampling: .monochrome, bitDepth: 8)
        let picture = try GeneratedPicture.texture(format, width: Self.size.width, height: Self.size.height)
        let twice = try upscaled(picture, .smallCompressed, compression: 0)
        let large = try SuperResolutionScalerEngine(
            format: format, size: FrameDimensions(width: twice.width, height: twice.height),
            outputSize: FrameDimensions(width: 2 * twice.width, height: 2 * twice.height), model: .small,
            isStill: false, context: .init(threads: 2)
        ).upscale(twice, color: .unspecified)
        #expect(try upscaled(picture, .small, compression: 1, factor: 4).hasSameSamples(as: large))
    }

    /// `large` averages rotations of the network for compressed sources, too.
    @Test func rotationsAreAveraged() throws {
        let format = try PixelFormat(subsampling: .monochrome, bitDepth: 8)
        let picture = try GeneratedPicture.texture(format, width: Self.size.width, height: Self.size.height)
        let mean = try upscaled(picture, .large, compression: 1)
        #expect(try !mean.hasSameSamples(as: upscaled(picture, .mediumCompressed, compression: 0)))
        #expect(try !mean.hasSameSamples(as: upscaled(picture, .large, compression: 0)))
    }

    /// The strength grows with the quantizer's step, whatever the depth; pictures that were never coded have none.
    @Test(arguments: [8, 10, 16]) func strength(_ depth: Int) throws {
        let format = try PixelFormat(subsampling: .yuv420, bitDepth: depth)
        let picture = try MovingScene.textured.picture(0, format, width: 240, height: 176)
        func strength(_ picture: PixelBuffer) throws -> Float? {
            try QuantizationTrace(of: picture, context: .init(threads: 2)).strength
        }
        #expect(try strength(picture) == nil)
        let found = try [4, 12, 32].map { try strength(BlockCodec(step: $0).coded(picture)) ?? -1 }
        #expect(found[0] <= 0 && found[0] <= found[1] && found[1] < found[2], "\(found)")
        #expect(found[2] == 1, "\(found)")
    }
}
