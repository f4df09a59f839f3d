import FrameCore
import Motion

/// A frame prepared for an engine: the pyramid for matching and, if the frame is resampled, planes with margins.
struct ReferenceFrame {
    static let margin = 32
    let buffer: PixelBuffer
    let pyramid: LumaPyramid
    /// Planes with margins; empty if only the motion is needed. Eight-bit luma is the finest level of the pyramid.
    let planes: [PaddedPlane]

    init(_ buffer: PixelBuffer, resamples: Bool, context: ExecutionContext) throws(FrameError) {
        self.buffer = buffer
        let pyramid = try LumaPyramid(buffer, context: context)
        self.pyramid = pyramid
        guard resamples else {
            planes = []
            return
        }
        planes = try buffer.withPlanes { planes throws(FrameError) in
            var copies: [PaddedPlane] = []
            for index in 0..<planes.count {
                copies.append(
                    index == 0 && buffer.format.bitDepth == 8
                        ? pyramid.levels[0]
                        : try PaddedPlane(
                            copying: planes[index], bytesPerSample: buffer.format.bytesPerSample,
                            margin: Self.margin + 4, context: context))
            }
            return copies
        }
    }

    /// Creates the frame with other luma and chroma values.
    ///
    /// - Parameters:
    ///   - other: the frame, with planes.
    ///   - luma: the table of new values for samples of a bit depth.
    ///   - chroma: likewise, for chroma.
    ///   - context: the threads and kernels to use.
    init(
        _ other: ReferenceFrame, luma: (Int) -> [UInt16], chroma: (Int) -> [UInt16], context: ExecutionContext
    ) throws(FrameError) {
        buffer = other.buffer
        let depth = buffer.format.bitDepth
        pyramid = try other.pyramid.mapped(by: luma(8), context: context)
        let chroma = chroma(depth)
        var mapped: [PaddedPlane] = []
        for (index, plane) in other.planes.enumerated() {
            mapped.append(
                index == 0 && depth == 8
                    ? pyramid.levels[0] : try plane.mapped(by: index == 0 ? luma(depth) : chroma, context: context))
        }
        planes = mapped
    }
}
