import CLibAV
import FrameCore

/// Stream copy: writes packets unchanged, with their times scaled by the retiming factor.
final class StreamCopyTrack: AuxiliaryTrack {
    let stream: UnsafeMutablePointer<AVStream>
    private let sourceBase: AVRational
    private let factor: Int64
    /// Index of the source stream.
    private let index: Int
    private var lastTime: Int64?
    private var lastDuration: Int64 = 1
    private(set) var notes: [String] = []

    init(
        from source: SourceStream, to stream: UnsafeMutablePointer<AVStream>, factor: Int32
    ) {
        self.stream = stream
        sourceBase = source.timeBase
        index = source.index
        self.factor = Int64(factor)
    }

    func take(_ packet: PacketHandle, _ muxer: Muxer, shift: MediaTime) throws(FrameError) {
        let data = packet.pointer
        let scale = { (time: Int64) in known(time).map { $0.multipliedReportingOverflow(by: self.factor).partialValue }
        }
        data.pointee.pts = scale(data.pointee.pts) ?? vfx_av_no_time
        data.pointee.dts = scale(data.pointee.dts) ?? vfx_av_no_time
        data.pointee.duration = data.pointee.duration.multipliedReportingOverflow(by: factor).partialValue
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
        order(data)
        data.pointee.stream_index = stream.pointee.index
        data.pointee.pos = -1
        try muxer.writeRemuxed(data)
    }

    func finish(_ muxer: Muxer, shift: MediaTime) {}

    /// Makes decoding times ascend, as muxers require; those of damaged or concatenated sources may not.
    private func order(_ packet: UnsafeMutablePointer<AVPacket>) {
        var time = known(packet.pointee.dts) ?? known(packet.pointee.pts) ?? lastTime.map { $0 &+ lastDuration } ?? 0
        if let lastTime, time <= lastTime, stream.pointee.codecpar.pointee.codec_type != AVMEDIA_TYPE_SUBTITLE {
            time = lastTime == .max ? lastTime : lastTime + 1
            let note = "the timestamps of some packets of stream \(index) ran backwards and were corrected"
            if !notes.contains(note) { notes.append(note) }
        }
        packet.pointee.dts = time
        packet.pointee.pts = max(known(packet.pointee.pts) ?? time, time)
        lastTime = time
        lastDuration = max(1, packet.pointee.duration)
    }
}

/// Handles packets before time zero in containers that would otherwise delay everything to make room for them.
extension AVPacket {
    /// Clips a subtitle that begins before time zero to begin at zero; returns false when it has ended by then.
    ///
    /// mp4 and mov need this too: their muxer measures the end time of the last subtitle from the first subtitle, not
    /// from zero.
    mutating func shortenToZero() -> Bool {
        guard let time = known(pts) ?? known(dts), time < 0 else { return true }
        let end = time &+ duration
        // A subtitle without a duration is shown until the next one.
        if duration == 0 {
            pts = 0
            dts = 0
            return true
        }
        guard end > 0 else { return false }
        pts = 0
        dts = 0
        duration = end
        return true
    }

    /// Moves a packet that straddles time zero to zero; returns false for one that is mostly before it or flagged to be
    /// discarded, such as encoder priming or audio cut off by an edit list, which is not meant to be heard.
    mutating func moveToZero() -> Bool {
        guard let time = known(pts) ?? known(dts), time < 0 else { return true }
        if time &+ duration / 2 < 0 || flags & AV_PKT_FLAG_DISCARD != 0 { return false }
        pts = 0
        dts = 0
        return true
    }
}
