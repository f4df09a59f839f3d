import CLibAV
import FrameCore

/// Turns frames into libav frames: without a copy if the encoder accepts their format, else converted.
struct PictureExporter {
    private let target: AVPixelFormat
    private let targetIsExact: Bool
    private var scaler: PictureScaler?

    init(source: PixelFormat, target: AVPixelFormat) {
        self.target = target
        targetIsExact = PixelFormat(planesOf: target) == source && PixelFormatDescription(target)?.hasAlpha == false
    }

    /// Returns a libav frame with the samples, tags and side data of `frame`; the caller sets its times.
    mutating func avFrame(of frame: Frame) throws(FrameError) -> FrameHandle {
        let box = try FrameHandle()
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

    /// Returns the color tags of frames after conversion to `target`.
    static func tags(of color: ColorDescription, target: AVPixelFormat, height: Int) -> ColorDescription {
        guard let layout = PixelFormatDescription(target) else { return color }
        var tags = color
        if layout.isRGB { (tags.matrix, tags.range) = (.identity, .full) }
        if layout.name.hasPrefix("yuvj") { tags.range = .full }
        return tags
    }

    private mutating func convert(_ frame: Frame, into box: FrameHandle) throws(FrameError) {
        guard let format = frame.buffer.format.av else {
            throw FrameError(.unsupportedFormat, "\(frame.buffer.format) frames cannot be converted for the encoder")
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
        try check(av_frame_get_buffer(box.pointer, 0), .allocation, "no memory for a frame")
        tags.apply(to: &box.pointer.pointee)
        let borrowed = try FrameHandle()
        try Self.lend(frame.buffer, to: borrowed)
        try scaler?.convert(borrowed.pointer.pointee, into: &box.pointer.pointee)
    }

    /// Points `box` at the buffer's planes, and keeps the buffer's storage alive as long as libav references them.
    private static func lend(_ buffer: PixelBuffer, to box: FrameHandle) throws(FrameError) {
        let storage = Unmanaged.passRetained(buffer.storage)
        // The pointers stay valid after this closure: storage with a second reference is never written to.
        buffer.withPlanes { box.pointer.pointee.borrow($0) }
        let reference = av_buffer_create(
            box.pointer.pointee.data.0, 1,
            { opaque, _ in opaque.map { Unmanaged<PixelStorage>.fromOpaque($0).release() } },
            storage.toOpaque(), AV_BUFFER_FLAG_READONLY)
        guard let reference else {
            storage.release()
            throw FrameError(.allocation, "no memory for a frame reference")
        }
        box.pointer.pointee.buf.0 = reference
    }
}
