import FrameCore
import FrameEffects
import TestSupport
import Testing

/// Sources that were compressed are cleaned before they are enlarged.
@Suite struct CompressedSourceTests {
    private static let size = FrameDimensions(width: 150, height: 90)
    private static let coarse = RestorationCondition(step: 24, isLoopFiltered: true)

    private func engine(
        _ format: PixelFormat, _ model: SuperResolutionNetwork.Model = .small, _ compression: RestorationCondition?,
        factor: Int = 2
    ) throws -> SuperResolutionScalerEngine {
        try SuperResolutionScalerEngine(
            format: format, size: Self.size,
            outputSize: FrameDimensions(width: factor * Self.size.width, height: factor * Self.size.height),
            model: model, isStill: false, compression: compression, context: .init(threads: 2))
    }

    private func cleaned(_ picture: PixelBuffer, _ network: RestorationEngine.Network) throws -> PixelBuffer {
        try RestorationEngine(
            format: picture.format, size: Self.size, condition: Self.coarse, network: network, context: .serial
        ).restore(picture)
    }

    /// Each plane is cleaned, by the network that goes with the quality.
    @Test(
        arguments: [8, 10, 16],
        [(SuperResolutionNetwork.Model.small, RestorationEngine.Network.small), (.large, .light)])
    func theSourceIsCleaned(
        _ depth: Int, _ networks: (model: SuperResolutionNetwork.Model, cleaning: RestorationEngine.Network)
    ) throws {
        let format = try PixelFormat(subsampling: .yuv420, bitDepth: depth), model = networks.model
        let picture = try GeneratedPicture.texture(format, width: Self.size.width, height: Self.size.height)
        func upscaled(_ picture: PixelBuffer, _ compression: RestorationCondition?) throws -> PixelBuffer {
            try engine(format, model, compression).upscale(picture, color: .unspecified)
        }
        let clean = try upscaled(picture, nil), made = try upscaled(picture, Self.coarse)
        #expect(!made.hasSameSamples(as: clean))
        #expect(made.hasSameSamples(as: try upscaled(cleaned(picture, networks.cleaning), nil)))
        #expect(try upscaled(picture, RestorationCondition(step: 1, isLoopFiltered: true)).hasSameSamples(as: clean))
    }

    /// The frames on either side are cleaned as well, and what was cleaned before is the same.
    @Test func neighboursAreCleaned() throws {
        let frames = try (0..<4).map {
            try MovingScene.textured.picture(
                Float($0), .yuv420p8, width: Self.size.width, height: Self.size.height)
        }
        let clean = try frames.map { try cleaned($0, .light) }
        func outputs(_ frames: [PixelBuffer], _ compression: RestorationCondition?) throws -> [PixelBuffer] {
            let engine = try self.engine(.yuv420p8, .large, compression)
            var made: [PixelBuffer] = []
            for (index, frame) in frames.enumerated() {
                let reference = made.last.map {
                    SuperResolutionScalerEngine.Reference(source: frames[index - 1], output: $0)
                }
                made.append(
                    try engine.upscale(
                        frame, color: .unspecified, reference: reference,
                        next: index + 1 < frames.count ? frames[index + 1] : nil,
                        relation: index > 0 ? .follows : .none))
            }
            return made
        }
        for (made, expected) in try zip(outputs(frames, Self.coarse), outputs(clean, nil)) {
            #expect(made.hasSameSamples(as: expected))
        }
        // A frame on its own has the same result however many came before.
        let engine = try self.engine(.yuv420p8, .large, Self.coarse)
        let alone = try engine.upscale(frames[0], color: .unspecified)
        for frame in frames { _ = try engine.upscale(frame, color: .unspecified) }
        #expect(try engine.upscale(frames[0], color: .unspecified).hasSameSamples(as: alone))
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
