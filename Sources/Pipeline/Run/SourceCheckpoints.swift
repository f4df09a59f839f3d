package import FrameCore

/// Thrown when the frames found at a checkpoint are not those that were read when it was taken. Nothing has been
/// written by then; run again from the beginning of the source.
public struct SourceMismatch: Error {
    package init() {}
}

/// Reads frames, marks those at which a checkpoint is taken, and compares those after a checkpoint with its checksums.
///
/// `@unchecked Sendable`: only the reading thread calls ``next()``.
package final class CheckedSource: @unchecked Sendable {
    private let source: any FrameSource
    private let lead: Int?
    private let start: SourceCheckpoint?
    private var index: Int

    /// - Parameters:
    ///   - source: the source; already resumed if `start` is given.
    ///   - start: the checkpoint at which the source has been resumed; nil for its beginning.
    ///   - checkpointLead: the number of frames before a reset point at which checkpoints are taken; nil for none.
    package init(_ source: any FrameSource, from start: SourceCheckpoint? = nil, checkpointLead: Int? = nil) {
        self.source = source
        self.start = start
        lead = checkpointLead
        index = start?.frame ?? 0
    }

    /// - Throws: ``SourceMismatch`` if a frame differs from the one at the same place when the checkpoint was taken.
    package func next() throws -> TimelineFrame? {
        let place = lead.map { ResetSchedule.place(of: index, amongLast: $0) } ?? -1
        let position = place == 0 ? (source as? any ResumableFrameSource)?.position : nil
        guard let next = try source.nextFrame() else {
            if let start, index < start.frame + start.checksums.count { throw SourceMismatch() }
            return nil
        }
        var frame = TimelineFrame(frame: next)
        frame.isFirstAgain = (source as? LoopingSource)?.hasReturned ?? false
        frame.position = position
        let known = start.flatMap { start in
            start.checksums.indices.contains(index - start.frame) ? start.checksums[index - start.frame] : nil
        }
        if place >= 0 || known != nil { frame.checksum = next.buffer.sampleChecksum }
        if let known, known != frame.checksum { throw SourceMismatch() }
        if index == start?.frame, next.presentationTime != start?.time { throw SourceMismatch() }
        index += 1
        return frame
    }
}

/// Takes checkpoints of the source: a few frames before each reset point, complete when the reset point is reached.
struct CheckpointRecorder {
    private let store: any SourceCheckpointStore
    private let lead: Int
    private var firstTime: MediaTime?
    private var pending: SourceCheckpoint?

    init(_ store: any SourceCheckpointStore, _ chain: EffectChain, _ start: SourceCheckpoint?) {
        self.store = store
        lead = chain.checkpointLead
        firstTime = start?.firstTime
    }

    /// Takes the next frame, before it is appended to `timeline`.
    mutating func append(_ frame: TimelineFrame, _ timeline: SourceTimeline) {
        let index = timeline.framesRead
        let first = firstTime ?? frame.frame.presentationTime
        firstTime = first
        if ResetSchedule.point(at: index) != nil {
            if let pending, pending.checksums.count == lead { store.keep(pending) }
            pending = nil
        }
        if let position = frame.position, index > 0 {
            pending = SourceCheckpoint(
                frame: index, time: frame.frame.presentationTime, firstTime: first, position: position,
                cuts: timeline.cuts.map { SourceCheckpoint.Cut(frame: $0.frame, time: $0.time) },
                duplicates: timeline.duplicates, search: timeline.search)
        }
        if let checksum = frame.checksum { pending?.checksums.append(checksum) }
    }
}

extension PixelBuffer {
    /// The CRC-32 of the samples of all planes, row by row without padding.
    var sampleChecksum: UInt32 {
        var sum = CRC32()
        let bytes = format.bytesPerSample
        withPlanes { planes in
            for index in 0..<planes.count {
                let plane = planes[index]
                for row in 0..<plane.height {
                    sum.add(UnsafeRawBufferPointer(start: plane.row(row), count: plane.width * bytes))
                }
            }
        }
        return sum.value
    }
}
