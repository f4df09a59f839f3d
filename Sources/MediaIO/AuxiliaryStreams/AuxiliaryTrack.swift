import CLibAV
import FrameCore

/// One auxiliary stream on its way into the output.
protocol AuxiliaryTrack: AnyObject {
    /// In the output.
    var stream: UnsafeMutablePointer<AVStream> { get }
    /// What happened to the stream, known at the end.
    var notes: [String] { get }
    func take(_ packet: PacketHandle, _ muxer: Muxer, shift: MediaTime) throws(FrameError)
    func finish(_ muxer: Muxer, shift: MediaTime) throws(FrameError)
}

/// Stream copy: passes packets on as they are, their times multiplied.
final class StreamCopyTrack: AuxiliaryTrack {
    let stream: UnsafeMutablePointer<AVStream>
    private let sourceBase: AVRational
    private let factor: Int64
    /// Of the source's stream.
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

    /// Muxers want ascending decoding times; damaged or concatenated sources do not always have them.
    private func order(_ packet: UnsafeMutablePointer<AVPacket>) {
        var time = known(packet.pointee.dts) ?? known(packet.pointee.pts) ?? lastTime.map { $0 &+ lastDuration } ?? 0
        if let lastTime, time <= lastTime, stream.pointee.codecpar.pointee.codec_type != AVMEDIA_TYPE_SUBTITLE {
            time = lastTime == .max ? lastTime : lastTime + 1
            let note = "some packets of stream \(index) ran backwards in time and were moved"
            if !notes.contains(note) { notes.append(note) }
        }
        packet.pointee.dts = time
        packet.pointee.pts = max(known(packet.pointee.pts) ?? time, time)
        lastTime = time
        lastDuration = max(1, packet.pointee.duration)
    }
}

/// What becomes of packets before time zero in containers that would otherwise delay everything to make room for them.
extension AVPacket {
    /// Lets a subtitle begin at zero that began before; false for one that has ended by then. Movies need it too: their
    /// muxer takes the distance from the first subtitle for the time at which the last one ends.
    mutating func shortenToZero() -> Bool {
        guard let time = known(pts) ?? known(dts), time < 0 else { return true }
        let end = time &+ duration
        // Without a duration it stands until the next one comes.
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

    /// False for a packet that lies mostly before zero (priming and edited-out sound, which nobody was to hear); one that
    /// straddles zero is moved to it.
    mutating func moveToZero() -> Bool {
        guard let time = known(pts) ?? known(dts), time < 0 else { return true }
        if time &+ duration / 2 < 0 || flags & AV_PKT_FLAG_DISCARD != 0 { return false }
        pts = 0
        dts = 0
        return true
    }
}
