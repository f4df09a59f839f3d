import FrameCore
import Motion
import TestSupport
import Testing

/// The motion of content that one frame of a pair does not show.
@Suite struct OcclusionFillTests {
    private static let front = NoiseTexture(seed: 41), behind = NoiseTexture(seed: 42)
    private static let width = 320, height = 240

    /// A bright disc over a dark background, moving apart fast; the background leaves the picture to the left.
    private static func scene() -> MovingScene {
        MovingScene { _, x, y, t in
            let dx = x - 150 - 22 * t, dy = y - 120
            return dx * dx + dy * dy < 3600
                ? 150 + front.value(x - 22 * t, y) * 0.4 : behind.value(x + 11 * t, y) * 0.45
        }
    }

    private static func covered(_ x: Float, _ y: Float) -> Bool {
        let dx = x - 150, dy = y - 120
        guard dx * dx + dy * dy > 68 * 68 else { return false }
        // Background that the disc covers in the next frame.
        let ex = x - 11 - 172
        return ex * ex + dy * dy < 54 * 54
    }

    private static func pictures() throws -> (a: LumaPyramid, b: LumaPyramid) {
        let gray = try PixelFormat(subsampling: .monochrome, bitDepth: 8)
        let scene = scene()
        return (
            try LumaPyramid(scene.picture(0, gray, width: width, height: height), context: .init(threads: 2)),
            try LumaPyramid(scene.picture(1, gray, width: width, height: height), context: .init(threads: 2))
        )
    }

    private static func fill(_ raw: MotionPair, _ a: LumaPyramid, _ b: LumaPyramid, threads: Int = 2) -> MotionPair {
        raw.filled(
            a, b,
            consistencyErrors: (
                raw.forward.consistencyError(with: raw.backward, context: .init(threads: threads)),
                raw.backward.consistencyError(with: raw.forward, context: .init(threads: threads))
            ), context: .init(threads: threads))
    }

    @Test(arguments: [fine, quick]) func whatIsCoveredMovesWithTheGround(_ effort: MotionEffort) throws {
        let (a, b) = try Self.pictures()
        let raw = MotionEstimator(effort: effort, context: .init(threads: 2)).estimate(a, b, previous: nil)
        let filled = Self.fill(raw, a, b)
        func errors(_ pair: MotionPair) -> EndPointErrors {
            EndPointErrors(pair.forward, level: pair.level) { x, y in Self.covered(x, y) ? [-11, 0] : nil }
        }
        #expect(errors(filled).count > 10)
        #expect(errors(filled).mean * 2 < errors(raw).mean)
        // Cells of 8 pixels leave little room between the disc and the background.
        #expect(errors(filled).quantile(effort == fine ? 0.8 : 0.3) < (effort == fine ? 1 : 2))
        #expect(errors(raw).quantile(0.1) > 20, "the scene has nothing to fill")
    }

    @Test(arguments: [fine, quick]) func whatLeavesMovesWithItsSurroundings(_ effort: MotionEffort) throws {
        let (a, b) = try Self.pictures()
        let filled = Self.fill(
            MotionEstimator(effort: effort, context: .init(threads: 2)).estimate(a, b, previous: nil), a, b)
        let leaving = EndPointErrors(filled.forward, level: filled.level) { x, _ in x < 9 ? [-11, 0] : nil }
        #expect(leaving.quantile(0.9) < 0.5)
        let entering = EndPointErrors(filled.backward, level: filled.level) { x, _ in
            x > Float(Self.width - 10) ? [11, 0] : nil
        }
        #expect(entering.quantile(0.9) < 0.5)
    }

    /// Consistent cells that stay inside the picture are unchanged, bit for bit.
    @Test func whatIsSeenStays() throws {
        let (a, b) = try Self.pictures()
        let raw = MotionEstimator(effort: fine, context: .init(threads: 2)).estimate(a, b, previous: nil)
        let errors = raw.forward.consistencyError(with: raw.backward, context: .init(threads: 2))
        let filled = Self.fill(raw, a, b)
        var kept = 0, changed = 0
        for y in 0..<errors.rows {
            for x in 0..<errors.columns {
                let same = filled.forward.vectors[x, y] == raw.forward.vectors[x, y]
                if errors[x, y] == 0 && x > 5 && x < errors.columns - 6 {
                    #expect(same, "cell \(x), \(y)")
                    kept += 1
                }
                if !same { changed += 1 }
            }
        }
        #expect(kept > 500 && changed > 50)
    }

    @Test func threadsMakeNoDifference() throws {
        let (a, b) = try Self.pictures()
        let raw = MotionEstimator(effort: quick, context: .init(threads: 2)).estimate(a, b, previous: nil)
        let wanted = Self.fill(raw, a, b, threads: 1)
        for threads in [2, 5] {
            let filled = Self.fill(raw, a, b, threads: threads)
            #expect(filled.forward.hasSameMotion(as: wanted.forward))
            #expect(filled.backward.hasSameMotion(as: wanted.backward))
        }
    }

    /// Without consistent cells the field stays as found. With sizes that end the pyramid early, nothing beyond it is
    /// read.
    @Test(arguments: [(16, 16), (17, 33), (40, 50), (130, 70)]) func unrelatedPictures(_ size: (Int, Int)) throws {
        let gray = try PixelFormat(subsampling: .monochrome, bitDepth: 8)
        let p = try (0..<2).map {
            try LumaPyramid(GeneratedPicture.texture(gray, width: size.0, height: size.1, seed: $0), context: .serial)
        }
        for effort in [fine, quick] {
            let raw = MotionEstimator(effort: effort, context: .init(threads: 2)).estimate(p[0], p[1], previous: nil)
            let filled = Self.fill(raw, p[0], p[1])
            // A filled vector is never longer than the longest matched one.
            func extent(_ field: MotionVectorField) -> Int32 {
                var most: Int32 = 0
                for y in 0..<field.rows {
                    for x in 0..<field.columns { most = max(most, field.vectors[x, y].distance(to: .zero)) }
                }
                return most
            }
            #expect(extent(filled.forward) <= extent(raw.forward))
            #expect(extent(filled.backward) <= extent(raw.backward))
        }
    }

    /// Motion is not interpolated between two different motions, but it is within one.
    @Test func samplingKeepsEdges() {
        let field = MotionVectorField(width: 16, height: 8)
        for y in 0..<2 {
            field.vectors[0, y] = [0, 0]
            field.vectors[1, y] = [16, -8]
            field.vectors[2, y] = [320, 0]
            field.vectors[3, y] = [320, 0]
        }
        #expect(field.sampleKeepingEdges(x: 64, y: 64) == field.sample(x: 64, y: 64))
        #expect(field.sampleKeepingEdges(x: 128 + 63, y: 0) == [16, -8])
        #expect(field.sampleKeepingEdges(x: 128 + 64, y: 0) == [320, 0])
        #expect(field.sampleKeepingEdges(x: -900, y: 9000) == [0, 0])
    }
}
