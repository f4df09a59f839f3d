import FrameCore
import Motion
import TestSupport
import Testing

@Suite struct SceneMixtureTests {
    private func mixture(_ before: PixelBuffer, _ middle: PixelBuffer, _ after: PixelBuffer) -> SceneMixture {
        SceneMixture(before: FrameSignature(before), middle: FrameSignature(middle), after: FrameSignature(after))
    }

    @Test(arguments: [0.2, 0.5, 0.8])
    func aWipeAndAPushAreMixturesInProportion(share: Double) throws {
        let (a, b) = (try DrawnPicture.scene(0), try DrawnPicture.scene(3))
        let edge = Int(share * Double(DrawnPicture.width)) & ~1
        for offset in [0, edge] {
            let both = try DrawnPicture.beside(a, b, edge: edge, offset: offset)
            let found = mixture(a, both, b)
            #expect(abs(Double(found.share) - share) < 0.15, "\(found)")
            #expect(found.residual < 0.35, "\(found)")
            #expect(found.strength > 0.1, "\(found)")
        }
    }

    @Test func cutsStillFramesAndSlowMotionAreNoMixtures() throws {
        let (a, b) = (try DrawnPicture.scene(0), try DrawnPicture.scene(3))
        #expect(mixture(a, a, b).strength < 0.01)
        #expect(mixture(a, b, b).strength < 0.01)
        #expect(mixture(a, a, a).strength == 0)
        let moved = try (DrawnPicture.scene(0, shift: 4), DrawnPicture.scene(0, shift: 8))
        #expect(mixture(a, moved.0, moved.1).strength < 0.03)
    }

    @Test func blackAndWhiteFramesAreComparedByLumaAlone() throws {
        let (a, b) = (try grey(DrawnPicture.scene(0)), try grey(DrawnPicture.scene(3)))
        let both = try DrawnPicture.beside(a, b, edge: 160, offset: 0)
        let found = mixture(a, both, b)
        #expect(abs(found.share - 0.5) < 0.15, "\(found)")
        #expect(found.strength > 0.1, "\(found)")
    }

    private func grey(_ buffer: PixelBuffer) throws -> PixelBuffer {
        let luma = buffer.samples(ofPlane: 0)
        return try GeneratedPicture.draw(.yuv420p8, width: buffer.width, height: buffer.height) { plane, x, y in
            plane == 0 ? Int(luma[y * buffer.width + x]) : 128
        }
    }
}
