import CLibAV
import FrameCore

/// Transcodes an audio track along a changing speed, at constant pitch.
final class RampedAudioTrack: AuxiliaryTrack {
    let stream: UnsafeMutablePointer<AVStream>
    private let name: String
    private let retiming: Retiming
    private let decoder: CodecContext
    private let encoder: CodecContext
    private let sourceBase: AVRational
    private let frame: FrameHandle
    private let converted: FrameHandle
    private let packet: PacketHandle
    /// Converts to planes of floating-point numbers, and from them to what the encoder takes.
    private var input: AudioFilterGraph?
    private var output: AudioFilterGraph?
    private var stretcher: TimeStretcher?
    /// Position of the next sample for the encoder; nil before the first.
    private var position: Int64?
    private var lost = 0
    /// Longest gap, in seconds, that is filled with silence.
    private static let longestGap = 86_400
    private static let believedSamples: ClosedRange<Int64> = -(1 << 53)...(1 << 53)

    init(
        _ source: SourceStream, encoder codec: UnsafePointer<AVCodec>, retiming: Retiming, muxer: Muxer
    ) throws(FrameError) {
        name = source.name
        self.retiming = retiming
        sourceBase = source.timeBase
        frame = try FrameHandle()
        converted = try FrameHandle()
        packet = try PacketHandle()
        decoder = try source.openDecoder()
        encoder = try AudioTranscodeTrack.openEncoder(codec, source.codecParameters.pointer.pointee, muxer)
        stream = try muxer.addStream()
        try check(
            avcodec_parameters_from_context(stream.pointee.codecpar, encoder.pointer), .encode,
            "the encoder's parameters cannot be read")
        stream.pointee.time_base = encoder.pointer.pointee.time_base
    }

    /// States that parts of the sound cannot be heard.
    static func noteOnSilence(_ name: String) -> Note {
        let speeds = Retiming.audibleSpeeds
        return .loss(
            "sound-silent",
            "\(name) is silent where the speed is below \(speeds.lowerBound) or above \(Int(speeds.upperBound))")
    }

    var notes: [Note] {
        lost == 0 ? [] : [.loss("packets-dropped", "\(lost) packets of \(name) could not be decoded")]
    }

    /// The sample rate of the result.
    private var rate: Int { Int(max(1, encoder.pointer.pointee.sample_rate)) }

    func take(_ packet: PacketHandle, _ muxer: Muxer, shift: MediaTime) throws(FrameError) {
        // Decoders treat an empty packet as the end of the stream.
        if packet.isEmpty { return }
        if avcodec_send_packet(decoder.pointer, packet.pointer) < 0 { lost += 1 }
        try decode(muxer, shift)
    }

    func finish(_ muxer: Muxer, shift: MediaTime) throws(FrameError) {
        _ = avcodec_send_packet(decoder.pointer, nil)
        try decode(muxer, shift)
        try input?.end()
        try stretch(muxer)
        stretcher?.finish()
        try stretch(muxer)
        try output?.end()
        try encodeConverted(muxer)
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
            let sourceRate = AVRational(num: 1, den: max(1, frame.pointer.pointee.sample_rate))
            let stamp = known(frame.pointer.pointee.best_effort_timestamp).map {
                av_rescale_q($0, sourceBase, sourceRate)
            }
            if let stamp, !Self.believedSamples.contains(stamp) {
                lost += 1
                continue
            }
            let start = Int(av_rescale(stamp ?? 0, Int64(rate), Int64(sourceRate.den)))
            if stretcher == nil {
                stretcher = TimeStretcher(
                    channels: Int(encoder.pointer.pointee.ch_layout.nb_channels), rate: rate, retiming: retiming,
                    shift: shift.seconds, start: start)
            }
            if stamp != nil, let stretcher {
                let gap = start - stretcher.end
                guard gap < Self.longestGap * rate else {
                    lost += 1
                    continue
                }
                // Shorter gaps are filled by the filter.
                if gap > rate {
                    try input?.end()
                    try stretch(muxer)
                    input = nil
                    try fill(to: start, muxer)
                }
            }
            frame.pointer.pointee.pts = stamp ?? vfx_av_no_time
            if input?.accepts(frame.pointer.pointee) != true {
                try input?.end()
                try stretch(muxer)
                input = try AudioFilterGraph(for: frame.pointer, to: encoder.pointer, isPlanarFloat: true)
            }
            try input?.push(frame.pointer)
            try stretch(muxer)
        }
    }

    /// Adds silence up to a position in the source.
    private func fill(to start: Int, _ muxer: Muxer) throws(FrameError) {
        while let end = stretcher?.end, end < start {
            stretcher?.appendSilence(min(rate, start - end))
            try stretch(muxer)
        }
    }

    /// Takes what is converted and passes on what has its place in the output.
    private func stretch(_ muxer: Muxer) throws(FrameError) {
        while let input, try input.pull(into: converted.pointer) {
            let count = Int(converted.pointer.pointee.nb_samples)
            let channels = Int(converted.pointer.pointee.ch_layout.nb_channels)
            if let planes = converted.pointer.pointee.extended_data {
                stretcher?.append(
                    (0..<channels).compactMap { channel in
                        planes[channel].map { data in
                            UnsafeBufferPointer(
                                start: UnsafeRawPointer(data).assumingMemoryBound(to: Float.self), count: count)
                        }
                    })
            }
            av_frame_unref(converted.pointer)
        }
        while let start = stretcher?.position, let block = stretcher?.next() {
            if position == nil { position = Int64(start) }
            try send(block, at: start)
            try encodeConverted(muxer)
        }
    }

    private func send(_ block: [[Float]], at start: Int) throws(FrameError) {
        guard let count = block.first?.count, count > 0 else { return }
        let box = try FrameHandle(), target = box.pointer
        target.pointee.format = AV_SAMPLE_FMT_FLTP.rawValue
        target.pointee.sample_rate = Int32(clamping: rate)
        target.pointee.nb_samples = Int32(clamping: count)
        target.pointee.pts = Int64(start)
        try check(
            av_channel_layout_copy(&target.pointee.ch_layout, &encoder.pointer.pointee.ch_layout), .allocation,
            "no memory for audio")
        try check(av_frame_get_buffer(target, 0), .allocation, "no memory for audio")
        for (channel, values) in block.enumerated() {
            guard let plane = target.pointee.extended_data?[channel] else { continue }
            UnsafeMutableRawPointer(plane).assumingMemoryBound(to: Float.self).update(from: values, count: count)
        }
        if output == nil { output = try AudioFilterGraph(for: target, to: encoder.pointer) }
        try output?.push(target)
    }

    private func encodeConverted(_ muxer: Muxer) throws(FrameError) {
        while let output, try output.pull(into: converted.pointer) {
            converted.pointer.pointee.pts = position ?? 0
            position = (position ?? 0) + Int64(converted.pointer.pointee.nb_samples)
            let result = avcodec_send_frame(encoder.pointer, converted.pointer)
            av_frame_unref(converted.pointer)
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
