import FrameCore
import Testing

@Suite struct ColorDescriptionTests {
    @Test func theGuessDependsOnTheHeight() {
        let high = ColorDescription(matrix: 1, primaries: 1, transfer: 1, range: .limited, chromaLocation: .left)
        let low = ColorDescription(matrix: 6, primaries: 6, transfer: 6, range: .limited, chromaLocation: .left)
        #expect(ColorDescription.unspecified.resolved(height: 720) == high)
        #expect(ColorDescription.unspecified.resolved(height: 719) == low)
    }

    @Test func whatIsSaidIsKept() {
        let said = ColorDescription(matrix: 9, primaries: 255, transfer: 16, range: .full, chromaLocation: .topLeft)
        #expect(said.resolved(height: 480) == said)
        let part = ColorDescription(transfer: 16)
        #expect(part.resolved(height: 480).transfer == 16 && part.resolved(height: 480).matrix == 6)
    }

    @Test(arguments: [480, 1080]) func resolvingTwiceChangesNothing(height: Int) {
        let once = ColorDescription.unspecified.resolved(height: height)
        #expect(once.resolved(height: 480) == once && once.resolved(height: 1080) == once)
    }
}
