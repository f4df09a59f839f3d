import CLibAV
import DequeModule
import FrameCore
import Synchronization

/// Encodes the video of an output in segments: each has its own encoder, their packets form one stream, and a store
/// keeps copies of them.
///
/// The packets of a segment depend only on its frames, so a run that reuses finished segments from the store writes the
/// same stream as one that encodes them all. It writes them on a thread of their own, so that the first new frames need
/// not wait.
///
/// `@unchecked Sendable`: as long as that thread runs, it alone uses `times`, `waiting` and `extraction`.
final class SegmentedVideo: @unchecked Sendable {
    /// The size of the new packets that wait while the finished segments are being written, in bytes.
    private static let mostHeldBytes = 64 << 20

    /// The store for finished segments; nil when they are not kept.
    let store: (any SegmentStore)?
    private let header: [UInt8]
    private var times: DTSGenerator
    private var index: Int?
    private var frames = 0
    private var file: SegmentFileWriter?
    /// Packets whose decoding times are not known yet.
    private var waiting = Deque<PacketHandle>()
    private var hasReplayed = false
    private var extraction: HeaderExtraction?
    /// The thread that writes the finished segments, and its failure; nil if none runs.
    private var replay: (thread: WorkerThread, failure: Lock<(any Error)?>)?
    /// What has been encoded while the finished segments are being written.
    private var held: (times: [Int64], packets: [PacketHandle], bytes: Int) = ([], [], 0)
    private let isStopped = Atomic<Bool>(false)

    /// Creates the segmented video; nil when `segments` is `onePiece`.
    ///
    /// - Parameters:
    ///   - encoder: the open encoder of the first segment.
    ///   - segments: the writer's option.
    init?(_ encoder: VideoEncoder, _ segments: MediaWriterOptions.Segments) {
        switch segments {
        case .onePiece: return nil
        case .discarded: store = nil
        case .kept(let store): self.store = store
        }
        header = encoder.header
        times = DTSGenerator(delay: encoder.delay)
    }

    /// Whether the store has finished segments that have not been written yet.
    var isResuming: Bool { !hasReplayed && store?.finished.isEmpty == false }

    /// The last finished segment; nil when there is none.
    var lastFinished: FinishedSegment? { store?.finished.last }

    /// The end of the finished segments.
    var resumePoint: ResumePoint { store?.resumePoint ?? .start }

    /// Starts writing the packets of the finished segments. Packets of new segments may be taken meanwhile.
    ///
    /// - Parameters:
    ///   - encoder: an open encoder with the same settings as that of the segments.
    ///   - write: receives each packet on another thread, with times in ticks of the encoder's time base.
    func startReplay(
        _ encoder: VideoEncoder,
        _ write: @escaping @Sendable (UnsafeMutablePointer<AVPacket>) throws(FrameError) -> Void
    ) throws {
        guard isResuming, let store else { return }
        hasReplayed = true
        extraction = header.isEmpty ? try HeaderExtraction(encoder) : nil
        let failure = Lock<(any Error)?>(nil)
        let thread = WorkerThread(name: "vfx-replay") { [self] in
            do { try replay(store, write) } catch { failure.withLock { $0 = error } }
        }
        if let error = thread.launchError { throw error }
        replay = (thread, failure)
    }

    private func replay(
        _ store: any SegmentStore, _ write: (UnsafeMutablePointer<AVPacket>) throws(FrameError) -> Void
    ) throws {
        for segment in store.finished {
            let reader = try SegmentFileReader(store.path(of: segment.index))
            guard reader.header == header else { throw Self.otherHeader(store.path(of: segment.index)) }
            for time in try reader.presentationTimes() { times.append(time) }
            while let packet = try reader.next() {
                try goOn()
                let box = try PacketHandle()
                try packet.fill(box.pointer)
                try extraction?.apply(to: box.pointer)
                waiting.append(box)
                try drain(write)
            }
        }
    }

    /// Waits until the finished segments are written. What was encoded meanwhile comes next.
    private func endReplay() throws(FrameError) {
        guard let (thread, failure) = replay else { return }
        thread.join()
        replay = nil
        if let error = failure.withLock({ $0 }) {
            // A run that is stopped has failed for another reason, which it reports.
            throw error as? FrameError ?? FrameError(.output, "the run was stopped", cause: error)
        }
        for time in held.times { times.append(time) }
        waiting.append(contentsOf: held.packets)
        held = ([], [], 0)
    }

    /// Decodes the frames of the finished segments.
    ///
    /// - Parameters:
    ///   - encoder: an open encoder with the same settings as that of the segments.
    ///   - stream: the stream that was encoded.
    ///   - take: receives the frames in presentation order.
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

    /// Ends the writing of finished segments, and makes ``frames(_:_:_:)`` throw `CancellationError`. May be called from any
    /// thread.
    func stop() { isStopped.store(true, ordering: .releasing) }

    private func goOn() throws {
        if isStopped.load(ordering: .acquiring) { throw CancellationError() }
    }

    /// Begins segment `index` with the next frame.
    ///
    /// - Parameters:
    ///   - index: number of the segment.
    ///   - encoder: the new encoder for this segment.
    func begin(_ index: Int, _ encoder: VideoEncoder) throws(FrameError) {
        hasReplayed = true
        self.index = index
        frames = 0
        guard encoder.header == header else { throw Self.otherHeader(encoder.name) }
        if let store { file = try SegmentFileWriter(store.partPath(of: index), header: header) }
    }

    /// Counts a frame that is sent to the encoder; `ticks` is its presentation time in the encoder's time base.
    func count(ticks: Int64) {
        frames += 1
        if replay == nil { times.append(ticks) } else { held.times.append(ticks) }
    }

    /// Accepts a packet from the segment's encoder.
    ///
    /// - Parameters:
    ///   - packet: the packet; blank on return.
    ///   - write: receives each packet whose decoding time is known.
    func take(
        _ packet: UnsafeMutablePointer<AVPacket>,
        _ write: (UnsafeMutablePointer<AVPacket>) throws(FrameError) -> Void
    ) throws(FrameError) {
        let data = packet.pointee
        var size = 0
        let addition = av_packet_get_side_data(packet, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, &size)
        try file?.append(
            presentationTime: data.pts, duration: data.duration, flags: data.flags,
            bytes: UnsafeRawBufferPointer(start: data.data, count: Int(data.size)),
            addition: UnsafeRawBufferPointer(start: addition, count: size))
        let box = try PacketHandle()
        av_packet_move_ref(box.pointer, packet)
        if let (thread, _) = replay {
            held.packets.append(box)
            held.bytes += Int(data.size)
            guard held.bytes > Self.mostHeldBytes || thread.join(forAtMost: 0) else { return }
            try endReplay()
        } else {
            waiting.append(box)
        }
        try drain(write)
    }

    /// Completes the segment, after its encoder has returned all packets.
    ///
    /// - Parameters:
    ///   - next: number of the segment that follows; nil for the last one.
    ///   - shift: the offset added to the times of all frames.
    ///   - step: time from the segment's last frame to the frame that follows.
    ///   - notes: what could not be written of the frames so far.
    func finish(next: Int?, shift: MediaTime, step: MediaTime, notes: [Note] = []) throws {
        guard let index, let file, let store else { return }
        // A run that resumes from this segment would be missing the same packets.
        guard file.packetCount == frames else { throw Self.missingPackets() }
        try file.finish()
        self.file = nil
        try store.keep(
            FinishedSegment(
                index: index, next: next, frames: frames, shift: shift, step: step, bytes: file.byteCount,
                checksum: file.checksum, notes: notes.isEmpty ? nil : notes))
    }

    /// Writes the waiting packets after the last frame.
    func finish(_ write: (UnsafeMutablePointer<AVPacket>) throws(FrameError) -> Void) throws(FrameError) {
        try endReplay()
        times.finish()
        try drain(write)
        guard waiting.isEmpty, times.isComplete else { throw Self.missingPackets() }
    }

    /// Ends the writing of finished segments, and closes the file of an unfinished one.
    func cancel() {
        stop()
        replay?.thread.join()
        replay = nil
        file?.close()
    }

    private func drain(_ write: (UnsafeMutablePointer<AVPacket>) throws(FrameError) -> Void) throws(FrameError) {
        while times.isReady, let box = waiting.popFirst() {
            let packet = box.pointer
            guard let decodeTime = times.next(), decodeTime <= packet.pointee.pts else {
                throw FrameError(.encode, "the encoder reorders frames by more than it states")
            }
            packet.pointee.dts = decodeTime
            try write(packet)
        }
    }

    private static func missingPackets() -> FrameError {
        FrameError(.encode, "the encoder returned fewer packets than it received frames")
    }

    private static func otherHeader(_ name: String) -> FrameError {
        FrameError(
            .encode, "the encoder's header differs from that of the earlier segments; they cannot be joined",
            at: .init(file: name))
    }
}

/// Generates decoding timestamps (DTS) for packets whose encoder is restarted for every segment.
///
/// With a reordering delay of d frames, the DTS of packet i is the presentation time of frame i − d. The first d
/// packets have the presentation times of frames 0 to d − 1, minus the time from frame 0 to frame d. DTS therefore
/// ascend across segment boundaries, which those of an encoder that knows only its own segment would not.
package struct DTSGenerator {
    /// The number of frames that the encoder may hold back to reorder them.
    let delay: Int
    /// Presentation times of the first ``delay`` + 1 frames.
    private var first: [Int64] = []
    /// Presentation times that have not been used as decoding times yet.
    private var waiting = Deque<Int64>()
    private var taken = 0
    private var given = 0
    private var hasEnded = false

    package init(delay: Int) { self.delay = max(0, delay) }

    /// Whether ``next()`` may be called: it requires ``delay`` + 1 frames or the end of the stream.
    package var isReady: Bool { first.count > delay || hasEnded }

    /// Whether a decoding time has been returned for every frame.
    package var isComplete: Bool { given == taken }

    /// Adds the presentation time of the next frame in presentation order.
    package mutating func append(_ ticks: Int64) {
        taken += 1
        if first.count <= delay { first.append(ticks) }
        waiting.append(ticks)
    }

    /// Marks the end of the stream.
    package mutating func finish() { hasEnded = true }

    /// Returns the decoding time of the next packet; nil when there are more packets than frames.
    package mutating func next() -> Int64? {
        defer { given += 1 }
        if given < delay, given < first.count {
            // Overflow is ignored: real timestamps are not that far apart.
            let span = (first.last ?? 0).subtractingReportingOverflow(first[0]).partialValue
            return first[given].subtractingReportingOverflow(span).partialValue
        }
        return waiting.popFirst()
    }
}
