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
    var thumbnails: (folder: String, count: Int)?
    /// The duration of the clip whose frames are examined, if longer than the output of this run.
    var clipDuration: MediaTime?
    /// The time from the beginning of the output to its first frame.
    var pictureDelay = MediaTime.zero
    /// The duration of the output from its beginning to the end of its longest stream, called when all has been read; nil
    /// if it ends with the last frame.
    var length: @Sendable () -> MediaTime? = { nil }
    /// A missing interval is the default one.
    var storyboard: (folder: String, interval: ClipPosition?)?

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

    /// Opens the folders.
    ///
    /// - Parameters:
    ///   - output: the job's video.
    ///   - name: the name of the job's video as given by the user.
    ///   - stream: what the job makes.
    /// - Throws: `FrameError` if a folder cannot be used; nothing is left behind.
    func open(
        output: OutputKind, name: String, stream: VideoStreamDescription, overwrites: Bool, threads: Int
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
            configuration.threads = threads
            branches.append(
                try StoryboardBranch(
                    folder: OutputFolder(storyboard.folder, overwrites: overwrites), configuration: configuration,
                    video: output.isVideo ? output.file : nil, delay: pictureDelay, length: length))
        }
        return branches
    }

    private static func place(_ path: String) -> String { URL(fileURLWithPath: path).standardized.path }
}

/// Picks the best frames of a job's output while it is being made.
///
/// Frames cannot be read a second time, so the candidates' frames are kept: some in memory, the others in a temporary file
/// in the output folder.
///
/// `@unchecked Sendable`: the folder is accessed by the branch's thread and, after that has ended, by the writer's.
final class ThumbnailBranch: ExtraBranch, @unchecked Sendable {
    private let folder: OutputFolder
    private let title: String
    private let count: Int
    private let duration: MediaTime?
    private let found = Lock<[String]>([])

    /// - Parameters:
    ///   - folder: the output folder.
    ///   - title: the clip's name on the page.
    ///   - count: the number of frames to pick.
    ///   - duration: the duration of the clip; nil for that of the stream.
    init(folder: OutputFolder, title: String, count: Int, duration: MediaTime?) {
        self.duration = duration
        self.folder = folder
        self.title = title
        self.count = count
    }

    /// The frames in memory at once: those that are kept, two that are written or examined, and those queued for this
    /// branch.
    static func kept(_ stream: VideoStreamDescription) -> MemoryBound.Part {
        MemoryBound.Part(
            name: "thumbnails",
            frames: FrameStore.mostInMemory(bytesPerFrame: stream.bytesPerFrame) + 2 + TeeSink.waitingFrames + 1,
            bytesPerFrame: stream.bytesPerFrame)
    }

    var notes: [String] { found.withLock { $0 } }

    func consume(_ frames: any FrameSource) throws {
        try naming(folder.path) {
            let stream = frames.stream
            guard let first = try frames.nextFrame() else {
                throw FrameError(.input, "there are no frames to pick from")
            }
            var selector = try ThumbnailSelector(
                .init(
                    count: count, duration: duration ?? stream.duration, start: first.presentationTime,
                    keepsFrames: true,
                    spillFolder: folder.part))
            try selector.append(first)
            while let frame = try frames.nextFrame() { try selector.append(frame) }
            let selection = try selector.finish()
            let files = try ThumbnailFiles(stream: stream, inputName: title, format: .jpeg, fileExtension: "jpg")
                .make(selection) { pick in
                    guard let frame = try pick.frame() else {
                        throw FrameError(.output, "the picked frame was not kept", at: .init(time: pick.time))
                    }
                    return frame
                }
            for file in files { try folder.write(file.name, file.bytes) }
            try folder.requireNothingInTheWay()
            found.withLock { $0 = selection.notes.map { "\(folder.path): \($0)" } }
        }
    }

    func publish() throws { try folder.publish() }
    func discard() { folder.discard() }
}

/// Writes the storyboard of a job's output while it is being made.
///
/// `@unchecked Sendable`: the folder is accessed by the branch's thread and, after that has ended, by the writer's.
final class StoryboardBranch: ExtraBranch, @unchecked Sendable {
    private let folder: OutputFolder
    private let writer: StoryboardWriter
    private let video: String?
    private let delay: MediaTime
    private let length: @Sendable () -> MediaTime?

    /// - Parameters:
    ///   - folder: the output folder.
    ///   - configuration: the storyboard's configuration.
    ///   - video: the file that the demonstration page plays; nil omits the page.
    ///   - delay: the time from the beginning of the video to its first frame.
    ///   - length: the duration of the video; see ``StoryboardWriter``.
    init(
        folder: OutputFolder, configuration: StoryboardConfiguration, video: String?, delay: MediaTime,
        length: @escaping @Sendable () -> MediaTime?
    ) throws {
        self.folder = folder
        self.video = video
        self.delay = delay
        self.length = length
        do {
            writer = try StoryboardWriter(configuration: configuration, encoder: StillCodec())
        } catch {
            folder.discard()
            throw error
        }
    }

    /// The frames kept at once: the one shown, the next one, and those queued for this branch. Tiles are too small to
    /// count.
    static func kept(_ stream: VideoStreamDescription) -> MemoryBound.Part {
        MemoryBound.Part(
            name: "storyboard", frames: 2 + TeeSink.waitingFrames + 1, bytesPerFrame: stream.bytesPerFrame)
    }

    var notes: [String] { [] }

    func consume(_ frames: any FrameSource) throws {
        try naming(folder.path) {
            let board = try writer.write(
                frames, delay: delay, length: length, to: { try folder.write($0, $1) })
            if let video { try StoryboardPlayerPage.write(board, video: video, path: folder.path, to: folder) }
            try folder.requireNothingInTheWay()
        }
    }

    func publish() throws { try folder.publish() }
    func discard() { folder.discard() }
}
