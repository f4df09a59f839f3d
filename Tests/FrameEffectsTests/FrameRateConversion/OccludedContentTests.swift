import FrameCore
import FrameEffects
import Motion
import TestSupport
import Testing

/// Content that one frame of a pair hides: the frames around the pair show how it moves.
@Suite struct OccludedContentTests {
    /// Two walls that close in front of a background that moves down: the gap between them is 36 samples wide in the first
    /// frame of the pair and 12 in the second. Everything moves at constant speed.
    private static let scene: MovingScene = {
        let back = NoiseTexture.planes(51), left = NoiseTexture.planes(52), right = NoiseTexture.planes(53)
        return MovingScene { plane, x, y, t in
            if x < 170 + 12 * t { return left[plane].value(x - 12 * t, y) }
            if x >= 230 - 12 * t { return right[plane].value(x + 12 * t, y) }
            return back[plane].value(x, y - 13 * t)
        }
    }()

    private static func engine(_ picture: PixelBuffer, _ quality: QualityPrioritization) throws
        -> FrameRateConversionEngine
    {
        try FrameRateConversionEngine(
            format: picture.format, width: picture.width, height: picture.height, quality: quality,
            context: .init(threads: 2))
    }

    @Test(arguments: QualityPrioritization.allCases, [Float(0.25), 0.5]) func framesAroundShowIt(
        _ quality: QualityPrioritization, phase: Float
    ) throws {
        let frames = try (0..<4).map { try Self.scene.picture(Float($0), width: 400, height: 240) }
        let truth = try Self.scene.picture(1 + phase, width: 400, height: 240)
        func psnr(_ neighbours: NeighbouringPairs) throws -> Double {
            let engine = try Self.engine(frames[0], quality)
            _ = try engine.interpolate(from: frames[0], to: frames[1], phases: [], relation: .none)
            let made = try engine.interpolate(
                from: frames[1], to: frames[2], phases: [phase], relation: .follows,
                upcoming: [UpcomingFrame(frames[3], .follows)], neighbours: neighbours
            ).pictures[0]
            return PictureDifference(made, truth) { x, y in 192..<208 ~= x && 16..<224 ~= y }.psnr
        }
        let alone = try psnr(.none), around = try psnr(NeighbouringPairs(before: true, after: true))
        #expect(around > alone + 0.5)
    }

    /// Motion that is given for a pair after frames have been made from it is used.
    @Test func motionGivenLaterIsUsed() throws {
        let frames = try (0..<4).map { try Self.scene.picture(Float($0), width: 320, height: 200) }
        let still = try OpticalFlow(
            forward: FlowField(width: 320, height: 200), backward: FlowField(width: 320, height: 200))
        func made(after first: [Float]) throws -> PixelBuffer {
            let engine = try Self.engine(frames[0], .normal)
            _ = try engine.interpolate(from: frames[0], to: frames[1], phases: [], relation: .none)
            func frame(_ phases: [Float], _ relation: PairRelation, _ flow: OpticalFlow?) throws -> [PixelBuffer] {
                try engine.interpolate(
                    from: frames[1], to: frames[2], phases: phases, relation: relation, flow: flow,
                    upcoming: [UpcomingFrame(frames[3], .follows)],
                    neighbours: NeighbouringPairs(before: true, after: true)
                ).pictures
            }
            _ = try frame(first, .follows, nil)
            return try frame([0.5], .samePair, still)[0]
        }
        #expect(try made(after: [0.5]).hasSameSamples(as: made(after: [])))
    }
}
