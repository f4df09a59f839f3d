internal import CommandLineCore
internal import Foundation
internal import FrameAnalysis
internal import FrameCore
internal import MediaIO
internal import Pipeline
internal import Reports
internal import Storyboards

/// An output made from the frames of a job in addition to its video.
protocol ExtraBranch: TeeBranch {
    /// Notes for the user, complete after `publish()`.
    var notes: [String] { get }
}

/// The folders that a job fills from its frames in addition to writing its video.
struct ExtraOutputs {
    private(set) var thumbnails: ConversionExtras.Thumbnails?
    /// The duration of the clip whose frames are examined, if longer than the output of this run.
    var clipDuration: MediaTime?
    /// The time from the beginning of the output to its first frame.
    var pictureDelay = MediaTime.zero
    /// The duration of the output from its beginning to the end of its longest stream, called when all has been read; nil
    /// if it ends with the last frame.
    var length: @Sendable () -> MediaTime? = { nil }
    private(set) var storyboard: ConversionExtras.Storyboard?

    init(_ extras: ConversionExtras) { (thumbnails, storyboard) = (extras.thumbnails, extras.storyboard) }

    /// Whether there is nothing to make.
    var isEmpty: Bool { thumbnails == nil && storyboard == nil }

    /// Returns the same outputs for a sample of the job.
    ///
    /// - Parameters:
    ///   - folder: the folder that holds the folders.
    ///   - duration: the duration of what the whole job makes.
    func sampled(in folder: String, of duration: MediaTime?) -> ExtraOutputs {
        var extras = self
        extras.thumbnails?.folder = folder + "/thumbnails"
        extras.storyboard?.folder = folder + "/storyboard"
        extras.clipDuration = duration
        (extras.pictureDelay, extras.length) = (.zero, { nil })
        return extras
    }

    /// Whether a folder is missing.
    var isIncomplete: Bool {
        [thumbnails?.folder, storyboard?.folder].contains { $0.map { LocalFile($0) == nil } ?? false }
    }

    /// Returns what these outputs need of the frames of a divided job.
    ///
    /// - Parameters:
    ///   - stream: the job's result.
    ///   - start: the time of its first frame.
    /// - Throws: `FrameError` if the interval of the storyboard is out of range.
    func needs(_ stream: VideoStreamDescription, start: MediaTime) throws -> FrameNeeds {
        var needs = FrameNeeds(start: start, delay: pictureDelay)
        if thumbnails != nil {
            needs.examined = ExaminedTimes(.init(duration: clipDuration ?? stream.duration, start: start))
        }
        if let storyboard {
            var configuration = StoryboardConfiguration()
            if let interval = storyboard.interval { try configuration.setInterval(interval, of: stream) }
            needs.interval = configuration.interval.converted(toTimescale: 1000).value
        }
        return needs
    }

    /// Returns the maximum number of frames kept for these outputs.
    func kept(_ stream: VideoStreamDescription) -> [MemoryBound.Part] {
        (thumbnails == nil ? [] : [ThumbnailBranch.kept(stream)])
            + (storyboard == nil ? [] : [StoryboardBranch.kept(stream)])
    }

    /// Checks that no folder contains the other folder or the job's video, which would prevent it from being published.
    ///
    /// - Throws: `FrameError` that names the conflict.
    func check(output: OutputKind) throws(FrameError) {
        let folders = [("--thumbnails", thumbnails?.folder), ("--storyboard", storyboard?.folder)]
            .compactMap { option, folder in folder.map { (option, $0) } }
        for (option, folder) in folders {
            let inside = Self.place(folder) + "/"
            func holds(_ path: String) -> Bool { (Self.place(path) + "/").hasPrefix(inside) }
            if let file = output.file, holds(file) {
                throw FrameError(
                    .output, "the video would be inside the folder of \(option); keep them apart",
                    at: .init(file: file))
            }
            for (other, path) in folders where other != option && holds(path) {
                throw FrameError(
                    .output, "the folder of \(other) would be inside that of \(option); keep them apart",
                    at: .init(file: path))
            }
        }
    }

    /// - Throws: `FrameError` if the interval of the storyboard is not allowed.
    func checkInterval(for stream: VideoStreamDescription) throws(FrameError) {
        guard let interval = storyboard?.interval else { return }
        var configuration = StoryboardConfiguration()
        try configuration.setInterval(interval, of: stream)
        try configuration.check()
    }

    /// Opens the folders.
    ///
    /// - Parameters:
    ///   - output: the job's video.
    ///   - name: the name of the job's video as given by the user.
    ///   - stream: what the job makes.
    /// - Throws: `FrameError` if a folder cannot be used; nothing is left behind.
    func open(
        output: OutputKind, name: String, stream: VideoStreamDescription, overwrites: Bool,
        execution: ExecutionContext
    ) throws -> [any ExtraBranch] {
        var branches: [any ExtraBranch] = []
        if let thumbnails {
            branches.append(
                ThumbnailBranch(
                    folder: try OutputFolder(thumbnails.folder, overwrites: overwrites),
                    title: name == "-" ? "standard output" : fileName(of: name), count: thumbnails.count,
                    duration: clipDuration))
        }
        if let storyboard {
            var configuration = StoryboardConfiguration()
            if let interval = storyboard.interval { try configuration.setInterval(interval, of: stream) }
            configuration.context = execution
            branches.append(
                try StoryboardBranch(
                    folder: OutputFolder(storyboard.folder, overwrites: overwrites), configuration: configuration,
                    video: output.isVideo ? output.file : nil, delay: pictureDelay, length: length))
        }
        return branches
    }

    private static func place(_ path: String) -> String { URL(fileURLWithPath: path).standardized.path }
}
