import FrameCore
import FrameEffects
import Motion
import TestSupport
import Testing

@Suite struct InterpolationMapsTests {
    /// Both fields move everything 64 samples to the right, so half-way nothing arrives in the first 32 columns.
    @Test func holesAreWhereNothingArrives() throws {
        let (width, height) = (161, 97)
        let dense = try DenseFlow(
            width: width, height: height, vectors: Array(repeating: [64, 0], count: width * height))
        let flow = try OpticalFlow(forward: dense, backward: dense)
        let holes = InterpolationMaps(flow, phase: 0.5, context: .init(threads: 2)).holes()
        #expect(holes.count == width * height)
        for (index, value) in holes.enumerated() where index % width != 32 {
            #expect(value == (index % width < 32 ? 255 : 0), "column \(index % width)")
        }
    }

    /// A square moves 40 samples to the right over still ground: what it uncovers comes from the second picture, what it is
    /// about to cover from the first, and everything else from both.
    @Test func weightsFollowWhatEachPictureShows() throws {
        let (width, height) = (320, 200)
        let ground = NoiseTexture(seed: 3), thing = NoiseTexture(seed: 8)
        let scene = MovingScene { plane, x, y, t in
            let left = 100 + 40 * t
            let isThing = x >= left && x < left + 80 && y >= 60 && y < 140
            return plane > 0 ? 128 : isThing ? thing.value(x - left, y) : ground.value(x, y)
        }
        let a = try scene.picture(0, width: width, height: height),
            b = try scene.picture(1, width: width, height: height)
        let flow = try OpticalFlowEngine(width: width, height: height, quality: .normal, context: .init(threads: 2))
            .flow(from: a, to: b, relation: .none)
        let weights = try InterpolationMaps(flow, phase: 0.5, context: .init(threads: 2)).weights(a, b)
        func mean(_ columns: Range<Int>) -> Double {
            let values = (70..<130).flatMap { y in columns.map { Double(weights[y * width + $0]) } }
            return values.reduce(0, +) / Double(values.count)
        }
        #expect(mean(104..<116) > 200)
        #expect(mean(204..<216) < 55)
        #expect(abs(mean(140..<180) - 128) < 8)
        #expect(abs(mean(20..<80) - 128) < 8)
    }
}
