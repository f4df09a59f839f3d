import CLibAV
import FrameCore

/// Transcodes an audio track along a changing speed, at constant pitch.
final class RampedAudioTrack: AuxiliaryTrack {
    private let codecs: AudioCodecs
    private let retiming: Retiming
    private let converted: FrameHandle
    /// Converts to planes of floating-point numbers, and from them to what the encoder takes.
    private var input: AudioFilterGraph?
    private var output: AudioFilterGraph?
    private var stretcher: TimeStretcher?
    /// Position of the next sample for the encoder; nil before the first.
    private var position: Int64?

    init(
        _ source: SourceStream, encoder: UnsafePointer<AVCodec>, retiming: Retiming, muxer: Muxer
    ) throws(FrameError) {
        self.retiming = retiming
        converted = try FrameHandle()
        codecs = try AudioCodecs(source, encoder: encoder, muxer)
    }

    var stream: UnsafeMutablePointer<AVStream> { codecs.stream }
    var notes: [Note] { codecs.notes }

    /// Returns a note if parts of a sound cannot be heard.
    static func noteOnSilence(_ name: String, _ retiming: Retiming) -> Note? {
        let audible = TimeStretcher.audibleSpeeds, speeds = retiming.speeds
        guard speeds.lowerBound < audible.lowerBound || speeds.upperBound > audible.upperBound else { return nil }
        return .loss(
            "sound-silent",
            "\(name) is silent where the speed is below \(audible.lowerBound) or above \(Int(audible.upperBound))")
    }

    /// The sample rate of the result.
    private var rate: Int { Int(max(1, codecs.encoder.pointer.pointee.sample_rate)) }

    func take(_ packet: PacketHandle, _ muxer: Muxer, shift: MediaTime) throws(FrameError) {
        codecs.send(packet)
        try decode(muxer, shift)
    }

    func finish(_ muxer: Muxer, shift: MediaTime) throws(FrameError) {
        codecs.endDecoding()
        try decode(muxer, shift)
        try input?.end()
        try stretch(muxer)
        stretcher?.finish()
        try stretch(muxer)
        try output?.end()
        try encodeConverted(muxer)
        try codecs.finish(muxer)
    }

    private func decode(_ muxer: Muxer, _ shift: MediaTime) throws(FrameError) {
        let frame = codecs.frame
        while let (stamp, _) = codecs.decoded() {
            let sourceRate = Int64(max(1, frame.pointer.pointee.sample_rate))
            let start = Int(av_rescale(stamp ?? 0, Int64(rate), sourceRate))
            if stretcher == nil {
                stretcher = TimeStretcher(
                    channels: Int(codecs.encoder.pointer.pointee.ch_layout.nb_channels), rate: rate, retiming: retiming,
                    shift: shift.seconds, start: start)
            }
            if stamp != nil, let stretcher {
                let gap = start - stretcher.end
                guard gap < Int(AudioCodecs.longestGap) * rate else {
                    codecs.lost += 1
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
                input = try AudioFilterGraph(for: frame.pointer, to: codecs.encoder.pointer, isPlanarFloat: true)
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
            av_channel_layout_copy(&target.pointee.ch_layout, &codecs.encoder.pointer.pointee.ch_layout), .allocation,
            "no memory for audio")
        try check(av_frame_get_buffer(target, 0), .allocation, "no memory for audio")
        for (channel, values) in block.enumerated() {
            guard let plane = target.pointee.extended_data?[channel] else { continue }
            UnsafeMutableRawPointer(plane).assumingMemoryBound(to: Float.self).update(from: values, count: count)
        }
        if output == nil { output = try AudioFilterGraph(for: target, to: codecs.encoder.pointer) }
        try output?.push(target)
    }

    private func encodeConverted(_ muxer: Muxer) throws(FrameError) {
        while let output, try output.pull(into: converted.pointer) {
            converted.pointer.pointee.pts = position ?? 0
            position = (position ?? 0) + Int64(converted.pointer.pointee.nb_samples)
            try codecs.encode(converted, muxer)
        }
    }
}
