import CLibAV
import FrameCore

extension PixelFormat {
    /// libav's planar little-endian format of the same layout; nil for depths libav lacks (11, 13, 15 bits).
    var av: AVPixelFormat? {
        let name = description + (bitDepth == 8 ? "" : "le")
        let format = av_get_pix_fmt(name)
        return format == AV_PIX_FMT_NONE ? nil : format
    }

    /// The format whose planes lie in memory exactly as libav's `format`, alpha aside; nil where samples must be moved.
    init?(planesOf format: AVPixelFormat) {
        guard let layout = PixelFormatDescription(format), !layout.isRGB, layout.isPlanarNative,
            let subsampling = layout.exactSubsampling
        else { return nil }
        try? self.init(subsampling: subsampling, bitDepth: layout.depth)
    }

    /// The nearest planar YCbCr format that loses neither depth nor chroma of libav's `format`.
    init?(nearestTo format: AVPixelFormat) {
        guard let layout = PixelFormatDescription(format) else { return nil }
        try? self.init(subsampling: layout.coveringSubsampling, bitDepth: max(8, min(16, layout.depth)))
    }
}
