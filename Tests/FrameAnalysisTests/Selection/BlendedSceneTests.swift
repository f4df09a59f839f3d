import FrameAnalysis
import FrameCore
import Motion
import TestSupport
import Testing

/// Frames that show two scenes over one another, and frames that only seem to.
@Suite struct BlendedSceneTests {
    /// Scene 0 to frame 39, half of each scene from frame 44 to 70, scene 3 from frame 75.
    private func clip(_ index: Int) throws -> PixelBuffer {
        let share = Float(max(0, min(5, index - 39))) / 10 + Float(max(0, min(5, index - 70))) / 10
        let move = 0.2 * Float(index)
        return try DrawnPicture.mixed(
            DrawnPicture.scene(0, shift: move), DrawnPicture.scene(3, shift: -move), share: share)
    }

    @Test func noPickIsFromADissolveThatStopsHalfway() throws {
        var selector = try ThumbnailSelector(.init(count: 6, duration: MediaTime(value: 115, timescale: 25)))
        for index in 0..<115 { try selector.append(DrawnPicture.frame(clip(index), index)) }
        let picks = try selector.finish().picks.map { Int($0.time.value) }
        #expect(picks.contains { $0 < 43 } && picks.contains { $0 > 71 }, "\(picks)")
        #expect(!picks.contains { (43...71).contains($0) }, "\(picks)")
    }

    /// Objections to frames of a stream, as a selector finds them.
    private func objections(_ count: Int, _ draw: (Int) throws -> PixelBuffer) throws -> [Candidate.Objections] {
        var (window, detector) = (SelectionWindow(), SceneCutDetector())
        let store = FrameStore()
        func mark(_ transitions: [Transition]) { for transition in transitions { _ = window.mark(transition) } }
        for index in 0..<count {
            let frame = DrawnPicture.frame(try draw(index), index)
            let signature = FrameSignature(frame.buffer)
            try window.append(frame, signature, mayBeExamined: false, in: store)
            mark(detector.append(signature))
        }
        mark(detector.finish())
        return (0..<count).map {
            var objections = window.objections(to: $0)
            objections.blend = window.blend(at: $0)
            return objections
        }
    }

    @Test func framesAroundADissolveAreNoPartOfIt() throws {
        let found = try objections(115, clip).map(\.isProbablyInTransition)
        #expect(!found[..<32].contains(true) && !found[83...].contains(true), "\(found)")
        // From just before it, the other scene shows on one side only.
        #expect(!found[35..<40].contains(true), "\(found)")
        #expect(!found[46..<68].contains(false), "\(found)")
    }

    @Test(arguments: [Float(3), 7])
    func aPanIsNoTransition(speed: Float) throws {
        let found = try objections(60) { try DrawnPicture.scene(2, shift: speed * Float($0 - 30)) }
        #expect(found.count { $0.isProbablyInTransition } == 0, "\(found.map(\.transition))")
    }

    @Test func motionAndMissingBlackSpeakAgainstATransition() {
        var objections = Candidate.Objections()
        objections.mixture = 0.1
        #expect(objections.isProbablyInTransition)
        objections.explained = 0.7
        #expect(objections.transition == 0)
        objections.isInFade = true
        #expect(objections.transition == 0)
        objections.isInDissolve = true
        #expect(objections.transition == 1)
    }
}
