import FrameCore
import FrameEffects
import TestSupport
import Testing

/// Single images: which networks double them, and what they are told.
@Suite struct StillImageEngineTests {
    private func grey(_ depth: Int = 8) throws -> PixelFormat {
        try PixelFormat(subsampling: .monochrome, bitDepth: depth)
    }

    private func upscaled(
        _ picture: PixelBuffer, factor: Int = 2, coding: Int = 0, model: SuperResolutionNetwork.Model = .image,
        compression: RestorationCondition? = nil,
        rotations: SuperResolutionNetwork.Rotations = .one, threads: Int = 2
    ) throws -> PixelBuffer {
        try SuperResolutionScalerEngine(
            format: picture.format, size: FrameDimensions(width: picture.width, height: picture.height),
            outputSize: FrameDimensions(width: factor * picture.width, height: factor * picture.height), model: model,
            isStill: true, rotations: rotations, compression: compression, coding: coding,
            context: .init(threads: threads)
        ).upscale(picture, color: .unspecified)
    }

    private func doubled(
        _ picture: PixelBuffer, _ weights: (Plane) -> NetworkWeights, rotations: SuperResolutionNetwork.Rotations = .one
    ) throws -> PixelBuffer {
        var result = try PixelBuffer(format: picture.format, width: 2 * picture.width, height: 2 * picture.height)
        try picture.withPlanes { source throws(FrameError) in
            try result.withOverwrittenPlanes { planes throws(FrameError) in
                try SuperResolutionNetwork(weights(source[0]), rotations: rotations, context: .serial).apply(
                    source[0], into: planes[0], bitDepth: picture.format.bitDepth)
            }
        }
        return result
    }

    @Test(arguments: [8, 10, 16], [SuperResolutionNetwork.Rotations.one, .four])
    func anImageIsDoubledForItsCondition(_ depth: Int, _ rotations: SuperResolutionNetwork.Rotations) throws {
        let picture = try GeneratedPicture.texture(grey(depth), width: 71, height: 43)
        for coding in [0, 200] {
            let wanted = try doubled(
                picture,
                { NetworkWeights(image: DegradationCondition(of: $0, bitDepth: depth, coding: coding)) },
                rotations: rotations)
            for threads in [1, 3] {
                let result = try upscaled(picture, coding: coding, rotations: rotations, threads: threads)
                #expect(result.hasSameSamples(as: wanted), "coding \(coding), \(threads) threads")
            }
        }
    }

    /// What has been doubled is doubled again by the network of clips.
    @Test func onlyTheSourceHasACondition() throws {
        let picture = try GeneratedPicture.texture(grey(), width: 40, height: 33)
        let once = try upscaled(picture, coding: 300)
        let twice = try doubled(once, { _ in NetworkWeights(.large) })
        #expect(try upscaled(picture, factor: 4, coding: 300).hasSameSamples(as: twice))
    }

    /// What one image shows does not matter to the next.
    @Test func imagesAreIndependent() throws {
        let first = try GeneratedPicture.texture(grey(), width: 64, height: 48)
        let second = try GeneratedPicture.waves(grey(), width: 64, height: 48)
        let engine = try SuperResolutionScalerEngine(
            format: grey(), size: FrameDimensions(width: 64, height: 48),
            outputSize: FrameDimensions(width: 128, height: 96), model: .image, isStill: true, rotations: .one,
            context: .serial)
        _ = try engine.upscale(first, color: .unspecified)
        #expect(try engine.upscale(second, color: .unspecified).hasSameSamples(as: upscaled(second)))
        #expect(try engine.upscale(first, color: .unspecified).hasSameSamples(as: upscaled(first)))
    }

    /// Sessions are told how coarsely their frames were compressed.
    @Test(arguments: SuperResolutionScalerConfiguration.InputType.allCases)
    func sessionsDependOnTheStep(_ type: SuperResolutionScalerConfiguration.InputType) throws {
        func configuration(_ step: Double) throws -> SuperResolutionScalerConfiguration {
            try SuperResolutionScalerConfiguration(
                frameWidth: 64, frameHeight: 48, scaleFactor: 2, inputType: type, quantizerStep: step)
        }
        let picture = try GeneratedPicture.texture(grey(), width: 64, height: 48)
        let results = try [0.0, 20].map {
            try configuration($0).makeEffect(format: picture.format, context: .serial)
                .upscale(picture, color: .unspecified)
        }
        #expect(!results[0].hasSameSamples(as: results[1]))
        for step in [-1, 1025, Double.nan] {
            #expect(throws: FrameProcessorError.self) { try configuration(step) }
        }
    }

    /// A coded picture is closer to the truth than with the network for compressed clips, and than if nothing is known.
    @Test(arguments: [8, 16, 32]) func compressionIsUndone(_ step: Int) throws {
        let texture = NoiseTexture(seed: 4, finest: 3)
        let truth = try GeneratedPicture.draw(grey(), width: 480, height: 320) { _, x, y in
            DiscsAndBars.level(x, y) + Int(texture.value(Float(x), Float(y)) - 128) / 8
        }
        let luma = truth.samples(ofPlane: 0)
        let half = try GeneratedPicture.draw(grey(), width: 240, height: 160) { _, x, y in
            let index = 2 * y * 480 + 2 * x
            return (Int(luma[index]) + Int(luma[index + 1]) + Int(luma[index + 480]) + Int(luma[index + 481]) + 2) / 4
        }
        let coded = try BlockCodec(step: Float(step)).coded(half)
        func psnr(_ picture: PixelBuffer) -> Double { PictureDifference(picture, truth).psnr }
        let told = try psnr(upscaled(coded, coding: DegradationCondition.coding(ofStep: Double(step))))
        let untold = try psnr(upscaled(coded))
        let condition = RestorationCondition(step: Double(step), isLoopFiltered: false)
        let clip = try psnr(upscaled(coded, model: .large, compression: condition))
        #expect(told > untold + 0.3 && told > clip, "\(told), \(untold), \(clip)")
        // The picture shows the step.
        let shown = try #require(try QuantizationTrace(of: coded, context: .serial).quantizerStep)
        let estimated = try psnr(upscaled(coded, coding: DegradationCondition.coding(ofStep: shown)))
        #expect(estimated > untold + 0.3 && estimated > clip, "\(estimated), \(shown)")
        #expect(try QuantizationTrace(of: half, context: .serial).quantizerStep == nil)
    }
}
