internal import CommandLineCore
internal import FrameCore
internal import Foundation
internal import MediaIO
internal import Pipeline
internal import Reports
internal import Storyboards

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
            if let video { try StoryboardPage.write(board, video: video, path: folder.path, to: folder) }
            try folder.requireNothingInTheWay()
        }
    }

    func publish() throws { try folder.publish() }
    func discard() { folder.discard() }
}
