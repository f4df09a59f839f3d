internal import CommandLineCore
internal import FrameCore
internal import Glibc
internal import Jobs
internal import MediaIO
internal import Pipeline

/// The checkpoint of a command that makes a video: the work that it keeps for a later run or reuses from an earlier
/// one.
struct JobCheckpoint {
    /// How the video is divided into segments for encoding.
    let segments: MediaWriterOptions.Segments
    /// The folder of finished segments; nil for a job done in one piece or one that cannot be resumed.
    let folder: CheckpointFolder?
    private let output: String

    /// Opens the checkpoint folder of the job.
    ///
    /// - Parameter settings: the command's own settings on which the result depends.
    /// - Throws: `FrameError` if another run is writing the output, if a checkpoint is in the way, or if --resume was
    ///   given for a job that cannot be resumed; ``VfxFailure`` if the input cannot be read.
    init(_ output: OutputOptions, _ input: InputOptions, reader: MediaReader, settings: [CheckpointSetting]) throws {
        let kind = OutputKind(output)
        self.output = output.output
        if output.resume {
            if let obstacle = kind.obstacleToKeeping {
                throw FrameError(
                    .invalidArgument, "--resume requires a video file as output; \(obstacle)",
                    at: .init(file: output.output))
            }
            guard reader.isReopenable else {
                throw FrameError(
                    .invalidArgument,
                    "--resume reads the input again from its start, which a pipe does not allow; name a file",
                    at: .init(file: input.input))
            }
            guard !reader.readsOtherFiles else {
                throw FrameError(
                    .invalidArgument,
                    "--resume must verify that the input is unchanged, but the files behind a playlist or a pattern may change; name a file, or numbered images such as in_%05d.png",
                    at: .init(file: input.input))
            }
        }
        let isSegmented = kind.isVideo && ResetSchedule.isWorthSegmenting(reader.stream)
        guard isSegmented, kind.obstacleToKeeping == nil, reader.isReopenable, !reader.readsOtherFiles else {
            folder = nil
            segments = isSegmented ? .discarded : .onePiece
            return
        }
        let folder = try CheckpointFolder(
            output: output.output,
            input: during(.openingInput) {
                try InputIdentity(input.input, pictures: reader.pictures, remoteSize: reader.byteCount)
            },
            settings: settings + Self.shared(output, input, reader.stream),
            start: output.resume ? .resuming : output.overwrite ? .over : .fresh)
        self.folder = folder
        segments = .kept(folder)
    }

    /// Closes the folder after a failure, and adds to the failure's message which work was kept.
    func leaving(_ failure: VfxFailure) -> VfxFailure {
        guard let folder else { return failure }
        folder.leave()
        // If the folder has been removed in the meantime, there is nothing to resume.
        guard folder.keptCount > 0, access(folder.path, F_OK) == 0 else { return failure }
        var failure = failure
        // If the output's name is taken, --overwrite is needed as well.
        let isThere = access(output, F_OK) == 0
        failure.message = failure.message.replacing(Signals.nothingWritten, with: "")
        failure.message +=
            "; \(counted(folder.keptCount, "finished segment is", "finished segments are")) kept in \(folder.path); --resume\(isThere ? " --overwrite" : "") continues from there"
        return failure
    }

    /// The settings and surroundings common to all commands on which the encoded frames depend.
    static func shared(
        _ output: OutputOptions, _ input: InputOptions, _ stream: VideoStreamDescription
    ) -> [CheckpointSetting] {
        [
            CheckpointSetting("--format", output.format), CheckpointSetting("--codec", output.codec?.rawValue),
            CheckpointSetting("--crf", output.crf), CheckpointSetting("--preset", output.preset),
            CheckpointSetting(
                "--encoder-threads", output.encoderThreads ?? "\(MediaWriterOptions.usualEncoderThreads)"),
            CheckpointSetting("--pixel-format", output.pixelFormat),
            CheckpointSetting("--keep-start", output.keepStart ? "given" : nil),
            CheckpointSetting("--input-fps", input.inputFps),
            CheckpointSetting("--start-number", input.startNumber.map { "\($0)" }),
            CheckpointSetting("--allow-interlaced", input.allowInterlaced ? "given" : nil),
            CheckpointSetting("--strict", input.strict ? "given" : nil),
            CheckpointSetting("the limit of memory", MemoryBudget().forEncoders.map { "\($0) bytes" }),
            CheckpointSetting("the length of the input", stream.duration.map { "\($0) s" }),
            CheckpointSetting("the picture", "\(stream.width)x\(stream.height) \(stream.format)"),
            CheckpointSetting("the version of vfx", Vfx.configuration.version),
            CheckpointSetting("the version of libav", MediaLibraries.versions),
            CheckpointSetting("the encoders' libraries", MediaLibraries.encoders),
            CheckpointSetting("the length of a segment", "\(ResetSchedule.interval) frames"),
        ]
    }
}
