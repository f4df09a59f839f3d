import CLibAV
import FrameCore
import Glibc

/// An animated WebP image, which libwebpdemux decodes: libavcodec knows only single images.
enum AnimatedWebP {
    /// The largest number of pixels of all frames together: what 500 frames of 1080p have. They are kept in memory,
    /// losslessly compressed.
    private static let mostPixels = 1 << 30
    /// The longest duration that browsers do not take literally, and the one that they use instead, in milliseconds.
    private static let tooShort: Int64 = 10, usual: Int64 = 100

    /// libwebpdemux; nil if it is not installed. Loaded once, and constant from then on.
    nonisolated(unsafe) private static let functions = vfx_load_webp()

    /// Whether a file starts like an animated WebP image.
    static func isAnimated(_ head: [UInt8]) -> Bool {
        let reader = ByteReader(head)
        return reader.hasText("RIFF", at: 0) && reader.hasText("WEBPVP8X", at: 8)
            && (reader.big(20, as: UInt8.self) ?? 0) & 2 != 0
    }

    /// Decodes the frames of a local file as they are shown, and stores them as a Matroska file in memory.
    ///
    /// - Returns: nil if the file is something else.
    /// - Throws: `FrameError` if libwebpdemux is not installed or cannot decode the image.
    static func decoded(_ path: String, maximumPixels: Int) throws(FrameError) -> MemoryFile? {
        guard let file = fopen(LocalFile.path(path), "rb") else { return nil }
        defer { fclose(file) }
        var head = [UInt8](repeating: 0, count: 32)
        head.removeLast(head.count - fread(&head, 1, head.count, file))
        guard isAnimated(head) else { return nil }
        let location = FrameError.Location(file: path)
        guard let webp = functions?.pointee else {
            throw FrameError(
                .unsupportedFormat,
                "this is an animated WebP, and libwebpdemux, which reads it, is not installed; install libwebpdemux2, or convert the image to GIF",
                at: location)
        }
        guard let size = LocalFile(path)?.size, size <= StillCodec.maximumFileBytes else {
            throw FrameError(.input, "the animated WebP is too large", at: location)
        }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        rewind(file)
        guard fread(&bytes, 1, bytes.count, file) == bytes.count else {
            throw FrameError(.input, "the file cannot be read", at: location)
        }
        let hasAlpha = head[20] & 0x10 != 0
        return try bytes.withUnsafeBufferPointer { memory throws(FrameError) in
            try decoded(memory, hasAlpha: hasAlpha, webp, maximumPixels, location)
        }
    }

    private static func decoded(
        _ bytes: UnsafeBufferPointer<UInt8>, hasAlpha: Bool, _ webp: vfx_webp_functions, _ maximumPixels: Int,
        _ location: FrameError.Location
    ) throws(FrameError) -> MemoryFile {
        var data = vfx_webp_data(bytes: bytes.baseAddress, size: bytes.count)
        var options = vfx_webp_options(), info = vfx_webp_info()
        let damaged = FrameError(.decode, "the animated WebP is damaged or incomplete", at: location)
        guard webp.options_init(&options, vfx_webp_version) != 0 else {
            throw FrameError(.unsupportedFormat, "this version of libwebpdemux is unknown", at: location)
        }
        options.color_mode = vfx_webp_bgra
        guard let decoder = webp.open(&data, &options, vfx_webp_version) else { throw damaged }
        defer { webp.close(decoder) }
        guard webp.info(decoder, &info) != 0 else { throw damaged }
        let (width, height, count) = (Int(info.canvas_width), Int(info.canvas_height), Int(info.frame_count))
        let limit = min(maximumPixels, mostPixels / max(1, count))
        guard width > 0, height > 0, width * height <= limit else {
            throw FrameError(
                .unsupportedSize,
                "an animated WebP of \(count) frames of \(width)x\(height) is not supported; the limit is \(limit) pixels per frame",
                at: location)
        }
        let writer = try LosslessMemoryVideo(width: width, height: height, hasAlpha: hasAlpha)
        var start: Int64 = 0, decoderTime: Int32 = 0
        while webp.has_more(decoder) != 0 {
            var canvas: UnsafeMutablePointer<UInt8>?, end: Int32 = 0
            guard webp.next(decoder, &canvas, &end) != 0, let canvas else { throw damaged }
            let stated = Int64(end) - Int64(decoderTime)
            decoderTime = end
            let duration = stated <= tooShort ? usual : stated
            try writer.write(canvas, at: start, duration: duration)
            guard writer.byteCount <= StillCodec.maximumFileBytes else {
                throw FrameError(
                    .unsupportedSize,
                    "the frames of the animated WebP need more than \(StillCodec.maximumFileBytes >> 20) MiB",
                    at: location)
            }
            start += duration
        }
        return try writer.finish()
    }
}

/// Stores BGRA frames losslessly in a Matroska file in memory.
private final class LosslessMemoryVideo {
    private static let timeBase = Rational(1, 1000)
    private let file: MemoryFile
    private let muxer: Muxer
    private let codec: CodecContext
    private let stream: UnsafeMutablePointer<AVStream>
    private let packet: PacketHandle
    private var durations: [Int64: Int64] = [:]
    /// The size of the packets so far, in bytes.
    private(set) var byteCount: Int64 = 0
    private let format: AVPixelFormat

    init(width: Int, height: Int, hasAlpha: Bool) throws(FrameError) {
        guard let encoder = avcodec_find_encoder(AV_CODEC_ID_FFV1),
            let container = av_guess_format("matroska", nil, nil)
        else { throw FrameError(.unsupportedFormat, "this libav lacks FFV1 or Matroska, which animated WebP needs") }
        format = hasAlpha ? AV_PIX_FMT_BGRA : AV_PIX_FMT_BGR0
        packet = try PacketHandle()
        file = try MemoryFile([])
        muxer = try Muxer(container, OutputTarget(memory: file))
        codec = try CodecContext(encoder)
        codec.pointer.pointee.width = Int32(width)
        codec.pointer.pointee.height = Int32(height)
        codec.pointer.pointee.pix_fmt = format
        codec.pointer.pointee.time_base = Self.timeBase.av
        codec.pointer.pointee.level = 3
        codec.pointer.pointee.thread_count = 1
        codec.pointer.pointee.gop_size = 1
        codec.pointer.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
        try check(codec.openEncoder(encoder), .encode, "the frames of the animated WebP cannot be stored")
        stream = try muxer.addStream()
        try check(
            avcodec_parameters_from_context(stream.pointee.codecpar, codec.pointer), .encode,
            "the frames of the animated WebP cannot be stored")
        stream.pointee.time_base = Self.timeBase.av
        try muxer.open()
        try muxer.writeHeader([:])
    }

    /// - Parameters:
    ///   - canvas: the rows of the frame, without gaps.
    ///   - time: when it is shown, in milliseconds.
    ///   - duration: how long it is shown, in milliseconds.
    func write(_ canvas: UnsafeMutablePointer<UInt8>, at time: Int64, duration: Int64) throws(FrameError) {
        let box = try FrameHandle()
        box.pointer.pointee.width = codec.pointer.pointee.width
        box.pointer.pointee.height = codec.pointer.pointee.height
        box.pointer.pointee.format = format.rawValue
        box.pointer.pointee.data.0 = canvas
        box.pointer.pointee.linesize.0 = 4 * codec.pointer.pointee.width
        box.pointer.pointee.pts = time
        durations[time] = duration
        try check(avcodec_send_frame(codec.pointer, box.pointer), .encode, "a frame of the animated WebP is refused")
        try drain()
    }

    func finish() throws(FrameError) -> MemoryFile {
        avcodec_send_frame(codec.pointer, nil)
        try drain()
        try muxer.finish()
        return file
    }

    private func drain() throws(FrameError) {
        while avcodec_receive_packet(codec.pointer, packet.pointer) >= 0 {
            packet.pointer.pointee.stream_index = stream.pointee.index
            byteCount += Int64(packet.pointer.pointee.size)
            packet.pointer.pointee.duration = durations.removeValue(forKey: packet.pointer.pointee.pts) ?? 0
            av_packet_rescale_ts(packet.pointer, Self.timeBase.av, stream.pointee.time_base)
            try muxer.write(packet.pointer)
        }
    }
}
