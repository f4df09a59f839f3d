import CLibAV
import FrameCore

/// Reads the packets of the auxiliary streams.
final class AuxiliaryPacketSource {
    private let context: InputContext?
    private let queue: PacketQueue?
    /// Why the packets ended before their streams did.
    private(set) var interruption: String?

    /// - Parameter kept: positions of the streams whose packets are wanted.
    init(_ source: MediaSourceDescription, keeping kept: Set<Int>) throws(FrameError) {
        switch source.packets {
        case .queue(let queue): (self.queue, context) = (queue, nil)
        case .reopening(let url, let format):
            queue = nil
            do {
                let context = try InputContext(
                    url: url, format: format,
                    options: InputAddress(url).isRemote ? [:] : OpenedInput.localPlaylists)
                context.findStreams(maximumPixels: MediaReaderOptions.mostPixels)
                for (index, stream) in context.streams.enumerated() where !kept.contains(index) {
                    stream.pointee.discard = AVDISCARD_ALL
                }
                self.context = context
            } catch {
                throw FrameError(
                    .input, "the input cannot be opened a second time for its other streams",
                    at: .init(file: source.input), cause: error)
            }
        }
    }

    /// Packets that the reader had no room for.
    var droppedPackets: Int { queue?.droppedPackets ?? 0 }

    /// The next packet; nil at the end, and where the reader has still to pass it on.
    func next() throws(FrameError) -> PacketHandle? {
        if let queue { return queue.next() }
        guard let context else { return nil }
        let packet = try PacketHandle()
        while true {
            let result = av_read_frame(context.pointer, packet.pointer)
            if result == vfx_averror(EAGAIN) { continue }
            if result < 0 {
                if result != vfx_averror_eof {
                    interruption = "the other streams end early (\(LibAVError(number: result)))"
                }
                return nil
            }
            return packet
        }
    }
}
