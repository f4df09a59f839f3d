import CLibAV
import FrameCore

/// The properties of a libav pixel format that this module uses.
struct PixelFormatDescription {
    let name: String
    let isRGB: Bool
    let hasAlpha: Bool
    /// Whether samples are 32-bit floating-point numbers, which libav's decoders use for linear light.
    let isFloat: Bool
    /// Bits per sample of the deepest component.
    let depth: Int
    /// Whether each component has its own plane of native-endian samples of the same depth, in the low bits.
    let isPlanarNative: Bool
    private let colorComponents: Int
    private let widthShift: Int
    private let heightShift: Int

    init?(_ format: AVPixelFormat) {
        guard let pointer = av_pix_fmt_desc_get(format) else { return nil }
        let descriptor = pointer.pointee
        let flags = Int32(truncatingIfNeeded: descriptor.flags)
        guard flags & AV_PIX_FMT_FLAG_HWACCEL == 0 else { return nil }
        name = String(c: descriptor.name)
        hasAlpha = flags & AV_PIX_FMT_FLAG_ALPHA != 0
        isFloat = flags & AV_PIX_FMT_FLAG_FLOAT != 0 && descriptor.comp.0.depth == 32
        isRGB = flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BAYER) != 0
        colorComponents = Int(descriptor.nb_components) - (hasAlpha ? 1 : 0)
        widthShift = Int(descriptor.log2_chroma_w)
        heightShift = Int(descriptor.log2_chroma_h)
        let components = [descriptor.comp.0, descriptor.comp.1, descriptor.comp.2].prefix(
            max(1, min(3, colorComponents)))
        let deepest = Int(components.map(\.depth).max() ?? 8)
        depth = deepest
        let wordBytes = deepest > 8 ? 2 : 1
        let plain =
            flags & (AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_FLOAT) == 0
        isPlanarNative =
            plain
            && components.enumerated().allSatisfy { index, component in
                Int(component.plane) == index && component.shift == 0 && component.offset == 0
                    && Int(component.depth) == deepest && Int(component.step) == wordBytes
            }
    }

    /// Binary logarithms of the chroma subsampling factors; nil without chroma.
    var chromaShifts: (width: Int, height: Int)? { colorComponents < 3 ? nil : (widthShift, heightShift) }

    var exactSubsampling: ChromaSubsampling? {
        if colorComponents < 3 { return .monochrome }
        switch (widthShift, heightShift) {
        case (0, 0): return .yuv444
        case (1, 0): return .yuv422
        case (1, 1): return .yuv420
        default: return nil
        }
    }

    /// The coarsest supported subsampling that loses no chroma samples.
    var coveringSubsampling: ChromaSubsampling {
        if isRGB { return .yuv444 }
        if colorComponents < 3 { return .monochrome }
        if widthShift == 0 { return .yuv444 }
        return heightShift == 0 ? .yuv422 : .yuv420
    }

    /// Name of the subsampling such as `4:2:0`; `rgb` for formats other than YCbCr.
    var subsamplingName: String {
        if isRGB { return "rgb" }
        guard let shifts = chromaShifts else { return "4:0:0" }
        switch shifts {
        case (0, 0): return "4:4:4"
        case (1, 0): return "4:2:2"
        case (1, 1): return "4:2:0"
        case (0, 1): return "4:4:0"
        case (2, 0): return "4:1:1"
        case (2, 2): return "4:1:0"
        default: return "\(1 << shifts.width)x\(1 << shifts.height)"
        }
    }
}

extension PixelFormat {
    /// libav's planar little-endian format with the same layout; nil for depths that libav lacks (11, 13, 15 bits).
    var av: AVPixelFormat? {
        let name = description + (bitDepth == 8 ? "" : "le")
        let format = av_get_pix_fmt(name)
        return format == AV_PIX_FMT_NONE ? nil : format
    }

    /// Creates the format whose planes have the memory layout of libav's `format`, except for alpha; nil when there is
    /// none.
    init?(planesOf format: AVPixelFormat) {
        guard let layout = PixelFormatDescription(format), !layout.isRGB, layout.isPlanarNative,
            let subsampling = layout.exactSubsampling
        else { return nil }
        try? self.init(subsampling: subsampling, bitDepth: layout.depth)
    }

    /// Creates the nearest planar YCbCr format that loses neither bit depth (up to 16) nor chroma of libav's `format`.
    init?(nearestTo format: AVPixelFormat) {
        guard let layout = PixelFormatDescription(format) else { return nil }
        try? self.init(subsampling: layout.coveringSubsampling, bitDepth: max(8, min(16, layout.depth)))
    }
}
