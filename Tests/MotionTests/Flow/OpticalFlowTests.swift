import FrameCore
import Foundation
import Motion
import TestSupport
import Testing

/// Computes the flow of a scene from time 0 to 1.
func flowOf(
    _ scene: MovingScene, width: Int, height: Int, _ effort: MotionEffort = fine, threads: Int = 2
) throws -> OpticalFlow {
    let gray = try PixelFormat(subsampling: .monochrome, bitDepth: 8)
    let pyramids = try (0...1).map {
        try LumaPyramid(scene.picture(Float($0), gray, width: width, height: height), context: .init(threads: threads))
    }
    let motion = MotionEstimator(effort: effort, context: .init(threads: threads)).estimate(
        pyramids[0], pyramids[1], previous: nil)
    return OpticalFlow(
        width: width, height: height, motion: motion, a: pyramids[0], b: pyramids[1], context: .init(threads: threads))
}

/// A textured object that moves over a textured background.
struct TwoLayers {
    let width = 400, height = 300
    let front: SIMD2<Float>
    let ground: SIMD2<Float>

    func isFront(_ x: Float, _ y: Float, _ t: Float, grow: Float = 0) -> Bool {
        abs(x - front.x * t - 200) < 70 + grow && abs(y - front.y * t - 150) < 60 + grow
    }

    func flow(_ effort: MotionEffort, threads: Int = 2) throws -> OpticalFlow {
        let paint = NoiseTexture(seed: 8), behind = NoiseTexture(seed: 9)
        let layers = self
        let scene = MovingScene { _, x, y, t in
            layers.isFront(x, y, t)
                ? paint.value(x - layers.front.x * t, y - layers.front.y * t)
                : behind.value(x - layers.ground.x * t, y - layers.ground.y * t)
        }
        return try flowOf(scene, width: width, height: height, effort, threads: threads)
    }
}

@Suite struct OpticalFlowTests {
    @Test(arguments: [fine, quick]) func hiddenCellsAreKnown(_ effort: MotionEffort) throws {
        let layers = TwoLayers(front: [20, -6], ground: [-8, 3])
        let field = try layers.flow(effort).forward
        let side = Float(field.cellSide)
        var hidden: [Float] = [], seen: [Float] = [], seenTrust: [Float] = [], hiddenTrust: [Float] = []
        for row in 0..<field.rows {
            for column in 0..<field.columns {
                let x = (Float(column) + 0.5) * side - 0.5, y = (Float(row) + 0.5) * side - 0.5
                let g = layers.ground
                let isGround = !layers.isFront(x, y, 0, grow: 12), isObject = layers.isFront(x, y, 0, grow: -12)
                let occlusion = field.occlusion(column: column, row: row)
                let trust = field.confidence(column: column, row: row)
                if isGround, layers.isFront(x + g.x, y + g.y, 1, grow: -6) {
                    hidden.append(occlusion)
                    hiddenTrust.append(trust)
                } else if isObject || isGround && !layers.isFront(x + g.x, y + g.y, 1, grow: 12) && x > 24 && y < 280 {
                    seen.append(occlusion)
                    seenTrust.append(trust)
                }
            }
        }
        func mean(_ values: [Float]) -> Float { values.reduce(0, +) / Float(values.count) }
        #expect(hidden.count > 20 && seen.count > 300)
        #expect(mean(hidden) > 0.5 && mean(seen) < 0.03)
        #expect(mean(hiddenTrust) < 0.35 && mean(seenTrust) > 0.85)
    }

    @Test func whatLeavesThePictureIsHidden() throws {
        let scene = MovingScene.translation(-24, 0)
        let flow = try flowOf(scene, width: 256, height: 160)
        for row in 2..<flow.forward.rows - 2 {
            #expect(flow.forward.occlusion(column: 1, row: row) == 1)
            #expect(flow.forward.occlusion(column: 30, row: row) < 0.05)
        }
    }

    @Test func placesAreThoseOfTheSamples() throws {
        // The motion increases by 1 pixel with each cell of 4 samples.
        let ramp = (0..<20 * 36).map { SIMD2(Float($0 % 36 / 4), -0.5) }
        let dense = try DenseFlow(width: 36, height: 20, vectors: ramp)
        let field = try OpticalFlow(forward: dense, backward: dense).forward
        #expect(field.cellSide == 4 && field.columns == 9 && field.rows == 5)
        #expect(field.vector(column: 3, row: 2) == [3, -0.5])
        // The centre of cell 3 is between samples 13 and 14.
        #expect(field.vector(x: 13, y: 9) == [2.875, -0.5] && field.vector(x: 14, y: 9) == [3.125, -0.5])
        #expect(field.vector(x: -5, y: 0) == [0, -0.5] && field.vector(x: 99, y: 99) == [8, -0.5])
        #expect(field.vector(column: 9, row: 0) == .zero && field.occlusion(column: -1, row: 0) == 0)
        let spread = field.dense()
        for (x, y) in [(0, 0), (13, 9), (35, 19)] {
            #expect(spread.vectors[y * 36 + x] == field.vector(x: x, y: y))
        }
    }

    /// Flow from another program is as usable as our own.
    @Test func denseFlowBecomesCells() throws {
        let there = try DenseFlow(width: 50, height: 33, vectors: .init(repeating: [2.5, -1], count: 50 * 33))
        let back = try DenseFlow(width: 50, height: 33, vectors: .init(repeating: [-2.5, 1], count: 50 * 33))
        let flow = try OpticalFlow(forward: there, backward: back)
        #expect(flow.forward.dense() == there && flow.backward.dense() == back)
        #expect(flow.forward.confidence(column: 5, row: 5) == 1)
        #expect(throws: FrameError.self) {
            try OpticalFlow(forward: there, backward: DenseFlow(width: 33, height: 50, vectors: there.vectors))
        }
        let unknown = try DenseFlow(width: 50, height: 33, vectors: .init(repeating: [1e10, 1e10], count: 50 * 33))
        #expect(try OpticalFlow(forward: unknown, backward: back).forward.vector(x: 9, y: 9) == .zero)
        let tiny = try DenseFlow(width: 15, height: 16, vectors: .init(repeating: .zero, count: 240))
        #expect(throws: FrameError.self) { try OpticalFlow(forward: tiny, backward: tiny) }
        let huge = try DenseFlow(width: 16, height: 16, vectors: .init(repeating: [9e8, -9e8], count: 256))
        #expect(try OpticalFlow(forward: huge, backward: huge).forward.vector(x: 8, y: 8) == [1008, -1008])
    }

    /// So many cells land on one cell that a 32-bit sum of their shares would overflow: the cell counts as covered, and
    /// nothing overflows.
    @Test func anyNumberOfCellsMayArriveAtOne() throws {
        let side = 2016, target: Float = 252 * 4
        // Every vector points at cell 252 and the cell to its right, in unequal shares, which also makes the motion
        // inconsistent.
        let vectors = (0..<side * side).map { i in
            SIMD2(target + 1.75 - Float(i % side / 4 * 4), target - Float(i / side / 4 * 4))
        }
        let back = try DenseFlow(width: side, height: side, vectors: vectors)
        let still = try DenseFlow(width: side, height: side, vectors: .init(repeating: .zero, count: side * side))
        let field = try OpticalFlow(forward: still, backward: back).forward
        let covered = field.occlusion(column: 252, row: 252), bare = field.occlusion(column: 200, row: 200)
        #expect(covered > 0.2 && covered < 0.5 && bare > 0.9)
    }

    @Test func fieldsMustBeAlike() throws {
        let small = try FlowField(width: 64, height: 48), wide = try FlowField(width: 65, height: 48)
        #expect(throws: FrameError.self) { try OpticalFlow(forward: small, backward: wide) }
        let flow = try OpticalFlow(forward: small, backward: small)
        #expect(flow.forward.confidence(column: 1, row: 1) == 0 && flow.forward.vector(x: 3, y: 3) == .zero)
        for (width, height) in [(15, 16), (16, 15), (8193, 16), (16, 8193), (0, 0), (-1, 20), (Int.max, Int.max)] {
            #expect(throws: FrameError.self) { try FlowField(width: width, height: height) }
        }
    }
}
