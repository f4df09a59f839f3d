import FrameCore
import Motion

/// A picture made ready for filtering: planes with margins, and the pyramid for matching.
struct NoisyPicture: MatchablePicture {
    /// How far blocks may lie outside, in samples.
    static let margin = 24
    let buffer: PixelBuffer
    let planes: [PaddedPlane]
    let pyramid: LumaPyramid

    init(_ picture: PixelBuffer, threads: Int) throws(FrameError) {
        buffer = picture
        pyramid = try LumaPyramid(picture, threads: threads)
        var planes: [PaddedPlane] = []
        for index in 0..<picture.format.planeCount {
            let plane = try picture.withPlanes { p throws(FrameError) in
                try PaddedPlane(
                    copying: p[index], bytesPerSample: picture.format.bytesPerSample, margin: Self.margin,
                    threads: threads)
            }
            planes.append(plane)
        }
        self.planes = planes
    }
}
