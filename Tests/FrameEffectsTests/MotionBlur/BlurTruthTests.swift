import FrameCore
import FrameEffects
import Motion
import TestSupport
import Testing

/// Blurred frames of known motion compared with the mean of many pictures.
@Suite struct BlurTruthTests {
    private static let pans: [(motion: SIMD2<Float>, least: Double)] = [
        (SIMD2(3, 0), 40), (SIMD2(12.5, 0), 38), (SIMD2(0, -9), 38), (SIMD2(7, 5), 38), (SIMD2(-40, 11), 32),
        (SIMD2(0.9, 0.4), 40),
    ]

    @Test(arguments: pans.indices) func pan(_ index: Int) throws {
        let (motion, least) = Self.pans[index]
        let scene = BlurScene(scene: .translation(motion.x, motion.y))
        let made = try scene.blurred()
        let inner = try scene.against(made) { x, y in x > 24 && x < 168 && y > 16 && y < 128 }
        #expect(inner.blurred > least, "\(motion): \(inner)")
        let all = try scene.against(made)
        // Half a pixel of motion is as small as the rounding of code values.
        #expect(all.blurred > min(50, all.sharp), "\(motion): \(all)")
        for plane in 1...2 {
            let chroma = try scene.against(made, plane: plane)
            #expect(chroma.blurred > min(45, chroma.sharp), "\(motion), plane \(plane): \(chroma)")
        }
    }

    @Test(arguments: [SIMD2<Float>(14, 0), SIMD2(0, 10), SIMD2(-9, 8)])
    func objectOverStillGround(_ motion: SIMD2<Float>) throws {
        let scene = BlurScene.square(motion.x, motion.y)
        let made = try scene.blurred()
        let all = try scene.against(made)
        #expect(all.blurred > all.sharp + 3, "\(all)")
        // Outside the silhouette, where the object passes during the exposure.
        let around = try scene.against(made) { x, y in
            max(abs(x - 96), abs(y - 72)) >= 30 && max(abs(x - 96), abs(y - 72)) < 36
        }
        #expect(around.blurred > around.sharp + 1, "\(around)")
    }

    @Test func thinStillBarInFrontStaysSharp() throws {
        let behind = NoiseTexture.planes(5), bar = NoiseTexture.planes(6)
        let scene = BlurScene(
            scene: MovingScene { plane, x, y, t in
                abs(x - 96) < 7 ? bar[plane].value(x, y) : behind[plane].value(x - 12 * t, y)
            })
        let made = try scene.blurred()
        let onBar = PictureDifference(made, try scene.frame(0)) { x, y in abs(x - 96) < 5 && y > 8 && y < 136 }
        #expect(onBar.psnr > 34, "\(onBar)")
        let all = try scene.against(made)
        #expect(all.blurred > all.sharp + 3, "\(all)")
    }

    /// The strength sets the length of the exposure.
    @Test func strengthScales() throws {
        let scene = BlurScene(scene: .translation(16, 0))
        for strength in [25, 50, 75, 100] {
            let made = try scene.blurred(strength)
            let mine = try scene.against(made, strength) { x, _ in x > 24 && x < 168 }
            #expect(mine.blurred > 36, "\(strength): \(mine)")
            for other in [25, 50, 75, 100] where other != strength {
                let theirs = try scene.against(made, other) { x, _ in x > 24 && x < 168 }
                #expect(theirs.blurred < mine.blurred, "\(strength) looks like \(other)")
            }
        }
    }

    /// A flat picture stays flat up to its borders, regardless of its motion.
    @Test func bordersHaveNoFringes() throws {
        let texture = NoiseTexture(seed: 4)
        let scene = BlurScene(
            scene: MovingScene { plane, x, y, t in plane == 0 ? 120 + 0.1 * texture.value(x - 20 * t, y + 13 * t) : 90 }
        )
        let made = try scene.blurred()
        let source = try scene.frame(0).samples(ofPlane: 0)
        let low = source.min() ?? 0, high = source.max() ?? 0
        #expect(made.samples(ofPlane: 0).allSatisfy { $0 >= low - 1 && $0 <= high + 1 })
        #expect(made.samples(ofPlane: 1).allSatisfy { $0 == 90 })
    }

    @Test(arguments: [true, false]) func oneNeighbour(_ hasNext: Bool) throws {
        let scene = BlurScene(scene: .translation(9, -6))
        let made = try scene.blurred(hasPrevious: !hasNext, hasNext: hasNext)
        let inner = try scene.against(made) { x, y in x > 24 && x < 168 && y > 16 && y < 128 }
        #expect(inner.blurred > 35, "\(inner)")
    }

    /// A small bright light on a dark background: its streak has the mean of the light, not of the code values.
    @Test func linearLight() throws {
        var scene = BlurScene(
            scene: MovingScene { plane, x, y, t in
                let ground = NoiseTexture.planes(2)[plane].value(x, y) * 0.08 + 20
                guard plane == 0 else { return 128 }
                return max(abs(x - 96 - 24 * t), abs(y - 72)) < 8 ? 235 : ground
            })
        scene.format = try PixelFormat(subsampling: .monochrome, bitDepth: 8)
        let color = ColorDescription(transfer: .linear, range: .full)
        let plain = try scene.blurred()
        // With a linear transfer function, linear light gives the same result as code values.
        let same = try scene.blurred(linearLight: true, color: color)
        #expect(PictureDifference(plain, same).largest <= 1)
        let light = try scene.blurred(linearLight: true, color: ColorDescription(transfer: .gamma22, range: .full))
        func mean(_ picture: PixelBuffer) -> Double {
            let samples = picture.samples(ofPlane: 0)
            let streak = (66..<78).flatMap { y in [80, 84, 108, 112].map { Double(samples[y * 192 + $0]) } }
            return streak.reduce(0, +) / Double(streak.count)
        }
        #expect(mean(light) > mean(plain) + 15)
        #expect(light.samples(ofPlane: 0).allSatisfy { $0 <= 236 })
    }
    /// Shadows in PQ, whose linear light is too small for 16 bits, look no worse than with code values.
    @Test func linearLightInTheDark() throws {
        let texture = NoiseTexture.planes(6)
        var scene = BlurScene(
            scene: MovingScene { plane, x, y, t in
                plane == 0 ? 20 + texture[plane].value(x - 9 * t, y) * 0.16 : 128
            })
        scene.format = try PixelFormat(subsampling: .monochrome, bitDepth: 10)
        let plain = try scene.blurred()
        let light = try scene.blurred(linearLight: true, color: ColorDescription(transfer: .pq, range: .limited))
        // 60 dB is about a root mean square error of one 10-bit code value.
        #expect(PictureDifference(plain, light).psnr > 60)
    }
}
