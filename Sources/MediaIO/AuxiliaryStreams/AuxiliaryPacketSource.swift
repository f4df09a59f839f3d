import CLibAV
import FrameCore

/// Reads the packets of the auxiliary streams.
final class AuxiliaryPacketSource {
    /// How long before a part its packets are read: a subtitle may begin that much earlier, and a decoder of sound needs
    /// what came before.
    private static let lead = MediaTime(value: 60, timescale: 1)

    private let context: InputContext?
    private let queue: PacketQueue?
    /// What is subtracted from the container's times, in ticks of each stream.
    private let origins: [Int: Int64]
    /// Why reading stopped before the end of the streams, as a sentence; nil if it did not.
    private(set) var interruption: String?

    /// - Parameters:
    ///   - source: the input.
    ///   - kept: indices of the streams whose packets are wanted.
    init(_ source: MediaSourceDescription, keeping kept: Set<Int>) throws(FrameError) {
        queue = source.queue
        // Cover art has no time.
        origins = source.streams.filter { $0.kind != .coverArt }.reduce(into: [:]) { origins, stream in
            if let base = Rational(stream.timeBase) { origins[stream.index] = source.origin.ticks(of: base) }
        }
        if let queue {
            if let part = source.part { queue.drop(before: part.start + source.origin - Self.lead, source.streams) }
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
            if let part = source.part, !source.allowsDiscontinuities || source.discontinuities.state.count <= 1 {
                let microseconds = (part.start + source.origin - Self.lead).ticks(of: Rational(1, 1_000_000))
                // Without an index, packets before the part are read and left out.
                _ = av_seek_frame(context.pointer, -1, microseconds, AVSEEK_FLAG_BACKWARD)
            }
            self.context = context
        } catch {
            throw FrameError(
                .input, "the input cannot be opened a second time to read its other streams",
                at: .init(file: source.input), cause: error)
        }
    }

    /// The number of packets that the reader had no room for.
    var droppedPackets: Int { queue?.droppedPackets ?? 0 }

    /// Returns the next packet, with its times on the clip's clock; nil at the end, or when the reader has not queued it
    /// yet.
    func next() throws(FrameError) -> PacketHandle? {
        guard let packet = try read() else { return nil }
        if let origin = origins[Int(packet.pointer.pointee.stream_index)], origin != 0 {
            packet.pointer.pointee.move(by: 0 &- origin)
        }
        return packet
    }

    private func read() throws(FrameError) -> PacketHandle? {
        if let queue { return queue.next() }
        guard let context else { return nil }
        let packet = try PacketHandle()
        while true {
            let result = av_read_frame(context.pointer, packet.pointer)
            if result == vfx_averror(EAGAIN) { continue }
            if result < 0 {
                if result != vfx_averror_eof {
                    interruption = "reading the other streams stopped early (\(LibAVError(number: result)))"
                }
                return nil
            }
            return packet
        }
    }
}

/// Passes packets of the auxiliary streams from the reader to the writer.
///
/// Used when the input cannot be opened twice. The queue holds the packets by which the reader is ahead of the writer.
/// Beyond ``limit`` bytes, packets are dropped and counted, so that memory stays bounded even if no writer takes them.
final class PacketQueue: Sendable {
    static let limit = 256 << 20
    /// Bytes that a packet takes in addition to its data: its fields, those of its buffer, and allocation rounding.
    private static let overhead = 512

    private struct State {
        var packets: [PacketHandle] = []
        /// Index of the first packet not yet taken; the array is trimmed after every 256 packets.
        var head = 0
        var byteCount = 0
        var dropped = 0
        var isClosed = false
        /// The time before which packets are not wanted, in ticks of each stream.
        var start: [Int: Int64] = [:]
    }

    private let state = Lock(State())

    var droppedPackets: Int { state.withLock { $0.dropped } }

    /// Adds a packet and takes over its reference, leaving `packet` blank.
    func append(_ packet: UnsafeMutablePointer<AVPacket>) {
        let size = Int(packet.pointee.size) + Self.overhead
        guard let box = try? PacketHandle(), av_packet_make_refcounted(packet) >= 0 else {
            return state.withLock { $0.dropped += 1 }
        }
        av_packet_move_ref(box.pointer, packet)
        state.withLock { state in
            if state.isClosed { return }
            let data = box.pointer.pointee
            if let start = state.start[Int(data.stream_index)], let time = known(data.pts) ?? known(data.dts),
                time < start
            {
                return
            }
            guard state.byteCount + size <= Self.limit else { return state.dropped += 1 }
            state.byteCount += size
            state.packets.append(box)
        }
    }

    /// Discards packets before a time, now and in the future, for a writer that takes a part of the clip.
    func drop(before time: MediaTime, _ streams: [SourceStream]) {
        state.withLock { state in
            for stream in streams {
                if let base = Rational(stream.timeBase) { state.start[stream.index] = time.ticks(of: base) }
            }
        }
    }

    /// Discards all packets, now and in the future, for a writer that takes none.
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
