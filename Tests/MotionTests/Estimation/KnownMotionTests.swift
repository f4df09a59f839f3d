import FrameCore
import Motion
import TestSupport
import Testing

/// End-point errors for known motion.
@Suite struct KnownMotionTests {
    /// Returns `v` as the true motion where a patch stays inside the picture by `margin`.
    private static func inside(_ v: SIMD2<Float>, _ width: Int, _ height: Int, margin: Float = 6) -> (Float, Float) ->
        SIMD2<Float>?
    {
        { x, y in
            let (tx, ty) = (x + v.x, y + v.y)
            let fits =
                min(x, tx) >= margin && min(y, ty) >= margin && max(x, tx) < Float(width) - margin
                && max(y, ty) < Float(height) - margin
            return fits ? v : nil
        }
    }

    static let shifts: [SIMD2<Float>] = [
        [0, 0], [1, 0], [0, -1], [3, 0], [-7, 5], [0.5, 0.25], [1.25, -2.75], [-0.125, 0.0625], [12.5, -8],
        [-31, 17.375],
    ]

    @Test(arguments: shifts, [fine, MotionEffort(finestLevel: 0, refinements: 3, coarseRefinements: 8)])
    func globalShift(_ v: SIMD2<Float>, _ effort: MotionEffort) throws {
        let pair = try estimate(.translation(v.x, v.y), width: 256, height: 160, effort)
        let there = EndPointErrors(pair.forward, level: 0, truth: Self.inside(v, 256, 160))
        let back = EndPointErrors(pair.backward, level: 0, truth: Self.inside(-v, 256, 160))
        #expect(there.count > 1000 && back.count > 1000)
        #expect(there.mean < 0.1 && back.mean < 0.1)
        #expect(there.quantile(0.99) < 0.3 && back.quantile(0.99) < 0.3)
    }

    /// 90 pixels at 720 rows correspond to more than 120 at 1080.
    @Test(arguments: [SIMD2<Float>(90, 0), [-83.5, 31.25], [0, 70], [-2, -90.5]], [fine, quick])
    func largeShift(_ v: SIMD2<Float>, _ effort: MotionEffort) throws {
        let (width, height) = (1280, 720)
        let pair = try estimate(.translation(v.x, v.y, seed: 5), width: width, height: height, effort)
        let errors = EndPointErrors(pair.forward, level: pair.level, truth: Self.inside(v, width, height, margin: 12))
        let back = EndPointErrors(pair.backward, level: pair.level, truth: Self.inside(-v, width, height, margin: 12))
        #expect(pair.level == effort.finestLevel)
        #expect(errors.mean < 0.15 && back.mean < 0.15)
        #expect(errors.quantile(0.99) < 0.5 && back.quantile(0.99) < 0.5)
    }

    @Test(arguments: [fine, quick]) func twoLayers(_ effort: MotionEffort) throws {
        let (width, height) = (400, 300)
        let front = NoiseTexture(seed: 8), behind = NoiseTexture(seed: 9)
        let u: SIMD2<Float> = [-9, 4], v: SIMD2<Float> = [11, -2.5]
        @Sendable func isFront(_ x: Float, _ y: Float, _ t: Float, grow: Float) -> Bool {
            abs(x - u.x * t - 200) < 70 + grow && abs(y - u.y * t - 150) < 60 + grow
        }
        let scene = MovingScene { _, x, y, t in
            isFront(x, y, t, grow: 0)
                ? front.value(x - u.x * t, y - u.y * t) : behind.value(x - v.x * t, y - v.y * t)
        }
        let pair = try estimate(scene, width: width, height: height, effort)
        let object = EndPointErrors(pair.forward, level: pair.level) { x, y in
            isFront(x, y, 0, grow: -8) ? u : nil
        }
        let ground = EndPointErrors(pair.forward, level: pair.level) { x, y in
            // Neither under the object now, nor where it will be.
            if isFront(x, y, 0, grow: 8) || isFront(x + v.x, y + v.y, 1, grow: 8) { return nil }
            return Self.inside(v, width, height, margin: 12)(x, y)
        }
        #expect(object.mean < 0.25 && object.quantile(0.95) < 0.5)
        #expect(ground.mean < 0.25 && ground.quantile(0.95) < 0.5)
    }

    /// A bar half as wide as the matched blocks, moving by up to eight times its width.
    @Test(arguments: [SIMD2<Float>(4, 0), [6, -1], [-8, 3], [-16, 4], [24, 0], [-41, 6]]) func thinBar(
        _ u: SIMD2<Float>
    ) throws {
        let (width, height) = (320, 240)
        let ground = NoiseTexture(seed: 3), paint = NoiseTexture(seed: 4)
        @Sendable func cover(_ x: Float, _ y: Float, _ t: Float) -> Float {
            let dx = abs(x - u.x * t - 160.5), dy = abs(y - u.y * t - 120)
            return min(max(2.5 - dx, 0), 1) * min(max(60.5 - dy, 0), 1)
        }
        let scene = MovingScene { _, x, y, t in
            let c = cover(x, y, t)
            // Brighter than the background, with some marks along it.
            return ground.value(x, y) * 0.6 * (1 - c) + (200 + (paint.value(x - u.x * t, y - u.y * t) - 128) * 0.4) * c
        }
        let pair = try estimate(scene, width: width, height: height)
        let bar = EndPointErrors(pair.forward, level: 0) { x, y in
            abs(x - 160.5) <= 2 && abs(y - 120) < 50 ? u : nil
        }
        let still = EndPointErrors(pair.forward, level: 0) { x, y in
            abs(x - 160.5) < 14 || abs(x - u.x - 160.5) < 14 ? nil : .zero
        }
        #expect(bar.count > 15)
        if abs(u.x) > 8 {
            withKnownIssue("an object lost on coarse levels is not found again far away") {
                #expect(bar.quantile(0.5) < 1)
            }
        } else {
            #expect(bar.quantile(0.5) < 1)
        }
        #expect(still.mean < 0.05 && still.quantile(0.99) < 0.2)
    }

    @Test(arguments: [(Float(2.5), Float(1)), (0, 1.05), (-1.5, 0.96)], [fine, quick])
    func rotationAndZoom(_ change: (degrees: Float, zoom: Float), _ effort: MotionEffort) throws {
        let (width, height) = (400, 300), texture = NoiseTexture(seed: 12)
        let radians = change.degrees * .pi / 180
        let cosine = (1 - radians * radians / 2 + radians * radians * radians * radians / 24) * change.zoom
        let sine = (radians - radians * radians * radians / 6) * change.zoom
        let scale = cosine * cosine + sine * sine
        let middle: SIMD2<Float> = [200, 150]
        let scene = MovingScene { _, x, y, t in
            let p = SIMD2(x, y) - middle
            // Map back to the position of the sample at time 0.
            let q = t == 0 ? p : SIMD2(cosine * p.x + sine * p.y, cosine * p.y - sine * p.x) / scale
            return texture.value(q.x, q.y)
        }
        let pair = try estimate(scene, width: width, height: height, effort)
        let errors = EndPointErrors(pair.forward, level: pair.level) { x, y in
            let p = SIMD2(x, y) - middle
            let q = SIMD2(cosine * p.x - sine * p.y, cosine * p.y + sine * p.x)
            return Self.inside(q - p, width, height, margin: 14)(x, y)
        }
        #expect(errors.count > 400)
        #expect(errors.mean < 0.15 && errors.quantile(0.99) < 0.6)
    }

    /// A uniform brightness change is not motion.
    @Test(arguments: [Float(6), -9, -14, 25]) func brightnessChange(_ light: Float) throws {
        let v: SIMD2<Float> = [5.5, -3], texture = NoiseTexture(seed: 21)
        let scene = MovingScene { _, x, y, t in texture.value(x - v.x * t, y - v.y * t) + light * t }
        let pair = try estimate(scene, width: 256, height: 160)
        let errors = EndPointErrors(pair.forward, level: 0, truth: Self.inside(v, 256, 160))
        #expect(errors.mean < 0.2)
    }

    @Test(arguments: [Float(3), 8]) func noise(_ sigma: Float) throws {
        let v: SIMD2<Float> = [-6.25, 2.5], texture = NoiseTexture(seed: 22)
        let scene = MovingScene { _, x, y, t in
            texture.value(x - v.x * t, y - v.y * t) + sigma * sampleNoise(x, y, seed: Int(t) + 1)
        }
        let pair = try estimate(scene, width: 256, height: 160)
        let errors = EndPointErrors(pair.forward, level: 0, truth: Self.inside(v, 256, 160))
        #expect(errors.mean < sigma * 0.04)
    }

    /// Using the motion of the previous pair only improves the result.
    @Test func motionOfThePairBefore() throws {
        let scene = MovingScene.translation(14, -9.5, seed: 6)
        let pictures = try (0..<3).map { try scene.picture(Float($0), width: 256, height: 160) }
        let before = try estimate(pictures[0], pictures[1])
        let after = try estimate(pictures[1], pictures[2], previous: before)
        let errors = EndPointErrors(after.forward, level: 0, truth: Self.inside([14, -9.5], 256, 160))
        #expect(errors.mean < 0.1)
        // Motion that has just stopped is not continued.
        #expect(try estimate(pictures[1], pictures[1], previous: before).forward.isStill)
    }
}
