import CLibAV
public import FrameCore

/// Encodes and decodes still images with libav's codecs.
///
/// EXIF data, the AVIF container and PNG's color chunk are written by this module, since libav does not write them.
public struct StillCodec: StillEncoder, StillDecoder {
    let allowsNetwork: Bool
    let maximumPixels: Int

    /// Creates a codec; it keeps no state between calls.
    ///
    /// - Parameters:
    ///   - allowsNetwork: whether ``read(_:)`` opens network URLs.
    ///   - maximumPixels: the largest number of luma samples of an image to decode.
    public init(allowsNetwork: Bool = true, maximumPixels: Int = MediaReaderOptions.mostPixels) {
        self.allowsNetwork = allowsNetwork
        self.maximumPixels = maximumPixels
    }

    public func encode(
        _ picture: StillPicture, as format: StillFormat, options: StillOptions
    ) throws(FrameError) -> EncodedStill {
        var picture = picture
        return try encode(releasing: &picture, as: format, options: options)
    }

    /// Encodes one image, and releases its samples as soon as they are converted for the encoder: with a large image,
    /// the encoder needs the memory.
    ///
    /// - Parameter picture: the image; its buffer is replaced by one of a single pixel.
    /// - Throws: `FrameError` as ``encode(_:as:options:)``.
    package func encode(
        releasing picture: inout StillPicture, as format: StillFormat, options: StillOptions
    ) throws(FrameError) -> EncodedStill {
        let target = try StillTarget(picture, as: format, options: options)
        if let thumbnail = options.thumbnail, thumbnail.count > format.maximumThumbnailBytes {
            throw FrameError(
                .invalidArgument,
                "the thumbnail takes \(thumbnail.count) bytes; \(format.name) allows at most \(format.maximumThumbnailBytes)"
            )
        }
        let (extras, losses) = target.extras(of: picture, as: format, options)
        var notes = target.notes + losses
        let converted = try target.frame(of: picture)
        picture.frame.buffer = try PixelBuffer(format: .yuv420p8, width: 1, height: 1)
        let bytes = try Self.coded(converted, target, threads: options.threads)
        let size = (Int(converted.pointer.pointee.width), Int(converted.pointer.pointee.height))
        return EncodedStill(
            bytes: try Self.pack(bytes, picture, size, format, target, extras, threads: options.threads, notes: &notes),
            notes: notes)
    }

    /// Returns what an image file would not keep as it is, as far as that is known without encoding.
    package func expectedNotes(
        on picture: StillPicture, as format: StillFormat, options: StillOptions
    ) throws(FrameError) -> [Note] {
        let target = try StillTarget(picture, as: format, options: options)
        return target.notes + target.extras(of: picture, as: format, options).losses
    }

    private static func pack(
        _ bytes: [UInt8], _ picture: StillPicture, _ size: (width: Int, height: Int), _ format: StillFormat,
        _ target: StillTarget, _ extras: StillExtras, threads: Int, notes: inout [Note]
    ) throws(FrameError) -> [UInt8] {
        switch format {
        case .jpeg:
            return extras.isEmpty ? bytes : try StillContainer.jpeg(bytes, extras, notes: &notes)
        case .png:
            let isPlain = StillTarget.isNearSRGB(target.color) || extras.profile != nil
            if extras.isEmpty, isPlain { return bytes }
            return try StillContainer.png(bytes, extras, color: isPlain ? nil : target.color)
        case .webp:
            if extras.isEmpty { return bytes }
            return try StillContainer.webp(
                bytes, extras, width: size.width, height: size.height, hasAlpha: picture.alpha != nil)
        case .jpegXL:
            return extras.isEmpty ? bytes : try StillContainer.jpegXL(bytes, extras)
        case .avif:
            guard let layout = PixelFormat(planesOf: target.pixelFormat) else {
                throw FrameError(.encode, "the AV1 encoder's pixel format is unknown")
            }
            let file = AVIFFile(
                width: size.width, height: size.height, color: .init(bytes: bytes, format: layout),
                alpha: try picture.alpha.ifPresent { plane throws(FrameError) in
                    try opacity(plane, like: layout, threads: threads)
                },
                description: target.tags, orientation: picture.orientation, extras: extras)
            return try file.encoded()
        }
    }

    /// Encodes the alpha plane as a separate AV1 frame.
    private static func opacity(
        _ plane: PixelBuffer, like color: PixelFormat, threads: Int
    ) throws(FrameError) -> AVIFFile.Image {
        let picture = StillPicture(
            frame: Frame(
                buffer: plane, presentationTime: .zero,
                color: ColorDescription(matrix: .bt709, primaries: .bt709, transfer: .bt709, range: .full)))
        let target = try StillTarget(picture, as: .avif, options: StillOptions(quality: 95, threads: threads))
        guard let format = PixelFormat(planesOf: target.pixelFormat) else {
            throw FrameError(.encode, "the AV1 encoder's pixel format is unknown")
        }
        let bytes = try coded(target.frame(of: picture), target, threads: threads)
        return AVIFFile.Image(bytes: bytes, format: format)
    }

    /// Encodes an image and returns the encoder's only packet.
    ///
    /// - Parameter box: the image in the encoder's format; its samples are released.
    private static func coded(
        _ box: FrameHandle, _ target: StillTarget, threads: Int
    ) throws(FrameError) -> [UInt8] {
        guard let encoder = avcodec_find_encoder_by_name(target.encoder) else {
            throw FrameError(.unsupportedFormat, "this libavcodec has no encoder \(target.encoder)")
        }
        let codec = try CodecContext(encoder)
        for (name, value) in target.settings {
            try check(
                av_opt_set(codec.pointer, name, value, AV_OPT_SEARCH_CHILDREN), .encode,
                "\(target.encoder) does not accept \(value) for its option \(name)")
        }
        codec.pointer.pointee.width = box.pointer.pointee.width
        codec.pointer.pointee.height = box.pointer.pointee.height
        codec.pointer.pointee.pix_fmt = target.pixelFormat
        codec.pointer.pointee.time_base = AVRational(num: 1, den: 25)
        // Threads of the PNG encoder only encode several frames at once, each with a copy of its frame.
        codec.pointer.pointee.thread_count = target.encoder == "png" ? 1 : Int32(clamping: max(1, threads))
        codec.pointer.pointee.bit_rate = 0
        codec.pointer.pointee.gop_size = 1
        codec.pointer.pointee.flags |= AV_CODEC_FLAG_BITEXACT
        target.tags.apply(to: &codec.pointer.pointee)
        codec.pointer.pointee.sample_aspect_ratio = box.pointer.pointee.sample_aspect_ratio
        if let quantiser = target.quantiser {
            // One thread means one slice and one set of tables, so that the bytes do not depend on the number of
            // threads.
            codec.pointer.pointee.thread_count = 1
            codec.pointer.pointee.flags |= AV_CODEC_FLAG_QSCALE
            codec.pointer.pointee.global_quality = quantiser * FF_QP2LAMBDA
            codec.pointer.pointee.qmin = 1
            box.pointer.pointee.quality = quantiser * FF_QP2LAMBDA
        }
        let size = "\(box.pointer.pointee.width)x\(box.pointer.pointee.height)"
        let opened = codec.openEncoder(encoder)
        try check(
            opened, .encode,
            "\(target.encoder) cannot encode \(size) images\(codec.takeLog().first.map { ": \($0)" } ?? "")")
        box.pointer.pointee.pts = 0
        box.pointer.pointee.pict_type = AV_PICTURE_TYPE_I
        try check(
            avcodec_send_frame(codec.pointer, box.pointer), .encode, "\(target.encoder) does not accept the image")
        avcodec_send_frame(codec.pointer, nil)
        let packet = try PacketHandle()
        let received = avcodec_receive_packet(codec.pointer, packet.pointer)
        try check(
            received, .encode, "\(target.encoder) failed\(codec.takeLog().first.map { ": \($0)" } ?? "")")
        // The size stays; large samples need not be in memory while the compressed bytes are copied.
        let (width, height) = (box.pointer.pointee.width, box.pointer.pointee.height)
        av_frame_unref(box.pointer)
        (box.pointer.pointee.width, box.pointer.pointee.height) = (width, height)
        guard let data = packet.pointer.pointee.data else {
            throw FrameError(.encode, "\(target.encoder) returned an empty packet")
        }
        var bytes = Array(UnsafeBufferPointer(start: data, count: Int(packet.pointer.pointee.size)))
        // AVIF files contain no temporal delimiter.
        if target.encoder == "libaom-av1", bytes.starts(with: [0x12, 0]) { bytes.removeFirst(2) }
        return bytes
    }
}

extension Optional {
    /// Like `map`, but keeps the type of the error.
    fileprivate func ifPresent<R>(_ transform: (Wrapped) throws(FrameError) -> R) throws(FrameError) -> R? {
        switch self {
        case .some(let value): try transform(value)
        case .none: nil
        }
    }
}
