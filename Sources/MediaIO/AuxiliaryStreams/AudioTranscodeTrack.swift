import CLibAV
import FrameCore

/// Transcodes an audio track and stretches it at constant pitch.
final class AudioTranscodeTrack: AuxiliaryTrack {
    private let codecs: AudioCodecs
    private let factor: Rational
    private let filtered: FrameHandle
    private var graph: AudioFilterGraph?
    /// Position of the next output sample; nil before the first.
    private var position: Int64?
    /// Output sample at which the current graph's audio begins.
    private var beginning: Int64?
    /// Longest gap, in seconds, that is filled with silence. Longer ones remain gaps in the container's timestamps.
    private static let longestSilence: Int64 = 10
    /// Span of the audio sent to the current graph, in samples at its input rate.
    private var span: (start: Int64, end: Int64)?
    /// Output sample at which the current graph's audio ends; nil until the graph has received all of it.
    private var endPosition: Int64?

    init(
        _ source: SourceStream, encoder: UnsafePointer<AVCodec>, factor: Rational, muxer: Muxer
    ) throws(FrameError) {
        self.factor = factor
        filtered = try FrameHandle()
        codecs = try AudioCodecs(source, encoder: encoder, muxer)
    }

    var stream: UnsafeMutablePointer<AVStream> { codecs.stream }
    var notes: [Note] { codecs.notes }

    func take(_ packet: PacketHandle, _ muxer: Muxer, shift: MediaTime) throws(FrameError) {
        codecs.send(packet)
        try decode(muxer, shift)
    }

    func finish(_ muxer: Muxer, shift: MediaTime) throws(FrameError) {
        codecs.endDecoding()
        try decode(muxer, shift)
        try endGraph(muxer, fillsFrame: false)
        try codecs.finish(muxer)
    }

    private func decode(_ muxer: Muxer, _ shift: MediaTime) throws(FrameError) {
        let frame = codecs.frame
        while let (stamp, time) = codecs.decoded() {
            let rate = max(1, frame.pointer.pointee.sample_rate)
            let gap = seconds(to: stamp, Int64(rate))
            if gap > AudioCodecs.longestGap {
                codecs.lost += 1
                continue
            }
            if gap > Self.longestSilence { try endGraph(muxer, fillsFrame: true) }
            if position == nil || gap > Self.longestSilence {
                let first = time.multiplied(by: factor) + shift
                let sample = first.ticks(of: Rational(1, max(1, codecs.encoder.pointer.pointee.sample_rate)))
                guard AudioCodecs.believedSamples.contains(sample) else {
                    codecs.lost += 1
                    continue
                }
                position = max(position ?? sample, sample)
                beginning = position
            }
            frame.pointer.pointee.pts = stamp ?? vfx_av_no_time
            if graph?.accepts(frame.pointer.pointee) != true {
                try endGraph(muxer, fillsFrame: false)
                graph = try AudioFilterGraph(for: frame.pointer, to: codecs.encoder.pointer, factor: factor)
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
        let rate = Int64(max(1, codecs.encoder.pointer.pointee.sample_rate))
        var length = av_rescale(
            span.end - span.start, rate * Int64(factor.numerator),
            Int64(max(1, graph.rate)) * Int64(max(1, factor.denominator)))
        let frame = Int64(codecs.encoder.pointer.pointee.frame_size)
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
            try codecs.encode(frame, muxer)
        }
    }
}
