import FrameCore
import FrameEffects
import TestSupport
import Testing

/// Quantization error is found where there is some, and removed.
@Suite struct DeblockingTests {
    private static let size = (width: 240, height: 176)

    private static func clip(
        _ count: Int, _ format: PixelFormat = .yuv420p8, width: Int = size.width, height: Int = size.height
    ) throws -> [PixelBuffer] {
        try (0..<count).map { try MovingScene.textured.picture(Float($0), format, width: width, height: height) }
    }

    private static func filtered(
        _ frames: [PixelBuffer], at index: Int, _ quality: QualityPrioritization = .normal,
        _ deblocking: Deblocking = .automatic, noise: NoiseLevel = .automatic, threads: Int = 2,
        known: QuantizationTrace = QuantizationTrace()
    ) throws -> (picture: PixelBuffer, sigma: Double, trace: QuantizationTrace) {
        let first = frames[0]
        let engine = try TemporalNoiseFilterEngine(
            format: first.format, width: first.width, height: first.height, quality: quality,
            context: .init(threads: threads))
        let picture = try engine.filter(
            frames[index], previous: Array(frames[..<index]), next: Array(frames[(index + 1)...]), noise: noise,
            deblocking: deblocking, known: known)
        return (picture, engine.deblockedSigma, engine.trace)
    }

    private static func psnr(_ a: PixelBuffer, _ b: PixelBuffer) -> Double {
        PictureDifference(a, b, plane: 0, where: nil).psnr
    }

    @Test(arguments: [Float(12), 24], QualityPrioritization.allCases)
    func errorGoes(_ step: Float, _ quality: QualityPrioritization) throws {
        let clean = try Self.clip(7), codec = BlockCodec(step: step)
        let coded = try clean.map(codec.coded)
        let result = try Self.filtered(coded, at: 3, quality)
        #expect(result.sigma > 0.5)
        let before = Self.psnr(coded[3], clean[3]), after = Self.psnr(result.picture, clean[3])
        #expect(after > before + 0.3, "\(before) dB, \(after) dB")
        #expect(try Self.filtered(coded, at: 3, quality, .off).sigma == 0)
    }

    /// The dead zone grows with the step.
    @Test func deadZone() throws {
        let clean = try Self.clip(2)
        let found = try [8, 16, 32].map { step in
            try Self.filtered(clean.map(BlockCodec(step: Float(step)).coded), at: 0).trace
        }
        for (trace, step) in zip(found, [Float(8), 16, 32]) {
            #expect(trace.evidence > 1, "\(trace) for \(step)")
            #expect(trace.deadZone > 0.25 * step && trace.deadZone < 0.8 * step, "\(trace) for \(step)")
        }
        // Nothing filters the edges of these blocks.
        #expect(found[2].hardness > 0.5)
    }

    @Test(arguments: [10, 12, 16]) func depths(_ depth: Int) throws {
        let format = try PixelFormat(subsampling: .yuv420, bitDepth: depth)
        let clean = try Self.clip(3, format), coded = try clean.map(BlockCodec(step: 20).coded)
        let result = try Self.filtered(coded, at: 1)
        #expect(Self.psnr(result.picture, clean[1]) > Self.psnr(coded[1], clean[1]) + 0.2)
    }

    /// Pictures that were never coded, finely coded ones, and drawn patterns that repeat with the grid stay as they are.
    @Test func otherPicturesStay() throws {
        let clean = try Self.clip(5)
        let tiles = MovingScene { plane, x, y, _ in
            let column = Int(x) / 8, row = Int(y) / 8
            return plane > 0 ? 128 : Float((column * 31 + row * 17 + column * row) % 13) * 16 + 20
        }
        let letters = MovingScene { plane, x, y, _ in
            let glyph = (Int(x) / 8 * 7 + Int(y) / 16 * 13) % 11, place = Int(x) % 8 * 16 + Int(y) % 16
            return plane > 0 ? 128 : sampleNoise(Float(place), Float(glyph), seed: 3) > 0.6 ? 220 : 30
        }
        for (index, scene) in [tiles, letters].enumerated() {
            let frames = try (0..<5).map {
                try scene.picture(Float($0), width: Self.size.width, height: Self.size.height)
            }
            let result = try Self.filtered(frames, at: 2)
            #expect(result.sigma == 0 && result.picture.hasSameSamples(as: frames[2]), "scene \(index)")
        }
        for frames in [clean, try clean.map(BlockCodec(step: 2).coded)] {
            let result = try Self.filtered(frames, at: 2)
            #expect(result.sigma == 0 && Self.psnr(result.picture, frames[2]) > 60, "\(result.trace)")
        }
    }

    /// Frames too small to judge and black ones stay; two frames suffice.
    @Test func smallBlackAndFewFrames() throws {
        let codec = BlockCodec(step: 24)
        let small = try Self.clip(3, width: 64, height: 48).map(codec.coded)
        #expect(try Self.filtered(small, at: 1).sigma == 0)
        let black = MovingScene { plane, _, _, _ in plane > 0 ? 128 : 16 }
        let frames = try (0..<3).map { try black.picture(Float($0), width: 240, height: 176) }
        #expect(try Self.filtered(frames, at: 1).picture.hasSameSamples(as: frames[1]))
        for count in 1...2 {
            let coded = try Self.clip(count).map(codec.coded)
            #expect(try Self.filtered(coded, at: 0).sigma > 1)
        }
    }

    /// What earlier frames have shown applies to frames that show nothing themselves.
    @Test func earlierFramesCount() throws {
        let clean = try Self.clip(5)
        let known = try Self.filtered(clean.map(BlockCodec(step: 20).coded), at: 0).trace
        #expect(try Self.filtered(clean, at: 2, known: known).sigma > 1)
        #expect(try Self.filtered(clean, at: 2).sigma == 0)
    }

    @Test func resultsDependOnNothingElse() throws {
        let coded = try Self.clip(5).map(BlockCodec(step: 20).coded)
        let one = try Self.filtered(coded, at: 2, threads: 1), other = try Self.filtered(coded, at: 2, threads: 3)
        #expect(one.trace == other.trace && one.picture.hasSameSamples(as: other.picture))
        // A stated level of noise is removed as well as the error, and a strength of 0 changes nothing.
        let stated = try Self.filtered(coded, at: 2, noise: .sigma(0))
        #expect(stated.sigma == one.sigma && !stated.picture.hasSameSamples(as: coded[2]))
        let none = try Self.filtered(coded, at: 2, noise: .strength(0))
        #expect(none.picture.hasSameSamples(as: coded[2]))
    }
}
