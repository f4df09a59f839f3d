import CLibAV
import FrameCore

/// Decodes the frames of finished segments, as players will show them, for additional outputs such as thumbnails.
final class SegmentDecoder {
    private let codec: CodecContext
    private let stream: VideoStreamDescription
    private let timeBase: Rational
    private let shift: MediaTime
    /// Decodes alpha that is stored beside the frames; nil if there is none.
    private let alpha: AlphaDecoder?
    private var importer: PictureImporter
    private var scaler: PictureScaler?
    private var durations: [Int64: Int64] = [:]

    /// - Parameters:
    ///   - encoder: an open encoder with the same settings as that of the segments.
    ///   - stream: the stream that was encoded.
    ///   - shift: the offset that was added to the times of its frames.
    init(_ encoder: VideoEncoder, _ stream: VideoStreamDescription, shift: MediaTime) throws(FrameError) {
        let identifier = encoder.codec.pointer.pointee.codec_id
        guard let decoder = avcodec_find_decoder(identifier) else {
            throw FrameError(.unsupportedFormat, "there is no decoder for the output of \(encoder.name)")
        }
        self.stream = stream
        let format = stream.format
        importer = PictureImporter { $0 == format }
        self.shift = shift
        timeBase = encoder.timeBase
        codec = try CodecContext(decoder)
        alpha =
            AlphaDecoder.isNeeded(for: identifier) && stream.format.hasAlpha
            ? try AlphaDecoder(decoder, maximumPixels: MediaReaderOptions.mostPixels) : nil
        let parameters = try CodecParameters()
        try check(
            avcodec_parameters_from_context(parameters.pointer, encoder.codec.pointer), .encode,
            "the encoder's parameters cannot be read")
        try check(
            avcodec_parameters_to_context(codec.pointer, parameters.pointer), .decode,
            "the decoder does not accept the stream")
        codec.pointer.pointee.flags |= AV_CODEC_FLAG_UNALIGNED
        try check(avcodec_open2(codec.pointer, decoder, nil), .decode, "the decoder does not accept the stream")
    }

    /// Decodes a segment.
    ///
    /// - Parameters:
    ///   - path: the segment's file.
    ///   - take: receives its frames in presentation order.
    func decode(_ path: String, _ take: (Frame) throws -> Void) throws {
        let reader = try SegmentFileReader(path)
        let box = try PacketHandle()
        while let packet = try reader.next() {
            try packet.fill(box.pointer)
            alpha?.take(box.pointer)
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
        // Segments are independent of each other.
        avcodec_send_packet(codec.pointer, nil)
        try drain(path, take)
        avcodec_flush_buffers(codec.pointer)
        durations = [:]
    }

    private func drain(_ path: String, _ take: (Frame) throws -> Void) throws {
        while true {
            let decoded = try FrameHandle()
            let result = avcodec_receive_frame(codec.pointer, decoded.pointer)
            if result == vfx_averror(EAGAIN) || result == vfx_averror_eof { return }
            try check(result, .decode, "the kept segment is damaged", at: .init(file: path))
            let box = try alpha?.adding(to: decoded) ?? decoded
            var color = stream.color
            let buffer = try picture(box, &color)
            let ticks = known(box.pointer.pointee.best_effort_timestamp) ?? 0
            try take(
                Frame(
                    buffer: buffer, presentationTime: MediaTime(ticks: ticks, base: timeBase) - shift,
                    duration: durations[ticks].map { MediaTime(ticks: $0, base: timeBase) }, color: color,
                    sampleAspectRatio: stream.sampleAspectRatio, sideData: stream.sideData))
        }
    }

    /// Converts a decoded frame to the stream's format, which may differ from that of the encoder's input.
    ///
    /// - Parameters:
    ///   - box: the decoded frame.
    ///   - known: the color of the stream; on return that of the result, whose range may be the encoder's.
    private func picture(_ box: FrameHandle, _ known: inout ColorDescription) throws(FrameError) -> PixelBuffer {
        let frame = box.pointer.pointee
        var color = ColorDescription(frame: frame)
        guard importer.target(of: frame) != stream.format,
            let format = stream.format.av
        else {
            if color.range != .unspecified { known.range = color.range }
            return try importer.buffer(from: box, color: &color)
        }
        let (width, height) = (Int(frame.width), Int(frame.height))
        let scaler: PictureScaler
        if let known = self.scaler {
            scaler = known
        } else {
            scaler = try PictureScaler(
                from: .init(format: AVPixelFormat(rawValue: frame.format), color: color.resolved(height: height)),
                to: .init(format: format, color: stream.color.resolved(height: height)), width: width, height: height)
        }
        self.scaler = scaler
        var buffer = try PixelBuffer(format: stream.format, width: width, height: height)
        try scaler.convert(frame, into: &buffer)
        return buffer
    }
}
