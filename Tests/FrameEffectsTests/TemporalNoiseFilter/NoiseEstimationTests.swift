import FrameCore
import FrameEffects
import TestSupport
import Testing

/// The noise model, on noise whose strength, spectrum and dependence on brightness are known.
@Suite struct NoiseEstimationTests {
    /// A scene full of texture, which moves by whole samples in luma and chroma.
    private static let scene = MovingScene.translation(6, -4)

    private static func clip(
        _ count: Int, _ scene: MovingScene, _ format: PixelFormat = .yuv420p8, width: Int = 320, height: Int = 240
    ) throws -> [PixelBuffer] {
        try (0..<count).map { try scene.picture(Float($0), format, width: width, height: height) }
    }

    private static func noise(_ frames: [PixelBuffer], at index: Int, _ quality: QualityPrioritization = .normal) throws
        -> (noise: EstimatedNoise, picture: PixelBuffer)
    {
        let first = frames[0]
        let engine = try TemporalNoiseFilterEngine(
            format: first.format, width: first.width, height: first.height, quality: quality, context: .init(threads: 2)
        )
        let picture = try engine.filter(
            frames[index], previous: Array(frames[..<index]), next: Array(frames[(index + 1)...]), noise: .automatic)
        return (engine.estimatedNoise, picture)
    }

    private static func white(_ plane: Int, _ x: Float, _ y: Float, _ t: Float) -> Float {
        sampleNoise(x + 1000 * Float(plane), y, seed: Int(t) + 77)
    }

    /// Noise as a function of the clean value.
    private static func noisy(_ sigma: @escaping @Sendable (Int, Float) -> Float) -> MovingScene {
        let level = scene.level
        return MovingScene { plane, x, y, t in
            let value = level(plane, x, y, t)
            return value + sigma(plane, value) * white(plane, x, y, t)
        }
    }

    /// Each plane has noise of its own.
    @Test func planes() throws {
        let sigmas: [Float] = [6, 3, 12]
        let frames = try Self.clip(7, Self.noisy { plane, _ in sigmas[plane] })
        let found = try Self.noise(frames, at: 3).noise.planes
        for (found, sigma) in zip(found, sigmas) {
            #expect(abs(found - Double(sigma)) < 0.12 * Double(sigma), "\(found) for \(sigma)")
        }
    }

    /// The noise of a sensor grows with the light.
    @Test func brightness() throws {
        let ramp = MovingScene { plane, x, y, t in
            let value: Float = plane > 0 ? 128 : 40 + 160 * y / 240
            return value + (plane > 0 ? 2 : 2 + value / 20) * Self.white(plane, x, y, t)
        }
        let found = try Self.noise(try Self.clip(7, ramp), at: 3).noise.byBrightness
        for range in 3...11 {
            let wanted = 2 + Double(16 * range + 8) / 20
            #expect(abs(found[range] - wanted) < 0.15 * wanted, "range \(range): \(found[range]) for \(wanted)")
        }
    }

    /// Noise that has lost its high frequencies, as after an encoder, is found and removed all the same.
    @Test(arguments: QualityPrioritization.allCases) func smoothNoise(_ quality: QualityPrioritization) throws {
        let level = Self.scene.level
        let scene = MovingScene { plane, x, y, t in
            var sum: Float = 0
            for dy in -1...1 {
                for dx in -1...1 {
                    let weight = Float((2 - abs(dx)) * (2 - abs(dy))) / 6
                    sum += weight * Self.white(plane, x + Float(dx), y + Float(dy), t)
                }
            }
            // The weights' squares add up to 1.
            return level(plane, x, y, t) + 8 * sum
        }
        let frames = try Self.clip(9, scene), clean = try Self.clip(9, Self.scene)
        let found = try Self.noise(frames, at: 4, quality)
        #expect(abs(found.noise.planes[0] - 8) < 1.6, "\(found.noise.planes)")
        let before = PictureDifference(frames[4], clean[4], plane: 0, where: nil).psnr
        let after = PictureDifference(found.picture, clean[4], plane: 0, where: nil).psnr
        #expect(after > before + 3, "\(before) dB, \(after) dB")
    }

    /// A scene whose brightness jumps from frame to frame, as with a shaking phone that adjusts its exposure: smooth on the
    /// left, and on the right with clutter that matches nowhere.
    private static func flickering(_ sigma: Float) -> MovingScene {
        MovingScene { plane, x, y, t in
            if plane > 0 { return 128 }
            let jump = 14 * (sampleNoise(t, 5, seed: 3))
            let cell = sampleNoise((x / 4).rounded(.down), (y / 4).rounded(.down), seed: Int(t) + 31)
            let clutter = x < 100 ? 0 : (20 + x / 3) * cell
            return 60 + x / 4 + y / 6 + jump + clutter + sigma * white(plane, x, y, t)
        }
    }

    /// Noise is found though the brightness of each block changes far more than noise changes it.
    @Test func changingBrightness() throws {
        let noisy = try Self.noise(try Self.clip(7, Self.flickering(3)), at: 3).noise
        #expect(abs(noisy.planes[0] - 3) < 0.6, "\(noisy.planes)")
        // Without noise, the same changes are not taken for it.
        let clean = try Self.noise(try Self.clip(7, Self.flickering(0)), at: 3).noise
        #expect(clean.planes[0] == 0, "\(clean.planes)")
    }

    /// After an encoder, the blocks with the least texture are those from which most noise is gone: all of them count.
    @Test func unevenNoise() throws {
        let scene = MovingScene { plane, x, y, t in
            let strong = sampleNoise((x / 16).rounded(.down), (y / 16).rounded(.down), seed: 9) > 0
            return (plane > 0 ? 128 : 110) + (strong ? 8 : 6) * Self.white(plane, x, y, t)
        }
        let found = try Self.noise(try Self.clip(7, scene), at: 3).noise
        // The root of the mean variance is 7.07.
        #expect(abs(found.byBrightness[6] - 7.07) < 0.45, "\(found.byBrightness)")
    }

    /// Two fields of different times in each frame, which is passed on as progressive: noise is removed all the same,
    /// and clean frames are hardly changed.
    @Test(arguments: QualityPrioritization.allCases) func fieldsTakenForFrames(_ quality: QualityPrioritization)
        throws
    {
        func interlaced(_ sigma: Float) -> MovingScene {
            let level = Self.scene.level
            return MovingScene { plane, x, y, t in
                level(plane, x, y, t + (Int(y) % 2 == 0 ? 0 : 0.5)) + sigma * Self.white(plane, x, y, t)
            }
        }
        let clean = try Self.clip(9, interlaced(0)), noisy = try Self.clip(9, interlaced(8))
        let filtered = try Self.noise(noisy, at: 4, quality).picture
        let before = PictureDifference(noisy[4], clean[4], plane: 0, where: nil).psnr
        let after = PictureDifference(filtered, clean[4], plane: 0, where: nil).psnr
        #expect(after > before + 2, "\(before) dB, \(after) dB")
        let kept = try Self.noise(clean, at: 4, quality).picture
        #expect(PictureDifference(kept, clean[4], plane: 0, where: nil).psnr > 50)
    }

    @Test(arguments: [10, 12, 16]) func depths(_ depth: Int) throws {
        let format = try PixelFormat(subsampling: .yuv420, bitDepth: depth)
        let found = try Self.noise(try Self.clip(7, Self.noisy { _, _ in 7 }, format), at: 3).noise
        #expect(found.planes.count == 3 && abs(found.planes[0] - 7) < 0.7, "\(found.planes)")
    }

    /// Clean drawings, text and moving texture stay as they are.
    @Test(arguments: QualityPrioritization.allCases) func cleanPicturesStay(_ quality: QualityPrioritization) throws {
        let text = MovingScene { plane, x, y, t in
            let column = Int((x + 100 * 8) / 3), row = Int(y + 2 * t) / 4
            return plane > 0 ? 128 : (column * 7 + row * 13) % 5 < 2 && row % 3 != 0 ? 30 : 235
        }
        let shapes = MovingScene { plane, x, y, t in
            let dx = x - 100 - 3.3 * t, dy = y - 120 + 1.7 * t
            let edge = min(max((60 - (dx * dx + dy * dy).squareRoot()) + 0.5, 0), 1)
            return (plane > 0 ? 120 : 70 + x / 8) + edge * (plane > 0 ? 30 : 90)
        }
        for (index, scene) in [text, shapes, Self.scene].enumerated() {
            let frames = try Self.clip(9, scene)
            let result = try Self.noise(frames, at: 4, quality).picture
            for plane in 0..<3 {
                let psnr = PictureDifference(result, frames[4], plane: plane, where: nil).psnr
                #expect(psnr > 60, "scene \(index), plane \(plane)")
            }
        }
    }

    /// Nothing is found in black frames, however few there are.
    @Test func blackAndFewFrames() throws {
        let black = MovingScene { plane, _, _, _ in plane > 0 ? 128 : 16 }
        for count in 1...3 {
            let frames = try Self.clip(count, black, width: 64, height: 48)
            let result = try Self.noise(frames, at: 0)
            #expect(result.noise.planes == [0, 0, 0] && result.picture.hasSameSamples(as: frames[0]))
        }
        // A scene of two frames has noise to find.
        let two = try Self.noise(try Self.clip(2, Self.noisy { _, _ in 9 }), at: 0).noise
        #expect(abs(two.planes[0] - 9) < 1.8, "\(two.planes)")
    }

    /// Noise that begins abruptly: clean frames far from it stay, and noisy frames far from it are cleaned.
    @Test func abruptChange() throws {
        let level = Self.scene.level
        let scene = MovingScene { plane, x, y, t in
            level(plane, x, y, t) + (t >= 8 ? 10 : 0) * Self.white(plane, x, y, t)
        }
        let frames = try Self.clip(16, scene)
        #expect(try Self.noise(frames, at: 2).noise.planes[0] < 0.6)
        #expect(abs(try Self.noise(frames, at: 13).noise.planes[0] - 10) < 1)
        let clean = try Self.clip(16, Self.scene)
        for index in 1...4 {
            let result = try Self.noise(frames, at: index).picture
            #expect(PictureDifference(result, clean[index], plane: 0, where: nil).psnr > 55, "frame \(index)")
        }
        // The noise of the neighbours counts for clean frames next to them, too.
        for index in 5...11 {
            let result = try Self.noise(frames, at: index).picture
            let before = PictureDifference(frames[index], clean[index], plane: 0, where: nil).psnr
            let after = PictureDifference(result, clean[index], plane: 0, where: nil).psnr
            #expect(after > min(before, 40) - 0.5, "frame \(index): \(before) dB, \(after) dB")
        }
    }
}
