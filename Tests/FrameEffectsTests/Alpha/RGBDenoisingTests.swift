import FrameCore
import FrameEffects
import Imaging
import TestSupport
import Testing

/// Noisy RGB, denoised in its own planes and by way of YCbCr.
@Suite struct RGBDenoisingTests {
    /// A moving scene whose colors go together, as those of cameras do.
    private let scene = MovingScene { plane, x, y, t in
        let luma = NoiseTexture(seed: 4).value(x - 2.3 * t, y + 1.2 * t)
        let tint = NoiseTexture(seed: 9, finest: 9).value(x - 2.3 * t, y + 1.2 * t) - 128
        return 128 + 0.7 * (luma - 128) + [0, 0.4, -0.4][plane] * tint
    }

    @Test(arguments: [8, 10], [QualityPrioritization.normal, .quality])
    func ownPlanesAreNearlyAsGoodAsYCbCr(_ depth: Int, _ quality: QualityPrioritization) throws {
        let format = try PixelFormat(rgbDepth: depth), sigma: Float = 10
        let clip = try NoisyClip(scene, sigma: sigma, count: 7, format, width: 176, height: 128)
        func psnr(_ picture: PixelBuffer) -> Double {
            (0..<3).map { clip.psnr(picture, 3, plane: $0).filtered }.reduce(0, +) / 3
        }
        let own = psnr(try clip.filtered(3, .automatic, quality: quality).picture)
        let converter = try RGBConverter(format, context: .init(threads: 2))
        let frames = try clip.noisy.map { try converter.toYCbCr($0) }
        let engine = try TemporalNoiseFilterEngine(
            format: converter.yCbCr, width: 176, height: 128, quality: quality, context: .init(threads: 2))
        let converted = psnr(
            try converter.toRGB(
                engine.filter(
                    frames[3], previous: Array(frames[..<3]), next: Array(frames[4...]), noise: .automatic)))
        let noisy = psnr(clip.noisy[3])
        #expect(own > noisy + 9)
        #expect(own > converted - 1.5)
    }
}
