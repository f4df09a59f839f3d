import CLibAV
import FrameCore

/// Transcodes text subtitles to the format that the container supports.
final class SubtitleTranscodeTrack: AuxiliaryTrack {
    let stream: UnsafeMutablePointer<AVStream>
    private let decoder: CodecContext
    private let encoder: CodecContext
    private let sourceBase: Rational
    private let retiming: Retiming
    /// Index of the source stream.
    private let index: Int
    private let packet: PacketHandle
    private var lost = 0
    private var lastTime: Int64 = .min

    init(
        _ source: SourceStream, encoder codec: UnsafePointer<AVCodec>, retiming: Retiming, muxer: Muxer
    ) throws(FrameError) {
        self.retiming = retiming
        index = source.index
        sourceBase = Rational(source.timeBase) ?? Rational(1, 1000)
        packet = try PacketHandle()
        decoder = try source.openDecoder()
        encoder = try CodecContext(codec)
        encoder.pointer.pointee.time_base = AVRational(num: 1, den: AV_TIME_BASE)
        try Self.copyHeader(from: decoder.pointer, to: encoder.pointer)
        if muxer.needsGlobalHeader { encoder.pointer.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
        try check(avcodec_open2(encoder.pointer, codec, nil), .encode, "it cannot be converted")
        stream = try muxer.addStream()
        try check(
            avcodec_parameters_from_context(stream.pointee.codecpar, encoder.pointer), .encode,
            "the encoder's parameters cannot be read")
        stream.pointee.time_base = AVRational(num: 1, den: 1000)
    }

    var notes: [Note] {
        lost == 0
            ? [] : [.loss("packets-dropped", "\(lost) subtitles of stream \(index) could not be converted")]
    }

    /// Copies the decoder's style header, which text subtitle encoders need.
    private static func copyHeader(
        from decoder: UnsafeMutablePointer<AVCodecContext>, to encoder: UnsafeMutablePointer<AVCodecContext>
    ) throws(FrameError) {
        guard let header = decoder.pointee.subtitle_header, decoder.pointee.subtitle_header_size > 0 else { return }
        let size = Int(decoder.pointee.subtitle_header_size)
        let copy = try allocated(av_mallocz(size + 1), "a subtitle header").assumingMemoryBound(to: UInt8.self)
        copy.update(from: header, count: size)
        encoder.pointee.subtitle_header = copy
        encoder.pointee.subtitle_header_size = Int32(size)
    }

    func take(_ source: PacketHandle, _ muxer: Muxer, shift: MediaTime) throws(FrameError) {
        var subtitle = AVSubtitle()
        var found: Int32 = 0
        guard avcodec_decode_subtitle2(decoder.pointer, &subtitle, &found, source.pointer) >= 0 else {
            lost += 1
            return
        }
        guard found != 0 else { return }
        defer { avsubtitle_free(&subtitle) }
        guard subtitle.num_rects > 0, let ticks = known(source.pointer.pointee.pts) ?? known(source.pointer.pointee.dts)
        else { return }
        let millisecond = Rational(1, 1000)
        let offset = MediaTime(value: Int64(subtitle.start_display_time), timescale: 1000)
        let begin = MediaTime(ticks: ticks, base: sourceBase) + offset
        guard !retiming.hides(begin) else { return }
        let start = (retiming.time(of: begin) + shift).ticks(of: millisecond)
        let length =
            source.pointer.pointee.duration > 0
            ? MediaTime(ticks: source.pointer.pointee.duration, base: sourceBase)
            : MediaTime(value: Int64(subtitle.end_display_time &- subtitle.start_display_time), timescale: 1000)
        let microseconds = start.multipliedReportingOverflow(by: 1000)
        guard !microseconds.overflow else {
            lost += 1
            return
        }
        subtitle.pts = microseconds.partialValue
        subtitle.end_display_time = UInt32(
            clamping: (retiming.time(of: begin + length) - retiming.time(of: begin)).ticks(of: millisecond))
        subtitle.start_display_time = 0
        var bytes = [UInt8](repeating: 0, count: 1 << 18)
        let size = avcodec_encode_subtitle(encoder.pointer, &bytes, Int32(bytes.count), &subtitle)
        guard size > 0, av_new_packet(packet.pointer, size) >= 0 else {
            if size < 0 { lost += 1 }
            return
        }
        packet.pointer.pointee.data.update(from: bytes, count: Int(size))
        lastTime = max(start, lastTime)
        packet.pointer.pointee.pts = lastTime
        packet.pointer.pointee.dts = lastTime
        packet.pointer.pointee.duration = Int64(subtitle.end_display_time)
        guard packet.pointer.pointee.shortenToZero() else { return av_packet_unref(packet.pointer) }
        av_packet_rescale_ts(packet.pointer, millisecond.av, stream.pointee.time_base)
        packet.pointer.pointee.stream_index = stream.pointee.index
        try muxer.writeRemuxed(packet.pointer)
    }

    func finish(_ muxer: Muxer, shift: MediaTime) {}
}
