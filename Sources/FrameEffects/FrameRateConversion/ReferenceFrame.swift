import FrameCore
import Motion

/// A frame as the effect reads it: planes with margins, and the pyramid for matching.
struct ReferenceFrame: MatchablePicture {
    static let margin = 32
    let planes: [PaddedPlane]
    let pyramid: LumaPyramid

    init(_ picture: PixelBuffer, threads: Int) throws(FrameError) {
        pyramid = try LumaPyramid(picture, threads: threads)
        var planes: [PaddedPlane] = []
        for index in 0..<picture.format.planeCount {
            let plane = try picture.withPlanes { p throws(FrameError) in
                try PaddedPlane(
                    copying: p[index], bytesPerSample: picture.format.bytesPerSample, margin: Self.margin + 4,
                    threads: threads)
            }
            planes.append(plane)
        }
        self.planes = planes
    }
}
