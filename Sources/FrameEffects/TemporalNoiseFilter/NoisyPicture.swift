import FrameCore
import Motion

/// A picture made ready for filtering: planes with margins, and the pyramid for matching.
struct NoisyPicture: Sendable {
    /// How far blocks may lie outside, in samples.
    static let margin = 24
    let buffer: PixelBuffer
    let planes: [PaddedPlane]
    let pyramid: LumaPyramid

    init(_ picture: PixelBuffer, threads: Int) throws(FrameError) {
        buffer = picture
        pyramid = try LumaPyramid(picture, threads: threads)
        planes = try Self.planes(of: picture, threads: threads)
    }

    /// The planes alone, as a pilot has them.
    static func planes(of picture: PixelBuffer, threads: Int) throws(FrameError) -> [PaddedPlane] {
        try PaddedPlane.copies(of: picture, margin: margin, threads: threads)
    }
}
