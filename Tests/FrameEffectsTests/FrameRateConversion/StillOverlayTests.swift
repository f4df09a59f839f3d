import FrameCore
import FrameEffects
import TestSupport
import Testing

/// What stands still in the picture while the ground moves stays as it is in interpolated frames; what only looks equal in
/// both frames while something crosses it does not.
@Suite struct StillOverlayTests {
    /// Letters of 12×20 samples in rows, with an outline.
    struct Caption: Sendable {
        var fill: Float = 235
        var outline: Float = 16
        var rows = 190..<210
        var columns = 40..<280

        /// The strokes of six letters on a grid of 3×5, a row to a number.
        private static let letters: [[Int]] = [
            [7, 4, 6, 4, 7], [5, 5, 7, 5, 5], [4, 4, 4, 4, 7], [7, 2, 2, 2, 2], [7, 5, 7, 4, 4], [7, 4, 7, 1, 7],
        ]

        private func isStroke(_ x: Int, _ y: Int) -> Bool {
            guard rows.contains(y), columns.contains(x) else { return false }
            let left = x - columns.lowerBound, column = left % 17 / 4
            guard column < 3 else { return false }
            return Self.letters[left / 17 * 5 % 6][(y - rows.lowerBound) / 4] >> (2 - column) & 1 == 1
        }

        /// The level at a sample; nil where there is no letter.
        func level(_ x: Int, _ y: Int) -> Float? {
            if isStroke(x, y) { return fill }
            let isBeside = (-1...1).contains { j in (-1...1).contains { isStroke(x + $0, y + j) } }
            return isBeside ? outline : nil
        }

        /// Whether a sample is part of a letter.
        func covers(_ x: Int, _ y: Int) -> Bool { level(x, y) != nil }

        /// Returns a test for samples that are at most 8 away from a letter, but not in one.
        func surroundings(width: Int, height: Int) -> (Int, Int) -> Bool {
            let letters = (0..<width * height).map { covers($0 % width, $0 / width) }
            let wide = letters.indices.map { index in
                let x = index % width
                return letters[index - min(x, 8)...index + min(width - 1 - x, 8)].contains(true)
            }
            return { x, y in
                !letters[y * width + x]
                    && (max(0, y - 8)...min(height - 1, y + 8)).contains { wide[$0 * width + x] }
            }
        }

        /// The caption over a ground that moves by `motion`.
        func scene(_ motion: SIMD2<Float>, seed: Int = 41) -> MovingScene {
            let ground = NoiseTexture.planes(seed)
            return MovingScene { plane, x, y, t in
                // A chroma sample stands for two luma samples in each direction.
                if let level = level(Int(x), Int(y)) { return plane == 0 ? level : 128 }
                return ground[plane].value(x - motion.x * t, y - motion.y * t)
            }
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var subsampling: ChromaSubsampling = .yuv420
        var depth = 8
        var width = 320
        var height = 240
        var motion: SIMD2<Float> = [11, 0]
        var caption = Caption()
        var quality: QualityPrioritization = .normal
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "sideways"), Case(name: "upwards", motion: [0, -9], quality: .quality),
        Case(name: "slowly", motion: [-2.5, 0.5]),
        Case(name: "10 bits", subsampling: .yuv422, depth: 10, motion: [-7.5, 2]),
        Case(name: "odd, 12 bits", subsampling: .yuv444, depth: 12, width: 311, height: 233),
        Case(name: "low contrast", caption: Caption(fill: 160, outline: 100)),
        Case(name: "half-size search", width: 720, height: 480, motion: [14, 6]),
    ]

    @Test(arguments: cases) func aCaptionStays(_ c: Case) throws {
        let format = try PixelFormat(subsampling: c.subsampling, bitDepth: c.depth), scene = c.caption.scene(c.motion)
        func picture(_ time: Float) throws -> PixelBuffer {
            try scene.picture(time, format, width: c.width, height: c.height)
        }
        let a = try picture(0), b = try picture(1)
        let outcome = try interpolate(a, b, [0.25, 0.5], quality: c.quality)
        #expect(outcome.holdsOverlay)
        let isRound = c.caption.surroundings(width: c.width, height: c.height)
        for (phase, made) in zip([Float(0.25), 0.5], outcome.pictures) {
            let truth = try picture(phase)
            let letters = PictureDifference(made, truth) { x, y in c.caption.covers(x, y) }
            #expect(letters.psnr >= 45, "at \(phase)")
            let round = PictureDifference(made, truth, where: isRound)
            let without = PictureDifference(phase < 0.5 ? a : b, truth, where: isRound)
            #expect(round.psnr >= without.psnr + 3, "round the letters at \(phase)")
        }
        let again = try interpolate(a, b, [0.25, 0.5], quality: c.quality, threads: 1)
        #expect(again.pictures.map(\.checksum) == outcome.pictures.map(\.checksum))
    }

    /// The edge of a black bar stands still, but it is no overlay: no ground moves on behind it.
    @Test(arguments: [8, 9, 20], QualityPrioritization.allCases)
    func barsAreNoOverlay(_ bar: Int, _ quality: QualityPrioritization) throws {
        let ground = NoiseTexture.planes(47), caption = Caption()
        for isColumn in [true, false] {
            let motion: SIMD2<Float> = isColumn ? [11, 0] : [11, 1]
            func scene(_ hasCaption: Bool) -> MovingScene {
                MovingScene { plane, x, y, t in
                    let place = isColumn ? x : y, end: Float = isColumn ? 320 : 240
                    if place < Float(bar) || place >= end - Float(bar) {
                        return (plane == 0 ? 17 : 128) + 2 * sampleNoise(x, y, seed: Int(t * 7) + plane)
                    }
                    if hasCaption, let level = caption.level(Int(x), Int(y)) { return plane == 0 ? level : 128 }
                    return ground[plane].value(x - motion.x * t, y - motion.y * t)
                }
            }
            func made(_ hasCaption: Bool) throws -> FrameRateConversionEngine.Outcome {
                let frames = try [0, 1].map { try scene(hasCaption).picture($0, width: 320, height: 240) }
                return try interpolate(frames[0], frames[1], quality: quality)
            }
            let plain = try made(false), titled = try made(true)
            #expect(!plain.holdsOverlay && titled.holdsOverlay)
            let truth = try scene(true).picture(0.5, width: 320, height: 240)
            #expect(PictureDifference(titled.pictures[0], truth) { caption.covers($0, $1) }.psnr >= 45)
        }
    }

    /// A caption inside a bar does not make the bar a part of the picture.
    @Test(arguments: QualityPrioritization.allCases) func barsWithCaptions(_ quality: QualityPrioritization) throws {
        let ground = NoiseTexture.planes(48), caption = Caption()
        let scene = MovingScene { plane, x, y, t in
            if let level = caption.level(Int(x), Int(y)) { return plane == 0 ? level : 128 }
            return y >= 180 ? (plane == 0 ? 16 : 128) : ground[plane].value(x - 7 * t, y)
        }
        let outcome = try interpolate(
            scene.picture(0, width: 320, height: 240), scene.picture(1, width: 320, height: 240), quality: quality)
        #expect(!outcome.holdsOverlay)
        let truth = try scene.picture(0.5, width: 320, height: 240)
        #expect(PictureDifference(outcome.pictures[0], truth) { _, y in y > 186 }.psnr > 60)
    }

    /// Coding errors differ from frame to frame; an overlay has the mean of both.
    @Test func aCodedCaptionStays() throws {
        let caption = Caption(), clean = caption.scene([11, 0])
        func coded(_ time: Float) throws -> PixelBuffer {
            let noisy = MovingScene { plane, x, y, t in
                clean.level(plane, x, y, t) + 3 * sampleNoise(x, y, seed: Int(t) * 3 + plane + 5)
            }
            return try noisy.picture(time, width: 320, height: 240)
        }
        let outcome = try interpolate(coded(0), coded(1), quality: .normal)
        let truth = try clean.picture(0.5, width: 320, height: 240)
        #expect(PictureDifference(outcome.pictures[0], truth) { x, y in caption.covers(x, y) }.psnr >= 39)
    }

    /// The ground under letters is known from the pair before when it is not shown by the pair itself.
    @Test func theGroundUnderLettersIsRemembered() throws {
        let caption = Caption(), scene = caption.scene([9, 0])
        func picture(_ time: Float) throws -> PixelBuffer { try scene.picture(time, width: 320, height: 240) }
        let engine = try FrameRateConversionEngine(
            format: .yuv420p8, width: 320, height: 240, quality: .normal, context: .init(threads: 2))
        let isRound = caption.surroundings(width: 320, height: 240)
        func round(_ made: PixelBuffer, _ time: Float) throws -> Double {
            PictureDifference(made, try picture(time), where: isRound).psnr
        }
        var made: PixelBuffer?
        for frame in 0..<4 {
            made = try engine.interpolate(
                from: picture(Float(frame)), to: picture(Float(frame + 1)), phases: [0.5],
                relation: frame == 0 ? .none : .follows
            ).pictures.first
        }
        let alone = try interpolate(picture(3), picture(4), quality: .normal).pictures[0]
        #expect(try round(#require(made), 3.5) > round(alone, 3.5) + 1)
    }

    static let crossings: [(name: String, scene: MovingScene)] = {
        let ground = NoiseTexture.planes(43)
        func crossed(
            _ dx: Float, by level: @escaping @Sendable (_ x: Float, _ y: Float, _ time: Float) -> Float?
        ) -> MovingScene {
            MovingScene { plane, x, y, t in
                level(x, y, t).map { plane == 0 ? $0 : 128 } ?? ground[plane].value(x - dx * t, y)
            }
        }
        return [
            ("bar", crossed(0) { x, _, t in abs(x - 110 - 80 * t) < 4 ? 230 : nil }),
            ("bar over a pan", crossed(6) { x, _, t in abs(x - 110 - 80 * t) < 4 ? 230 : nil }),
            (
                "ball",
                crossed(0) { x, y, t in
                    let u = x - 100 - 60 * t, v = y - 120 - 20 * t
                    return u * u + v * v < 100 ? 235 : nil
                }
            ),
            (
                "ball over a pan",
                crossed(-5) { x, y, t in
                    let u = x - 100 - 60 * t, v = y - 120 - 20 * t
                    return u * u + v * v < 100 ? 235 : nil
                }
            ),
            (
                "blades",
                crossed(0) { x, y, t in
                    // A cross that turns by about eleven degrees.
                    let u = x - 160 + 0.2 * t * (y - 120), v = y - 120 - 0.2 * t * (x - 160)
                    return u * u + v * v < 8000 && min(abs(u), abs(v)) < 8 ? 230 : nil
                }
            ),
            ("pan", crossed(8) { _, _, _ in nil }),
        ]
    }()

    @Test(arguments: crossings.indices) func nothingElseIsHeld(_ index: Int) throws {
        let scene = Self.crossings[index].scene
        let outcome = try interpolate(
            scene.picture(0, width: 320, height: 240), scene.picture(1, width: 320, height: 240), quality: .normal)
        #expect(!outcome.holdsOverlay, "\(Self.crossings[index].name)")
    }
}
