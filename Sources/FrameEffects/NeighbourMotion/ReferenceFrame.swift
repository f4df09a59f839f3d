import FrameCore
import Imaging
import Motion

/// A frame prepared for an engine: the pyramid for matching and, if the frame is resampled, planes with margins.
struct ReferenceFrame {
    static let margin = 32
    let buffer: PixelBuffer
    /// The frame with colors premultiplied by alpha; the frame itself if it is opaque.
    let premultiplied: PixelBuffer
    let pyramid: LumaPyramid
    /// Planes with margins; empty if only the motion is needed. Colors are premultiplied by alpha. Eight-bit luma is
    /// the finest level of the pyramid.
    let planes: [PaddedPlane]
    /// Whether nothing of the frame is transparent.
    let isOpaque: Bool

    init(_ buffer: PixelBuffer, resamples: Bool, context: ExecutionContext) throws(FrameError) {
        self.buffer = buffer
        isOpaque = buffer.isOpaque
        let shown = try isOpaque ? buffer : buffer.premultiplied(context: context)
        premultiplied = shown
        let format = shown.format
        let pyramid = try LumaPyramid(shown.withoutAlpha, context: context)
        self.pyramid = pyramid
        guard resamples else {
            planes = []
            return
        }
        planes = try shown.withPlanes { planes throws(FrameError) in
            var copies: [PaddedPlane] = []
            for index in 0..<planes.count {
                copies.append(
                    index == 0 && format.bitDepth == 8 && !format.isRGB
                        ? pyramid.levels[0]
                        : try PaddedPlane(
                            copying: planes[index], bytesPerSample: format.bytesPerSample,
                            margin: Self.margin + 4, context: context))
            }
            return copies
        }
    }

    /// Creates the frame with other luma and chroma values.
    ///
    /// The planes of frames that are not opaque stay as they are: in them, colors, alpha or both may have changed.
    ///
    /// - Parameters:
    ///   - other: the frame, with planes.
    ///   - luma: the table of new values for samples of a bit depth.
    ///   - chroma: likewise, for chroma.
    ///   - context: the threads and kernels to use.
    init(
        _ other: ReferenceFrame, luma: (Int) -> [UInt16], chroma: (Int) -> [UInt16], context: ExecutionContext
    ) throws(FrameError) {
        (buffer, premultiplied, isOpaque) = (other.buffer, other.premultiplied, other.isOpaque)
        let depth = buffer.format.bitDepth
        pyramid = try other.pyramid.mapped(by: luma(8), context: context)
        guard isOpaque else {
            planes = other.planes
            return
        }
        let chroma = chroma(depth), isRGB = buffer.format.isRGB
        var mapped: [PaddedPlane] = []
        for (index, plane) in other.planes.enumerated() {
            if index == buffer.format.alphaPlane {
                mapped.append(plane)
            } else if index == 0, depth == 8, !isRGB {
                mapped.append(pyramid.levels[0])
            } else {
                mapped.append(try plane.mapped(by: index == 0 || isRGB ? luma(depth) : chroma, context: context))
            }
        }
        planes = mapped
    }
}

extension PixelBuffer {
    /// Returns a picture made of premultiplied colors with straight ones: those of `frame` where it shows the same.
    func straightened(keeping frame: ReferenceFrame, context: ExecutionContext) throws(FrameError) -> PixelBuffer {
        try straightened(keeping: frame.buffer, whereUnchangedFrom: frame.premultiplied, context: context)
    }
}
