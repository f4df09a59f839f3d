import CLibAV
import FrameCore

/// The encoder of an image format and its input: pixel format, color, settings.
struct StillTarget {
    var encoder: String
    var pixelFormat: AVPixelFormat
    /// Color of the encoder's input; no property is unspecified.
    var color: ColorDescription
    /// Options of the encoder's private context.
    var settings: [(name: String, value: String)] = []
    /// libavcodec's quantiser; nil for encoders that do not use one.
    var quantiser: Int32?
    /// The ICC profile that describes the encoder's input; nil if ``color`` does.
    var profile: [UInt8]?
    /// How the samples become sRGB, if the format cannot hold their profile.
    var conversion: ProfileConversion?
    /// What is not kept as it is.
    var notes: [Note] = []

    init(
        _ picture: StillPicture, as format: StillFormat, options: StillOptions
    ) throws(FrameError) {
        let frame = picture.frame, source = frame.buffer.format
        let known = frame.color.resolved(height: frame.buffer.height)
        guard StillOptions.qualityRange.contains(options.quality) else {
            throw FrameError(.invalidArgument, "the quality \(options.quality) is not allowed; it must be 1 to 100")
        }
        if known.transfer.isHighDynamicRange, !format.holdsHighDynamicRange {
            throw FrameError(
                .unsupportedFormat,
                "\(format.name) does not support high dynamic range; tone-map the image, or write AVIF, PNG or JPEG XL")
        }
        if picture.orientation != .up, !format.holdsOrientation {
            throw FrameError(
                .unsupportedFormat,
                "\(format.name) files are written without orientation; rotate the image first, or write JPEG, PNG, WebP or AVIF"
            )
        }
        color = known
        pixelFormat = AV_PIX_FMT_NONE
        encoder = ""
        if options.isLossless, format == .jpeg || format == .avif {
            throw FrameError(
                .unsupportedFormat, "\(format.name) files cannot be written losslessly; write PNG, WebP or JPEG XL")
        }
        setProfile(of: picture, format)
        // An RGB profile does not describe gray samples.
        let isGray = source.subsampling == .monochrome && profile.flatMap { ColorProfile($0)?.space } != .rgb
        switch format {
        case .jpeg: setJPEG(source, options)
        case .png: setPNG(source, isGray: isGray, hasAlpha: picture.alpha != nil)
        case .webp: setWebP(hasAlpha: picture.alpha != nil, options)
        case .avif: setAVIF(source, isGray: isGray, options)
        case .jpegXL: setJPEGXL(source, hasAlpha: picture.alpha != nil, options)
        }
        if source.bitDepth > format.maximumBitDepth {
            notes.append(
                Note(
                    "pixels-converted",
                    "\(format.name) keeps only \(format.maximumBitDepth) of \(source.bitDepth) bits per sample"))
        }
        if picture.alpha != nil, !format.holdsAlpha {
            notes.append(.loss("alpha-dropped", "\(format.name) does not support transparency; it is left out"))
        }
        if profile == nil, !Self.isNearSRGB(known), format == .jpeg || format == .webp {
            notes.append(
                .loss(
                    "color-tags-dropped",
                    "\(format.name) cannot store the color primaries (\(known.primaries)); viewers will assume sRGB"))
        }
    }

    /// Whether viewers that ignore color tags show the colors correctly: BT.709 or either BT.601 primaries, not HDR.
    static func isNearSRGB(_ color: ColorDescription) -> Bool {
        [.bt709, .unspecified, .bt470BG, .smpte170M, .smpte240M].contains(color.primaries)
            && !color.transfer.isHighDynamicRange
    }

    /// Sets up JPEG, which readers always interpret as full-range BT.601.
    private mutating func setJPEG(_ source: PixelFormat, _ options: StillOptions) {
        encoder = "mjpeg"
        switch source.subsampling {
        case .monochrome, .yuv420: pixelFormat = AV_PIX_FMT_YUVJ420P
        case .yuv422: pixelFormat = AV_PIX_FMT_YUVJ422P
        case .yuv444: pixelFormat = AV_PIX_FMT_YUVJ444P
        }
        color.matrix = .bt470BG
        color.range = .full
        color.chromaLocation = .center
        quantiser = Self.quantiser(options.quality)
    }

    /// Returns the mjpeg encoder's quantiser for a quality from 1 to 100.
    ///
    /// With a quantiser of 10, the encoder's tables are roughly those of the JPEG standard, which correspond to quality
    /// 50.
    private static func quantiser(_ quality: Int) -> Int32 {
        let percent = quality < 50 ? 5000 / quality : 200 - 2 * quality
        return Int32(max(1, min(31, (percent + 5) / 10)))
    }

    private mutating func setPNG(_ source: PixelFormat, isGray: Bool, hasAlpha: Bool) {
        encoder = "png"
        let isDeep = source.bitDepth > 8
        switch (isGray, hasAlpha) {
        case (true, false): pixelFormat = isDeep ? AV_PIX_FMT_GRAY16BE : AV_PIX_FMT_GRAY8
        case (true, true): pixelFormat = isDeep ? AV_PIX_FMT_YA16BE : AV_PIX_FMT_YA8
        case (false, false): pixelFormat = isDeep ? AV_PIX_FMT_RGB48BE : AV_PIX_FMT_RGB24
        case (false, true): pixelFormat = isDeep ? AV_PIX_FMT_RGBA64BE : AV_PIX_FMT_RGBA
        }
        color.range = .full
        settings = [("pred", "mixed")]
    }

    private mutating func setWebP(hasAlpha: Bool, _ options: StillOptions) {
        encoder = "libwebp"
        if options.isLossless {
            pixelFormat = AV_PIX_FMT_BGRA
            color.range = .full
            settings = [("lossless", "1"), ("quality", "75")]
        } else {
            // Lossy WebP uses limited-range BT.601.
            pixelFormat = hasAlpha ? AV_PIX_FMT_YUVA420P : AV_PIX_FMT_YUV420P
            color.matrix = .bt470BG
            color.range = .limited
            color.chromaLocation = .center
            settings = [("quality", "\(options.quality)")]
        }
    }

    private mutating func setAVIF(_ source: PixelFormat, isGray: Bool, _ options: StillOptions) {
        encoder = "libaom-av1"
        let depth = source.bitDepth <= 8 ? 8 : source.bitDepth <= 10 ? 10 : 12
        let subsampling = source.subsampling == .monochrome ? .yuv420 : source.subsampling
        let name = isGray ? "gray" : subsampling.rawValue + "p"
        pixelFormat = av_get_pix_fmt(depth == 8 ? name : "\(name)\(depth)le")
        settings = [
            ("still-picture", "1"), ("usage", "allintra"), ("crf", "\(max(0, (100 - options.quality) * 63 / 100))"),
            ("cpu-used", "6"),
            ("row-mt", "1"),
        ]
    }

    private mutating func setJPEGXL(_ source: PixelFormat, hasAlpha: Bool, _ options: StillOptions) {
        encoder = "libjxl"
        let isDeep = source.bitDepth > 8
        switch (source.subsampling == .monochrome, hasAlpha) {
        case (true, false): pixelFormat = isDeep ? AV_PIX_FMT_GRAY16LE : AV_PIX_FMT_GRAY8
        case (true, true): pixelFormat = isDeep ? AV_PIX_FMT_YA16LE : AV_PIX_FMT_YA8
        case (false, false): pixelFormat = isDeep ? AV_PIX_FMT_RGB48LE : AV_PIX_FMT_RGB24
        case (false, true): pixelFormat = isDeep ? AV_PIX_FMT_RGBA64LE : AV_PIX_FMT_RGBA
        }
        color.range = .full
        // libjxl's own scale: quality 90 is a distance of 1, at which differences begin to be visible.
        let quality = Double(options.quality)
        let distance = quality >= 30 ? 0.1 + (100 - quality) * 0.09 : 6.4 + (30 - quality) * 0.3
        settings = [("distance", options.isLossless ? "0" : "\(min(15, distance))"), ("effort", "6")]
    }

    /// The color tags to set on the encoder.
    var tags: ColorDescription {
        var tags = color
        let isRGB = PixelFormatDescription(pixelFormat)?.isRGB == true
        if isRGB { (tags.matrix, tags.chromaLocation) = (.identity, .unspecified) }
        if profile != nil { (tags.primaries, tags.transfer) = (.unspecified, .unspecified) }
        // SDR video is displayed like sRGB. With the BT.709 transfer tag, some viewers would darken it.
        if encoder == "png" || encoder == "libjxl", profile == nil, Self.isNearSRGB(color) {
            (tags.primaries, tags.transfer) = (.bt709, .sRGB)
        }
        return tags
    }
}
