import FrameCore
import Pipeline
import TestSupport
import Testing

@Suite struct NoiseSurveyTests {
    /// The noise of the first `count` frames of a smooth scene.
    private func result(_ count: Int, cuts: [Int] = []) throws -> NoiseSurvey.Result? {
        let scene = MovingScene { plane, x, y, t in
            (plane > 0 ? 128 : 60 + x / 3) + 5 * sampleNoise(x + 1000 * Float(plane), y, seed: Int(t) + 9)
        }
        var survey = NoiseSurvey(context: .init(threads: 2))
        for index in 0..<count {
            let picture = try scene.picture(Float(index), .yuv420p8, width: 160, height: 120)
            try survey.append(
                Frame(buffer: picture, presentationTime: MediaTime(value: Int64(index), timescale: 25)))
        }
        return try survey.result(cuts: cuts)
    }

    /// Clips that are shorter than the window are measured, too.
    @Test(arguments: [2, 3, 6, 7]) func shortClips(count: Int) throws {
        let found = try #require(try result(count))
        #expect(found.frameCount == 1)
        #expect(abs(found.noise.planes[0] - 5) < 1, "\(found.noise.planes)")
    }

    /// A single frame has nothing to compare it with, and frames on both sides of a cut are not compared.
    @Test func nothingToCompare() throws {
        #expect(try result(1) == nil)
        #expect(try result(4, cuts: [2]) == nil)
    }
}
