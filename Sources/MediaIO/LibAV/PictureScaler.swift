import CLibAV
import FrameCore

/// Converts frames from one libav pixel format, color matrix and range to another, at the same size.
final class PictureScaler {
    struct Side: Equatable {
        var format: AVPixelFormat
        /// Color of the frames; no property is unspecified.
        var color: ColorDescription
    }

    let source: Side
    let target: Side
    let width: Int32
    let height: Int32
    private let context: OpaquePointer

    init(from source: Side, to target: Side, width: Int, height: Int) throws(FrameError) {
        self.source = source
        self.target = target
        self.width = Int32(width)
        self.height = Int32(height)
        let context = try allocated(sws_alloc_context(), "a pixel format converter")
        self.context = context
        let object = UnsafeMutableRawPointer(context)
        let flags = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP | SWS_BITEXACT
        let from = source.color.chromaLocation.swscaleOffset
        let to = target.color.chromaLocation.swscaleOffset
        var settings: [(String, Int64)] = [
            ("srcw", Int64(width)), ("srch", Int64(height)), ("dstw", Int64(width)), ("dsth", Int64(height)),
            ("src_format", Int64(source.format.rawValue)), ("dst_format", Int64(target.format.rawValue)),
            ("src_range", source.color.range == .full ? 1 : 0), ("dst_range", target.color.range == .full ? 1 : 0),
            ("sws_flags", Int64(flags)),
        ]
        // Chroma siting matters only if chroma is resampled, and swscale rejects it for formats without subsampling.
        if let shifts = Self.chromaShifts(source.format) {
            if shifts.width > 0 { settings.append(("src_h_chr_pos", from.horizontal)) }
            if shifts.height > 0 { settings.append(("src_v_chr_pos", from.vertical)) }
        }
        if let shifts = Self.chromaShifts(target.format) {
            if shifts.width > 0 { settings.append(("dst_h_chr_pos", to.horizontal)) }
            if shifts.height > 0 { settings.append(("dst_v_chr_pos", to.vertical)) }
        }
        for (name, value) in settings { av_opt_set_int(object, name, value, 0) }
        let names = [source.format, target.format].map { String(c: av_get_pix_fmt_name($0)) }
        try check(
            sws_init_context(context, nil, nil), .unsupportedFormat,
            "frames cannot be converted from \(names[0]) to \(names[1])")
        sws_setColorspaceDetails(
            context, sws_getCoefficients(Self.coefficients(source.color)), source.color.range == .full ? 1 : 0,
            sws_getCoefficients(Self.coefficients(target.color)), target.color.range == .full ? 1 : 0, 0, 1 << 16,
            1 << 16)
    }

    deinit { sws_freeContext(context) }

    /// Converts the samples of `from` into `to`, which must have planes of the target format and size.
    func convert(_ from: AVFrame, into to: inout AVFrame) throws(FrameError) {
        let planes = from.planes.map { $0.map { UnsafePointer<UInt8>($0) } }
        try check(
            sws_scale(context, planes, from.strides, 0, height, to.planes, to.strides), .unsupportedFormat,
            "the pixel format conversion failed")
    }

    /// Converts the samples of `from` into a buffer of the target format and size.
    func convert(_ from: AVFrame, into buffer: inout PixelBuffer) throws(FrameError) {
        try buffer.withOverwrittenPlanes { planes throws(FrameError) in
            var destination = AVFrame()
            destination.borrow(planes.planes)
            try convert(from, into: &destination)
        }
    }

    private static func chromaShifts(_ format: AVPixelFormat) -> (width: UInt8, height: UInt8)? {
        av_pix_fmt_desc_get(format).map { ($0.pointee.log2_chroma_w, $0.pointee.log2_chroma_h) }
    }

    private static func coefficients(_ color: ColorDescription) -> Int32 {
        switch color.matrix {
        case .bt709: SWS_CS_ITU709
        case .fcc: SWS_CS_FCC
        case .smpte240M: SWS_CS_SMPTE240M
        case .bt2020NonConstantLuminance, .bt2020ConstantLuminance: SWS_CS_BT2020
        default: SWS_CS_ITU601
        }
    }
}
