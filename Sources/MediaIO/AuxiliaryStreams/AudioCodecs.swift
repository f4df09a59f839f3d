import CLibAV
import FrameCore

/// The decoder and the encoder of an audio track that is transcoded, and its output stream.
final class AudioCodecs {
    let stream: UnsafeMutablePointer<AVStream>
    let encoder: CodecContext
    /// The latest decoded frame.
    let frame: FrameHandle
    /// How many packets could not be decoded or have times that cannot be right.
    var lost = 0
    private let name: String
    private let decoder: CodecContext
    private let sourceBase: AVRational
    private let packet: PacketHandle

    /// Plausible timestamps, in samples: a range wider than any real clip, and far from integer overflow.
    static let believedSamples: ClosedRange<Int64> = -(1 << 53)...(1 << 53)
    /// Gap, in seconds, beyond which a timestamp is considered damaged rather than preceded by a pause.
    static let longestGap: Int64 = 86_400

    init(_ source: SourceStream, encoder codec: UnsafePointer<AVCodec>, _ muxer: Muxer) throws(FrameError) {
        name = source.name
        sourceBase = source.timeBase
        frame = try FrameHandle()
        packet = try PacketHandle()
        decoder = try source.openDecoder()
        encoder = try Self.openEncoder(codec, source.codecParameters.pointer.pointee, muxer)
        stream = try muxer.addStream()
        try check(
            avcodec_parameters_from_context(stream.pointee.codecpar, encoder.pointer), .encode,
            "the encoder's parameters cannot be read")
        stream.pointee.time_base = encoder.pointer.pointee.time_base
    }

    var notes: [Note] {
        lost == 0 ? [] : [.loss("packets-dropped", "\(lost) packets of \(name) could not be decoded")]
    }

    private static func openEncoder(
        _ codec: UnsafePointer<AVCodec>, _ source: AVCodecParameters, _ muxer: Muxer
    ) throws(FrameError) -> CodecContext {
        let encoder = try CodecContext(codec)
        let rate = AudioEncoderChoice.sampleRate(codec, near: source.sample_rate)
        let decoded = AVSampleFormat(rawValue: source.format)
        encoder.pointer.pointee.sample_rate = rate
        encoder.pointer.pointee.sample_fmt = AudioEncoderChoice.sampleFormat(codec, like: decoded)
        encoder.pointer.pointee.time_base = AVRational(num: 1, den: rate)
        encoder.pointer.pointee.bits_per_raw_sample = source.bits_per_raw_sample
        encoder.pointer.pointee.strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL
        if codec.pointee.id == AV_CODEC_ID_AAC || codec.pointee.id == AV_CODEC_ID_OPUS {
            encoder.pointer.pointee.bit_rate = AudioEncoderChoice.bitRate(source)
        }
        // Files without a channel layout still state the number of channels.
        if source.ch_layout.order == AV_CHANNEL_ORDER_UNSPEC {
            av_channel_layout_default(&encoder.pointer.pointee.ch_layout, source.ch_layout.nb_channels)
        } else if let standard = StandardChannels(codec.pointee.id, for: source.ch_layout) {
            try check(
                av_channel_layout_from_mask(&encoder.pointer.pointee.ch_layout, standard.mask), .encode,
                "no channel layout")
        } else {
            var layout = source.ch_layout
            try check(
                av_channel_layout_copy(&encoder.pointer.pointee.ch_layout, &layout), .allocation,
                "no memory for a stream")
        }
        if muxer.needsGlobalHeader { encoder.pointer.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
        try check(
            avcodec_open2(encoder.pointer, codec, nil), .encode,
            "\(String(c: codec.pointee.name)) does not accept its sample rate or channel layout")
        return encoder
    }

    /// Sends a packet to the decoder.
    func send(_ packet: PacketHandle) {
        // Decoders treat an empty packet as the end of the stream.
        if packet.isEmpty { return }
        if avcodec_send_packet(decoder.pointer, packet.pointer) < 0 { lost += 1 }
    }

    /// States that there are no more packets.
    func endDecoding() { _ = avcodec_send_packet(decoder.pointer, nil) }

    /// Decodes the next frame whose time is plausible into ``frame``.
    ///
    /// - Returns: its timestamp in samples, nil if it has none, and its time in the source, which is then zero; nil if more
    ///   packets are needed.
    func decoded() -> (stamp: Int64?, time: MediaTime)? {
        while true {
            let result = avcodec_receive_frame(decoder.pointer, frame.pointer)
            if result < 0 {
                if result != vfx_averror(EAGAIN), result != vfx_averror_eof { lost += 1 }
                return nil
            }
            let ticks = known(frame.pointer.pointee.best_effort_timestamp)
            let rate = AVRational(num: 1, den: max(1, frame.pointer.pointee.sample_rate))
            let stamp = ticks.map { av_rescale_q($0, sourceBase, rate) }
            if let stamp, !Self.believedSamples.contains(stamp) {
                lost += 1
                continue
            }
            return (stamp, MediaTime(ticks: ticks ?? 0, base: Rational(sourceBase) ?? Rational(1, 1)))
        }
    }

    /// Encodes a frame, empties it, and writes the packets.
    func encode(_ frame: FrameHandle, _ muxer: Muxer) throws(FrameError) {
        let result = avcodec_send_frame(encoder.pointer, frame.pointer)
        av_frame_unref(frame.pointer)
        try check(result, .encode, "\(name) cannot be encoded")
        try writePackets(muxer)
    }

    /// Writes what the encoder has kept back.
    func finish(_ muxer: Muxer) throws(FrameError) {
        _ = avcodec_send_frame(encoder.pointer, nil)
        try writePackets(muxer)
    }

    private func writePackets(_ muxer: Muxer) throws(FrameError) {
        while avcodec_receive_packet(encoder.pointer, packet.pointer) >= 0 {
            av_packet_rescale_ts(packet.pointer, encoder.pointer.pointee.time_base, stream.pointee.time_base)
            packet.pointer.pointee.stream_index = stream.pointee.index
            muxer.addCodecDelay(to: packet.pointer, of: stream)
            // mp4's edit lists hide priming before time zero; in other containers it would delay the video.
            if !muxer.hidesNegativeTimes, !packet.pointer.pointee.moveToZero() { continue }
            try muxer.writeRemuxed(packet.pointer)
        }
    }
}
