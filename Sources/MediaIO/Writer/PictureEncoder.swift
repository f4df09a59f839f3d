import CLibAV
import FrameCore

/// Makes picture files' bytes of frames.
struct PictureEncoder {
    let choice: EncoderChoice
    private let stream: VideoStreamDescription
    private let options: MediaWriterOptions

    /// - Parameter name: libavcodec's name of the encoder.
    init(
        named name: String, stream: VideoStreamDescription, options: MediaWriterOptions,
        at location: FrameError.Location
    ) throws(FrameError) {
        guard let encoder = avcodec_find_encoder_by_name(name) else {
            throw FrameError(.unsupportedFormat, "there is no encoder for these pictures", at: location)
        }
        choice = try Self.choose(encoder, stream, options.pixelFormat)
        self.stream = stream
        self.options = options
    }

    func bytes(of frame: Frame) throws(FrameError) -> [UInt8] {
        // A fresh encoder per picture: some keep state or must be drained to give their one packet.
        var single = options
        (single.codec, single.crf, single.preset) = (nil, nil, nil)
        let encoder = try VideoEncoder(
            choice, stream: stream, timeBase: Rational(1, 25), options: single, globalHeader: false)
        var bytes: [UInt8] = []
        let take = { (packet: UnsafeMutablePointer<AVPacket>) throws(FrameError) -> Void in
            guard let data = packet.pointee.data else { return }
            bytes += UnsafeBufferPointer(start: data, count: Int(packet.pointee.size))
        }
        try encoder.encode(frame, ticks: 0, duration: 1, isKey: true, take)
        try encoder.finish(take)
        return bytes
    }

    /// Pictures are mostly RGB, which holds every chroma sample; native YCbCr is kept where the codec has it.
    private static func choose(
        _ encoder: UnsafePointer<AVCodec>, _ stream: VideoStreamDescription, _ wanted: String?
    ) throws(FrameError) -> EncoderChoice {
        let native = try EncoderChoice.best(encoder, for: stream, pixelFormat: wanted)
        let isDeep = stream.format.bitDepth > 8
        if let native, wanted != nil || native.cost == 0 { return native }
        let offered = EncoderChoice.formats(of: encoder).map { ($0, String(c: av_get_pix_fmt_name($0))) }
        let names = isDeep ? ["rgb48be", "rgb48le", "rgb24", "bgr24", "bgra"] : ["rgb24", "bgr24", "bgra"]
        let colored = stream.format.subsampling != .monochrome
        if colored, let name = names.first(where: { name in offered.contains { $0.1 == name } }),
            let format = offered.first(where: { $0.1 == name })?.0,
            native.map({ $0.cost >= 50 }) ?? true || isDeep
        {
            let lost = isDeep && !name.contains("48")
            let note = "pictures are converted to \(name)\(lost ? ", 8 bits per sample" : "")"
            return EncoderChoice(encoder: encoder, pixelFormat: format, note: note, cost: 1)
        }
        if let native { return native }
        throw FrameError(.unsupportedFormat, "\(stream.format) pictures cannot be written in this picture format")
    }
}
