internal import Foundation
internal import FrameCore
internal import MediaIO

/// Records which job made a finished video, so that a run that continues the job finds it complete.
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

extension OpenConversion {
    /// Returns the record of the job; nil if its output is no video file or its input cannot be read again.
    func record() throws -> JobRecord? {
        guard kind.obstacleToKeeping == nil, reader.isReopenable, !reader.readsOtherFiles else { return nil }
        return JobRecord(
            conversion.output.file, input: try identity(), settings: try settings(),
            others: conversion.extras.otherOutputs)
    }

    /// Whether the output is there and this job has made it, with everything else that it makes.
    ///
    /// - Returns: whether the input was damaged; nil if the output is not complete.
    func completed(_ record: JobRecord?) -> Bool? {
        guard let damage = record?.damage,
            LocalFile(CheckpointFolder.path(for: conversion.output.file)) == nil,
            conversion.extras.otherOutputs.allSatisfy({ LocalFile($0) != nil })
        else { return nil }
        return damage
    }
}

extension ConversionExtras {
    /// The paths of the files and folders that are made in addition to the video.
    var otherOutputs: [String] { paths.map { URL(fileURLWithPath: LocalFile.path($0)).standardized.path } }
}
