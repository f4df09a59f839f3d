import FrameAnalysis
import FrameCore
import TestSupport
import Testing

/// Transitions in which parts of two scenes lie side by side.
@Suite struct MovingTransitionTests {
    enum Kind: String, CaseIterable {
        case wipe, push
    }

    /// Scene 0 to frame 29, a transition to frame 49, scene 3 to frame 79.
    private func clip(_ kind: Kind, _ index: Int) throws -> PixelBuffer {
        let (a, b) = (try DrawnPicture.scene(0), try DrawnPicture.scene(3))
        if index < 30 { return a }
        if index >= 50 { return b }
        let edge = (DrawnPicture.width - DrawnPicture.width * (index - 29) / 21) & ~1
        return try DrawnPicture.beside(a, b, edge: edge, offset: kind == .push ? edge : 0)
    }

    @Test(arguments: Kind.allCases)
    func noPickIsInTheMiddle(kind: Kind) throws {
        var selector = try ThumbnailSelector(.init(count: 6, duration: MediaTime(value: 80, timescale: 25)))
        for index in 0..<80 { try selector.append(DrawnPicture.frame(clip(kind, index), index)) }
        let picks = try selector.finish().picks.map { Int($0.time.value) }
        #expect(picks.contains { $0 < 33 } && picks.contains { $0 > 46 }, "\(picks)")
        #expect(!picks.contains { (33...46).contains($0) }, "\(picks)")
    }
}
