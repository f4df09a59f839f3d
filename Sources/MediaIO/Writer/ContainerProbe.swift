import CLibAV
import FrameCore

/// The properties of a video stream that a reader finds in the output.
///
/// One small frame is encoded, muxed into memory and read back. Tables of what each container can store with each codec
/// would be long, and would differ between versions of libav.
enum ContainerProbe {
    /// The stream as a reader finds it.
    case found(codec: AVCodecID, pixelFormat: AVPixelFormat, color: ColorDescription)
    /// The container does not accept the stream.
    case rejected
    /// The file cannot be read back, as is the case for raw video without a header.
    case unreadable

    /// A size that all encoders accept.
    private static let side = 64

    /// - Throws: `FrameError` if the encoder does not work.
    init(_ choice: EncoderChoice, in setup: MediaWriterSetup) throws(FrameError) {
        var stream = VideoStreamDescription(
            format: setup.stream.format, width: Self.side, height: Self.side, timeBase: Rational(1, 25),
            nominalFrameRate: Rational(25, 1))
        // The guess for unspecified tags must not depend on the small size.
        stream.color = setup.stream.color
        let file = try MemoryFile([])
        guard try Self.write(choice, stream, setup, to: file) else {
            self = .rejected
            return
        }
        guard let input = try? InputContext(url: "file:" + file.path, format: nil, options: [:]) else {
            self = .unreadable
            return
        }
        input.findStreams(maximumPixels: Self.side * Self.side)
        let video = input.streams.first { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO }
        guard let parameters = video?.pointee.codecpar.pointee else {
            self = .unreadable
            return
        }
        self = .found(
            codec: parameters.codec_id, pixelFormat: AVPixelFormat(rawValue: parameters.format),
            color: ColorDescription(parameters))
    }

    /// Writes a file with one frame.
    ///
    /// - Returns: whether the container accepts it.
    private static func write(
        _ choice: EncoderChoice, _ stream: VideoStreamDescription, _ setup: MediaWriterSetup, to file: MemoryFile
    ) throws(FrameError) -> Bool {
        var options = MediaWriterOptions(pixelFormat: setup.options.pixelFormat, encoderThreads: 1)
        options.preset = setup.options.preset
        let muxer = try Muxer(setup.format.pointer, OutputTarget(memory: file))
        let encoder = try VideoEncoder(
            choice, stream: stream, timeBase: stream.timeBase, options: options, globalHeader: muxer.needsGlobalHeader)
        let video = try setup.addVideo(encoder, to: muxer)
        video.pointee.avg_frame_rate = AVRational(num: 25, den: 1)
        var buffer = try PixelBuffer(format: stream.format, width: stream.width, height: stream.height)
        try buffer.clear()
        let frame = Frame(buffer: buffer, presentationTime: .zero, duration: nil, color: stream.color)
        let put = { (packet: UnsafeMutablePointer<AVPacket>) throws(FrameError) -> Void in
            av_packet_rescale_ts(packet, stream.timeBase.av, video.pointee.time_base)
            packet.pointee.stream_index = video.pointee.index
            try muxer.write(packet)
        }
        do {
            try muxer.open()
            try muxer.writeHeader([:])
            try encoder.encode(frame, ticks: 0, duration: 1, isKey: true, put)
            try encoder.finish(put)
            try muxer.finish()
        } catch { return false }
        return true
    }
}

extension PixelBuffer {
    /// Sets all samples to 0.
    fileprivate mutating func clear() throws(FrameError) {
        let sampleBytes = format.bytesPerSample
        try withOverwrittenPlanes { planes in
            for plane in 0..<planes.count {
                for y in 0..<planes[plane].height {
                    planes[plane].row(y).initializeMemory(
                        as: UInt8.self, repeating: 0, count: planes[plane].width * sampleBytes)
                }
            }
        }
    }
}
