import FrameCore
import Motion
import TestSupport
import Testing

@Suite struct SceneBlendTests {
    private func grid(_ buffer: PixelBuffer) -> BlendGrid { BlendGrid(FrameSignature(buffer)) }

    private func blend(_ before: [PixelBuffer], _ middle: PixelBuffer, _ after: [PixelBuffer]) -> SceneBlend {
        SceneBlend(grid(middle), before: before.map(grid), after: after.map(grid))
    }

    @Test(arguments: [Float(0.25), 0.5, 0.75])
    func aFrameOfTwoScenesIsABlendHoweverFarTheyAre(share: Float) throws {
        let (a, b) = (try DrawnPicture.scene(0), try DrawnPicture.scene(3))
        let both = try DrawnPicture.mixed(a, b, share: share)
        // The nearest frames are those of a dissolve that has stopped.
        let found = blend([both, both, a], both, [both, b])
        #expect(found.visibleResidual < 0.02 && found.isVisible, "\(found)")
        // The scenes go on meanwhile.
        let moved = blend([both, try DrawnPicture.scene(0, shift: 3)], both, [try DrawnPicture.scene(3, shift: 3)])
        #expect(moved.isVisible, "\(moved)")
    }

    @Test func wipesCutsStillsAndMotionAreNoBlends() throws {
        let (a, b) = (try DrawnPicture.scene(0), try DrawnPicture.scene(3))
        #expect(!blend([a], try DrawnPicture.beside(a, b, edge: 160, offset: 0), [b]).isVisible)
        #expect(!blend([a, a], a, [b, b]).isVisible)
        #expect(!blend([a, b], b, [b, b]).isVisible)
        #expect(blend([a, a], a, [a, a]) == SceneBlend())
        for speed in [Float(2), 8, 24] {
            let frames = try (0..<5).map { try DrawnPicture.scene(1, shift: speed * Float($0)) }
            #expect(!blend(Array(frames[..<2]), frames[2], Array(frames[3...])).isVisible, "\(speed)")
        }
    }

    /// Each frame of a scene that slowly brightens is a mean of its neighbours, but does not show two scenes.
    @Test func smallChangesOfLightAreNotVisible() throws {
        let frames = try [0.96, 1, 1.04].map { try DrawnPicture.lit(DrawnPicture.scene(1), gain: $0) }
        let found = blend([frames[0]], frames[1], [frames[2]])
        #expect(found.residual < 0.15 && !found.isVisible, "\(found)")
    }

    @Test func framesOfOtherSizesAreNotCompared() throws {
        let small = try GeneratedPicture.flat(90, width: 64, height: 64)
        #expect(blend([small], try DrawnPicture.scene(0), [small]) == SceneBlend())
        #expect(blend([], small, []) == SceneBlend())
    }
}
