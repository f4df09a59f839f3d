import CLibAV
import FrameCore

/// Cuts the packets of the auxiliary streams to a part of the clip.
struct AuxiliaryStreamCut {
    enum Place { case before, inside, after }

    let end: MediaTime?
    /// Added to the times on the output's clock, so that the part begins at zero.
    let shift: MediaTime
    private let start: MediaTime

    init(_ part: LocatedPart, retiming: Retiming) {
        start = part.start
        end = part.end
        shift = .zero - retiming.time(of: part.start)
    }

    /// Returns whether a packet belongs to the part, and cuts the duration of a subtitle to its end.
    ///
    /// A packet that begins before the part and ends in it belongs to it: the track or the container hides what comes
    /// before time zero.
    ///
    /// - Parameters:
    ///   - packet: a packet with its times in the source.
    ///   - base: the time base of its stream.
    ///   - isSparse: whether it is a subtitle or similar stream, whose packets carry their display durations.
    func apply(to packet: UnsafeMutablePointer<AVPacket>, base: Rational, isSparse: Bool) -> Place {
        guard let ticks = known(packet.pointee.pts) ?? known(packet.pointee.dts) else { return .inside }
        let time = MediaTime(ticks: ticks, base: base)
        let duration = MediaTime(ticks: max(0, packet.pointee.duration), base: base)
        if let end, time >= end { return .after }
        if time < start, time + duration <= start { return .before }
        if isSparse, let end, time + duration > end {
            packet.pointee.duration = (end - time).ticks(of: base)
        }
        return .inside
    }
}
