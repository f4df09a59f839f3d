import CLibAV
import FrameCore

/// Decodes the alpha of VP8 and VP9, which Matroska stores beside each frame as another frame of the codec, whose luma it is
/// (WebM Project, Alpha channel in WebM, 2012).
///
/// A frame whose alpha is missing or damaged is opaque.
final class AlphaDecoder {
    private let codec: CodecContext
    private let packet: PacketHandle
    /// Decoded alpha by the timestamp of its packet.
    private var waiting: [Int64: FrameHandle] = [:]
    /// More frames than a decoder of colors delays.
    private static let mostWaiting = 256
    /// The addition that is alpha.
    private static let additionID: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]

    /// Whether a codec has alpha beside its frames rather than in them.
    static func isNeeded(for codec: AVCodecID) -> Bool { codec == AV_CODEC_ID_VP8 || codec == AV_CODEC_ID_VP9 }

    /// - Parameters:
    ///   - decoder: the decoder of the codec.
    ///   - maximumPixels: the largest number of luma samples of a frame.
    init(_ decoder: UnsafePointer<AVCodec>, maximumPixels: Int) throws(FrameError) {
        codec = try CodecContext(decoder)
        packet = try PacketHandle()
        // With one thread, a frame comes out as soon as its packet has gone in.
        codec.pointer.pointee.thread_count = 1
        codec.pointer.pointee.max_pixels = Int64(maximumPixels)
        codec.pointer.pointee.flags |= AV_CODEC_FLAG_UNALIGNED
        try check(avcodec_open2(codec.pointer, decoder, nil), .decode, "the alpha decoder cannot be opened")
    }

    /// Decodes the alpha of a packet; call before the packet is decoded.
    func take(_ source: UnsafePointer<AVPacket>) {
        var size = 0
        guard let data = av_packet_get_side_data(source, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, &size), size > 8,
            UnsafeBufferPointer(start: data, count: 8).elementsEqual(Self.additionID),
            let time = known(source.pointee.pts), av_new_packet(packet.pointer, Int32(clamping: size - 8)) >= 0
        else { return }
        defer { av_packet_unref(packet.pointer) }
        packet.pointer.pointee.data.update(from: data + 8, count: size - 8)
        packet.pointer.pointee.pts = time
        guard avcodec_send_packet(codec.pointer, packet.pointer) >= 0 else { return }
        while let box = try? FrameHandle(), avcodec_receive_frame(codec.pointer, box.pointer) >= 0 {
            if waiting.count >= Self.mostWaiting { waiting = [:] }
            waiting[known(box.pointer.pointee.pts) ?? time] = box
        }
    }

    /// Returns a decoded frame with its alpha; the frame itself if its format has no form with alpha.
    func adding(to colors: FrameHandle) throws(FrameError) -> FrameHandle {
        let source = colors.pointer.pointee
        let alpha = known(source.pts).flatMap { waiting.removeValue(forKey: $0) }
        guard let format = PixelFormat(planesOf: AVPixelFormat(rawValue: source.format)), !format.hasAlpha,
            let target = format.withAlpha.av
        else { return colors }
        let made = try FrameHandle()
        try check(av_frame_ref(made.pointer, colors.pointer), .allocation, "no memory for a frame")
        made.pointer.pointee.format = target.rawValue
        let (width, height) = (Int(source.width), Int(source.height))
        if let found = alpha?.pointer.pointee, Self.fits(found, format, width, height), let memory = found.buf.0 {
            made.pointer.pointee.data.3 = found.data.0
            made.pointer.pointee.linesize.3 = found.linesize.0
            made.pointer.pointee.buf.3 = av_buffer_ref(memory)
        }
        if made.pointer.pointee.buf.3 == nil { try Self.addOpaque(to: &made.pointer.pointee, format, width, height) }
        return made
    }

    private static func fits(_ alpha: AVFrame, _ format: PixelFormat, _ width: Int, _ height: Int) -> Bool {
        let own = PixelFormat(planesOf: AVPixelFormat(rawValue: alpha.format))
        return own?.bitDepth == format.bitDepth && own?.isRGB == false && Int(alpha.width) == width
            && Int(alpha.height) == height
    }

    private static func addOpaque(
        to frame: inout AVFrame, _ format: PixelFormat, _ width: Int, _ height: Int
    ) throws(FrameError) {
        let stride = (width * format.bytesPerSample + 63) & ~63
        guard let memory = av_buffer_alloc(stride * height), let start = memory.pointee.data else {
            throw FrameError(.allocation, "no memory for the alpha of a frame")
        }
        if format.bytesPerSample == 1 {
            start.update(repeating: 255, count: stride * height)
        } else {
            UnsafeMutableRawPointer(start).assumingMemoryBound(to: UInt16.self)
                .update(repeating: UInt16(format.maximumValue), count: stride * height / 2)
        }
        (frame.data.3, frame.linesize.3, frame.buf.3) = (start, Int32(stride), memory)
    }

    /// Discards what is waiting, after a seek.
    func flush() {
        avcodec_flush_buffers(codec.pointer)
        waiting = [:]
    }
}
