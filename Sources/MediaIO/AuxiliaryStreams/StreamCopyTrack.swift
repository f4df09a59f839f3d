import CLibAV
import FrameCore

/// Stream copy: writes packets unchanged, with their times on the output's clock.
final class StreamCopyTrack: AuxiliaryTrack {
    let stream: UnsafeMutablePointer<AVStream>
    /// The source's time base, multiplied by the factor if that is the same everywhere.
    private let sourceBase: AVRational
    /// How times are moved in another way.
    private let curve: Retiming?
    /// Index of the source stream.
    private let index: Int
    /// Opening packets of a video stream whose decoding times are not known yet: Matroska stores none, and libavformat
    /// derives them from later packets.
    private var waiting: [PacketHandle] = []
    /// More than the frames by which any codec reorders.
    private static let mostWaiting = 64
    private var lastTime: Int64?
    private var lastDuration: Int64 = 1
    private(set) var notes: [Note] = []

    init(
        from source: SourceStream, to stream: UnsafeMutablePointer<AVStream>, retiming: Retiming
    ) {
        self.stream = stream
        sourceBase = av_mul_q(source.timeBase, (retiming.constantFactor ?? Rational(1, 1)).av)
        curve = retiming.constantFactor == nil ? retiming : nil
        index = source.index
    }

    func take(_ packet: PacketHandle, _ muxer: Muxer, shift: MediaTime) throws(FrameError) {
        let data = packet.pointer
        if let curve, let base = Rational(sourceBase) {
            let start = known(data.pointee.pts) ?? known(data.pointee.dts)
            if let start, curve.hides(MediaTime(ticks: start, base: base)) { return }
            data.pointee.move(along: curve, base: base)
        }
        av_packet_rescale_ts(data, sourceBase, stream.pointee.time_base)
        if shift != .zero, let base = Rational(stream.pointee.time_base) {
            data.pointee.move(by: shift.ticks(of: base))
        }
        muxer.addCodecDelay(to: data, of: stream)
        if stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_SUBTITLE {
            if !data.pointee.shortenToZero() { return }
        } else if !muxer.hidesNegativeTimes, !data.pointee.moveToZero() {
            return
        }
        if lastTime == nil, known(data.pointee.dts) == nil, known(data.pointee.pts) != nil,
            stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO, waiting.count < Self.mostWaiting
        {
            return waiting.append(packet)
        }
        try writeWaiting(muxer, before: known(data.pointee.dts))
        try write(data, muxer)
    }

    func finish(_ muxer: Muxer, shift: MediaTime) throws(FrameError) { try writeWaiting(muxer, before: nil) }

    private func write(_ data: UnsafeMutablePointer<AVPacket>, _ muxer: Muxer) throws(FrameError) {
        order(data)
        data.pointee.stream_index = stream.pointee.index
        data.pointee.pos = -1
        try muxer.writeRemuxed(data)
    }

    /// Writes the packets that wait, with decoding times one packet apart that end before `next`.
    private func writeWaiting(_ muxer: Muxer, before next: Int64?) throws(FrameError) {
        guard !waiting.isEmpty else { return }
        let packets = waiting
        waiting = []
        let earliest = packets.compactMap { known($0.pointer.pointee.pts) }.min() ?? 0
        // Files may state any duration.
        let durations = packets.map { min(max(1, $0.pointer.pointee.duration), 1 << 32) }
        let end = earliest &+ durations.reduce(0, +)
        var time = min(next ?? end, end)
        for (packet, duration) in zip(packets, durations).reversed() {
            time = min(time &- duration, known(packet.pointer.pointee.pts) ?? time)
            packet.pointer.pointee.dts = time
        }
        for packet in packets { try write(packet.pointer, muxer) }
    }

    /// Makes decoding times ascend, as muxers require; those of damaged or concatenated sources may not.
    private func order(_ packet: UnsafeMutablePointer<AVPacket>) {
        var time = known(packet.pointee.dts) ?? known(packet.pointee.pts) ?? lastTime.map { $0 &+ lastDuration } ?? 0
        if let lastTime, time <= lastTime, stream.pointee.codecpar.pointee.codec_type != AVMEDIA_TYPE_SUBTITLE {
            time = lastTime == .max ? lastTime : lastTime + 1
            notes.appendOnce(
                Note(
                    "times-corrected",
                    "the timestamps of some packets of stream \(index) ran backwards and were corrected"))
        }
        packet.pointee.dts = time
        packet.pointee.pts = max(known(packet.pointee.pts) ?? time, time)
        lastTime = time
        lastDuration = max(1, packet.pointee.duration)
    }
}

extension AVPacket {
    /// Moves the times of a packet, and the end of what it shows.
    fileprivate mutating func move(along retiming: Retiming, base: Rational) {
        func moved(_ ticks: Int64) -> Int64 { retiming.time(of: MediaTime(ticks: ticks, base: base)).ticks(of: base) }
        if let start = known(pts) ?? known(dts), duration > 0 {
            let end = start.addingReportingOverflow(duration)
            if !end.overflow { duration = max(1, moved(end.partialValue) - moved(start)) }
        }
        if let time = known(pts) { pts = moved(time) }
        if let time = known(dts) { dts = moved(time) }
    }
}
