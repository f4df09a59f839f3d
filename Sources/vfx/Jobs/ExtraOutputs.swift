internal import CommandLineCore
internal import FrameCore
internal import Foundation
internal import MediaIO
internal import Pipeline
internal import Storyboards

/// Something made of the frames of a job beside its video.
protocol ExtraBranch: TeeBranch {
    /// What is to be told of it, complete after `publish()`.
    var notes: [String] { get }
}

/// The folders that a job fills besides its video, from the same frames.
struct ExtraOutputs {
    struct Thumbnails {
        var folder: String
        var count = 3
    }

    struct Storyboard {
        var folder: String
        var configuration = StoryboardConfiguration()
    }

    var thumbnails: Thumbnails?
    var storyboard: Storyboard?

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
                    .output, "the video would lie in the folder of \(option); each needs its own place",
                    at: .init(file: file))
            }
            for (other, path) in folders where other != option && holds(path) {
                throw FrameError(
                    .output, "the folder of \(other) would lie in that of \(option); each needs its own",
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
