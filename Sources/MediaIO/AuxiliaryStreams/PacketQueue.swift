import CLibAV
import FrameCore

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
