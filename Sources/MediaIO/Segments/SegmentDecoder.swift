import CLibAV
import FrameCore

/// Frames of finished segments as players will show them, for what is made of a video besides.
final class SegmentDecoder {
    private let codec: CodecContext
    private let stream: VideoStreamDescription
    private let timeBase: Rational
    private let shift: MediaTime
    private var importer = PictureImporter()
    private var durations: [Int64: Int64] = [:]

    /// - Parameters:
    ///   - encoder: of the kind that has made the segments, open.
    ///   - stream: what was encoded.
    ///   - shift: what was added to the times of its frames.
    init(_ encoder: VideoEncoder, _ stream: VideoStreamDescription, shift: MediaTime) throws(FrameError) {
        let identifier = encoder.codec.pointer.pointee.codec_id
        guard let decoder = avcodec_find_decoder(identifier) else {
            throw FrameError(.unsupportedFormat, "there is no decoder for what \(encoder.name) makes")
        }
        self.stream = stream
        self.shift = shift
        timeBase = encoder.timeBase
        codec = try CodecContext(decoder)
        var parameters: UnsafeMutablePointer<AVCodecParameters>? = try allocated(
            avcodec_parameters_alloc(), "codec parameters")
        defer { avcodec_parameters_free(&parameters) }
        try check(
            avcodec_parameters_from_context(parameters, encoder.codec.pointer), .encode,
            "the encoder's parameters cannot be read")
        try check(
            avcodec_parameters_to_context(codec.pointer, parameters), .decode, "the decoder does not take the stream")
        codec.pointer.pointee.flags |= AV_CODEC_FLAG_UNALIGNED
        try check(avcodec_open2(codec.pointer, decoder, nil), .decode, "the decoder does not take the stream")
    }

    /// Decodes a segment.
    /// - Parameter take: receives its frames in the order in which they are shown.
    func decode(_ path: String, _ take: (Frame) throws -> Void) throws {
        let reader = try SegmentFileReader(path)
        let box = try PacketBox()
        while let packet = try reader.next() {
            try packet.fill(box.pointer)
            durations[packet.presentationTime] = packet.duration
            var isSent = false
            while !isSent {
                let result = avcodec_send_packet(codec.pointer, box.pointer)
                isSent = result != vfx_averror(EAGAIN)
                if isSent { try check(result, .decode, "the kept segment is damaged", at: .init(file: path)) }
                try drain(path, take)
            }
            av_packet_unref(box.pointer)
        }
        // Each segment begins anew.
        avcodec_send_packet(codec.pointer, nil)
        try drain(path, take)
        avcodec_flush_buffers(codec.pointer)
        durations = [:]
    }

    private func drain(_ path: String, _ take: (Frame) throws -> Void) throws {
        while true {
            let box = try FrameBox()
            let result = avcodec_receive_frame(codec.pointer, box.pointer)
            if result == vfx_averror(EAGAIN) || result == vfx_averror_eof { return }
            try check(result, .decode, "the kept segment is damaged", at: .init(file: path))
            var color = stream.color
            let buffer = try importer.buffer(from: box, color: &color)
            let ticks = known(box.pointer.pointee.best_effort_timestamp) ?? 0
            try take(
                Frame(
                    buffer: buffer, presentationTime: MediaTime(ticks: ticks, base: timeBase) - shift,
                    duration: durations[ticks].map { MediaTime(ticks: $0, base: timeBase) }, color: color,
                    sampleAspectRatio: stream.sampleAspectRatio))
        }
    }
}
