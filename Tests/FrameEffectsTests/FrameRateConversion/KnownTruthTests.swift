import FrameCore
import FrameEffects
import TestSupport
import Testing

/// Interpolated frames compared with the scene at that time. The limits are one decibel below the measured values.
@Suite struct KnownTruthTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var subsampling: ChromaSubsampling = .yuv420
        var depth = 8
        var width = 320
        var height = 240
        var motion: SIMD2<Float>
        var quality: QualityPrioritization = .quality
        /// The lowest acceptable PSNR of luma and chroma, in dB.
        var floors: (luma: Double, chroma: Double)
        var testDescription: String { name }
    }

    static let translations = [
        Case(name: "slow", motion: [1.5, -0.75], floors: (50.5, 50.9)),
        Case(name: "slow, normal", motion: [1.5, -0.75], quality: .normal, floors: (50.5, 50.9)),
        Case(name: "fast", motion: [22, -9], floors: (36.5, 38.5)),
        Case(name: "fast, normal", motion: [22, -9], quality: .normal, floors: (36.5, 37.0)),
        Case(name: "odd 4:2:0", width: 311, height: 203, motion: [-8.5, 5], floors: (44.4, 49.3)),
        Case(
            name: "4:2:2, 10 bits", subsampling: .yuv422, depth: 10, width: 301, height: 200, motion: [-8.5, 5],
            floors: (44.7, 53.7)),
        Case(
            name: "4:4:4, 16 bits", subsampling: .yuv444, depth: 16, width: 301, height: 201, motion: [7, 8.5],
            floors: (44.3, 45.0)),
        Case(name: "gray, 12 bits", subsampling: .monochrome, depth: 12, motion: [7, 8.5], floors: (48.4, 0)),
        Case(
            name: "half-size search", width: 720, height: 480, motion: [31, 12.5], quality: .normal,
            floors: (37.0, 38.1)),
        Case(
            name: "half-size search, 4:2:2", subsampling: .yuv422, width: 721, height: 479, motion: [-31, 12.5],
            quality: .normal, floors: (35.4, 38.3)),
        Case(
            name: "quarter-size search", width: 2576, height: 1616, motion: [57, -22], quality: .normal,
            floors: (39.5, 41.4)),
    ]

    @Test(arguments: translations) func translation(_ c: Case) throws {
        let format = try PixelFormat(subsampling: c.subsampling, bitDepth: c.depth)
        let scene = MovingScene.translation(c.motion.x, c.motion.y, seed: 31)
        let a = try scene.picture(0, format, width: c.width, height: c.height)
        let b = try scene.picture(1, format, width: c.width, height: c.height)
        let phases: [Float] = c.width > 1000 ? [0.5] : [0.25, 0.5, 0.75]
        let outcome = try interpolate(a, b, phases, quality: c.quality)
        let cells = (c.width / 8) * (c.height / 8) * phases.count
        #expect(outcome.modes.blended == 0 && outcome.modes.repeated == 0)
        #expect(abs(outcome.modes.total - cells) <= cells / 10)
        for (phase, made) in zip(phases, outcome.pictures) {
            let whole = try AgainstTruth(scene, phase, made: made, from: a, to: b)
            for plane in 0..<format.planeCount {
                let floor = plane == 0 ? c.floors.luma : c.floors.chroma
                #expect(whole.made[plane] > floor, "plane \(plane) at \(phase)")
                // Close to the rounding error of whole code values, no improvement is possible.
                #expect(whole.made[plane] > min(whole.withoutMotion[plane] + 5, 51.5), "plane \(plane) at \(phase)")
            }
        }
    }

    /// A moving picture that fades to black or to white, or becomes lighter: the frames between have the brightness between.
    @Test(arguments: [(Float(0.75), Float(4)), (0.75, 59), (1, 18), (1.3, -5)], QualityPrioritization.allCases)
    func fade(_ change: (gain: Float, offset: Float), _ quality: QualityPrioritization) throws {
        let planes = NoiseTexture.planes(33), v: SIMD2<Float> = [6.5, -3]
        let scene = MovingScene { plane, x, y, t in
            let value = planes[plane].value(x - v.x * t, y - v.y * t), gain = 1 + (change.gain - 1) * t
            return plane == 0 ? (value * 0.5 + 60) * gain + change.offset * t : 128 + (value * 0.5 - 64) * gain
        }
        let a = try scene.picture(0, width: 320, height: 240), b = try scene.picture(1, width: 320, height: 240)
        let outcome = try interpolate(a, b, [0.25, 0.5, 0.75], quality: quality)
        #expect(outcome.modes.blended == 0 && outcome.modes.repeated == 0)
        for (phase, made) in zip([Float(0.25), 0.5, 0.75], outcome.pictures) {
            let whole = try AgainstTruth(scene, phase, made: made, from: a, to: b)
            #expect(whole.made[0] > 40 && whole.made[1] > 40 && whole.made[2] > 40, "at \(phase)")
        }
    }

    /// Half of the ring of 16 pixels is visible in only one neighbour; it is taken from that one.
    @Test(arguments: QualityPrioritization.allCases, [SIMD2<Float>(14, 9), [-18, 6], [3, -16]])
    func motionOutOfTheFrame(_ quality: QualityPrioritization, _ v: SIMD2<Float>) throws {
        let (width, height) = (320, 240)
        let scene = MovingScene.translation(v.x, v.y, seed: 40)
        let a = try scene.picture(0, width: width, height: height),
            b = try scene.picture(1, width: width, height: height)
        for phase: Float in [0.25, 0.5] {
            let outcome = try interpolate(a, b, [phase], quality: quality)
            let ring = try AgainstTruth(scene, phase, made: outcome.pictures[0], from: a, to: b) { x, y in
                x < 16 || y < 16 || x >= width - 16 || y >= height - 16
            }
            #expect(outcome.modes.oneSide > 20)
            for plane in 0..<3 {
                #expect(ring.made[plane] > (plane == 0 ? 30.1 : 30.1), "plane \(plane) at \(phase)")
                #expect(ring.made[plane] > ring.withoutMotion[plane] + 5, "plane \(plane) at \(phase)")
            }
        }
    }

    /// A textured square over a background that moves in the opposite direction.
    @Test(arguments: QualityPrioritization.allCases, [(320, 240), (720, 480)])
    func occlusion(_ quality: QualityPrioritization, _ size: (Int, Int)) throws {
        let front = NoiseTexture.planes(8), behind = NoiseTexture.planes(9)
        let u: SIMD2<Float> = [14, -3], v: SIMD2<Float> = [-6, 1]
        let middle = SIMD2(Float(size.0), Float(size.1)) / 2
        @Sendable func cover(_ x: Float, _ y: Float, _ t: Float) -> Float {
            let dx = abs(x - u.x * t - middle.x), dy = abs(y - u.y * t - middle.y)
            return min(max(60.5 - dx, 0), 1) * min(max(50.5 - dy, 0), 1)
        }
        let scene = MovingScene { plane, x, y, t in
            let c = cover(x, y, t)
            return front[plane].value(x - u.x * t, y - u.y * t) * c + behind[plane].value(x - v.x * t, y - v.y * t)
                * (1 - c)
        }
        let a = try scene.picture(0, width: size.0, height: size.1),
            b = try scene.picture(1, width: size.0, height: size.1)
        let outcome = try interpolate(a, b, [0.25, 0.5, 0.75], quality: quality)
        #expect(outcome.modes.oneSide > 0)
        for (phase, made) in zip([Float(0.25), 0.5, 0.75], outcome.pictures) {
            let whole = try AgainstTruth(scene, phase, made: made, from: a, to: b)
            // A band around the object's edges, 24 pixels wide.
            let edge = try AgainstTruth(scene, phase, made: made, from: a, to: b) { x, y in
                let dx = abs(Float(x) - u.x * phase - middle.x), dy = abs(Float(y) - u.y * phase - middle.y)
                return max(dx - 60, dy - 50) < 12 && max(dx - 60, dy - 50) > -12
            }
            for plane in 0..<3 {
                #expect(whole.made[plane] > whole.withoutMotion[plane] + 5, "plane \(plane) at \(phase)")
                #expect(
                    edge.made[plane] > edge.withoutMotion[plane] + (plane == 0 ? 3.4 : 0.7),
                    "plane \(plane) at \(phase)")
            }
        }
    }

    /// Results are good with or without motion carried over from pair to pair.
    @Test(arguments: [true, false], QualityPrioritization.allCases)
    func sequence(_ continues: Bool, _ quality: QualityPrioritization) throws {
        let front = NoiseTexture.planes(15), behind = NoiseTexture.planes(16)
        // The direction changes halfway, where the previous motion is misleading.
        @Sendable func way(_ t: Float) -> Float { t < 2 ? 15 * t : 30 - 15 * (t - 2) }
        let scene = MovingScene { plane, x, y, t in
            let dx = x - 100 - way(t), dy = y - 90
            let c = min(max(45.5 - (dx * dx + dy * dy).squareRoot(), 0), 1)
            return front[plane].value(x - way(t), y) * c + behind[plane].value(x + 2 * t, y) * (1 - c)
        }
        let pictures = try (0..<5).map { try scene.picture(Float($0), width: 260, height: 180) }
        let engine = try FrameRateConversionEngine(
            format: .yuv420p8, width: 260, height: 180, quality: quality, context: .init(threads: 2))
        for i in 0..<4 {
            let made = try engine.interpolate(
                from: pictures[i], to: pictures[i + 1], phases: [0.5], relation: continues && i > 0 ? .follows : .none)
            let result = try AgainstTruth(
                scene, Float(i) + 0.5, made: made.pictures[0], from: pictures[i], to: pictures[i + 1])
            for plane in 0..<3 {
                #expect(result.made[plane] > result.withoutMotion[plane] + 5, "pair \(i), plane \(plane)")
            }
        }
    }

    /// Where nothing matches, the engine reports it and does not tear the pictures.
    @Test(arguments: QualityPrioritization.allCases, [(320, 240), (720, 480)])
    func unrelatedFramesFallBack(_ quality: QualityPrioritization, _ size: (Int, Int)) throws {
        let one = NoiseTexture.planes(50), two = NoiseTexture.planes(60)
        func scene(_ t: [NoiseTexture], _ light: Float) -> MovingScene {
            MovingScene { plane, x, y, _ in (t[plane].value(x, y) - 128) * 1.2 + 128 + light }
        }
        let a = try scene(one, -30).picture(0, width: size.0, height: size.1)
        let b = try scene(two, 40).picture(0, width: size.0, height: size.1)
        let pool = try PixelBufferPool(format: .yuv420p8, width: size.0, height: size.1)
        for phase: Float in [0.25, 0.5, 0.75] {
            let outcome = try interpolate(a, b, [phase], quality: quality)
            let counts = outcome.modes, cells = size.0 / 8 * (size.1 / 8)
            #expect(counts.blended + counts.repeated == counts.total && abs(counts.total - cells) <= cells / 20)
            let wanted =
                counts.repeated > 0
                ? (phase < 0.5 ? a : b) : try crossFade(from: a, to: b, phase: phase, pool: pool)
            for plane in 0..<3 {
                #expect(PictureDifference(outcome.pictures[0], wanted, plane: plane).largest <= 1, "plane \(plane)")
            }
        }
    }

    /// A brightness change of the whole picture between two frames is followed, not mistaken for new content.
    @Test func brightnessChange() throws {
        let textures = NoiseTexture.planes(23)
        let scene = MovingScene { plane, x, y, t in
            textures[plane].value(x - 6 * t, y + 2 * t) * 0.8 + (plane == 0 ? 12 * t : 0)
        }
        let a = try scene.picture(0, width: 320, height: 240), b = try scene.picture(1, width: 320, height: 240)
        let outcome = try interpolate(a, b)
        let result = try AgainstTruth(scene, 0.5, made: outcome.pictures[0], from: a, to: b)
        #expect(result.made[0] > result.withoutMotion[0] + 5)
    }
}
