import FrameCore
import FrameEffects
import TestSupport
import Testing

/// The network for still images, whose weights are mixed for a condition.
@Suite struct ConditionedNetworkTests {
    private static let conditions = [0, 5, 16].flatMap { kernel in
        [-256, 0, 200].flatMap { sharpness in
            [0, 77, 256, 511, 512].map { DegradationCondition(kernel: kernel, sharpness: sharpness, coding: $0) }
        }
    }

    private func grey(_ depth: Int) throws -> PixelFormat { try PixelFormat(subsampling: .monochrome, bitDepth: depth) }

    private func doubled(_ picture: PixelBuffer, _ condition: DegradationCondition) throws -> PixelBuffer {
        var result = try PixelBuffer(format: picture.format, width: 2 * picture.width, height: 2 * picture.height)
        try picture.withPlanes { source throws(FrameError) in
            try result.withOverwrittenPlanes { planes throws(FrameError) in
                try SuperResolutionNetwork(NetworkWeights(image: condition), context: .init(threads: 2)).apply(
                    source[0], into: planes[0], bitDepth: picture.format.bitDepth)
            }
        }
        return result
    }

    /// The checksums are those of `integers.double(image_export.mixed(tables, condition), picture)` in `Training`.
    @Test(
        arguments: [
            (0, 0, 0, 0x0E1A_E277_EEE6_2AFE), (16, 0, 0, 0x377A_742E_38E1_2475), (8, 0, 0, 0x969B_6150_7DA1_60CC),
            (11, -100, 77, 0xD72D_92B2_67D0_0815), (5, 200, 300, 0x7776_B3E0_15AB_B583),
            (16, 256, 512, 0xDEC6_CBDC_D4B7_9ABB), (0, -256, 511, 0xB5F4_1ED8_866D_1972),
        ] as [(Int, Int, Int, UInt64)])
    func theBitsAreThoseOfTheTrainingScripts(kernel: Int, sharpness: Int, coding: Int, checksum: UInt64) throws {
        let picture = try GeneratedPicture.draw(grey(8), width: 41, height: 30) { _, x, y in
            ((x &* 73_856_093) ^ (y &* 19_349_663)) >> 5 & 0xFF
        }
        let result = try doubled(picture, DegradationCondition(kernel: kernel, sharpness: sharpness, coding: coding))
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for sample in result.samples(ofPlane: 0) { hash = (hash ^ UInt64(sample)) &* 0x0000_0100_0000_01B3 }
        #expect(hash == checksum)
    }

    @Test(arguments: [8, 10, 16]) func aConstantPictureStaysConstantForEachCondition(_ depth: Int) throws {
        for condition in Self.conditions {
            for value in [0, 97, 255] {
                let picture = try GeneratedPicture.flat(value, grey(depth), width: 21, height: 18)
                let samples = try doubled(picture, condition).samples(ofPlane: 0)
                #expect(samples.allSatisfy { $0 == UInt16(value << (depth - 8)) }, "\(condition), \(value)")
            }
        }
    }

    /// Weights of one picture do not depend on those of others, and may be used for as long as they are kept.
    @Test func weightsAreIndependent() throws {
        let picture = try GeneratedPicture.texture(grey(8), width: 60, height: 44)
        let condition = DegradationCondition(kernel: 3, coding: 100)
        let wanted = try doubled(picture, condition)
        let kept = NetworkWeights(image: condition)
        for other in Self.conditions { _ = NetworkWeights(image: other) }
        var result = try PixelBuffer(format: picture.format, width: 120, height: 88)
        try picture.withPlanes { source throws(FrameError) in
            try result.withOverwrittenPlanes { planes throws(FrameError) in
                try SuperResolutionNetwork(kept, context: .serial).apply(source[0], into: planes[0], bitDepth: 8)
            }
        }
        #expect(result.hasSameSamples(as: wanted))
        #expect(try !doubled(picture, DegradationCondition(kernel: 4, coding: 100)).hasSameSamples(as: wanted))
        #expect(try !doubled(picture, DegradationCondition(kernel: 3, coding: 101)).hasSameSamples(as: wanted))
    }

    @Test func conditionsHaveARange() {
        let most = DegradationCondition(kernel: 99, sharpness: 999, coding: 9999)
        #expect(most == DegradationCondition(kernel: 16, sharpness: 256, coding: 512))
        let least = DegradationCondition(kernel: -1, sharpness: -999, coding: -1)
        #expect(least == DegradationCondition(kernel: 0, sharpness: -256, coding: 0))
    }

    /// 512 · ln(step) / ln 40.
    @Test(arguments: [
        (0, 0), (0.3, 0), (1, 0), (1.1, 13), (2, 96), (5.5, 237), (11, 333), (40, 512), (55, 512), (1e300, 512),
    ])
    func codingGrowsWithTheStep(step: Double, coding: Int) {
        #expect(DegradationCondition.coding(ofStep: step) == coding)
    }

    @Test func aCoarserStepThatShowsCountsMoreThanAStatedOne() {
        func step(_ stated: Double?, _ shown: Double?) -> Double? {
            DegradationCondition.step(stated: stated, shown: shown)
        }
        #expect(step(nil, nil) == nil)
        #expect(step(nil, 11) == 11)
        #expect(step(11, nil) == 11)
        // What is shown is less exact.
        #expect(step(5.5, 11) == 5.5 && step(5.5, 2) == 5.5 && step(0.9, 2) == 0.9)
        // A file that was compressed strongly before.
        #expect(step(1.1, 11) == 11 && step(0.1, 5.5) == 5.5)
    }
}
