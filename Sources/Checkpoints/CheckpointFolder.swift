public import FrameCore
internal import Glibc
internal import Synchronization

/// The folder `<output>.job` beside an output, where the finished segments of a job and its manifest are kept until the
/// output is complete.
///
/// A segment counts once the manifest names it: its file is on disk by then, and the manifest is replaced as a whole. So
/// whatever stops the job, all that was finished before is there. One process at a time holds the folder.
public final class CheckpointFolder: SegmentStore {
    /// What is added to the output's name.
    public static let suffix = ".job"
    /// Added to the folder's name before its files are removed one by one, so that leftovers are not taken for a checkpoint.
    private static let doneSuffix = ".done"

    /// What becomes of work that an earlier run has kept.
    public enum Start: Sendable, Hashable {
        /// There must be none.
        case fresh
        /// It is dropped as soon as there is something to keep instead.
        case over
        /// It is continued, where there is any.
        case resuming
    }

    /// Where the folder lies.
    public let path: String
    /// The segments that an earlier run has finished.
    public let finished: [FinishedSegment]
    private let lock: FolderLock
    private let state: Lock<State>
    private let isOver = Atomic<Bool>(false)

    private struct State {
        var manifest: CheckpointManifest
        /// Whether the folder still holds what an earlier run has kept and this one replaces.
        var holdsReplaced: Bool

        /// Names of the segments that count; nil for all that are there.
        var names: Set<String>? {
            holdsReplaced ? nil : Set(manifest.segments.map { CheckpointFiles.name(of: $0.index) })
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
    ///   - start: what happens to an earlier checkpoint.
    /// - Throws: `FrameError` when another process works on the output, when there is a checkpoint that is not to be gone on
    ///   with or cannot be, with the reason, and when the folder cannot be made.
    public init(output: String, input: InputIdentity, settings: [CheckpointSetting], start: Start) throws(FrameError) {
        let output = LocalFile.path(output)
        let path = output + Self.suffix
        self.path = path
        lock = try FolderLock(path, output: output)
        if FolderLock.isCheckpoint(path + Self.doneSuffix) { CheckpointFiles.removeFolder(path + Self.doneSuffix) }
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

    /// Takes what an earlier run has kept.
    ///
    /// - Throws: `FrameError` when there is a checkpoint that is not to be continued, or cannot be.
    private static func takeOver(
        from path: String, _ start: Start, into manifest: inout CheckpointManifest
    ) throws(FrameError) {
        guard start != .over, let kept = try CheckpointFiles.manifest(in: path), !kept.segments.isEmpty else { return }
        let location = FrameError.Location(file: path)
        guard start == .resuming else {
            throw FrameError(
                .output,
                "an interrupted run has kept \(words(kept.segments.count)) of this output; --resume goes on with that, --overwrite starts over",
                at: location)
        }
        if let obstacle = kept.obstacle(to: manifest) {
            throw FrameError(
                .invalidArgument,
                "the kept work belongs to another job: \(obstacle); make that the same again, or start over with --overwrite and without --resume",
                at: location)
        }
        manifest.segments = try CheckpointFiles.intact(kept.segments, in: path)
        manifest.published = kept.published
    }

    deinit { end() }

    /// Segments of this job that are kept by now.
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

    /// What is in memory counts once it is on disk.
    private func update(_ change: (inout CheckpointManifest) -> Void) throws {
        try state.withLock { state in
            var next = state.manifest
            change(&next)
            try CheckpointFiles.write(next, to: path)
            state.manifest = next
        }
    }

    /// Drops what an earlier run has kept. Not before there is something instead: a run whose encoder refuses its options
    /// leaves what was there.
    private func replaceFormer() throws {
        try state.withLock { state in
            guard state.holdsReplaced else { return }
            try CheckpointFiles.write(state.manifest, to: path)
            state.holdsReplaced = false
            CheckpointFiles.removeSegments(in: path)
        }
    }

    /// Takes the folder away, since the output is complete.
    public func remove() {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let done = path + Self.doneSuffix
        CheckpointFiles.removeFolder(rename(path, done) == 0 ? done : path)
        lock.release()
    }

    /// Leaves what is finished for another run; an empty folder goes.
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

    /// `1 segment`, `2 segments`.
    static func words(_ count: Int) -> String { "\(count) finished segment\(count == 1 ? "" : "s")" }
}
