import FrameCore
import Testing

@Suite struct PictureOrientationTests {
    @Test func matricesAreOrientations() {
        let one: Int32 = 65536
        let cases: [([Int32], PictureOrientation)] = [
            ([one, 0, 0, 0, one, 0, 0, 0, 0], .up), ([0, one, 0, -one, 0, 0, 0, 0, 0], .right),
            ([-one, 0, 0, 0, -one, 0, 0, 0, 0], .down), ([0, -one, 0, one, 0, 0, 0, 0, 0], .left),
            ([-one, 0, 0, 0, one, 0, 0, 0, 0], .upMirrored), ([one, 0, 0, 0, -one, 0, 0, 0, 0], .downMirrored),
            ([0, one, 0, one, 0, 0, 0, 0, 0], .leftMirrored), ([0, -one, 0, -one, 0, 0, 0, 0, 0], .rightMirrored),
            ([0, 0, 0, 0, 0, 0, 0, 0, 0], .up), ([1], .up),
        ]
        for (matrix, orientation) in cases { #expect(PictureOrientation(displayMatrix: matrix) == orientation) }
        #expect(PictureOrientation(displayMatrix: nil) == .up)
    }
}
