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
