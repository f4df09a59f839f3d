import CLibAV
import FrameCore

/// Transcodes an audio track and stretches it at constant pitch.
final class AudioTranscodeTrack: AuxiliaryTrack {
    let stream: UnsafeMutablePointer<AVStream>
    private let name: String
    private let factor: Rational
    private let decoder: CodecContext
    private let encoder: CodecContext
    private let sourceBase: AVRational
    private let frame: FrameHandle
    private let filtered: FrameHandle
    private let packet: PacketHandle
    private var graph: AudioFilterGraph?
    /// Position of the next output sample; nil before the first.
    private var position: Int64?
    /// Output sample at which the current graph's audio begins.
    private var beginning: Int64?
    private var lost = 0
    /// Plausible timestamps, in samples: a range wider than any real clip, and far from integer overflow.
    private static let believedSamples: ClosedRange<Int64> = -(1 << 53)...(1 << 53)
    /// Longest gap, in seconds, that is filled with silence. Longer ones remain gaps in the container's timestamps.
    private static let longestSilence: Int64 = 10
    /// Gap, in seconds, beyond which a timestamp is considered damaged rather than preceded by a pause.
    private static let longestGap: Int64 = 86_400
    /// Span of the audio sent to the current graph, in samples at its input rate.
    private var span: (start: Int64, end: Int64)?
    /// Output sample at which the current graph's audio ends; nil until the graph has received all of it.
    private var endPosition: Int64?

    init(
        _ source: SourceStream, encoder codec: UnsafePointer<AVCodec>, factor: Rational, muxer: Muxer
    ) throws(FrameError) {
        name = source.name
        self.factor = factor
        sourceBase = source.timeBase
        frame = try FrameHandle()
        filtered = try FrameHandle()
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

    static func openEncoder(
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

    func take(_ packet: PacketHandle, _ muxer: Muxer, shift: MediaTime) throws(FrameError) {
        // Decoders treat an empty packet as the end of the stream.
        if packet.isEmpty { return }
        let result = avcodec_send_packet(decoder.pointer, packet.pointer)
        if result < 0 { lost += 1 }
        try decode(muxer, shift)
    }

    func finish(_ muxer: Muxer, shift: MediaTime) throws(FrameError) {
        _ = avcodec_send_packet(decoder.pointer, nil)
        try decode(muxer, shift)
        try endGraph(muxer, fillsFrame: false)
        _ = avcodec_send_frame(encoder.pointer, nil)
        try writePackets(muxer)
    }

    private func decode(_ muxer: Muxer, _ shift: MediaTime) throws(FrameError) {
        while true {
            let result = avcodec_receive_frame(decoder.pointer, frame.pointer)
            if result < 0 {
                if result != vfx_averror(EAGAIN), result != vfx_averror_eof { lost += 1 }
                return
            }
            let time = known(frame.pointer.pointee.best_effort_timestamp)
            let rate = AVRational(num: 1, den: max(1, frame.pointer.pointee.sample_rate))
            let stamp = time.map { av_rescale_q($0, sourceBase, rate) }
            if let stamp, !Self.believedSamples.contains(stamp) {
                lost += 1
                continue
            }
            let gap = seconds(to: stamp, Int64(rate.den))
            if gap > Self.longestGap {
                lost += 1
                continue
            }
            if gap > Self.longestSilence { try endGraph(muxer, fillsFrame: true) }
            if position == nil || gap > Self.longestSilence {
                let start = MediaTime(ticks: time ?? 0, base: Rational(sourceBase) ?? Rational(1, 1))
                let first = start.multiplied(by: factor) + shift
                let sample = first.ticks(of: Rational(1, max(1, encoder.pointer.pointee.sample_rate)))
                guard Self.believedSamples.contains(sample) else {
                    lost += 1
                    continue
                }
                position = max(position ?? sample, sample)
                beginning = position
            }
            frame.pointer.pointee.pts = stamp ?? vfx_av_no_time
            if graph?.accepts(frame.pointer.pointee) != true {
                try endGraph(muxer, fillsFrame: false)
                graph = try AudioFilterGraph(for: frame.pointer, to: encoder.pointer, factor: factor)
            }
            let samples = Int64(frame.pointer.pointee.nb_samples)
            let start = known(frame.pointer.pointee.pts) ?? span?.end ?? 0
            span = (span?.start ?? start, max(span?.end ?? start, start + samples))
            try graph?.push(frame.pointer)
            try encodeFiltered(muxer)
        }
    }

    /// Whole seconds from the end of the audio so far to `stamp`, in samples at `rate`; 0 when nothing came before.
    private func seconds(to stamp: Int64?, _ rate: Int64) -> Int64 {
        guard let graph, let span, let stamp else { return 0 }
        let gap = stamp.subtractingReportingOverflow(av_rescale(span.end, rate, Int64(max(1, graph.rate))))
        return gap.overflow ? .max : gap.partialValue / rate
    }

    /// Drains and discards the filter graph; the audio that follows needs another one.
    ///
    /// - Parameter fillsFrame: pads the last encoded frame with silence, since only the last frame of a track may be
    ///   shorter than the others.
    private func endGraph(_ muxer: Muxer, fillsFrame: Bool) throws(FrameError) {
        guard let graph else { return }
        // atempo holds back a partial window at the end. Silence pushes it out, and the surplus is cut off.
        setEnd(of: graph, fillsFrame: fillsFrame)
        if factor != Rational(1, 1) || fillsFrame { try graph.pushSilence(at: span?.end ?? 0) }
        try graph.end()
        try encodeFiltered(muxer)
        self.graph = nil
        (span, endPosition, beginning) = (nil, nil, position)
    }

    private func setEnd(of graph: AudioFilterGraph, fillsFrame: Bool) {
        guard let span, let begin = beginning else { return }
        let rate = Int64(max(1, encoder.pointer.pointee.sample_rate))
        var length = av_rescale(
            span.end - span.start, rate * Int64(factor.numerator),
            Int64(max(1, graph.rate)) * Int64(max(1, factor.denominator)))
        let frame = Int64(encoder.pointer.pointee.frame_size)
        // av_rescale returns the smallest Int64 on overflow; such audio is not cut.
        guard (0...(1 << 62)).contains(length) else { return }
        if fillsFrame, frame > 0 { length = (length + frame - 1) / frame * frame }
        endPosition = begin + length
    }

    private func encodeFiltered(_ muxer: Muxer) throws(FrameError) {
        let frame = filtered
        while let graph, try graph.pull(into: frame.pointer) {
            if let endPosition, let position {
                let room = max(0, endPosition - position)
                if room == 0 {
                    av_frame_unref(frame.pointer)
                    continue
                }
                frame.pointer.pointee.nb_samples = Int32(min(room, Int64(frame.pointer.pointee.nb_samples)))
            }
            frame.pointer.pointee.pts = position ?? 0
            position = (position ?? 0) + Int64(frame.pointer.pointee.nb_samples)
            let result = avcodec_send_frame(encoder.pointer, frame.pointer)
            av_frame_unref(frame.pointer)
            try check(result, .encode, "\(name) cannot be encoded")
            try writePackets(muxer)
        }
    }

    private func writePackets(_ muxer: Muxer) throws(FrameError) {
        while avcodec_receive_packet(encoder.pointer, packet.pointer) >= 0 {
            try muxer.write(packet.pointer, of: encoder, to: stream)
        }
    }
}

extension Muxer {
    /// Writes a packet of encoded sound.
    func write(
        _ packet: UnsafeMutablePointer<AVPacket>, of encoder: CodecContext, to stream: UnsafeMutablePointer<AVStream>
    ) throws(FrameError) {
        av_packet_rescale_ts(packet, encoder.pointer.pointee.time_base, stream.pointee.time_base)
        packet.pointee.stream_index = stream.pointee.index
        addCodecDelay(to: packet, of: stream)
        // mp4's edit lists hide priming before time zero; in other containers it would delay the video.
        if !hidesNegativeTimes, !packet.pointee.moveToZero() { return }
        try writeRemuxed(packet)
    }
}
