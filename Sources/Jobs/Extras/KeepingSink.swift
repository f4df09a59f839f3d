internal import FrameAnalysis
internal import FrameCore
internal import Imaging
internal import MediaIO

/// What thumbnails and a storyboard need of the frames of a divided job.
struct FrameNeeds {
    /// The frames that a selection of thumbnails examines; nil without thumbnails.
    var examined: ExaminedTimes?
    /// The time between two tiles in milliseconds; nil without a storyboard.
    var interval: Int64?
    /// The time of the first output frame.
    var start: MediaTime
    /// The time from the beginning of the output to that frame.
    var delay = MediaTime.zero

    /// Whether a frame is shown at the time of a tile.
    func isTile(_ time: MediaTime, until next: MediaTime) -> Bool {
        guard let interval, interval > 0 else { return false }
        // The first frame is shown on the tiles before it, too.
        if time <= start { return true }
        // The first tile at or after the frame, in milliseconds.
        let origin = start - delay
        let elapsed = max(0, -(origin - time).ticksDown(1000))
        let tile = (elapsed + interval - 1) / interval * interval
        return origin + MediaTime(value: tile, timescale: 1000) < next
    }
}

/// Passes the frames of a worker on to its segments, and keeps what thumbnails and a storyboard need of them.
///
/// Whether a frame next to the end of a segment is needed depends on the frames after it, so the run goes on for a few
/// frames. They are those that the next segment begins with, since effects drop their state there.
///
/// `@unchecked Sendable`: `FrameSink` promises calls from one thread at a time; ``stop()`` only passes the call on.
final class KeepingSink: FrameSink, @unchecked Sendable {
    private static let reach = ExaminedTimes.reach

    private let sink: SegmentSink
    private let needs: FrameNeeds
    private let store: WorkerSegments
    private let part: Range<Int>
    /// The segments that have begun, and the positions of their first frames in this run.
    private var starts: [(segment: Int, first: Int)] = []
    private var writers: [Int: KeptFrameWriter] = [:]
    /// The latest frames, the last of them at position `count` - 1.
    private var recent: [Frame] = []
    private var count = 0
    /// The positions of the latest frames that are examined.
    private var examined: [Int] = []
    /// The positions of the latest frames whose samples are kept, by segment.
    private var saved: [Int: Set<Int>] = [:]
    private var isComplete = false

    /// - Parameters:
    ///   - sink: makes the segments.
    ///   - part: the numbers of the segments that are made.
    ///   - needs: what is needed.
    ///   - store: keeps the files.
    init(_ sink: SegmentSink, _ part: Range<Int>, _ needs: FrameNeeds, _ store: WorkerSegments) {
        (self.sink, self.part, self.needs, self.store) = (sink, part, needs, store)
    }

    var resumePoint: ResumePoint { sink.resumePoint }
    var wantsMore: Bool { sink.wantsMore || !writers.isEmpty && !isComplete }

    func beginSegment(_ index: Int) throws {
        if sink.wantsMore { try sink.beginSegment(index) }
        if starts.last?.first == count { starts.removeLast() }
        starts.append((index, count))
    }

    func write(_ frame: Frame) throws {
        if sink.wantsMore { try sink.write(frame) }
        let frame = try frame.overGrey(context: .serial)
        let position = count, time = frame.presentationTime
        count += 1
        let own = segment(at: position)
        if part.contains(own) {
            let writer = try writers[own] ?? KeptFrameWriter(store.keptPartPath(of: own))
            writers[own] = writer
            if needs.examined != nil {
                try writer.append(frame, description: DescribedFrame.description(of: frame))
            }
        }
        let last = recent.last
        recent.append(frame)
        if recent.count > Self.reach + 1 { recent.removeFirst() }
        if let last, needs.isTile(last.presentationTime, until: time) {
            try save(position - 1, segment(at: position - 1))
        }
        try keepExamined(position, time, after: last?.presentationTime)
        try finishWriters { position + 1 - $0 >= 2 * Self.reach }
        isComplete = position + 1 - (firstBeyond ?? position + 1) >= 2 * Self.reach
    }

    /// Keeps the frames that are examined, and their neighbours.
    private func keepExamined(_ position: Int, _ time: MediaTime, after last: MediaTime?) throws {
        guard let times = needs.examined else { return }
        // The worker before knows the frames next to the first ones of a later segment.
        let isExamined = last.map { times.includes(time, after: $0) } ?? (part.lowerBound == 0)
        examined.removeAll { $0 < position - Self.reach }
        if isExamined, position >= Self.reach || part.lowerBound == 0 {
            examined.append(position)
            for neighbour in max(0, position - Self.reach)..<position { try save(neighbour, owner(position)) }
        }
        for other in examined { try save(position, owner(other)) }
    }

    /// The segment whose worker keeps the neighbours of the frame at a position: that of the first of them.
    private func owner(_ position: Int) -> Int { segment(at: max(0, position - Self.reach)) }

    private func segment(at position: Int) -> Int { starts.last { $0.first <= position }?.segment ?? part.lowerBound }

    /// The position of the first frame after the part.
    private var firstBeyond: Int? { starts.first { $0.segment >= part.upperBound }?.first }

    private func save(_ position: Int, _ segment: Int) throws {
        guard let writer = writers[segment], saved[segment, default: []].insert(position).inserted else { return }
        let index = recent.count - (count - position)
        guard recent.indices.contains(index) else { return }
        try writer.append(samplesOf: recent[index])
    }

    /// Completes the files of the segments that need no more frames.
    ///
    /// - Parameter isOver: whether a segment needs no more, given the position of the first frame after it.
    private func finishWriters(where isOver: (Int) -> Bool) throws {
        for (place, start) in starts.enumerated() {
            guard let writer = writers[start.segment], isOver(place + 1 < starts.count ? starts[place + 1].first : .max)
            else { continue }
            try writer.finish()
            writers[start.segment] = nil
            try store.keep(writer, of: start.segment)
        }
    }

    func finish() throws {
        try sink.finish()
        // The clip's last frame determines when the last tile ends.
        if firstBeyond == nil, count > 0, part.contains(segment(at: count - 1)) {
            try save(count - 1, segment(at: count - 1))
        }
        try finishWriters { _ in true }
    }

    func addToLastFrame(_ sideData: SideData) { sink.addToLastFrame(sideData) }
    func stop() { sink.stop() }
    func abandon() { sink.abandon() }

    func cancel() {
        sink.cancel()
        for writer in writers.values { writer.close() }
        writers = [:]
    }
}
