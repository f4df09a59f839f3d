import CLibAV
import Checkpoints
import DequeModule
import FrameCore
import Synchronization

/// The video of an output in segments: an encoder for each, their packets in one stream, and copies of them in a store.
///
/// The packets of a segment depend on its frames alone, so a run that takes finished segments from the store writes the
/// same stream as one that has made them all.
final class SegmentedVideo {
    /// nil keeps nothing.
    let store: (any SegmentStore)?
    private let header: [UInt8]
    private var times: DTSGenerator
    private var index: Int?
    private var frames = 0
    private var file: SegmentFileWriter?
    /// Packets that wait until their decoding times are known.
    private var waiting = Deque<PacketHandle>()
    private var hasReplayed = false
    private let isStopped = Atomic<Bool>(false)

    /// - Parameters:
    ///   - encoder: that of the first segment, open.
    ///   - segments: what the options say; nil is made of one piece.
    init?(_ encoder: VideoEncoder, _ segments: MediaWriterOptions.Segments) {
        switch segments {
        case .none: return nil
        case .discarded: store = nil
        case .kept(let store): self.store = store
        }
        header = encoder.header
        times = DTSGenerator(delay: encoder.delay)
    }

    /// Whether finished segments have still to be taken from the store.
    var isResuming: Bool { !hasReplayed && store?.finished.isEmpty == false }

    /// What is known of the last finished segment.
    var lastFinished: FinishedSegment? { store?.finished.last }

    /// Where the finished segments end.
    var resumePoint: ResumePoint { store?.resumePoint ?? .start }

    /// Writes the packets of the finished segments.
    /// - Parameter write: receives each packet, its times in the encoder's clock.
    func replay(_ write: (UnsafeMutablePointer<AVPacket>) throws(FrameError) -> Void) throws {
        guard isResuming, let store else { return }
        hasReplayed = true
        for segment in store.finished {
            let reader = try SegmentFileReader(store.path(of: segment.index))
            guard reader.header == header else { throw Self.otherHeader(store.path(of: segment.index)) }
            for time in try reader.presentationTimes() { times.append(time) }
            while let packet = try reader.next() {
                try goOn()
                let box = try PacketHandle()
                try packet.fill(box.pointer)
                waiting.append(box)
                try drain(write)
            }
        }
    }

    /// Decodes the frames of the finished segments.
    /// - Parameter take: receives them in the order in which they are shown.
    func frames(_ encoder: VideoEncoder, _ stream: VideoStreamDescription, _ take: (Frame) throws -> Void) throws {
        guard let store, let last = lastFinished else { return }
        let decoder = try SegmentDecoder(encoder, stream, shift: last.shift)
        for segment in store.finished {
            try decoder.decode(store.path(of: segment.index)) { frame in
                try goOn()
                try take(frame)
            }
        }
    }

    /// Has ``replay(_:)`` and ``frames(_:_:_:)`` end; from any thread.
    func stop() { isStopped.store(true, ordering: .releasing) }

    private func goOn() throws {
        if isStopped.load(ordering: .acquiring) { throw CancellationError() }
    }

    /// Begins segment `index` with the next frame.
    /// - Parameter encoder: new, for this segment.
    func begin(_ index: Int, _ encoder: VideoEncoder) throws(FrameError) {
        hasReplayed = true
        self.index = index
        frames = 0
        guard encoder.header == header else { throw Self.otherHeader(encoder.name) }
        if let store { file = try SegmentFileWriter(store.partPath(of: index), header: header) }
    }

    /// Notes a frame on its way to the encoder.
    func count(ticks: Int64) {
        frames += 1
        times.append(ticks)
    }

    /// Takes a packet of the segment's encoder.
    /// - Parameter write: receives each packet that is due.
    func take(
        _ packet: UnsafeMutablePointer<AVPacket>,
        _ write: (UnsafeMutablePointer<AVPacket>) throws(FrameError) -> Void
    ) throws(FrameError) {
        let data = packet.pointee
        try file?.append(
            presentationTime: data.pts, duration: data.duration, flags: data.flags,
            bytes: UnsafeRawBufferPointer(start: data.data, count: Int(data.size)))
        let box = try PacketHandle()
        av_packet_move_ref(box.pointer, packet)
        waiting.append(box)
        try drain(write)
    }

    /// Ends the segment, whose encoder has given all its packets.
    ///
    /// - Parameters:
    ///   - next: number of the segment that follows; nil for the last one.
    ///   - shift: added to the times of all frames.
    ///   - step: from its last frame to the one that follows.
    func finish(next: Int?, shift: MediaTime, step: MediaTime) throws {
        guard let index, let file, let store else { return }
        // A run that goes on from here would miss the same ones.
        guard file.packetCount == frames else { throw Self.missingPackets() }
        try file.finish()
        self.file = nil
        try store.keep(
            FinishedSegment(
                index: index, next: next, frames: frames, shift: shift, step: step, bytes: file.byteCount,
                checksum: file.checksum))
    }

    /// Writes what waits; no frame follows.
    func finish(_ write: (UnsafeMutablePointer<AVPacket>) throws(FrameError) -> Void) throws(FrameError) {
        times.finish()
        try drain(write)
        guard waiting.isEmpty, times.isComplete else { throw Self.missingPackets() }
    }

    /// Lets go of an unfinished segment.
    func cancel() { file?.close() }

    private func drain(_ write: (UnsafeMutablePointer<AVPacket>) throws(FrameError) -> Void) throws(FrameError) {
        while times.isReady, let box = waiting.popFirst() {
            let packet = box.pointer
            guard let decodeTime = times.next(), decodeTime <= packet.pointee.pts else {
                throw FrameError(.encode, "the encoder reorders frames more than it says")
            }
            packet.pointee.dts = decodeTime
            try write(packet)
        }
    }

    private static func missingPackets() -> FrameError {
        FrameError(.encode, "the encoder gave fewer packets than it took frames")
    }

    private static func otherHeader(_ name: String) -> FrameError {
        FrameError(
            .encode, "the encoder gives another header than for the segments before; they cannot be joined",
            at: .init(file: name))
    }
}

/// Decoding timestamps (DTS) of packets whose encoder is restarted for every segment.
///
/// With a reordering delay of d frames the packet at position i is decoded when frame i − d is shown, and the first d as
/// much earlier as frame d is shown after the first. So times ascend over the boundaries of segments too, whatever times an
/// encoder that knows its own segment alone would give. A pure value.
package struct DTSGenerator {
    /// Frames that the encoder may hold back to reorder them.
    let delay: Int
    /// Presentation times of the first frames.
    private var first: [Int64] = []
    /// Presentation times that are not yet used as decoding times.
    private var waiting = Deque<Int64>()
    private var taken = 0
    private var given = 0
    private var hasEnded = false

    package init(delay: Int) { self.delay = max(0, delay) }

    /// Whether ``next()`` may be called: the first times need ``delay`` frames more, or the word that none follow.
    package var isReady: Bool { first.count > delay || hasEnded }

    /// Whether as many decoding times were given as presentation times were taken.
    package var isComplete: Bool { given == taken }

    /// Takes presentation times in ascending order.
    package mutating func append(_ ticks: Int64) {
        taken += 1
        if first.count <= delay { first.append(ticks) }
        waiting.append(ticks)
    }

    /// Says that no frame follows.
    package mutating func finish() { hasEnded = true }

    /// The decoding time of the next packet; nil when there are more packets than frames.
    package mutating func next() -> Int64? {
        defer { given += 1 }
        if given < delay, given < first.count {
            // Ticks that lie apart by more than 64 bits are nothing to reckon with.
            let span = (first.last ?? 0).subtractingReportingOverflow(first[0]).partialValue
            return first[given].subtractingReportingOverflow(span).partialValue
        }
        return waiting.popFirst()
    }
}
