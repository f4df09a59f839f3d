import FrameCore
import Motion
import TestSupport
import Testing

/// Motion of texture that matches as well one period further.
@Suite struct RepeatingTextureTests {
    /// A pattern in one of several shapes, for a position in samples along and across it.
    enum Pattern: Sendable {
        case stripes, dots, tiles, waves

        func value(_ u: Float, _ v: Float, period: Float) -> Float {
            func part(_ x: Float) -> Float { x - period * (x / period).rounded(.down) }
            switch self {
            case .stripes: return 60 + 150 * min(min(part(u), period - part(u)) / period * 3, 1)
            case .dots:
                let x = part(u) - period / 2, y = part(v) - period / 2
                return 20 + 215 * min(max(period * 0.3 - (x * x + y * y).squareRoot() + 0.5, 0), 1)
            case .tiles:
                let edge = min(min(part(u), period - part(u)), min(part(v), period - part(v)))
                return 190 - 110 * min(max(2.2 - edge, 0), 1)
            case .waves: return 128 + 50 * sine(u / period) + 40 * sine(v / period + 0.2)
            }
        }

        /// A smooth wave of period 1, near to a sine.
        private func sine(_ x: Float) -> Float {
            let t = 2 * (x - x.rounded(.down)) - 1
            return -4 * t * (1 - abs(t))
        }
    }

    private static let size = (width: 320, height: 208)

    /// Returns frames of a scene.
    private static func frames(_ count: Int, _ scene: MovingScene) throws -> [PixelBuffer] {
        let gray = try PixelFormat(subsampling: .monochrome, bitDepth: 8)
        return try (0..<count).map {
            try scene.picture(Float($0), gray, width: size.width, height: size.height)
        }
    }

    /// Estimates each pair with that before and returns the share of the cells, away from the border, that have the
    /// expected motion of their pair, in the worse direction of the worst pair.
    private static func worstShare(
        _ frames: [PixelBuffer], _ effort: MotionEffort = fine, threads: Int = 2, along axis: SIMD2<Float>? = nil,
        motion: (_ pair: Int, _ x: Float, _ y: Float) -> SIMD2<Float>?
    ) throws -> Float {
        var previous: MotionPair?, worst: Float = 1
        for pair in 0..<frames.count - 1 {
            let found = try estimate(frames[pair], frames[pair + 1], effort, threads: threads, previous: previous)
            for (field, sign) in [(found.forward, Float(1)), (found.backward, -1)] {
                var right = 0, all = 0
                let scale = Float(1 << found.level)
                for y in 0..<field.rows {
                    for x in 0..<field.columns {
                        let px = Float(4 * x + 2) * scale, py = Float(4 * y + 2) * scale
                        let isInside =
                            px > 24 && py > 24 && px < Float(size.width) - 24 && py < Float(size.height) - 24
                        guard isInside, let wanted = motion(pair, px, py) else { continue }
                        let v = field.vectors[x, y]
                        let e = SIMD2(Float(v.x), Float(v.y)) * (scale / 32) * sign - wanted
                        // Only motion across stripes can be seen.
                        let error = axis.map { abs(e.x * $0.x + e.y * $0.y) } ?? (e.x * e.x + e.y * e.y).squareRoot()
                        right += error < 1 ? 1 : 0
                        all += 1
                    }
                }
                worst = min(worst, Float(right) / Float(all))
            }
            previous = found
        }
        return worst
    }

    struct Case: Sendable {
        var pattern: Pattern
        var period: Float
        var motion: SIMD2<Float>

        init(_ pattern: Pattern, _ period: Float, _ motion: SIMD2<Float>) {
            (self.pattern, self.period, self.motion) = (pattern, period, motion)
        }
    }

    static let cases = [
        Case(.stripes, 24, [0, 3]), Case(.stripes, 24, [0, -8]), Case(.stripes, 24, [0, 11]),
        Case(.stripes, 40, [0, -12]), Case(.stripes, 16, [5, 0]), Case(.stripes, 32, [-14, 0]),
        Case(.stripes, 8, [0, 3]), Case(.dots, 24, [-8, 0]), Case(.dots, 20, [-6, 4]), Case(.tiles, 32, [12, 0]),
        Case(.waves, 30, [-9, 0]), Case(.waves, 36, [0, 13]),
    ]

    /// Less than half a period in each pair, for several pairs.
    @Test(arguments: cases) func shorterThanHalfAPeriod(_ tried: Case) throws {
        let (pattern, period, v) = (tried.pattern, tried.period, tried.motion)
        let isVertical = v.x == 0
        let scene = MovingScene { _, x, y, t in
            let (u, w) = (x - v.x * t, y - v.y * t)
            return isVertical ? pattern.value(w, u, period: period) : pattern.value(u, w, period: period)
        }
        let axis: SIMD2<Float>? = pattern == .stripes ? (isVertical ? [0, 1] : [1, 0]) : nil
        let share = try Self.worstShare(try Self.frames(4, scene), along: axis) { _, _, _ in v }
        #expect(share > 0.97)
    }

    @Test func diagonalStripesOfLargerFrames() throws {
        let normal: SIMD2<Float> = [0.6, 0.8]
        let scene = MovingScene { _, x, y, t in
            Pattern.stripes.value(x * normal.x + y * normal.y - 9 * t, 0, period: 28)
        }
        let share = try Self.worstShare(try Self.frames(3, scene), quick, along: normal) { _, _, _ in 9 * normal }
        #expect(share > 0.97)
    }

    @Test func noise() throws {
        let scene = MovingScene { _, x, y, t in
            Pattern.stripes.value(y + 8 * t, 0, period: 24) + 5 * sampleNoise(x, y, seed: Int(t) + 1)
        }
        let share = try Self.worstShare(try Self.frames(3, scene), along: [0, 1]) { _, _, _ in [0, -8] }
        #expect(share > 0.95)
    }

    /// An object that moves otherwise keeps its motion.
    @Test func objectOverStripes() throws {
        let paint = NoiseTexture(seed: 8), u: SIMD2<Float> = [9, 3]
        @Sendable func isObject(_ x: Float, _ y: Float, _ t: Float, grow: Float = 0) -> Bool {
            max(abs(x - u.x * t - 150), abs(y - u.y * t - 100)) < 36 + grow
        }
        let scene = MovingScene { _, x, y, t in
            isObject(x, y, t)
                ? paint.value(x - u.x * t, y - u.y * t) : Pattern.stripes.value(y + 8 * t, 0, period: 24)
        }
        let frames = try Self.frames(3, scene)
        let ground = try Self.worstShare(frames, along: [0, 1]) { pair, x, y in
            isObject(x, y, Float(pair), grow: 16) || isObject(x, y, Float(pair) + 1, grow: 16) ? nil : [0, -8]
        }
        let object = try Self.worstShare(frames) { pair, x, y in
            isObject(x, y, Float(pair), grow: -14) && isObject(x, y, Float(pair) + 1, grow: -14) ? u : nil
        }
        #expect(ground > 0.95)
        #expect(object > 0.9)
    }

    /// What is painted on the stripes tells their motion, even if it is longer than half a period.
    @Test func markOnStripes() throws {
        let paint = NoiseTexture(seed: 8)
        let scene = MovingScene { _, x, y, t in
            let w = y + 17 * t
            return max(abs(x - 150), abs(w - 130)) < 40 ? paint.value(x, w) : Pattern.stripes.value(w, 0, period: 24)
        }
        let share = try Self.worstShare(try Self.frames(3, scene), along: [0, 1]) { _, _, _ in [0, -17] }
        #expect(share > 0.9)
    }

    /// Motion that grows beyond half a period is continued.
    @Test func growingMotion() throws {
        let places: [Float] = [0, 6, 14, 24, 36, 50]
        let scene = MovingScene { _, _, y, t in Pattern.stripes.value(y - places[Int(t)], 0, period: 24) }
        let share = try Self.worstShare(try Self.frames(places.count, scene), along: [0, 1]) { pair, _, _ in
            [0, places[pair + 1] - places[pair]]
        }
        #expect(share > 0.95)
    }

    @Test func sameBitsWithAnyNumberOfThreads() throws {
        let scene = MovingScene { _, x, y, t in Pattern.stripes.value(y + 8 * t, 0, period: 24) }
        let frames = try Self.frames(2, scene)
        let one = try estimate(frames[0], frames[1], threads: 1), three = try estimate(frames[0], frames[1], threads: 3)
        #expect(one.forward.hasSameMotion(as: three.forward) && one.backward.hasSameMotion(as: three.backward))
    }
}
