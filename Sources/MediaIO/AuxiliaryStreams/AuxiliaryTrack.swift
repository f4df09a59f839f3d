import CLibAV
import FrameCore

/// Writes one auxiliary stream to the output.
protocol AuxiliaryTrack: AnyObject {
    /// The output stream.
    var stream: UnsafeMutablePointer<AVStream> { get }
    /// What could not be kept; complete after `finish`.
    var notes: [Note] { get }
    func take(_ packet: PacketHandle, _ muxer: Muxer, shift: MediaTime) throws(FrameError)
    func finish(_ muxer: Muxer, shift: MediaTime) throws(FrameError)
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
