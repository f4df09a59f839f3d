import FrameAnalysis
import FrameCore
import TestSupport
import Testing

/// Frames that show a subject cut by the edge, a smear in a picture that stands still, or little of anything.
@Suite struct FlawedFrameTests {
    private static let ground = NoiseTexture(seed: 3, finest: 5)
    private static let thing = NoiseTexture(seed: 4, finest: 3)

    /// A textured ground with a brighter disc of another color.
    private func disc(x cx: Float, y cy: Float, pan: Float = 0, contrast: Float = 0.4) throws -> PixelBuffer {
        try GeneratedPicture.draw(.yuv420p8, width: DrawnPicture.width, height: DrawnPicture.height) { plane, x, y in
            let scale = plane == 0 ? 1 : 2
            let (px, py) = (Float(x * scale), Float(y * scale))
            let isInside = (px - cx) * (px - cx) + (py - cy) * (py - cy) < 36 * 36
            guard plane == 0 else { return isInside ? (plane == 1 ? 90 : 175) : 128 }
            return Int(
                isInside
                    ? 170 + 0.5 * (Self.thing.value(px - cx, py - cy) - 128)
                    : 90 + contrast * (Self.ground.value(px - pan, py) - 128))
        }
    }

    private func candidate(_ buffer: PixelBuffer, _ index: Int) -> Candidate {
        Candidate(AnalysisPicture(DrawnPicture.frame(buffer, index)))
    }

    @Test(arguments: [(Float(60), Float(4)), (Float(250), Float(0)), (Float(6), Float(100)), (Float(318), Float(80))])
    func aDiscCutByTheEdgeCostsAndAWholeOneDoesNot(x: Float, y: Float) throws {
        let whole: [(Float, Float)] = [(90, 80), (120, 90), (150, 110), (180, 100), (210, 90), (230, 80), (200, 100)]
        let places = whole + [(x, y)]
        let found = Candidate.compared(
            try places.enumerated().map { candidate(try disc(x: $1.0, y: $1.1), $0) })
        #expect(found.dropLast().allSatisfy { !$0.objections.isFlawed })
        let cut = try #require(found.last)
        #expect(cut.objections.isCutByEdge && cut.objections.flawPenalty > 0.1, "\(cut.objections.edgeCut)")
        #expect(cut.reasons.contains("something is cut by the edge"))
        #expect(!Candidate.mostDiverse(found, count: 8, threshold: 0).contains(7))
    }

    @Test func oneDiscCutInAllFramesCostsNothing() throws {
        let found = Candidate.compared(try (0..<8).map { candidate(try disc(x: 100 + 0.2 * Float($0), y: 5), $0) })
        #expect(found.allSatisfy { !$0.objections.isCutByEdge }, "\(found.map(\.objections.edgeCut))")
    }

    @Test func aPanHasNothingUnusualAtItsBorder() throws {
        let found = Candidate.compared(
            try (0..<8).map { candidate(try disc(x: 160, y: 96, pan: Float(9 * $0)), $0) })
        #expect(found.allSatisfy { !$0.objections.isFlawed }, "\(found.map(\.objections.edgeCut))")
    }

    @Test func emptyFramesOfASceneCost() throws {
        let pictures = try (0..<9).map { try disc(x: $0 < 6 ? 160 : -90, y: 96, contrast: $0 < 6 ? 0.4 : 0.05) }
        let found = Candidate.compared(pictures.enumerated().map { candidate($1, $0) })
        #expect(found.map(\.objections.isEmpty) == (0..<9).map { $0 >= 6 })
        #expect(found[8].reasons.contains("little to see") && !found[0].reasons.contains("little to see"))
    }

    /// A still picture with a dark thing that moves fast and has soft outlines up to frame `stop`, then stands.
    private func select(stop: Int) throws -> ThumbnailSelection {
        var selector = try ThumbnailSelector(.init(count: 3, duration: MediaTime(value: 48, timescale: 25)))
        for index in 0..<48 {
            let isMoving = index < stop
            let middle = isMoving ? 40 + 55 * (index % 5) : 160
            let still = try DrawnPicture.scene(1)
            let buffer = try DrawnPicture.changed(still) { x, y, value in
                guard abs(x - middle) < 40, y >= 40, y < 160 else { return value(x, y) }
                if !isMoving { return 20 + Int(0.3 * Self.thing.value(Float(x), Float(y))) }
                let share = min(1, 2 - Float(abs(x - middle)) / 20)
                return Int(30 * share + Float(value(x, y)) * (1 - share))
            }
            try selector.append(DrawnPicture.frame(buffer, index))
        }
        return try selector.finish()
    }

    @Test func aSmearInAStillPictureIsNoticed() throws {
        let later = try select(stop: 24).picks
        #expect(!later.isEmpty && later.allSatisfy { $0.time.value >= 23 }, "\(later.map(\.time))")
        #expect(later.allSatisfy { !$0.reasons.contains("a moving part is blurred") })
        let smeared = try #require(try select(stop: 48).picks.first)
        #expect(smeared.reasons.contains("a moving part is blurred"))
        #expect(smeared.cues[.stillness] < 0.5)
    }

    @Test func aPoorFrameIsNoFurtherPick() {
        let frames = [(0.5, 0), (-0.9, 120), (0.1, 240)].enumerated().map { index, frame in
            Candidate(
                time: MediaTime(value: Int64(index), timescale: 1), score: AestheticsScore(overall: Float(frame.0)),
                print: FeaturePrintObservation(
                    time: .zero, duration: nil, revision: 1, bytes: [UInt8](repeating: UInt8(frame.1), count: 594)))
        }
        #expect(Candidate.mostDiverse(frames, count: 3, threshold: 0) == [0, 2])
        #expect(Candidate.mostDiverse(Array(frames[1...1]), count: 3, threshold: 0) == [0])
    }
}
