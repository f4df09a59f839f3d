import CLibAV

extension AVFrame {
    /// Whether no sample of the alpha channel is below its maximum, so that nothing is lost without it. Formats without
    /// one are opaque.
    var isOpaque: Bool {
        guard let descriptor = av_pix_fmt_desc_get(AVPixelFormat(rawValue: format))?.pointee,
            Int32(truncatingIfNeeded: descriptor.flags) & AV_PIX_FMT_FLAG_ALPHA != 0
        else { return true }
        if AVPixelFormat(rawValue: format) == AV_PIX_FMT_PAL8 { return hasOpaquePalette }
        let component = descriptor.nb_components == 2 ? descriptor.comp.1 : descriptor.comp.3
        let plane = Int(component.plane), step = Int(component.step), offset = Int(component.offset)
        guard let base = planes[plane] else { return true }
        for y in 0..<Int(height) {
            let row = base + y * Int(strides[plane]) + offset
            // All bytes of the largest value are 255, except in planes of 9 to 15 bits.
            let isRowOpaque =
                switch component.depth {
                case 8: (0..<Int(width)).allSatisfy { row[$0 * step] == 255 }
                case 16: (0..<Int(width)).allSatisfy { row[$0 * step] == 255 && row[$0 * step + 1] == 255 }
                case 9...15:
                    (0..<Int(width)).allSatisfy {
                        Int(row[$0 * step]) | Int(row[$0 * step + 1]) << 8 == (1 << component.depth) - 1
                    }
                default: false
                }
            if !isRowOpaque { return false }
        }
        return true
    }

    /// Palette entries are native-endian words with alpha in the highest byte.
    private var hasOpaquePalette: Bool {
        guard let indices = data.0, let palette = data.1 else { return true }
        return (0..<Int(height)).allSatisfy { y in
            let row = indices + y * Int(linesize.0)
            return (0..<Int(width)).allSatisfy { palette[4 * Int(row[$0]) + 3] == 255 }
        }
    }
}
