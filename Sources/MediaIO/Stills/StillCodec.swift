import CLibAV
public import FrameCore

/// Picture files to and from pictures, by libav's codecs.
///
/// EXIF data, AVIF's container and the color chunk of PNG are written here, since libav does not.
public struct StillCodec: StillEncoder, StillDecoder {
    let allowsNetwork: Bool
    let maximumPixels: Int

    /// A codec; it keeps nothing between calls.
    ///
    /// - Parameters:
    ///   - allowsNetwork: whether ``read(_:)`` opens addresses of the network.
    ///   - maximumPixels: luma samples that a picture may have to be decoded.
    public init(allowsNetwork: Bool = true, maximumPixels: Int = MediaReaderOptions.mostPixels) {
        self.allowsNetwork = allowsNetwork
        self.maximumPixels = maximumPixels
    }

    public func encode(
        _ picture: StillPicture, as format: StillFormat, options: StillOptions
    ) throws(FrameError) -> EncodedStill {
        let target = try StillTarget(picture, as: format, options: options)
        if let thumbnail = options.thumbnail, thumbnail.count > format.maximumThumbnailBytes {
            throw FrameError(
                .invalidArgument,
                "the thumbnail takes \(thumbnail.count) bytes; a \(format.name) file has room for \(format.maximumThumbnailBytes)"
            )
        }
        let buffer = picture.frame.buffer
        let known = picture.frame.color.resolved(height: buffer.height)
        let exif = ExifBlock.bytes(
            metadata: options.metadata, orientation: picture.orientation, width: buffer.width, height: buffer.height,
            isSRGB: StillTarget.isNearSRGB(known), thumbnail: options.thumbnail)
        let bytes = try Self.coded(picture, target, threads: options.threads)
        return EncodedStill(
            bytes: try Self.pack(bytes, picture, format, target, exif: exif, threads: options.threads),
            notes: target.notes)
    }

    private static func pack(
        _ bytes: [UInt8], _ picture: StillPicture, _ format: StillFormat, _ target: StillTarget, exif: [UInt8]?,
        threads: Int
    ) throws(FrameError) -> [UInt8] {
        let buffer = picture.frame.buffer
        switch format {
        case .jpeg:
            return try exif.ifPresent { block throws(FrameError) in try StillContainer.jpeg(bytes, exif: block) }
                ?? bytes
        case .png:
            let isPlain = StillTarget.isNearSRGB(target.color)
            if exif == nil, isPlain { return bytes }
            return try StillContainer.png(bytes, exif: exif, color: isPlain ? nil : target.color)
        case .webp:
            return try exif.ifPresent { block throws(FrameError) in
                try StillContainer.webp(
                    bytes, exif: block, width: buffer.width, height: buffer.height, hasAlpha: picture.alpha != nil)
            } ?? bytes
        case .jpegXL:
            return try exif.ifPresent { block throws(FrameError) in try StillContainer.jpegXL(bytes, exif: block) }
                ?? bytes
        case .avif:
            guard let layout = PixelFormat(planesOf: target.pixelFormat) else {
                throw FrameError(.encode, "the AV1 encoder's pixel format is not known")
            }
            let file = AVIFFile(
                width: buffer.width, height: buffer.height, color: .init(bytes: bytes, format: layout),
                alpha: try picture.alpha.ifPresent { plane throws(FrameError) in
                    try opacity(plane, like: layout, threads: threads)
                },
                description: target.color, orientation: picture.orientation, exif: exif)
            return try file.encoded()
        }
    }

    /// The opacity as an AV1 picture of its own.
    private static func opacity(
        _ plane: PixelBuffer, like color: PixelFormat, threads: Int
    ) throws(FrameError) -> AVIFFile.Image {
        let picture = StillPicture(
            frame: Frame(
                buffer: plane, presentationTime: .zero,
                color: ColorDescription(matrix: .bt709, primaries: .bt709, transfer: .bt709, range: .full)))
        let target = try StillTarget(picture, as: .avif, options: StillOptions(quality: 95, threads: threads))
        guard let format = PixelFormat(planesOf: target.pixelFormat) else {
            throw FrameError(.encode, "the AV1 encoder's pixel format is not known")
        }
        return AVIFFile.Image(bytes: try coded(picture, target, threads: threads), format: format)
    }

    /// The encoder's one packet.
    private static func coded(
        _ picture: StillPicture, _ target: StillTarget, threads: Int
    ) throws(FrameError) -> [UInt8] {
        guard let encoder = avcodec_find_encoder_by_name(target.encoder) else {
            throw FrameError(.unsupportedFormat, "this libavcodec has no encoder \(target.encoder)")
        }
        let codec = try CodecContext(encoder)
        let box = try target.frame(of: picture)
        for (name, value) in target.settings {
            try check(
                av_opt_set(codec.pointer, name, value, AV_OPT_SEARCH_CHILDREN), .encode,
                "\(target.encoder) does not take \(value) as its \(name)")
        }
        codec.pointer.pointee.width = Int32(picture.frame.buffer.width)
        codec.pointer.pointee.height = Int32(picture.frame.buffer.height)
        codec.pointer.pointee.pix_fmt = target.pixelFormat
        codec.pointer.pointee.time_base = AVRational(num: 1, den: 25)
        codec.pointer.pointee.thread_count = Int32(clamping: max(1, threads))
        codec.pointer.pointee.bit_rate = 0
        codec.pointer.pointee.gop_size = 1
        codec.pointer.pointee.flags |= AV_CODEC_FLAG_BITEXACT
        target.tags.apply(to: &codec.pointer.pointee)
        codec.pointer.pointee.sample_aspect_ratio = box.pointer.pointee.sample_aspect_ratio
        if let quantiser = target.quantiser {
            // One slice and one table set for all, so that the bytes do not depend on the threads.
            codec.pointer.pointee.thread_count = 1
            codec.pointer.pointee.flags |= AV_CODEC_FLAG_QSCALE
            codec.pointer.pointee.global_quality = quantiser * FF_QP2LAMBDA
            codec.pointer.pointee.qmin = 1
            box.pointer.pointee.quality = quantiser * FF_QP2LAMBDA
        }
        let size = "\(picture.frame.buffer.width)x\(picture.frame.buffer.height)"
        let opened = codec.openEncoder(encoder)
        try check(
            opened, .encode,
            "\(target.encoder) cannot encode \(size) pictures\(codec.takeLog().first.map { ": \($0)" } ?? "")")
        box.pointer.pointee.pts = 0
        box.pointer.pointee.pict_type = AV_PICTURE_TYPE_I
        try check(
            avcodec_send_frame(codec.pointer, box.pointer), .encode, "\(target.encoder) does not take the picture")
        avcodec_send_frame(codec.pointer, nil)
        let packet = try PacketHandle()
        let received = avcodec_receive_packet(codec.pointer, packet.pointer)
        try check(
            received, .encode, "\(target.encoder) failed\(codec.takeLog().first.map { ": \($0)" } ?? "")")
        guard let data = packet.pointer.pointee.data else {
            throw FrameError(.encode, "\(target.encoder) gave an empty packet")
        }
        var bytes = Array(UnsafeBufferPointer(start: data, count: Int(packet.pointer.pointee.size)))
        // A file needs no temporal delimiter.
        if target.encoder == "libaom-av1", bytes.starts(with: [0x12, 0]) { bytes.removeFirst(2) }
        return bytes
    }
}

extension Optional {
    /// Like `map`, with the error's type kept.
    fileprivate func ifPresent<R>(_ transform: (Wrapped) throws(FrameError) -> R) throws(FrameError) -> R? {
        switch self {
        case .some(let value): try transform(value)
        case .none: nil
        }
    }
}
