public import FrameCore
internal import Foundation
internal import Glibc
internal import Synchronization

/// The folder `<output>.job` next to an output, which holds the finished segments of a job and its manifest until the
/// output is complete.
///
/// A segment counts once the manifest names it: by then its file has been synced to disk, and the manifest is replaced
/// atomically. Whatever stops the job, all work finished before is therefore still there. Only one process at a time
/// holds the folder.
public final class CheckpointFolder: SegmentStore, SourceCheckpointStore {
    /// The suffix added to the output's name.
    public static let suffix = ".job"
    /// The suffix added to the folder's name before its files are removed one by one, so that a partly removed folder
    /// is not mistaken for a checkpoint.
    private static let doneSuffix = ".done"

    /// Returns the path of the folder for the job that makes `output`.
    public static func path(for output: String) -> String {
        LocalFile.companion(of: LocalFile.path(output), suffix: suffix)
    }

    /// How to treat the work of an earlier run.
    public enum Start: Sendable, Hashable {
        /// Fails if an earlier run has left any work.
        case fresh
        /// Discards the earlier work as soon as there is new work to keep instead.
        case over
        /// Continues the earlier work, if there is any.
        case resuming
    }

    /// The path of the folder.
    public let path: String
    /// The segments finished by an earlier run.
    public let finished: [FinishedSegment]
    private let lock: FolderLock
    private let state: Lock<State>
    private let isOver = Atomic<Bool>(false)

    private struct State {
        var manifest: CheckpointManifest
        /// Whether the folder still holds the work of an earlier run that this one will replace.
        var holdsReplaced: Bool

        /// The file names of the segments that count; nil if all existing ones do.
        var names: Set<String>? {
            holdsReplaced ? nil : Set(manifest.segments.map { CheckpointFiles.name(of: $0.index) })
        }
    }

    /// Whether the output was already complete and only the folder had not been removed.
    public let isPublished: Bool

    /// The source checkpoints that an earlier run has left, the latest first.
    public let sourceCheckpoints: [SourceCheckpoint]
    /// The number of source checkpoints kept at once. The run reads ahead of the segment being encoded, and each
    /// effect of a chain needs the frames from one more reset point back.
    private static let checkpointsKept = 12

    /// Opens the folder of a job, creating it if needed.
    ///
    /// - Parameters:
    ///   - output: the file that the job makes.
    ///   - input: the identity of the job's input.
    ///   - settings: everything else that the result depends on.
    ///   - start: how to treat an earlier checkpoint.
    /// - Throws: `FrameError` if another process is working on the output, if there is a checkpoint that must not or
    ///   cannot be continued (with the reason), or if the folder cannot be created.
    public init(output: String, input: InputIdentity, settings: [CheckpointSetting], start: Start) throws(FrameError) {
        let output = LocalFile.path(output)
        let path = Self.path(for: output)
        self.path = path
        lock = try FolderLock(path, output: output)
        let done = LocalFile.companion(of: path, suffix: Self.doneSuffix)
        if FolderLock.isCheckpoint(done) { CheckpointFiles.removeFolder(done) }
        var manifest = CheckpointManifest(input: input, settings: settings)
        do throws(FrameError) {
            try Self.takeOver(from: path, start, into: &manifest)
        } catch {
            if lock.isNew { CheckpointFiles.removeFolder(path) }
            lock.release()
            throw error
        }
        isPublished = manifest.published.map { CheckpointFiles.published(output) == $0 } ?? false
        manifest.published = nil
        finished = manifest.segments
        sourceCheckpoints = finished.isEmpty ? [] : StoredSourceCheckpoint.read(from: path, job: manifest.jobName)
        let holdsReplaced = start == .over && access(path + "/manifest.json", F_OK) == 0
        let state = State(manifest: manifest, holdsReplaced: holdsReplaced)
        self.state = Lock(state)
        guard !isPublished, !holdsReplaced else { return }
        do throws(FrameError) {
            CheckpointFiles.removeFiles(in: path, but: state.names)
            try CheckpointFiles.write(manifest, to: path)
            if lock.isNew { try CheckpointFiles.syncDirectory(of: path) }
        } catch {
            leave()
            throw error
        }
    }

    /// Takes over the work of an earlier run.
    ///
    /// - Throws: `FrameError` if there is a checkpoint that must not or cannot be continued.
    private static func takeOver(
        from path: String, _ start: Start, into manifest: inout CheckpointManifest
    ) throws(FrameError) {
        guard start != .over, let kept = try CheckpointFiles.manifest(in: path), !kept.segments.isEmpty else { return }
        let location = FrameError.Location(file: path)
        guard start == .resuming else {
            throw FrameError(
                .output,
                "an interrupted run has kept \(words(kept.segments.count)) of this output; --resume continues from there, --overwrite starts over",
                at: location)
        }
        if let obstacle = kept.obstacle(to: manifest) {
            throw FrameError(
                .invalidArgument,
                "the finished segments belong to a different job: \(obstacle); use the same input and settings, or start over with --overwrite and without --resume",
                at: location)
        }
        manifest.segments = try CheckpointFiles.intact(kept.segments, in: path)
        manifest.published = kept.published
    }

    deinit { end() }

    /// The number of segments of this job kept so far.
    package var keptCount: Int { state.withLock { $0.manifest.segments.count } }

    public func path(of index: Int) -> String { path + "/" + CheckpointFiles.name(of: index) }

    public func partPath(of index: Int) -> String { path(of: index) + ".part" }

    public func keep(_ segment: FinishedSegment) throws {
        guard !isOver.load(ordering: .acquiring) else { throw CancellationError() }
        try replaceFormer()
        try CheckpointFiles.move(partPath(of: segment.index), to: path(of: segment.index))
        try update { $0.segments.append(segment) }
    }

    public func willPublish(_ output: String) throws {
        guard !isOver.load(ordering: .acquiring) else { throw CancellationError() }
        guard let published = CheckpointFiles.published(output) else { return }
        try replaceFormer()
        try update { $0.published = published }
    }

    public func keep(_ checkpoint: SourceCheckpoint) {
        guard !isOver.load(ordering: .acquiring) else { return }
        let job = state.withLock { $0.manifest.jobName }
        guard let json = try? JSONEncoder().encode(StoredSourceCheckpoint(checkpoint, job: job)) else { return }
        let place = path + "/" + StoredSourceCheckpoint.name(of: checkpoint.resetPoint)
        guard (try? CheckpointFiles.write(Array(json), to: place)) != nil else { return }
        CheckpointFiles.removeCheckpoints(in: path, before: checkpoint.resetPoint - Self.checkpointsKept + 1)
    }

    // The state in memory changes only after the new manifest is on disk.
    private func update(_ change: (inout CheckpointManifest) -> Void) throws {
        try state.withLock { state in
            var next = state.manifest
            change(&next)
            try CheckpointFiles.write(next, to: path)
            state.manifest = next
        }
    }

    /// Discards the work of an earlier run. Called only once there is new work to replace it, so a run whose encoder
    /// rejects its options leaves the earlier work in place.
    private func replaceFormer() throws {
        try state.withLock { state in
            guard state.holdsReplaced else { return }
            try CheckpointFiles.write(state.manifest, to: path)
            state.holdsReplaced = false
            CheckpointFiles.removeSegments(in: path)
        }
    }

    /// Removes the folder, because the output is complete.
    public func remove() {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let done = LocalFile.companion(of: path, suffix: Self.doneSuffix)
        CheckpointFiles.removeFolder(rename(path, done) == 0 ? done : path)
        lock.release()
    }

    /// Keeps the finished segments for another run; removes the folder if there are none.
    public func leave() {
        let isEmpty = state.withLock { !$0.holdsReplaced && $0.manifest.segments.isEmpty }
        if isEmpty { return remove() }
        end()
    }

    private func end() {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        CheckpointFiles.removeFiles(in: path, but: state.withLock(\.names))
        lock.release()
    }

    /// Returns `1 finished segment`, `2 finished segments`.
    static func words(_ count: Int) -> String { "\(count) finished segment\(count == 1 ? "" : "s")" }
}
