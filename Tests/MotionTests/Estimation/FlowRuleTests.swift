import FrameCore
import Motion
import TestSupport
import Testing

/// Properties of the flow of every pair of pictures.
@Suite struct FlowRuleTests {
    static let sizes = [(16, 16), (17, 33), (50, 50), (64, 16), (16, 200), (131, 67), (255, 129)]

    private static func pictures(_ width: Int, _ height: Int) throws -> [PixelBuffer] {
        let gray = try PixelFormat(subsampling: .monochrome, bitDepth: 8)
        return try [
            MovingScene.translation(0, 0).picture(0, gray, width: width, height: height),
            GeneratedPicture.texture(gray, width: width, height: height),
            GeneratedPicture.flat(77, gray, width: width, height: height),
            GeneratedPicture.draw(gray, width: width, height: height) { _, x, y in (x / 2 + y / 2) & 1 * 255 },
            GeneratedPicture.draw(gray, width: width, height: height) { _, x, _ in x % 12 < 6 ? 0 : 255 },
        ]
    }

    @Test(arguments: sizes, [fine, quick]) func identicalFramesStandStill(_ size: (Int, Int), _ effort: MotionEffort)
        throws
    {
        for picture in try Self.pictures(size.0, size.1) {
            let pair = try estimate(picture, picture, effort)
            #expect(pair.forward.isStill && pair.backward.isStill)
            let scale = 4 << pair.level
            #expect(pair.forward.columns == (size.0 + scale - 1) / scale)
            #expect(pair.forward.rows == (size.1 + scale - 1) / scale)
        }
    }

    /// Small pictures have few or no coarser levels, but motion of a few pixels is still found.
    @Test(arguments: sizes) func smallAndOddSizes(_ size: (Int, Int)) throws {
        let v: SIMD2<Float> = [2, -1.5]
        let pair = try estimate(.translation(v.x, v.y, seed: 14), width: size.0, height: size.1)
        let errors = EndPointErrors(pair.forward, level: 0) { x, y in
            x > 4 && y > 5 && x < Float(size.0) - 6 && y < Float(size.1) - 4 ? v : nil
        }
        #expect(errors.mean < 0.25)
    }

    /// Pictures of different bit depths are matched by their content.
    @Test(arguments: [9, 10, 12, 16]) func depthMakesNoDifference(_ depth: Int) throws {
        let pictures = try [8, depth].map { depth in
            let gray = try PixelFormat(subsampling: .monochrome, bitDepth: depth)
            return try [0, 5].map { d in
                try GeneratedPicture.draw(gray, width: 90, height: 70) { _, x, y in
                    Int(NoiseTexture(seed: 2).value(Float(x - d), Float(y)))
                }
            }
        }
        let (plain, deep) = (
            try estimate(pictures[0][0], pictures[0][1]), try estimate(pictures[1][0], pictures[1][1])
        )
        #expect(plain.forward.hasSameMotion(as: deep.forward))
        #expect(plain.backward.hasSameMotion(as: deep.backward))
    }

    @Test(arguments: [fine, quick]) func threadsMakeNoDifference(_ effort: MotionEffort) throws {
        let front = NoiseTexture(seed: 8), behind = NoiseTexture(seed: 9)
        let scene = MovingScene { _, x, y, t in
            let inside = abs(x - 160 - 13 * t) < 50 && abs(y - 120 + 7 * t) < 40
            return (inside ? front.value(x - 13 * t, y + 7 * t) : behind.value(x + 6 * t, y))
                + 2 * sampleNoise(x, y, seed: Int(t))
        }
        let pictures = try (0..<3).map { try scene.picture(Float($0), width: 333, height: 241) }
        func run(_ threads: Int) throws -> [MotionPair] {
            let first = try estimate(pictures[0], pictures[1], effort, threads: threads)
            return [first, try estimate(pictures[1], pictures[2], effort, threads: threads, previous: first)]
        }
        let wanted = try run(1)
        for threads in [2, 5] {
            for (pair, reference) in zip(try run(threads), wanted) {
                #expect(pair.forward.hasSameMotion(as: reference.forward), "\(threads) threads")
                #expect(pair.backward.hasSameMotion(as: reference.backward), "\(threads) threads")
            }
        }
    }

    /// Swapping the pictures swaps the fields.
    @Test func bothWaysAreTheSameSearch() throws {
        let scene = MovingScene.translation(7, 3.5, seed: 2)
        let a = try scene.picture(0, width: 150, height: 110), b = try scene.picture(1, width: 150, height: 110)
        let pair = try estimate(a, b), swapped = try estimate(b, a)
        #expect(pair.forward.hasSameMotion(as: swapped.backward))
        #expect(pair.backward.hasSameMotion(as: swapped.forward))
    }

    /// Where nothing matches, vectors still stay within what can be represented and read.
    @Test(arguments: [(16, 16), (70, 45), (320, 200)]) func unrelatedPictures(_ size: (Int, Int)) throws {
        let gray = try PixelFormat(subsampling: .monochrome, bitDepth: 8)
        let pictures = try (0..<2).map { try GeneratedPicture.texture(gray, width: size.0, height: size.1, seed: $0) }
        let pair = try estimate(pictures[0], pictures[1])
        for field in [pair.forward, pair.backward] {
            for y in 0..<field.rows {
                for x in 0..<field.columns {
                    let v = field.vectors[x, y]
                    #expect(abs(Int(v.x)) <= 32 * (size.0 + 48) && abs(Int(v.y)) <= 32 * (size.1 + 48))
                }
            }
        }
    }
}
