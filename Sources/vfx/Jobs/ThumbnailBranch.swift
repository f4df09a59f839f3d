internal import FrameAnalysis
internal import FrameCore
internal import MediaIO
internal import Pipeline

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
