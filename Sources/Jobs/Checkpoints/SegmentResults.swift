internal import Foundation
package import FrameCore
internal import Glibc

/// The record of a finished segment of a divided job, written by the worker that has made it.
package struct SegmentResult: Sendable, Hashable, Codable {
    /// The format version that is written and read.
    package static let version = 3

    /// The file of what the worker keeps of the frames for thumbnails and storyboards.
    package struct KeptFrames: Sendable, Hashable, Codable {
        /// The size of the file in bytes.
        package var bytes: Int
        /// The CRC-32 of the file.
        package var checksum: UInt32

        package init(bytes: Int, checksum: UInt32) { (self.bytes, self.checksum) = (bytes, checksum) }
    }

    /// What the worker has read of the source.
    package struct Read: Sendable, Hashable, Codable {
        /// The checksum of the source frames before the segment's reset point; nil if they were not read.
        package var before: UInt32?
        /// The checksum of the source frames before the next segment's reset point; nil if they were not read.
        package var after: UInt32?
        /// What was lost or repaired, as sentences.
        package var damage: [String]
        /// The number of packets or frames lost.
        package var lostUnits: Int
        /// Notes on side data of frames that could not be written; nil in records of earlier versions.
        package var notes: [Note]?

        package init(before: UInt32?, after: UInt32?, damage: DamageReport, notes: [Note] = []) {
            self.notes = notes
            (self.before, self.after) = (before, after)
            (self.damage, lostUnits) = (damage.notes, damage.lostUnits)
        }
    }

    package var version = Self.version
    /// The identifier of the plan that the segment belongs to.
    package var plan: String
    /// The segment number that the plan asks for.
    package var number: Int
    /// The segment; nil if no output frame falls into it.
    package var segment: FinishedSegment?
    /// What the worker has read of the source.
    package var read: Read
    /// The frames that are kept; nil if the job needs none.
    package var kept: KeptFrames?
    /// How long it took to make, in seconds.
    package var seconds: Double
    /// The machine that has made it.
    package var host: String

    package init(
        plan: String, number: Int, segment: FinishedSegment?, read: Read, seconds: Double, host: String
    ) {
        self.plan = plan
        self.number = number
        self.segment = segment
        self.read = read
        self.seconds = seconds
        self.host = host
    }

    /// The name of the segment's file. It contains the checksum, so that two workers on one segment never mix a file
    /// with the record of another.
    package static func fileName(_ number: Int, checksum: UInt32) -> String {
        "\(number.zeroPadded(to: 6))-\(String(checksum, radix: 16)).seg"
    }

    /// The name of the file of kept frames.
    static func keptName(_ number: Int, checksum: UInt32) -> String {
        "\(number.zeroPadded(to: 6))-\(String(checksum, radix: 16)).frames"
    }

    static func recordName(_ number: Int) -> String { number.zeroPadded(to: 6) + ".json" }
    static func failureName(_ number: Int) -> String { number.zeroPadded(to: 6) + ".failed" }
}

/// The segments of a divided job in its folder. Many processes on many machines may use it at once.
///
/// Every file is written under a name of its own, synced to disk and renamed, so that it is complete or absent.
package struct SegmentResults: Sendable {
    /// The path of the folder.
    package let path: String
    /// The identifier of the plan.
    package let plan: String
    /// Whether the workers keep frames for thumbnails and storyboards.
    package let keepsFrames: Bool
    private static let mostBytes = 1 << 20

    package init(path: String, plan: String, keepsFrames: Bool = false) {
        self.path = path
        self.keepsFrames = keepsFrames
        self.plan = plan
    }

    /// Returns the record of a segment; nil if there is none of this plan, or if it is damaged.
    package func record(_ number: Int) -> SegmentResult? {
        guard let bytes = LocalFile.read(path + "/" + SegmentResult.recordName(number), atMost: Self.mostBytes),
            let found = try? JSONDecoder().decode(SegmentResult.self, from: Data(bytes)),
            found.version == SegmentResult.version, found.plan == plan, found.number == number,
            (0...1e9).contains(found.seconds), (0...1 << 40).contains(found.read.lostUnits),
            (0...1 << 40).contains(found.segment?.frames ?? 0)
        else { return nil }
        guard let segment = found.segment else { return found }
        guard (found.kept != nil) == keepsFrames, found.kept.map({ $0.bytes > 0 }) ?? true else { return nil }
        guard segment.index == number, segment.frames > 0, segment.bytes > 0, segment.shift.timescale > 0,
            segment.step.timescale > 0, segment.next.map({ $0 > number }) ?? true
        else { return nil }
        return found
    }

    /// The path of the file of a finished segment.
    package func file(_ segment: FinishedSegment) -> String {
        path + "/" + SegmentResult.fileName(segment.index, checksum: segment.checksum)
    }

    /// The path of the file of kept frames; nil if there is none.
    package func keptFile(_ result: SegmentResult) -> String? {
        result.kept.map { path + "/" + SegmentResult.keptName(result.number, checksum: $0.checksum) }
    }

    /// Returns the record of a segment if its files have the recorded sizes and checksums.
    package func verified(_ number: Int) throws(FrameError) -> SegmentResult? {
        guard let found = record(number) else { return nil }
        guard let segment = found.segment else { return found }
        if let kept = found.kept, let file = keptFile(found) {
            guard try CheckpointFiles.checksum(of: file, size: kept.bytes) == kept.checksum else { return nil }
        }
        return try CheckpointFiles.checksum(of: file(segment), size: segment.bytes) == segment.checksum ? found : nil
    }

    /// Returns the record of a segment if its files have the recorded sizes.
    package func likely(_ number: Int) -> SegmentResult? {
        guard let found = record(number) else { return nil }
        guard let segment = found.segment else { return found }
        func hasSize(_ bytes: Int, _ file: String) -> Bool { LocalFile(file).map { $0.size == bytes } ?? false }
        if let kept = found.kept, let file = keptFile(found) {
            guard hasSize(kept.bytes, file) else { return nil }
        }
        return hasSize(segment.bytes, file(segment)) ? found : nil
    }

    /// Why the last attempt at a segment failed; nil if it has not.
    package func failure(_ number: Int) -> String? {
        LocalFile.read(path + "/" + SegmentResult.failureName(number), atMost: Self.mostBytes)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Records why an attempt at a segment has failed. Errors are ignored: the disk may be full.
    package func note(failure: String, of number: Int) {
        let name = path + "/" + SegmentResult.failureName(number)
        try? CheckpointFiles.write(Array(failure.utf8), to: name, worker: Self.worker)
    }

    /// Writes the record of a segment whose file is in place.
    package func keep(_ result: SegmentResult) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        try CheckpointFiles.write(
            Array(encoder.encode(result)) + [10], to: path + "/" + SegmentResult.recordName(result.number),
            worker: Self.worker)
        unlink(path + "/" + SegmentResult.failureName(result.number))
    }

    /// The path to which this process writes a segment's file.
    package func partPath(_ number: Int) -> String {
        "\(path)/\(number.zeroPadded(to: 6))-\(Self.worker).part"
    }

    /// The path to which this process writes the frames that are kept of a segment.
    func keptPartPath(_ number: Int) -> String {
        "\(path)/\(number.zeroPadded(to: 6))-frames-\(Self.worker).part"
    }

    /// The segments that are being written, with the time of the latest change in seconds since 1970.
    package func partial() -> [(number: Int, modified: Int)] {
        (LocalFile.names(in: path) ?? []).compactMap { name in
            guard name.hasSuffix(".part"), let number = Int(name.prefix(6)) else { return nil }
            var status = stat()
            guard stat(path + "/" + name, &status) == 0 else { return nil }
            return (number, Int(status.st_mtim.tv_sec))
        }
    }

    /// A name for this process that no other process on any machine has.
    package static let worker: String = {
        let host = ProcessInfo.processInfo.hostName.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return "\(host.prefix(40))-\(getpid())-\(String(UInt32.random(in: 0...UInt32.max), radix: 16))"
    }()
}

/// Keeps the segments that this process makes for a divided job.
package final class WorkerSegments: SegmentStore {
    private let results: SegmentResults
    private let clock = ContinuousClock()
    private let last: Lock<ContinuousClock.Instant>
    /// Segments that are finished and whose kept frames are not.
    private let waiting = Lock<[Int: (segment: FinishedSegment, seconds: Double)]>([:])
    private let read: @Sendable (Int) -> SegmentResult.Read
    private let onKept: @Sendable (FinishedSegment) -> Void

    /// - Parameters:
    ///   - results: the job's folder.
    ///   - read: returns what has been read of the source for a segment that has been kept.
    ///   - onKept: called with each segment that has been kept.
    package init(
        _ results: SegmentResults, read: @escaping @Sendable (Int) -> SegmentResult.Read,
        onKept: @escaping @Sendable (FinishedSegment) -> Void
    ) {
        self.results = results
        self.read = read
        self.onKept = onKept
        last = Lock(clock.now)
    }

    package var finished: [FinishedSegment] { [] }
    package func path(of index: Int) -> String { partPath(of: index) }
    package func partPath(of index: Int) -> String { results.partPath(index) }
    package func willPublish(_ output: String) {}

    package func keep(_ segment: FinishedSegment) throws {
        let seconds = last.withLock { last in
            defer { last = clock.now }
            return (clock.now - last) / .seconds(1)
        }
        try CheckpointFiles.move(partPath(of: segment.index), to: results.file(segment))
        if results.keepsFrames {
            waiting.withLock { $0[segment.index] = (segment, seconds) }
        } else {
            try record(segment, kept: nil, seconds)
        }
    }

    /// The path to which the frames are written that are kept of a segment.
    package func keptPartPath(of index: Int) -> String { results.keptPartPath(index) }

    /// Keeps the completed file of the frames of a segment that has been kept before.
    package func keep(_ frames: KeptFrameWriter, of index: Int) throws {
        guard let (segment, seconds) = waiting.withLock({ $0.removeValue(forKey: index) }) else { return }
        let kept = SegmentResult.KeptFrames(bytes: frames.byteCount, checksum: frames.checksum)
        let place = results.path + "/" + SegmentResult.keptName(index, checksum: kept.checksum)
        try CheckpointFiles.move(frames.path, to: place)
        try record(segment, kept: kept, seconds)
    }

    private func record(_ segment: FinishedSegment, kept: SegmentResult.KeptFrames?, _ seconds: Double) throws {
        var result = SegmentResult(
            plan: results.plan, number: segment.index, segment: segment, read: read(segment.index), seconds: seconds,
            host: ProcessInfo.processInfo.hostName)
        result.kept = kept
        try results.keep(result)
        onKept(segment)
    }

    /// Removes the unfinished files of this process.
    package func discard() {
        for name in LocalFile.names(in: results.path) ?? [] where name.hasSuffix("-\(SegmentResults.worker).part") {
            unlink(results.path + "/" + name)
        }
    }
}

/// All segments of a divided job, to be joined.
package final class JoinedSegments: SegmentStore {
    package let finished: [FinishedSegment]
    private let results: SegmentResults
    private let onPublish: @Sendable (String) throws -> Void

    /// - Parameters:
    ///   - finished: the segments in order.
    ///   - onPublish: called with the path of the complete output before it is renamed.
    package init(
        _ finished: [FinishedSegment], _ results: SegmentResults,
        onPublish: @escaping @Sendable (String) throws -> Void
    ) {
        self.finished = finished
        self.results = results
        self.onPublish = onPublish
    }

    package func path(of index: Int) -> String {
        finished.first { $0.index == index }.map { results.file($0) } ?? ""
    }

    package func partPath(of index: Int) -> String { results.partPath(index) }
    package func keep(_ segment: FinishedSegment) throws {}
    package func willPublish(_ output: String) throws { try onPublish(output) }
}
