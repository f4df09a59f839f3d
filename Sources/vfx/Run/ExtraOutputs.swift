internal import FrameCore
internal import Foundation
internal import MediaIO
internal import Pipeline
internal import Thumbnails

/// Something made of the frames of a job beside its video.
protocol ExtraTap: FrameTap {
    /// What is to be told of it, complete after `publish()`.
    var notes: [String] { get }
    /// Frames that it keeps at most.
    var kept: MemoryBound.Part { get }
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

    /// Those whose folders are not there.
    var missing: ExtraOutputs {
        func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
        return ExtraOutputs(
            thumbnails: thumbnails.flatMap { isThere($0.folder) ? nil : $0 },
            storyboard: storyboard.flatMap { isThere($0.folder) ? nil : $0 })
    }

    /// Checks the folders and opens them.
    ///
    /// - Parameters:
    ///   - output: the job's video.
    ///   - stream: what the frames are.
    /// - Throws: `FrameError` when a folder cannot be used; nothing is left behind.
    func open(
        output: String, stream: VideoStreamDescription, overwrites: Bool, threads: Int
    ) throws -> [any ExtraTap] {
        if let thumbnails, let storyboard, Self.place(thumbnails.folder) == Self.place(storyboard.folder) {
            throw FrameError(
                .output, "--thumbnails and --storyboard name the same folder; each needs its own",
                at: .init(file: storyboard.folder))
        }
        var taps: [any ExtraTap] = []
        if let thumbnails {
            taps.append(
                ThumbnailTap(
                    folder: try ThumbnailFolder(thumbnails.folder, input: output, overwrites: overwrites),
                    count: thumbnails.count, stream: stream))
        }
        if let storyboard {
            var configuration = storyboard.configuration
            configuration.threads = threads
            taps.append(
                try StoryboardTap(
                    folder: OutputFolder(storyboard.folder, overwrites: overwrites), configuration: configuration,
                    video: output, stream: stream))
        }
        return taps
    }

    private static func place(_ path: String) -> String { URL(fileURLWithPath: path).standardized.path }
}
