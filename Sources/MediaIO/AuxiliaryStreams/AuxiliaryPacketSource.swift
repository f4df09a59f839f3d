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
        queue = source.queue
        guard queue == nil else {
            context = nil
            return
        }
        do {
            let context = try InputContext(
                url: source.url, format: source.format,
                options: InputAddress(source.url).isRemote ? [:] : OpenedInput.localPlaylists)
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

/// Packets of the auxiliary streams on their way from the reader to the writer.
///
/// Used where the input cannot be opened twice. The queue holds what the reader is ahead of the writer; beyond
/// ``limit`` bytes packets are left out and counted, so that a writer that never comes cannot fill memory.
final class PacketQueue: Sendable {
    static let limit = 256 << 20
    /// What a packet takes beside its bytes: its own fields, those of its buffer, and what allocations are rounded up to.
    private static let overhead = 512

    private struct State {
        var packets: [PacketHandle] = []
        /// Index of the first packet not yet taken; the array is trimmed now and then.
        var head = 0
        var byteCount = 0
        var dropped = 0
        var isClosed = false
    }

    private let state = Lock(State())

    var droppedPackets: Int { state.withLock { $0.dropped } }

    /// Takes over what `packet` references.
    func append(_ packet: UnsafeMutablePointer<AVPacket>) {
        let size = Int(packet.pointee.size) + Self.overhead
        guard let box = try? PacketHandle(), av_packet_make_refcounted(packet) >= 0 else {
            return state.withLock { $0.dropped += 1 }
        }
        av_packet_move_ref(box.pointer, packet)
        state.withLock { state in
            if state.isClosed { return }
            guard state.byteCount + size <= Self.limit else { return state.dropped += 1 }
            state.byteCount += size
            state.packets.append(box)
        }
    }

    /// Lets go of all packets and of those still to come, for a writer that takes none.
    func close() {
        state.withLock { state in
            state = State()
            state.isClosed = true
        }
    }

    func next() -> PacketHandle? {
        state.withLock { state in
            guard state.head < state.packets.count else { return nil }
            let box = state.packets[state.head]
            state.head += 1
            state.byteCount -= Int(box.pointer.pointee.size) + Self.overhead
            if state.head >= 256 {
                state.packets.removeFirst(state.head)
                state.head = 0
            }
            return box
        }
    }
}
