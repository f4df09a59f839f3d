import FrameCore
import Testing

@Suite struct ColorDescriptionTests {
    @Test func theGuessDependsOnTheHeight() {
        let high = ColorDescription(
            matrix: .bt709, primaries: .bt709, transfer: .bt709, range: .limited, chromaLocation: .left)
        let low = ColorDescription(
            matrix: .smpte170M, primaries: .smpte170M, transfer: .smpte170M, range: .limited, chromaLocation: .left)
        #expect(ColorDescription.unspecified.resolved(height: 720) == high)
        #expect(ColorDescription.unspecified.resolved(height: 719) == low)
    }

    @Test func whatIsSaidIsKept() {
        let said = ColorDescription(
            matrix: .bt2020NonConstantLuminance, primaries: ColorPrimaries(rawValue: 255), transfer: .pq, range: .full,
            chromaLocation: .topLeft)
        #expect(said.resolved(height: 480) == said)
        let part = ColorDescription(transfer: .pq)
        #expect(part.resolved(height: 480).transfer == .pq && part.resolved(height: 480).matrix == .smpte170M)
    }

    @Test(arguments: [480, 1080]) func resolvingTwiceChangesNothing(height: Int) {
        let once = ColorDescription.unspecified.resolved(height: height)
        #expect(once.resolved(height: 480) == once && once.resolved(height: 1080) == once)
    }
}
