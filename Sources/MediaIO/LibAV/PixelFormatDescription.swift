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
    /// Whether each component has its own plane of native-endian samples of the same depth, in the low bits, in the order
    /// of this package's planes.
    let isPlanarNative: Bool
    /// Whether each component is a whole number of bits of equal depth, at its own place.
    let isUniform: Bool
    let isPalette: Bool
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
        let all = [descriptor.comp.0, descriptor.comp.1, descriptor.comp.2, descriptor.comp.3]
        let components = all.prefix(max(1, min(4, Int(descriptor.nb_components))))
        let deepest = Int(components.map(\.depth).max() ?? 8)
        depth = deepest
        isPalette = flags & AV_PIX_FMT_FLAG_PAL != 0
        isUniform =
            flags & (AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_FLOAT) == 0
            && components.allSatisfy { Int($0.depth) == deepest } && (8...16).contains(deepest)
        let wordBytes = deepest > 8 ? 2 : 1, isRGB = isRGB
        isPlanarNative =
            isUniform && flags & (AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_BITSTREAM) == 0
            && components.enumerated().allSatisfy { index, component in
                Int(component.plane) == Self.plane(ofComponent: index, isRGB: isRGB) && component.shift == 0
                    && component.offset == 0 && Int(component.step) == wordBytes
            }
    }

    /// Returns the plane of this package's formats that has a component of libav's, which counts red, green, blue.
    static func plane(ofComponent index: Int, isRGB: Bool) -> Int { isRGB && index < 3 ? [2, 0, 1][index] : index }

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

    /// The depth of the samples that are made of such frames.
    var usableDepth: Int { max(8, min(16, depth)) }

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
    /// libav's planar little-endian format with the same planes; nil for depths that libav lacks (11, 13, 15 bits, and some
    /// more with alpha), and for gray with alpha, whose samples it interleaves.
    var av: AVPixelFormat? {
        let name = description + (bitDepth == 8 ? "" : "le")
        let format = av_get_pix_fmt(name)
        return format == AV_PIX_FMT_NONE || PixelFormat(planesOf: format) != self ? nil : format
    }

    /// Creates the format whose planes have the memory layout of libav's `format`; nil when there is none.
    init?(planesOf format: AVPixelFormat) {
        guard let layout = PixelFormatDescription(format), layout.isPlanarNative else { return nil }
        self.init(layout)
    }

    /// Creates the format that holds exactly the samples of libav's `format`, in whatever order they lie in memory; nil when
    /// there is none.
    init?(samplesOf format: AVPixelFormat) {
        guard let layout = PixelFormatDescription(format), layout.isUniform else { return nil }
        self.init(layout)
    }

    private init?(_ layout: PixelFormatDescription) {
        if layout.isRGB {
            try? self.init(rgbDepth: layout.depth, hasAlpha: layout.hasAlpha)
        } else {
            guard let subsampling = layout.exactSubsampling else { return nil }
            try? self.init(subsampling: subsampling, bitDepth: layout.depth, hasAlpha: layout.hasAlpha)
        }
    }

    /// Creates the nearest planar YCbCr format that loses neither bit depth (up to 16) nor chroma of libav's `format`.
    init?(nearestTo format: AVPixelFormat) {
        guard let layout = PixelFormatDescription(format) else { return nil }
        try? self.init(subsampling: layout.coveringSubsampling, bitDepth: layout.usableDepth)
    }

    /// Returns the formats in which frames of libav's `format` can be read, the most faithful first. The last is YCbCr
    /// without alpha; empty if there is none.
    static func readable(_ format: AVPixelFormat) -> [PixelFormat] {
        guard let layout = PixelFormatDescription(format), let plain = PixelFormat(nearestTo: format) else { return [] }
        let color = layout.isRGB ? try? PixelFormat(rgbDepth: layout.usableDepth) : nil
        let opaque = [color, plain].compactMap(\.self)
        guard layout.hasAlpha else { return opaque }
        // Other programs cannot store gray with alpha of most depths.
        let wide = try? PixelFormat(subsampling: .yuv444, bitDepth: layout.usableDepth, hasAlpha: true)
        let clear = opaque.map(\.withAlpha) + [plain.subsampling == .monochrome ? wide : nil].compactMap(\.self)
        return clear + opaque
    }
}
