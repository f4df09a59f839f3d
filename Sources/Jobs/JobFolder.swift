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

    /// What becomes of work that an earlier run has kept.
    public enum Start: Sendable, Hashable {
        /// There must be none.
        case fresh
        /// It is dropped.
        case over
        /// It is gone on with, where there is any.
        case resuming
    }

    /// Where the folder lies.
    public let path: String
    private let lock: Int32
    private let manifest: Mutex<JobManifest>
    /// What was kept when the folder was opened.
    private let former: [FinishedSegment]
    private let isOver = Atomic<Bool>(false)

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
        let (lock, isNew, wasEmpty) = try Self.locked(path, output: output)
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
                    manifest.segments = Self.intact(kept.segments, in: path)
                    manifest.published = kept.published
                }
            }
        } catch {
            if isNew { Self.removeFolder(path) }
            close(lock)
            throw error
        }
        // A run that is stopped while it takes the folder away leaves it empty.
        isPublished =
            manifest.published.map { Self.state(of: output) == $0 }
            ?? (start == .resuming && !isNew && wasEmpty && Self.state(of: output) != nil)
        manifest.published = nil
        self.lock = lock
        former = manifest.segments
        self.manifest = Mutex(manifest)
        guard !isPublished else { return }
        do throws(FrameError) {
            Self.removeFiles(in: path, but: Set(former.map { Self.name(of: $0.index) }))
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

    /// Segments that are kept by now.
    public var keptCount: Int { manifest.withLock { $0.segments.count } }

    public func path(of index: Int) -> String { path + "/" + Self.name(of: index) }

    public func partPath(of index: Int) -> String { path(of: index) + ".part" }

    public func keep(_ segment: FinishedSegment) throws {
        guard !isOver.load(ordering: .acquiring) else { throw CancellationError() }
        try DurableFile.move(partPath(of: segment.index), to: path(of: segment.index))
        try update { $0.segments.append(segment) }
    }

    public func willPublish(_ output: String) throws {
        guard !isOver.load(ordering: .acquiring) else { throw CancellationError() }
        guard let state = Self.state(of: output) else { return }
        try update { $0.published = state }
    }

    /// What is in memory counts once it is on disk.
    private func update(_ change: (inout JobManifest) -> Void) throws {
        try manifest.withLock { manifest in
            var next = manifest
            change(&next)
            try Self.write(next, to: path)
            manifest = next
        }
    }

    /// Takes the folder away, since the output is complete.
    public func remove() {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        Self.removeFolder(path)
        close(lock)
    }

    /// Leaves what is finished for another run; an empty folder goes.
    public func leave() {
        if keptCount == 0 { return remove() }
        end()
    }

    private func end() {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        Self.removeFiles(in: path, but: Set(manifest.withLock { $0.segments }.map { Self.name(of: $0.index) }))
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
    ) throws(FrameError) -> (lock: Int32, isNew: Bool, wasEmpty: Bool) {
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
            let wasEmpty = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).isEmpty
            let place = path + "/lock"
            let file = open(place, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
            if file < 0, errno == ENOENT { continue }
            guard file >= 0 else {
                throw FrameError(
                    .output, "the folder for finished segments cannot be written to", at: .init(file: place),
                    cause: SystemCause.last)
            }
            // Where the file system has no locks, nothing else can be done.
            if flock(file, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
                close(file)
                throw FrameError(.output, "another run is making this output; wait for it", at: .init(file: output))
            }
            // Whoever held it may have taken the folder away meanwhile.
            var held = stat(), there = stat()
            if fstat(file, &held) == 0, stat(place, &there) == 0, held.st_ino == there.st_ino {
                return (file, isNew, wasEmpty)
            }
            close(file)
        }
    }

    private static func kept(_ path: String, _ start: Start) throws(FrameError) -> JobManifest? {
        let place = path + "/manifest.json"
        guard start != .over, access(place, F_OK) == 0 else { return nil }
        guard let bytes = DurableFile.read(place, atMost: JobManifest.maximumBytes) else {
            throw FrameError(.input, "the manifest cannot be read", at: .init(file: place))
        }
        do throws(FrameError) {
            return try JobManifest(json: bytes)
        } catch {
            var error = error
            error.message += "; --overwrite starts over"
            error.location.file = place
            throw error
        }
    }

    /// Those whose files are as they were written, up to the first that is not.
    private static func intact(_ segments: [FinishedSegment], in path: String) -> [FinishedSegment] {
        Array(
            segments.prefix {
                DurableFile.checksum(of: path + "/" + name(of: $0.index), size: $0.bytes) == $0.checksum
            })
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

    /// Removes segments that do not count; other names are not ours to touch.
    private static func removeFiles(in path: String, but kept: Set<String>) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        where !kept.contains(name) && (name.hasSuffix(".seg") || name.hasSuffix(".part")) {
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
