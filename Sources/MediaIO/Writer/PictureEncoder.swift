import CLibAV
import FrameCore

/// Encodes frames as image files.
struct PictureEncoder {
    let choice: EncoderChoice
    private let stream: VideoStreamDescription
    private let options: MediaWriterOptions
    /// What is stored beside the samples of every image.
    private var extras = StillExtras()
    /// One note for each thing that is not kept as it is.
    private(set) var notes: [Note] = []

    /// - Parameters:
    ///   - name: libavcodec's name of the encoder.
    ///   - metadata: metadata of the source image.
    init(
        named name: String, stream: VideoStreamDescription, options: MediaWriterOptions,
        metadata: StillMetadata = StillMetadata(), at location: FrameError.Location
    ) throws(FrameError) {
        choice = try Self.choice(named: name, for: stream, pixelFormat: options.pixelFormat, at: location)
        self.stream = stream
        self.options = options
        notes = choice.note.map { [Note("pixels-converted", $0)] } ?? []
        setExtras(metadata)
    }

    private static func choice(
        named name: String, for stream: VideoStreamDescription, pixelFormat: String?, at location: FrameError.Location
    ) throws(FrameError) -> EncoderChoice {
        guard let encoder = avcodec_find_encoder_by_name(name) else {
            throw FrameError(.unsupportedFormat, "there is no encoder for this image format", at: location)
        }
        var choice =
            name == AnimationFormat.gif.encoderName
            ? EncoderChoice(
                encoder: encoder, pixelFormat: AV_PIX_FMT_PAL8,
                note: stream.format.hasAlpha
                    ? "each frame is reduced to 256 colors, and what is less than half opaque becomes transparent"
                    : "each frame is reduced to 256 colors", cost: 1, for: stream)
            : try choose(encoder, stream, pixelFormat)
        choice.demands = ColorDemands(imagesOf: name, choice.pixelFormat)
        return choice
    }

    /// Returns how the frames of an animated image are encoded.
    static func choice(
        of animation: AnimationFormat, for stream: VideoStreamDescription, _ options: MediaWriterOptions,
        at location: FrameError.Location
    ) throws(FrameError) -> EncoderChoice {
        guard animation == .webp, options.pixelFormat == nil else {
            return try choice(
                named: animation.encoderName, for: stream, pixelFormat: options.pixelFormat, at: location)
        }
        // Lossless WebP stores RGB, other WebP 4:2:0.
        if options.crf == 0 {
            return try choice(named: animation.encoderName, for: stream, pixelFormat: "bgra", at: location)
        }
        let format = stream.format.hasAlpha ? "yuva420p" : "yuv420p"
        var lossy = try choice(named: animation.encoderName, for: stream, pixelFormat: format, at: location)
        lossy.note =
            stream.format.withoutAlpha == .yuv420p8 ? nil : "WebP stores 8-bit 4:2:0; --crf 0 keeps all chroma samples"
        return lossy
    }

    private mutating func setExtras(_ metadata: StillMetadata) {
        let color = stream.color.resolved(height: stream.height)
        let image = ExifBlock.Image(
            orientation: PictureOrientation(displayMatrix: stream.displayMatrix), width: stream.width,
            height: stream.height, isSRGB: stream.colorProfile == nil && StillTarget.isNearSRGB(color))
        let exif = ExifBlock.bytes(metadata: metadata, image: image, thumbnail: nil)
        if choice.name == "bmp" {
            if exif != nil || !metadata.isEmpty {
                notes.append(
                    .loss("image-metadata-dropped", "BMP cannot store EXIF data and orientation; they are left out"))
            }
            if stream.colorProfile != nil {
                notes.append(
                    .loss(
                        "color-profile-dropped",
                        "BMP files are written without an ICC profile, so viewers will assume sRGB"))
            }
            return
        }
        extras.exif = exif
        extras.xmp = metadata.xmp.map { XMPPacket.adapted($0, to: image) }
        switch choice.name {
        case "png": extras.pngText = metadata.pngText
        case "mjpeg", "tiff": extras.iptc = metadata.iptc
        default: break
        }
        let isGray = PixelFormatDescription(choice.pixelFormat)?.chromaShifts == nil
        let found = StillLosses.profile(stream.colorProfile, isGray: isGray, in: Self.formatName(choice.name))
        extras.profile = found.bytes
        notes += StillLosses.notes(on: metadata, keeping: extras, in: Self.formatName(choice.name))
        notes += [found.note].compactMap(\.self)
    }

    /// The name of the image format that an encoder writes.
    private static func formatName(_ encoder: String) -> String {
        ["mjpeg": "JPEG", "libwebp": "WebP"][encoder] ?? encoder.uppercased()
    }

    func bytes(of frame: Frame) throws(FrameError) -> [UInt8] {
        var frame = frame, stream = stream
        frame.sideData.colorProfile = nil
        stream.colorProfile = nil
        if extras.profile != nil {
            // The encoder would store these tags, which contradict the profile.
            (frame.color.primaries, frame.color.transfer) = (.unspecified, .unspecified)
            (stream.color.primaries, stream.color.transfer) = (.unspecified, .unspecified)
        }
        // Each image has its own encoder: some keep state, and some must be drained to return their only packet.
        var single = options
        // JPEG's slices and tables depend on the number of threads.
        (single.codec, single.crf, single.preset, single.encoderThreads) = (nil, nil, nil, 1)
        let encoder = try VideoEncoder(
            choice, stream: stream, timeBase: Rational(1, 25), options: single, globalHeader: false)
        var bytes: [UInt8] = []
        let take = { (packet: UnsafeMutablePointer<AVPacket>) throws(FrameError) -> Void in
            guard let data = packet.pointee.data else { return }
            bytes += UnsafeBufferPointer(start: data, count: Int(packet.pointee.size))
        }
        try encoder.encode(frame, ticks: 0, duration: 1, isKey: true, take)
        try encoder.finish(take)
        if extras.isEmpty { return bytes }
        var losses: [Note] = []
        switch choice.name {
        case "png": return try StillContainer.png(bytes, extras, color: nil)
        case "mjpeg": return try StillContainer.jpeg(bytes, extras, notes: &losses)
        case "libwebp":
            let hasAlpha = PixelFormatDescription(choice.pixelFormat)?.hasAlpha == true
            return try StillContainer.webp(
                bytes, extras, width: stream.width, height: stream.height, hasAlpha: hasAlpha)
        case "tiff": return try StillContainer.tiff(bytes, extras)
        default: return bytes
        }
    }

    /// Image formats that every reader takes as the same kind of YCbCr. In TIFF files, readers differ about it.
    private static let knownYCbCr: Set<String> = ["mjpeg", "libwebp"]

    /// Chooses the pixel format: that of the stream if it is RGB, or if every reader knows it; else usually RGB, which loses no
    /// chroma samples.
    private static func choose(
        _ encoder: UnsafePointer<AVCodec>, _ stream: VideoStreamDescription, _ wanted: String?
    ) throws(FrameError) -> EncoderChoice {
        let native = try EncoderChoice.best(encoder, for: stream, pixelFormat: wanted)
        let isDeep = stream.format.bitDepth > 8, colored = stream.format.subsampling != .monochrome
        let prefersRGB = colored && !knownYCbCr.contains(String(c: encoder.pointee.name))
        let keepsRGB = stream.format.isRGB && native.map { $0.cost < 50 } ?? false
        if let native, wanted != nil || keepsRGB || native.cost == 0 && !prefersRGB { return native }
        let offered = EncoderChoice.formats(of: encoder).map { ($0, String(c: av_get_pix_fmt_name($0))) }
        let clear = isDeep ? ["rgba64be", "rgba64le", "rgba", "bgra"] : ["rgba", "bgra"]
        let opaque = isDeep ? ["rgb48be", "rgb48le", "rgb24", "bgr24", "bgra"] : ["rgb24", "bgr24", "bgra"]
        let names = stream.format.hasAlpha ? clear + opaque : opaque
        if colored, let name = names.first(where: { name in offered.contains { $0.1 == name } }),
            let format = offered.first(where: { $0.1 == name })?.0,
            native.map({ $0.cost >= 50 }) ?? true || isDeep || prefersRGB
        {
            let lost = isDeep && !name.contains("48") && !name.contains("64")
            let note = "frames are converted to \(name)\(lost ? ", 8 bits per sample" : "")"
            return EncoderChoice(encoder: encoder, pixelFormat: format, note: note, cost: 1, for: stream)
        }
        if let native { return native }
        throw FrameError(.unsupportedFormat, "\(stream.format) frames cannot be written in this image format")
    }
}

/// The name of an image sequence: a path with one number pattern such as `%05d` and an image format's extension.
package struct PicturePattern {
    static let encoders = [
        "png": "png", "jpg": "mjpeg", "jpeg": "mjpeg", "tif": "tiff", "tiff": "tiff", "bmp": "bmp", "webp": "libwebp",
    ]

    package let encoder: String
    private let head: String
    private let digits: Int
    private let tail: String

    /// Whether the extension is that of an image format.
    package static func isPicture(_ name: String) -> Bool { fileExtension(name).map { encoders[$0] != nil } ?? false }

    /// Returns the name of libavcodec's encoder for an image file; nil when the extension is not that of an image
    /// format.
    static func encoder(for name: String) -> String? { fileExtension(name).flatMap { encoders[$0] } }

    /// Creates a pattern; nil unless the file name has exactly one number pattern and a known extension.
    package init?(_ name: String) {
        guard let ending = Self.fileExtension(name), let encoder = Self.encoders[ending] else { return nil }
        let parts = name.split(separator: "%", omittingEmptySubsequences: false)
        guard parts.count == 2, let d = parts[1].firstIndex(of: "d"), !parts[1].contains("/") else { return nil }
        let width = parts[1][..<d]
        guard width.allSatisfy(\.isNumber), width.isEmpty || width.first == "0", width.count < 4 else { return nil }
        self.encoder = encoder
        head = String(parts[0])
        digits = width.isEmpty ? 1 : max(1, Int(width) ?? 1)
        tail = String(parts[1][parts[1].index(after: d)...])
    }

    package func path(_ number: Int) -> String {
        head + number.zeroPadded(to: digits) + tail
    }

    /// Whether a file name (without its folder) belongs to the sequence.
    package func matches(_ name: String) -> Bool {
        let prefix = head.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard name.hasPrefix(prefix), name.hasSuffix(tail), name.utf8.count > prefix.utf8.count + tail.utf8.count,
            let number = Int(name.dropFirst(prefix.count).dropLast(tail.count)), number > 0
        else { return false }
        return path(number).split(separator: "/").last.map(String.init) == name
    }

    static func fileExtension(_ name: String) -> String? {
        let base = name.split(separator: "/").last ?? ""
        guard base.contains(".") else { return nil }
        return base.split(separator: ".").last.map { $0.lowercased() }
    }
}
