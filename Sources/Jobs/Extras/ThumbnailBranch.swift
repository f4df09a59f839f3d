internal import CommandLineCore
internal import FrameAnalysis
internal import FrameCore
internal import MediaIO
internal import Pipeline

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
        let frames = try PlainSource(frames)
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
