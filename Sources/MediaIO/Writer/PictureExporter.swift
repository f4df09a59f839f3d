import CLibAV
import FrameCore

/// Makes libav frames of ours: without a copy where the encoder takes the format, converted where not.
struct PictureExporter {
    private let target: AVPixelFormat
    private let targetIsExact: Bool
    private var scaler: PictureScaler?

    init(source: PixelFormat, target: AVPixelFormat) {
        self.target = target
        targetIsExact = PixelFormat(planesOf: target) == source && PixelLayoutOf(target)?.hasAlpha == false
    }

    /// The frame's picture and tags; times are the caller's to set.
    mutating func avFrame(of frame: Frame) throws(FrameError) -> FrameBox {
        let box = try FrameBox()
        box.pointer.pointee.width = Int32(frame.buffer.width)
        box.pointer.pointee.height = Int32(frame.buffer.height)
        box.pointer.pointee.format = target.rawValue
        if targetIsExact {
            try Self.lend(frame.buffer, to: box)
            frame.color.apply(to: &box.pointer.pointee)
        } else {
            try convert(frame, into: box)
        }
        box.pointer.pointee.sample_aspect_ratio = frame.sampleAspectRatio?.av ?? AVRational(num: 0, den: 1)
        frame.sideData.attach(to: box.pointer)
        return box
    }

    /// The tags that pictures will carry once converted.
    static func tags(of color: ColorDescription, target: AVPixelFormat, height: Int) -> ColorDescription {
        guard let layout = PixelLayoutOf(target) else { return color }
        var tags = color
        if layout.isRGB { (tags.matrix, tags.range) = (.identity, .full) }
        if layout.name.hasPrefix("yuvj") { tags.range = .full }
        return tags
    }

    private mutating func convert(_ frame: Frame, into box: FrameBox) throws(FrameError) {
        guard let format = frame.buffer.format.av else {
            throw FrameError(.unsupportedFormat, "\(frame.buffer.format) pictures cannot be converted for the encoder")
        }
        let known = frame.color.resolved(height: frame.buffer.height)
        let tags = Self.tags(of: frame.color, target: target, height: frame.buffer.height)
        var to = known
        if tags.range == .full { to.range = .full }
        let source = PictureScaler.Side(format: format, color: known)
        let result = PictureScaler.Side(format: target, color: to)
        if scaler?.source != source || scaler?.target != result {
            scaler = try PictureScaler(
                from: source, to: result, width: frame.buffer.width, height: frame.buffer.height)
        }
        try check(av_frame_get_buffer(box.pointer, 0), .allocation, "no memory for a picture")
        tags.apply(to: &box.pointer.pointee)
        let borrowed = try FrameBox()
        try Self.lend(frame.buffer, to: borrowed)
        try scaler?.convert(borrowed.pointer.pointee, into: &box.pointer.pointee)
    }

    /// Points `box` at the buffer's planes and keeps the buffer alive as long as libav holds them.
    private static func lend(_ buffer: PixelBuffer, to box: FrameBox) throws(FrameError) {
        let keeper = Unmanaged.passRetained(BufferKeeper(buffer))
        // The pointers outlive this closure: the keeper holds a copy of the buffer, and copy-on-write storage that is
        // held twice is never written.
        let first: UnsafeMutablePointer<UInt8>? = buffer.withPlanes { planes in
            let all = (0..<planes.count).map { planes[$0] }
            let bytes = all.map { UnsafeMutableRawPointer(mutating: $0.base).assumingMemoryBound(to: UInt8.self) }
            box.pointer.pointee.data.0 = bytes[0]
            box.pointer.pointee.linesize.0 = Int32(all[0].stride)
            if all.count > 2 {
                (box.pointer.pointee.data.1, box.pointer.pointee.data.2) = (bytes[1], bytes[2])
                (box.pointer.pointee.linesize.1, box.pointer.pointee.linesize.2) = (
                    Int32(all[1].stride), Int32(all[2].stride)
                )
            }
            return bytes.first
        }
        let reference = av_buffer_create(
            first, 1, { opaque, _ in opaque.map { Unmanaged<BufferKeeper>.fromOpaque($0).release() } },
            keeper.toOpaque(), AV_BUFFER_FLAG_READONLY)
        guard let reference else {
            keeper.release()
            throw FrameError(.allocation, "no memory for a picture reference")
        }
        box.pointer.pointee.buf.0 = reference
    }
}

private final class BufferKeeper {
    let buffer: PixelBuffer
    init(_ buffer: PixelBuffer) { self.buffer = buffer }
}
