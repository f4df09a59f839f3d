import CLibAV
import FrameCore

/// Writes one auxiliary stream to the output.
protocol AuxiliaryTrack: AnyObject {
    /// The output stream.
    var stream: UnsafeMutablePointer<AVStream> { get }
    /// What could not be kept, one sentence each; complete after `finish`.
    var notes: [String] { get }
    func take(_ packet: PacketHandle, _ muxer: Muxer, shift: MediaTime) throws(FrameError)
    func finish(_ muxer: Muxer, shift: MediaTime) throws(FrameError)
}
