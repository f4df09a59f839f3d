import FrameCore
import Motion

/// A frame as the effect reads it: planes with margins, and the pyramid for matching.
struct ReferenceFrame: MatchablePicture {
    static let margin = 32
    let planes: [PaddedPlane]
    let pyramid: LumaPyramid

    init(_ picture: PixelBuffer, threads: Int) throws(FrameError) {
        pyramid = try LumaPyramid(picture, threads: threads)
        planes = try PaddedPlane.copies(of: picture, margin: Self.margin + 4, threads: threads)
    }
}
