internal import CommandLineCore
internal import FrameCore
internal import Glibc
internal import MediaIO
internal import Pipeline

/// What a run keeps for a later one, or reuses of an earlier one.
struct JobCheckpoint {
    /// How the video is divided into segments for encoding.
    let segments: MediaWriterOptions.Segments
    /// The folder of finished segments; nil for a job done in one piece or one that cannot be resumed.
    let folder: CheckpointFolder?
    private let output: String

    /// Opens the checkpoint folder of a job.
    ///
    /// - Throws: `FrameError` if another run is writing the output, if a checkpoint is in the way, or if a job is to be
    ///   continued that cannot be; ``JobFailure`` if the input cannot be read.
    init(_ open: OpenConversion, _ policy: RunPolicy) throws {
        let kind = open.kind, reader = open.reader
        output = open.conversion.output.file
        if policy.resumes { try Self.requireResumable(open) }
        let isSegmented = kind.isVideo && ResetSchedule.isWorthSegmenting(reader.stream)
        guard isSegmented, kind.obstacleToKeeping == nil, reader.isReopenable, !reader.readsOtherFiles else {
            folder = nil
            segments = isSegmented ? .discarded : .onePiece
            return
        }
        let folder = try CheckpointFolder(
            output: output, input: during(.openingInput) { try open.identity() }, settings: open.settings(),
            start: policy.resumes ? .resuming : policy.overwrites ? .over : .fresh)
        self.folder = folder
        segments = .kept(folder)
    }

    private static func requireResumable(_ open: OpenConversion) throws(FrameError) {
        let reader = open.reader, output = open.conversion.output.file, input = open.conversion.input.file
        if let obstacle = open.kind.obstacleToKeeping {
            throw FrameError(
                .invalidArgument, "--resume requires a video file as output; \(obstacle)", at: .init(file: output))
        }
        guard reader.isReopenable else {
            throw FrameError(
                .invalidArgument,
                "--resume reads the input again from its start, which a pipe does not allow; name a file",
                at: .init(file: input))
        }
        guard !reader.readsOtherFiles else {
            throw FrameError(
                .invalidArgument,
                "--resume must verify that the input is unchanged, but the files behind a playlist or a pattern may change; name a file, or numbered images such as in_%05d.png",
                at: .init(file: input))
        }
    }

    /// Closes the folder after a failure, and adds to the failure's message which work was kept.
    func leaving(_ failure: JobFailure) -> JobFailure {
        guard let folder else { return failure }
        folder.leave()
        // If the folder has been removed in the meantime, there is nothing to resume.
        guard folder.keptCount > 0, access(folder.path, F_OK) == 0 else { return failure }
        var failure = failure
        // If the output's name is taken, --overwrite is needed as well.
        let isThere = access(output, F_OK) == 0
        failure.message = failure.message.replacing(JobFailure.nothingWritten, with: "")
        failure.message +=
            "; \(counted(folder.keptCount, "finished segment is", "finished segments are")) kept in \(folder.path); --resume\(isThere ? " --overwrite" : "") continues from there"
        return failure
    }
}
