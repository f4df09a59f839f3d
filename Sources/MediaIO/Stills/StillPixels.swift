import CLibAV
import FrameCore

extension StillTarget {
    /// Converts an image, including alpha, to the encoder's pixel format.
    func frame(of picture: StillPicture) throws(FrameError) -> FrameHandle {
        let buffer = picture.frame.buffer
        guard let sourceFormat = buffer.format.av else {
            throw FrameError(.unsupportedFormat, "\(buffer.format) images cannot be converted for the encoder")
        }
        let box = try FrameHandle()
        box.pointer.pointee.width = Int32(buffer.width)
        box.pointer.pointee.height = Int32(buffer.height)
        box.pointer.pointee.format = pixelFormat.rawValue
        try check(av_frame_get_buffer(box.pointer, 0), .allocation, "no memory for an image")
        var known = picture.frame.color.resolved(height: buffer.height)
        // The matrix alone decides about the conversion to RGB; the profile about what that means.
        if conversion != nil { (known.primaries, known.transfer) = (color.primaries, color.transfer) }
        let from = PictureScaler.Side(format: sourceFormat, color: known)
        var to = PictureScaler.Side(format: pixelFormat, color: color)
        // The matrix does not matter without chroma; keep it, so that no conversion takes place.
        if buffer.format.subsampling == .monochrome { to.color.matrix = known.matrix }
        let scaler = try PictureScaler(from: from, to: to, width: buffer.width, height: buffer.height)
        try buffer.withPlanes { planes throws(FrameError) in
            var source = AVFrame()
            source.borrow(planes)
            try scaler.convert(source, into: &box.pointer.pointee)
        }
        if buffer.format.subsampling == .monochrome,
            PixelFormatDescription(pixelFormat)?.name.hasPrefix("yuv") == true
        {
            Self.neutralChroma(&box.pointer.pointee)
        }
        conversion?.convert(box.pointer.pointee)
        try Self.write(alpha: picture.alpha, into: &box.pointer.pointee)
        var tags = tags
        tags.chromaLocation = color.chromaLocation
        tags.apply(to: &box.pointer.pointee)
        box.pointer.pointee.sample_aspect_ratio = picture.frame.sampleAspectRatio?.av ?? AVRational(num: 0, den: 1)
        if tags.transfer.isHighDynamicRange { picture.frame.sideData.attach(to: box.pointer) }
        return box
    }

    private static func neutralChroma(_ frame: inout AVFrame) {
        guard let descriptor = av_pix_fmt_desc_get(AVPixelFormat(rawValue: frame.format))?.pointee else { return }
        let rows = (Int(frame.height) + (1 << descriptor.log2_chroma_h) - 1) >> descriptor.log2_chroma_h
        for (plane, stride) in [(frame.data.1, frame.linesize.1), (frame.data.2, frame.linesize.2)] {
            plane?.update(repeating: 128, count: rows * Int(stride))
        }
    }

    /// Writes the alpha channel of a frame whose format has one; opaque if `alpha` is nil.
    private static func write(alpha: PixelBuffer?, into frame: inout AVFrame) throws(FrameError) {
        guard let found = AlphaChannel(AVPixelFormat(rawValue: frame.format)) else { return }
        let width = Int(frame.width), height = Int(frame.height)
        if let alpha, alpha.width != width || alpha.height != height || alpha.format.planeCount != 1 {
            throw FrameError(
                .invalidArgument,
                "the alpha plane is \(alpha.width)x\(alpha.height) \(alpha.format); it must be one plane of \(width)x\(height)"
            )
        }
        for y in 0..<height {
            guard let alpha else {
                for x in 0..<width { found.set(Int.max, x, y, &frame) }
                continue
            }
            alpha.withPlanes { planes in
                let row = planes[0].row(y), depth = alpha.format.bitDepth
                for x in 0..<width {
                    let value =
                        depth == 8
                        ? Int(row.load(fromByteOffset: x, as: UInt8.self))
                        : Int(row.load(fromByteOffset: 2 * x, as: UInt16.self))
                    found.set(found.scaled(value, from: depth), x, y, &frame)
                }
            }
        }
    }
}

/// The position of the alpha samples in frames of a libav pixel format.
struct AlphaChannel {
    let depth: Int
    private let plane: Int
    private let step: Int
    private let offset: Int
    private let isBigEndian: Bool
    private let isFloat: Bool

    /// Finds the alpha channel; nil for formats without one, or whose alpha samples are not whole bytes.
    init?(_ format: AVPixelFormat) {
        guard let descriptor = av_pix_fmt_desc_get(format)?.pointee, PixelFormatDescription(format)?.hasAlpha == true,
            Int32(truncatingIfNeeded: descriptor.flags) & AV_PIX_FMT_FLAG_PAL == 0
        else { return nil }
        let components = [descriptor.comp.0, descriptor.comp.1, descriptor.comp.2, descriptor.comp.3]
        let last = components[max(0, min(3, Int(descriptor.nb_components) - 1))]
        guard last.shift == 0, last.depth >= 8 else { return nil }
        isFloat = PixelFormatDescription(format)?.isFloat == true
        depth = isFloat ? 16 : Int(last.depth)
        plane = Int(last.plane)
        step = Int(last.step)
        offset = Int(last.offset)
        isBigEndian = Int32(truncatingIfNeeded: descriptor.flags) & AV_PIX_FMT_FLAG_BE != 0
    }

    /// Converts an alpha value from another bit depth to that of the channel.
    func scaled(_ value: Int, from other: Int) -> Int {
        let (most, least) = ((1 << depth) - 1, (1 << other) - 1)
        return (value * most + least / 2) / least
    }

    func set(_ value: Int, _ x: Int, _ y: Int, _ frame: inout AVFrame) {
        guard let place = place(x, y, frame) else { return }
        let value = min(value, (1 << depth) - 1)
        if depth == 8 {
            place[0] = UInt8(truncatingIfNeeded: value)
        } else {
            let (high, low) = (UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value))
            (place[0], place[1]) = isBigEndian ? (high, low) : (low, high)
        }
    }

    func get(_ x: Int, _ y: Int, _ frame: AVFrame) -> Int {
        guard let place = place(x, y, frame) else { return (1 << depth) - 1 }
        if isFloat {
            let bits = UnsafeRawPointer(place).loadUnaligned(as: UInt32.self)
            let value = Float(bitPattern: isBigEndian ? UInt32(bigEndian: bits) : UInt32(littleEndian: bits))
            return value > 0 ? Int(65_535 * min(1, value) + 0.5) : 0
        }
        if depth == 8 { return Int(place[0]) }
        return isBigEndian ? Int(place[0]) << 8 | Int(place[1]) : Int(place[1]) << 8 | Int(place[0])
    }

    private func place(_ x: Int, _ y: Int, _ frame: AVFrame) -> UnsafeMutablePointer<UInt8>? {
        let planes = frame.planes
        guard planes.indices.contains(plane) else { return nil }
        return planes[plane].map { $0 + y * Int(frame.strides[plane]) + x * step + offset }
    }
}
