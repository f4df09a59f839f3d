internal import CommandLineCore
internal import Foundation
internal import FrameAnalysis
internal import FrameCore
internal import MediaIO
internal import Pipeline
internal import Reports
internal import Storyboards

/// Something made of the frames of a job beside its video.
protocol ExtraBranch: TeeBranch {
    /// What is to be told of it, complete after `publish()`.
    var notes: [String] { get }
}

/// The folders that a job fills besides its video, from the same frames.
struct ExtraOutputs {
    var thumbnails: (folder: String, count: Int)?
    var storyboard: (folder: String, configuration: StoryboardConfiguration)?

    /// Frames that are kept at most to make them of frames of `stream`.
    func kept(_ stream: VideoStreamDescription) -> [MemoryBound.Part] {
        (thumbnails == nil ? [] : [ThumbnailBranch.kept(stream)])
            + (storyboard == nil ? [] : [StoryboardBranch.kept(stream)])
    }

    /// Checks that neither folder holds the other or the job's video, which would be in the way when it gets its files.
    ///
    /// - Throws: `FrameError` that names the one that does.
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
    ///   - name: of the job's video as it was given.
    /// - Throws: `FrameError` when a folder cannot be used; nothing is left behind.
    func open(
        output: OutputKind, name: String, overwrites: Bool, threads: Int
    ) throws -> [any ExtraBranch] {
        var branches: [any ExtraBranch] = []
        if let thumbnails {
            branches.append(
                ThumbnailBranch(
                    folder: try OutputFolder(thumbnails.folder, overwrites: overwrites),
                    title: name == "-" ? "standard output" : fileName(of: name), count: thumbnails.count))
        }
        if let storyboard {
            var configuration = storyboard.configuration
            configuration.threads = threads
            branches.append(
                try StoryboardBranch(
                    folder: OutputFolder(storyboard.folder, overwrites: overwrites), configuration: configuration,
                    video: output.isVideo ? output.file : nil))
        }
        return branches
    }

    private static func place(_ path: String) -> String { URL(fileURLWithPath: path).standardized.path }
}

/// The best frames of a job's output, picked while it is made.
///
/// Frames cannot be read a second time, so candidates keep their pictures, and of large ones fewer are looked at.
///
/// `@unchecked Sendable`: the folder is reached by the branch's thread, and by the writer's once that has ended.
final class ThumbnailBranch: ExtraBranch, @unchecked Sendable {
    private let folder: OutputFolder
    private let title: String
    private let count: Int
    private let found = Lock<[String]>([])

    /// - Parameters:
    ///   - folder: where the pictures go.
    ///   - title: names the clip on the page.
    ///   - count: pictures wanted.
    init(folder: OutputFolder, title: String, count: Int) {
        self.folder = folder
        self.title = title
        self.count = count
    }

    /// The frames round the one that is looked at, the candidates' and those on their way here.
    static func kept(_ stream: VideoStreamDescription) -> MemoryBound.Part {
        MemoryBound.Part(
            name: "thumbnails", frames: 2 * options(stream).capacity + 1 + window + TeeSink.waitingFrames + 1,
            bytesPerFrame: stream.bytesPerFrame)
    }

    /// Frames round the one that is looked at, at most.
    private static let window = 36

    var notes: [String] { found.withLock { $0 } }

    private static func options(_ stream: VideoStreamDescription) -> ThumbnailSelector.Options {
        var options = ThumbnailSelector.Options(duration: stream.duration)
        options.keepFrames(of: stream)
        return options
    }

    func consume(_ frames: any FrameSource) throws {
        try naming(folder.path) {
            let stream = frames.stream
            guard let first = try frames.nextFrame() else {
                throw FrameError(.input, "there are no frames to pick from")
            }
            var options = Self.options(stream)
            (options.count, options.start) = (count, first.presentationTime)
            var selector = try ThumbnailSelector(options)
            try selector.append(first)
            while let frame = try frames.nextFrame() { try selector.append(frame) }
            let selection = selector.finish()
            guard !selection.picks.isEmpty, let pictures = selection.picks.map(\.frame) as? [Frame] else {
                throw FrameError(.input, "there are no frames to pick from")
            }
            let files = try ThumbnailFiles(stream: stream, inputName: title, format: .jpeg, fileExtension: "jpg")
                .make(selection, pictures)
            for file in files { try folder.write(file.name, file.bytes) }
            try folder.requireNothingInTheWay()
            found.withLock { $0 = selection.notes.map { "\(folder.path): \($0)" } }
        }
    }

    func publish() throws { try folder.publish() }
    func discard() { folder.discard() }
}

/// The storyboard of a job's output, written while it is made.
///
/// `@unchecked Sendable`: the folder is reached by the branch's thread, and by the writer's once that has ended.
final class StoryboardBranch: ExtraBranch, @unchecked Sendable {
    private let folder: OutputFolder
    private let writer: StoryboardWriter
    private let video: String?

    /// - Parameters:
    ///   - folder: where the storyboard goes.
    ///   - configuration: what it is like.
    ///   - video: the file that the page for trying it out plays; nil leaves the page out.
    init(folder: OutputFolder, configuration: StoryboardConfiguration, video: String?) throws {
        self.folder = folder
        self.video = video
        do {
            writer = try StoryboardWriter(configuration: configuration, encoder: StillCodec())
        } catch {
            folder.discard()
            throw error
        }
    }

    /// The frame shown, the next, and those on their way here; tiles are small.
    static func kept(_ stream: VideoStreamDescription) -> MemoryBound.Part {
        MemoryBound.Part(
            name: "storyboard", frames: 2 + TeeSink.waitingFrames + 1, bytesPerFrame: stream.bytesPerFrame)
    }

    var notes: [String] { [] }

    func consume(_ frames: any FrameSource) throws {
        try naming(folder.path) {
            let board = try writer.write(frames, to: { try folder.write($0, $1) })
            if let video { try StoryboardPlayerPage.write(board, video: video, path: folder.path, to: folder) }
            try folder.requireNothingInTheWay()
        }
    }

    func publish() throws { try folder.publish() }
    func discard() { folder.discard() }
}
