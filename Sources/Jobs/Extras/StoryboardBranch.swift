internal import FrameCore
internal import MediaIO
internal import Pipeline
internal import Reports
internal import Storyboards

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
                try PlainSource(frames), delay: delay, length: length, to: { try folder.write($0, $1) })
            if let video { try StoryboardPlayerPage.write(board, video: video, path: folder.path, to: folder) }
            try folder.requireNothingInTheWay()
        }
    }

    func publish() throws { try folder.publish() }
    func discard() { folder.discard() }
}
