internal import Foundation
internal import FrameCore
internal import Jobs
internal import MediaIO

/// Tells of a finished video which job made it, so that `--resume` finds it complete.
struct JobRecord {
    private let output: String
    private let job: String

    /// - Parameters:
    ///   - output: the path of the video.
    ///   - input: the identity of the input.
    ///   - settings: everything else that the result depends on.
    ///   - others: what the job makes in addition to the video.
    init(_ output: String, input: InputIdentity, settings: [CheckpointSetting], others: [String]) {
        self.output = LocalFile.path(output)
        job =
            CheckpointManifest(
                input: input, settings: settings + others.map { CheckpointSetting("an additional output", $0) }
            ).jobName
    }

    /// Whether the input of the job that made the video was damaged; nil if the video is not there, was changed, or
    /// another job made it.
    var damage: Bool? {
        guard let found = OutputRecord(of: output), found.job == job else { return nil }
        return found.isDamaged
    }

    /// Records that the job is done and everything that it makes is complete.
    func write(isDamaged: Bool) { OutputRecord(job: job, isDamaged: isDamaged).write(to: output) }
}

extension ConversionJob {
    /// Returns the record of the job; nil if its output is no video file or its input cannot be read again.
    func record(of prepared: PreparedConversion) throws -> JobRecord? {
        let reader = prepared.reader
        guard OutputKind(output).obstacleToKeeping == nil, reader.isReopenable, !reader.readsOtherFiles else {
            return nil
        }
        return JobRecord(
            output.output, input: try identity(of: reader), settings: allSettings(prepared),
            others: prepared.work.otherOutputs)
    }

    /// Whether the output is there and this job has made it, with everything else that it makes.
    ///
    /// - Returns: whether the input was damaged; nil if the output is not complete.
    func completed(_ record: JobRecord?, _ prepared: PreparedConversion) -> Bool? {
        guard output.resume, let damage = record?.damage,
            LocalFile(CheckpointFolder.path(for: output.output)) == nil,
            prepared.work.otherOutputs.allSatisfy({ LocalFile($0) != nil })
        else { return nil }
        return damage
    }
}

extension ConversionWork {
    /// The files and folders that the job makes in addition to the video.
    var otherOutputs: [String] {
        [extras.thumbnails?.folder, extras.storyboard?.folder, grain?.tableFile].compactMap(\.self)
            .map { URL(fileURLWithPath: LocalFile.path($0)).standardized.path }
    }
}
