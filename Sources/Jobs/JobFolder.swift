internal import Foundation
public import FrameCore
internal import Glibc
public import Pipeline
internal import Synchronization

/// The folder `<output>.job` beside an output, where the finished segments of a job and its manifest are kept until the
/// output is complete.
///
/// A segment counts once the manifest names it: its file is on disk by then, and the manifest is replaced as a whole. So
/// whatever stops the job, all that was finished before is there. One process at a time holds the folder.
public final class JobFolder: SegmentStore {
    /// What is added to the output's name.
    public static let suffix = ".job"
    /// What is added to the folder's name before it is taken away file by file: what is left then is nobody's work.
    private static let doneSuffix = ".done"

    /// What becomes of work that an earlier run has kept.
    public enum Start: Sendable, Hashable {
        /// There must be none.
        case fresh
        /// It is dropped as soon as there is something to keep instead.
        case over
        /// It is gone on with, where there is any.
        case resuming
    }

    /// Where the folder lies.
    public let path: String
    private let lock: Int32
    private let state: Lock<State>
    /// What was kept when the folder was opened.
    private let former: [FinishedSegment]
    private let isOver = Atomic<Bool>(false)

    private struct State {
        var manifest: JobManifest
        /// Whether the folder still holds what an earlier run has kept and this one replaces.
        var holdsReplaced: Bool

        /// Names of the segments that count; nil for all that are there.
        var names: Set<String>? {
            holdsReplaced ? nil : Set(manifest.segments.map { JobFolder.name(of: $0.index) })
        }
    }

    /// Whether the output was complete already, and only the folder had not been taken away.
    public let isPublished: Bool

    /// Opens the folder of a job, making it where there is none.
    ///
    /// - Parameters:
    ///   - output: the file that the job makes.
    ///   - input: what it is made of.
    ///   - settings: what the result depends on.
    ///   - start: what becomes of kept work.
    /// - Throws: `FrameError` when another process works on the output, when there is kept work that is not to be gone on
    ///   with or cannot be, with the reason, and when the folder cannot be made.
    public init(output: String, input: InputIdentity, settings: [JobSetting], start: Start) throws(FrameError) {
        let output = output.hasPrefix("file:") ? String(output.dropFirst(5)) : output
        let path = output + Self.suffix
        self.path = path
        let location = FrameError.Location(file: path)
        let (lock, isNew) = try Self.locked(path, output: output)
        if Self.isOurs(path + Self.doneSuffix) { Self.removeFolder(path + Self.doneSuffix) }
        var manifest = JobManifest(input: input, settings: settings)
        do throws(FrameError) {
            let kept = try Self.kept(path, start)
            if let kept, !kept.segments.isEmpty {
                if start == .fresh {
                    throw FrameError(
                        .output,
                        "an interrupted run has kept \(Self.words(kept.segments.count)) of this output; --resume goes on with that, --overwrite starts over",
                        at: location)
                }
                if start == .resuming {
                    if let obstacle = kept.obstacle(to: manifest) {
                        throw FrameError(
                            .invalidArgument,
                            "the kept work belongs to another job: \(obstacle); make that the same again, or start over with --overwrite and without --resume",
                            at: location)
                    }
                    manifest.segments = try Self.intact(kept.segments, in: path)
                    manifest.published = kept.published
                }
            }
        } catch {
            if isNew { Self.removeFolder(path) }
            close(lock)
            throw error
        }
        isPublished = manifest.published.map { Self.state(of: output) == $0 } ?? false
        manifest.published = nil
        self.lock = lock
        former = manifest.segments
        let holdsReplaced = start == .over && access(path + "/manifest.json", F_OK) == 0
        let state = State(manifest: manifest, holdsReplaced: holdsReplaced)
        self.state = Lock(state)
        guard !isPublished, !holdsReplaced else { return }
        do throws(FrameError) {
            Self.removeFiles(in: path, but: state.names)
            try Self.write(manifest, to: path)
            if isNew { try DurableFile.syncDirectory(of: path) }
        } catch {
            leave()
            throw error
        }
    }

    deinit { end() }

    /// The segments that an earlier run has finished.
    public var finished: [FinishedSegment] { former }

    /// Number of the segment with which this run begins; nil when all are finished.
    public var firstSegment: Int? { former.last.map(\.next) ?? 0 }

    /// Where the pipeline of this run begins.
    public var resumePoint: ResumePoint {
        ResumePoint(segment: firstSegment ?? .max, framesWritten: former.reduce(0) { $0 + $1.frames })
    }

    /// Segments of this job that are kept by now.
    public var keptCount: Int { state.withLock { $0.manifest.segments.count } }

    public func path(of index: Int) -> String { path + "/" + Self.name(of: index) }

    public func partPath(of index: Int) -> String { path(of: index) + ".part" }

    public func keep(_ segment: FinishedSegment) throws {
        guard !isOver.load(ordering: .acquiring) else { throw CancellationError() }
        try replaceFormer()
        try DurableFile.move(partPath(of: segment.index), to: path(of: segment.index))
        try update { $0.segments.append(segment) }
    }

    public func willPublish(_ output: String) throws {
        guard !isOver.load(ordering: .acquiring) else { throw CancellationError() }
        guard let published = Self.state(of: output) else { return }
        try replaceFormer()
        try update { $0.published = published }
    }

    /// What is in memory counts once it is on disk.
    private func update(_ change: (inout JobManifest) -> Void) throws {
        try state.withLock { state in
            var next = state.manifest
            change(&next)
            try Self.write(next, to: path)
            state.manifest = next
        }
    }

    /// Drops what an earlier run has kept. Not before there is something instead: a run whose encoder refuses its options
    /// leaves what was there.
    private func replaceFormer() throws {
        try state.withLock { state in
            guard state.holdsReplaced else { return }
            try Self.write(state.manifest, to: path)
            state.holdsReplaced = false
            for name in Self.names(in: path) where name.hasSuffix(".seg") { unlink(path + "/" + name) }
        }
    }

    /// Takes the folder away, since the output is complete.
    public func remove() {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let done = path + Self.doneSuffix
        Self.removeFolder(rename(path, done) == 0 ? done : path)
        close(lock)
    }

    /// Leaves what is finished for another run; an empty folder goes.
    public func leave() {
        let isEmpty = state.withLock { !$0.holdsReplaced && $0.manifest.segments.isEmpty }
        if isEmpty { return remove() }
        end()
    }

    private func end() {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        Self.removeFiles(in: path, but: state.withLock(\.names))
        close(lock)
    }

    /// `1 segment`, `2 segments`.
    static func words(_ count: Int) -> String { "\(count) finished segment\(count == 1 ? "" : "s")" }

    private static func name(of index: Int) -> String {
        let digits = String(index)
        return String(repeating: "0", count: max(0, 6 - digits.count)) + digits + ".seg"
    }

    private static func isOurs(_ path: String) -> Bool {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return false }
        return names.isEmpty || names.contains("lock") || names.contains("manifest.json")
    }

    /// Makes the folder where there is none and holds it for this process.
    private static func locked(
        _ path: String, output: String
    ) throws(FrameError) -> (lock: Int32, isNew: Bool) {
        let location = FrameError.Location(file: path)
        while true {
            let isNew = mkdir(path, 0o777) == 0
            if !isNew, errno != EEXIST {
                let cause = SystemCause.last
                throw FrameError(.output, "the folder for finished segments cannot be made", at: location, cause: cause)
            }
            if !isNew, !isOurs(path) {
                throw FrameError(.output, "this was not made by vfx and is in the way; move it away", at: location)
            }
            let place = path + "/lock"
            let file = open(place, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
            if file < 0, errno == ENOENT { continue }
            guard file >= 0 else {
                let cause = SystemCause.last
                if isNew { rmdir(path) }
                throw FrameError(
                    .output, "the folder for finished segments cannot be written to", at: .init(file: place),
                    cause: cause)
            }
            // Where the file system has no locks, nothing else can be done.
            if flock(file, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
                close(file)
                throw FrameError(.output, "another run is making this output; wait for it", at: .init(file: output))
            }
            // Whoever held it may have taken the folder away meanwhile.
            var held = stat(), there = stat()
            if fstat(file, &held) == 0, stat(place, &there) == 0, held.st_ino == there.st_ino {
                return (file, isNew)
            }
            close(file)
        }
    }

    private static func kept(_ path: String, _ start: Start) throws(FrameError) -> JobManifest? {
        let place = path + "/manifest.json"
        guard start != .over, access(place, F_OK) == 0 else { return nil }
        guard let bytes = DurableFile.read(place, atMost: JobManifest.maximumBytes) else {
            throw FrameError(.output, "the manifest cannot be read; --overwrite starts over", at: .init(file: place))
        }
        do throws(FrameError) {
            return try JobManifest(json: bytes)
        } catch {
            throw FrameError(
                .output, "\(error.message); --overwrite starts over", at: .init(file: place), cause: error.cause)
        }
    }

    /// Those whose files are as they were written, up to the first that is not.
    private static func intact(
        _ segments: [FinishedSegment], in path: String
    ) throws(FrameError) -> [FinishedSegment] {
        var found: [FinishedSegment] = []
        for segment in segments {
            let sum = try DurableFile.checksum(of: path + "/" + name(of: segment.index), size: segment.bytes)
            guard sum == segment.checksum else { break }
            found.append(segment)
        }
        return found
    }

    private static func write(_ manifest: JobManifest, to path: String) throws(FrameError) {
        let json: [UInt8]
        do {
            json = try manifest.json
        } catch {
            throw FrameError(.output, "the manifest cannot be written", at: .init(file: path), cause: error)
        }
        try DurableFile.write(json, to: path + "/manifest.json")
    }

    private static func state(of path: String) -> JobManifest.Published? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return JobManifest.Published(
            inode: UInt64(status.st_ino), size: Int64(status.st_size))
    }

    private static func names(in path: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    /// Removes unfinished segments and those that do not count; other names are not ours to touch.
    private static func removeFiles(in path: String, but kept: Set<String>?) {
        for name in names(in: path)
        where name.hasSuffix(".part") || name.hasSuffix(".seg") && kept?.contains(name) == false {
            unlink(path + "/" + name)
        }
    }

    private static func removeFolder(_ path: String) {
        removeFiles(in: path, but: [])
        unlink(path + "/lock")
        unlink(path + "/manifest.json")
        rmdir(path)
    }
}
