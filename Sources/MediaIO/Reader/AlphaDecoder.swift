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
        let rowBytes = width * format.bytesPerSample, stride = (rowBytes + 63) & ~63
        let memory = av_buffer_alloc(stride * height)
        guard let memory, let start = memory.pointee.data else {
            throw FrameError(.allocation, "no memory for the alpha of a frame")
        }
        made.pointer.pointee.data.3 = start
        made.pointer.pointee.linesize.3 = Int32(stride)
        made.pointer.pointee.buf.3 = memory
        let found = alpha?.pointer.pointee
        let luma = found.flatMap { Self.luma(of: $0, like: format, width, height) }
        for y in 0..<height {
            let row = start + y * stride
            if let luma {
                row.update(from: luma.base + y * luma.stride, count: rowBytes)
            } else if format.bytesPerSample == 1 {
                row.update(repeating: 255, count: rowBytes)
            } else {
                UnsafeMutableRawPointer(row).assumingMemoryBound(to: UInt16.self)
                    .update(repeating: UInt16(format.maximumValue), count: width)
            }
        }
        withExtendedLifetime(alpha) {}
        return made
    }

    /// Discards what is waiting, after a seek.
    func flush() {
        avcodec_flush_buffers(codec.pointer)
        waiting = [:]
    }

    private static func luma(
        of frame: AVFrame, like format: PixelFormat, _ width: Int, _ height: Int
    ) -> (base: UnsafeMutablePointer<UInt8>, stride: Int)? {
        guard let own = PixelFormat(planesOf: AVPixelFormat(rawValue: frame.format)), own.bitDepth == format.bitDepth,
            !own.isRGB, Int(frame.width) == width, Int(frame.height) == height, let base = frame.data.0
        else { return nil }
        return (base, Int(frame.linesize.0))
    }
}
