import FrameCore
import FrameEffects
import TestSupport
import Testing

/// The network that cleans compressed pictures at their size.
@Suite struct RestorationNetworkTests {
    private static let conditions = [false, true].flatMap { isLoopFiltered in
        [0, 77, 256, 400, 512].map { RestorationCondition(coding: $0, isLoopFiltered: isLoopFiltered) }
    }
    private static let strong = RestorationCondition(coding: 330, isLoopFiltered: false)

    private func grey(_ depth: Int = 8) throws -> PixelFormat {
        try PixelFormat(subsampling: .monochrome, bitDepth: depth)
    }

    private func restored(
        _ picture: PixelBuffer, _ condition: RestorationCondition = strong,
        network: RestorationEngine.Network = .full, rotations: SuperResolutionNetwork.Rotations = .one, threads: Int = 2
    ) throws -> PixelBuffer {
        try RestorationEngine(
            format: picture.format, size: FrameDimensions(width: picture.width, height: picture.height),
            condition: condition, network: network, rotations: rotations, context: .init(threads: threads)
        ).restore(picture)
    }

    /// The checksums are those of the integer reference of `Training/Restoration/restoration_export.py`.
    @Test(
        arguments: [
            (.full, 380, false, 0xA2D9_FA03_EBFE_38F0),
            (.full, 300, true, 0xCCAF_AB61_38B5_D01C),
            (.full, 512, false, 0x846D_0266_00F7_EC03),
            (.full, 0, true, 0x5D48_19E3_EC3B_AF6F),
            (.light, 380, false, 0x29BE_419C_6C20_1AB2),
            (.light, 300, true, 0x4D03_CDDD_AC1C_20CC),
            (.light, 512, false, 0xE98D_2F37_BAEB_274F),
            (.light, 0, true, 0x5D48_19E3_EC3B_AF6F),
            (.small, 380, false, 0x7FA4_EF85_2322_4465),
            (.small, 300, true, 0x20FA_34DF_69B5_AF0C),
            (.small, 512, false, 0x0A9D_8CCF_9F38_5EB4),
            (.small, 0, true, 0x5D48_19E3_EC3B_AF6F),
        ] as [(RestorationEngine.Network, Int, Bool, UInt64)])
    func theBitsAreThoseOfTheTrainingScripts(
        network: RestorationEngine.Network, coding: Int, isLoopFiltered: Bool, checksum: UInt64
    ) throws {
        let picture = try GeneratedPicture.draw(grey(), width: 48, height: 40) { _, x, y in
            64 + (5 * x + 3 * y) % 96 + (x / 8 + y / 8) % 2 * 40 + x * y % 13
        }
        let condition = RestorationCondition(coding: coding, isLoopFiltered: isLoopFiltered)
        let result = try restored(picture, condition, network: network)
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for sample in result.samples(ofPlane: 0) { hash = (hash ^ UInt64(sample)) &* 0x0000_0100_0000_01B3 }
        #expect(hash == checksum)
    }

    /// What was not compressed stays as it is.
    @Test(arguments: [false, true]) func nothingIsDoneWithoutCompression(isLoopFiltered: Bool) throws {
        let picture = try GeneratedPicture.texture(grey(10), width: 83, height: 61)
        let condition = RestorationCondition(coding: 0, isLoopFiltered: isLoopFiltered)
        #expect(try restored(picture, condition).hasSameSamples(as: picture))
    }

    @Test(arguments: [8, 10, 16], [SuperResolutionNetwork.Rotations.one, .four])
    func aConstantPictureStaysConstant(_ depth: Int, _ rotations: SuperResolutionNetwork.Rotations) throws {
        for condition in Self.conditions {
            for value in [0, 97, 255] {
                let picture = try GeneratedPicture.flat(value, grey(depth), width: 21, height: 17)
                let result = try restored(picture, condition, rotations: rotations)
                #expect(result.hasSameSamples(as: picture), "\(condition), \(value)")
            }
        }
    }

    /// Odd sides, sides of less than a block and strips: an even picture that repeats its edges has the same samples.
    @Test(arguments: [(1, 1), (2, 3), (37, 21), (71, 40), (600, 9), (9, 131)])
    func sidesMayBeOdd(width: Int, height: Int) throws {
        let picture = try GeneratedPicture.texture(grey(), width: width, height: height)
        let samples = picture.samples(ofPlane: 0), wide = (width + 1) / 2 * 2, high = (height + 1) / 2 * 2
        let padded = try GeneratedPicture.draw(grey(), width: wide, height: high) { _, x, y in
            Int(samples[min(y, height - 1) * width + min(x, width - 1)])
        }
        let whole = try restored(padded).samples(ofPlane: 0), result = try restored(picture).samples(ofPlane: 0)
        for y in 0..<height {
            for x in 0..<width { #expect(result[y * width + x] == whole[y * wide + x], "\(x), \(y)") }
        }
    }

    @Test(arguments: [SuperResolutionNetwork.Rotations.one, .two, .four])
    func threadsDoNotMatter(_ rotations: SuperResolutionNetwork.Rotations) throws {
        let picture = try GeneratedPicture.texture(grey(10), width: 301, height: 207)
        let wanted = try restored(picture, rotations: rotations, threads: 1)
        #expect(!wanted.hasSameSamples(as: picture))
        for threads in [2, 3, 5] {
            #expect(try restored(picture, rotations: rotations, threads: threads).hasSameSamples(as: wanted))
        }
    }

    /// Far from the borders, a part of a picture has the samples of the whole.
    @Test(arguments: [SuperResolutionNetwork.Rotations.one, .four])
    func aPartHasTheSamplesOfTheWhole(_ rotations: SuperResolutionNetwork.Rotations) throws {
        let picture = try GeneratedPicture.texture(grey(), width: 640, height: 120)
        let samples = picture.samples(ofPlane: 0), (left, top, width, height) = (250, 20, 120, 90)
        let part = try GeneratedPicture.draw(grey(), width: width, height: height) { _, x, y in
            Int(samples[(y + top) * 640 + x + left])
        }
        let whole = try restored(picture, rotations: rotations).samples(ofPlane: 0)
        let result = try restored(part, rotations: rotations).samples(ofPlane: 0)
        let margin = 2 * 13
        for y in margin..<height - margin {
            for x in margin..<width - margin {
                #expect(result[y * width + x] == whole[(y + top) * 640 + x + left], "\(x), \(y)")
            }
        }
    }

    /// The mean over four rotations does not depend on how a picture is turned.
    @Test func aTurnedPictureGivesATurnedResult() throws {
        let picture = try GeneratedPicture.texture(grey(), width: 90, height: 54)
        let samples = picture.samples(ofPlane: 0)
        let turned = try GeneratedPicture.draw(grey(), width: 54, height: 90) { _, x, y in
            Int(samples[(53 - x) * 90 + y])
        }
        let plain = try restored(picture, rotations: .four).samples(ofPlane: 0)
        let result = try restored(turned, rotations: .four).samples(ofPlane: 0)
        for y in 0..<90 {
            for x in 0..<54 { #expect(result[y * 54 + x] == plain[(53 - x) * 90 + y], "\(x), \(y)") }
        }
    }

    /// Discs and bars, quantized in blocks, come closer to the truth.
    @Test(arguments: [8, 16, 32]) func compressionIsUndone(_ step: Int) throws {
        let truth = try GeneratedPicture.draw(grey(), width: 240, height: 160) { _, x, y in DiscsAndBars.level(x, y) }
        let coded = try BlockCodec(step: Float(step)).coded(truth)
        func psnr(_ picture: PixelBuffer) -> Double { PictureDifference(picture, truth).psnr }
        let told = try psnr(restored(coded, RestorationCondition(step: Double(step), isLoopFiltered: false)))
        #expect(told > psnr(coded) + 0.5, "\(told), \(psnr(coded))")
    }

    @Test func theStepToRelyOn() {
        func step(_ stated: Double?, _ shown: Double?) -> Double? {
            RestorationCondition.step(stated: stated, shown: shown)
        }
        #expect(step(nil, nil) == nil && step(nil, 5.9) == nil && step(nil, 6) == 6)
        #expect(step(5.5, nil) == 5.5 && step(5.5, 16) == 5.5 && step(5.5, 17) == 17)
        #expect(step(0.9, 5) == 0.9 && step(0.9, 6) == 6)
    }

    /// Each plane is cleaned on its own, chroma of any subsampling too.
    @Test(arguments: [ChromaSubsampling.yuv420, .yuv422, .yuv444])
    func planesAreCleanedOnTheirOwn(_ subsampling: ChromaSubsampling) throws {
        let picture = try GeneratedPicture.texture(
            PixelFormat(subsampling: subsampling, bitDepth: 8), width: 67, height: 45)
        let result = try restored(picture)
        #expect(result.format == picture.format && result.width == 67 && result.height == 45)
        for plane in 0..<3 {
            let samples = picture.samples(ofPlane: plane)
            let (width, height) = picture.withPlanes { ($0[plane].width, $0[plane].height) }
            let alone = try GeneratedPicture.draw(grey(), width: width, height: height) { _, x, y in
                Int(samples[y * width + x])
            }
            #expect(try result.samples(ofPlane: plane) == restored(alone).samples(ofPlane: 0))
        }
    }
}
