import FrameCore
import FrameEffects
import TestSupport
import Testing

/// Noise in changing light and under things that appear in one frame only: none of that is noise, so no frame gets worse
/// than it came.
@Suite struct ChangingLightTests {
    /// A factor on the light of a picture.
    enum Light: CaseIterable {
        case flash, lightning, strobe, ramp, flicker, faintFlash, half, lamp, spot, band

        /// Whether the light changes by far more than noise, and in the whole picture.
        var isEverywhere: Bool {
            switch self {
            case .flash, .lightning, .strobe, .ramp, .flicker: true
            case .faintFlash, .half, .lamp, .spot, .band: false
            }
        }

        func gain(_ x: Float, _ y: Float, _ t: Float) -> Float {
            func soft(_ cx: Float, _ cy: Float, _ radius: Float) -> Float {
                let distance = ((x - cx) * (x - cx) + (y - cy) * (y - cy)).squareRoot()
                return min(max((radius - distance) / (0.4 * radius), 0), 1)
            }
            let frame = Int(t)
            return switch self {
            case .flash: frame == 4 ? 1.8 : 1
            case .lightning: frame == 3 || frame == 5 ? 1.8 : 0.5
            case .strobe: frame % 5 < 2 ? 1.4 : 0.5
            case .ramp: 0.4 + 0.16 * t
            case .flicker: 1 + 0.12 * sampleNoise(t, 3, seed: 8)
            case .faintFlash: frame == 4 ? 1.06 : 1
            case .half: x > 160 ? frame % 5 < 2 ? 1.8 : 0.7 : 1
            case .lamp: 0.7 + (frame == 4 ? 1 : 0) * soft(200, 100, 90)
            case .spot: 0.6 + 1.1 * soft(60 + 20 * t, 120, 60)
            case .band: frame % 2 == 0 ? 1 + min(y, 240 - y) / 300 : 1.4 - min(y, 240 - y) / 300
            }
        }
    }

    private static let size = (width: 320, height: 240)
    private static let sigma: Float = 6
    private static let count = 9

    private static func noise(_ plane: Int, _ x: Float, _ y: Float, _ t: Float) -> Float {
        sampleNoise(x + 1000 * Float(plane), y, seed: Int(t) + 77)
    }

    /// A textured scene with smooth parts, which moves.
    private static func scene(_ light: Light, sigma: Float) -> MovingScene {
        let level = MovingScene.translation(2, -1).level
        return MovingScene { plane, x, y, t in
            let gain = light.gain(x, y, t)
            let contrast: Float = y < 120 ? 0.35 : 0.08
            let value = (level(plane, x, y, t) - 128) * contrast
            let lit = plane == 0 ? 16 + gain * (64 + value) : 128 + gain * 0.4 * value
            return lit + sigma * noise(plane, x, y, t)
        }
    }

    private static func clip(_ scene: MovingScene) throws -> [PixelBuffer] {
        try (0..<count).map { try scene.picture(Float($0), width: size.width, height: size.height) }
    }

    private static func filtered(
        _ frames: [PixelBuffer], _ indices: some Sequence<Int>, _ quality: QualityPrioritization,
        _ level: NoiseLevel = .automatic
    ) throws -> [(index: Int, picture: PixelBuffer)] {
        let engine = try TemporalNoiseFilterEngine(
            format: frames[0].format, width: frames[0].width, height: frames[0].height, quality: quality,
            context: .init(threads: 2))
        return try indices.map { index in
            let picture = try engine.filter(
                frames[index], previous: Array(frames[..<index]), next: Array(frames[(index + 1)...]), noise: level)
            return (index, picture)
        }
    }

    private static func psnr(_ a: PixelBuffer, _ b: PixelBuffer, _ plane: Int) -> Double {
        PictureDifference(a, b, plane: plane, where: nil).psnr
    }

    @Test(arguments: Light.allCases, QualityPrioritization.allCases) func noFrameGetsWorse(
        _ light: Light, _ quality: QualityPrioritization
    ) throws {
        let clean = try Self.clip(Self.scene(light, sigma: 0))
        let noisy = try Self.clip(Self.scene(light, sigma: Self.sigma))
        let indices = quality == .normal ? 0...8 : 3...5
        let known = try Self.filtered(noisy, indices, quality, .sigma(Self.sigma))
        for ((index, picture), best) in zip(try Self.filtered(noisy, indices, quality), known) {
            for plane in 0..<3 {
                let before = Self.psnr(noisy[index], clean[index], plane)
                let after = Self.psnr(picture, clean[index], plane)
                #expect(after >= before - 0.05, "frame \(index), plane \(plane): \(before) dB, \(after) dB")
                // The noise of luma is found as well as in steady light, if all of the picture is lit.
                guard plane == 0, light.isEverywhere else { continue }
                let wanted = Self.psnr(best.picture, clean[index], plane)
                #expect(after >= wanted - 1, "frame \(index): \(wanted) dB, \(after) dB")
            }
        }
    }

    @Test(arguments: Light.allCases, QualityPrioritization.allCases) func cleanFramesStay(
        _ light: Light, _ quality: QualityPrioritization
    ) throws {
        let clean = try Self.clip(Self.scene(light, sigma: 0))
        for (index, picture) in try Self.filtered(clean, 3...5, quality) {
            for plane in 0..<3 {
                let psnr = Self.psnr(picture, clean[index], plane)
                #expect(psnr >= 55, "frame \(index), plane \(plane): \(psnr) dB")
            }
        }
    }

    /// The model that is measured beforehand is as good as in steady light.
    @Test(arguments: Light.allCases) func measuredBeforehand(_ light: Light) throws {
        let noisy = try Self.clip(Self.scene(light, sigma: Self.sigma))
        let engine = try TemporalNoiseFilterEngine(
            format: noisy[0].format, width: Self.size.width, height: Self.size.height, quality: .normal,
            context: .init(threads: 2))
        let found = EstimatedNoise(try engine.estimate(Array(noisy[1...7]), at: 3)).planes[0]
        #expect(abs(found - Double(Self.sigma)) < 0.7, "\(found)")
    }

    private static func hasDrop(_ x: Float, _ y: Float, _ t: Float) -> Bool {
        sampleNoise(x, (y / 6).rounded(.down), seed: Int(t) + 300) > 2.3
    }

    /// Streaks of rain, each in one frame only, keep their contrast, and the noise around them goes.
    @Test(arguments: QualityPrioritization.allCases) func rain(_ quality: QualityPrioritization) throws {
        let level = MovingScene.translation(0, 0).level
        func scene(_ sigma: Float, hasRain: Bool) -> MovingScene {
            MovingScene { plane, x, y, t in
                let value = plane > 0 ? 128 : 60 + (level(plane, x, y, t) - 128) * 0.3
                let drop: Float = plane == 0 && hasRain && Self.hasDrop(x, y, t) ? 90 : 0
                return value + drop + sigma * Self.noise(plane, x, y, t)
            }
        }
        let dry = try Self.clip(scene(0, hasRain: false)), clean = try Self.clip(scene(0, hasRain: true))
        let noisy = try Self.clip(scene(8, hasRain: true))
        for (index, picture) in try Self.filtered(noisy, 3...5, quality) {
            let background = dry[index].samples(ofPlane: 0), result = picture.samples(ofPlane: 0)
            var contrast: Float = 0, count: Float = 0
            for i in result.indices
            where Self.hasDrop(Float(i % Self.size.width), Float(i / Self.size.width), Float(index)) {
                contrast += (Float(result[i]) - Float(background[i])) / 90
                count += 1
            }
            #expect(
                count > 300 && contrast / count >= (quality == .normal ? 0.9 : 0.8),
                "frame \(index): \(contrast / count)")
            let before = Self.psnr(noisy[index], clean[index], 0), after = Self.psnr(picture, clean[index], 0)
            #expect(after >= before + 5, "frame \(index): \(before) dB, \(after) dB")
        }
        // Nothing is found where there is rain alone.
        for (index, picture) in try Self.filtered(clean, 3...5, quality) {
            #expect(Self.psnr(picture, clean[index], 0) >= 50, "frame \(index)")
        }
    }
}
