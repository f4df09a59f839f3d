import CLibAV

/// What becomes of packets before time zero in containers that would otherwise delay everything to make room for them.
enum NegativeTimestamps {
    /// Lets a subtitle begin at zero that began before; false for one that has ended by then. Movies need it too: their
    /// muxer takes the distance from the first subtitle for the time at which the last one ends.
    static func shorten(_ packet: UnsafeMutablePointer<AVPacket>) -> Bool {
        guard let time = known(packet.pointee.pts) ?? known(packet.pointee.dts), time < 0 else { return true }
        let end = time &+ packet.pointee.duration
        // Without a duration it stands until the next one comes.
        if packet.pointee.duration == 0 {
            packet.pointee.pts = 0
            packet.pointee.dts = 0
            return true
        }
        guard end > 0 else { return false }
        packet.pointee.pts = 0
        packet.pointee.dts = 0
        packet.pointee.duration = end
        return true
    }

    /// False for a packet that lies mostly before zero (priming and edited-out sound, which nobody was to hear); one that
    /// straddles zero is moved to it.
    static func keep(_ packet: UnsafeMutablePointer<AVPacket>) -> Bool {
        guard let time = known(packet.pointee.pts) ?? known(packet.pointee.dts), time < 0 else { return true }
        if time &+ packet.pointee.duration / 2 < 0 || packet.pointee.flags & AV_PKT_FLAG_DISCARD != 0 { return false }
        packet.pointee.pts = 0
        packet.pointee.dts = 0
        return true
    }
}
