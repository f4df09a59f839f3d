import CLibAV
import FrameCore

/// Where packets of the auxiliary streams come from.
final class AuxiliaryPacketSource {
    private let context: InputContext?
    private let queue: PacketQueue?
    private let file: String
    private(set) var interruption: String?

    init(_ source: MediaReader, keeping kept: Set<Int>) throws(FrameError) {
        file = source.input
        if let queue = source.demuxer.auxiliaryPackets {
            (self.queue, context) = (queue, nil)
            return
        }
        queue = nil
        do {
            let format = source.demuxer.context.pointer.pointee.iformat
            let context = try InputContext(
                url: source.demuxer.url, format: format.map { UnsafePointer($0) },
                options: InputAddress(source.demuxer.url).isRemote ? [:] : OpenedInput.localPlaylists)
            context.findStreams(maximumPixels: MediaReaderOptions.mostPixels)
            for (index, stream) in context.streams.enumerated() where !kept.contains(index) {
                stream.pointee.discard = AVDISCARD_ALL
            }
            self.context = context
        } catch {
            throw FrameError(
                .input, "the input cannot be opened a second time for its other streams", at: .init(file: source.input),
                cause: error)
        }
    }

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
