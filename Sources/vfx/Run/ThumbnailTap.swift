internal import FrameCore
internal import MediaIO
internal import Pipeline
internal import Synchronization
internal import Thumbnails

/// The best frames of a job's output, picked while it is made.
///
/// Frames cannot be read a second time, so candidates keep their pictures, and of large ones fewer are looked at.
final class ThumbnailTap: ExtraTap {
    private struct Contents {
        var files: [ThumbnailFolder.File] = []
        var notes: [String] = []
    }

    private let folder: ThumbnailFolder
    private let count: Int
    /// The frames round the one that is looked at, the candidates' and those on their way here.
    let kept: MemoryBound.Part
    private let contents = Mutex(Contents())

    init(folder: ThumbnailFolder, count: Int, stream: VideoStreamDescription) {
        self.folder = folder
        self.count = count
        kept = MemoryBound.Part(
            name: "thumbnails", frames: 2 * Self.capacity(stream) + 1 + Self.window + FanOutSink.waitingFrames + 1,
            bytesPerFrame: stream.bytesPerFrame)
    }

    /// Frames round the one that is looked at, at most.
    private static let window = 36

    var notes: [String] { contents.withLock { $0.notes } }

    /// Frames looked at closely.
    static func capacity(_ stream: VideoStreamDescription) -> Int {
        min(100, max(12, 96_000_000 / max(1, stream.width * stream.height)))
    }

    func consume(_ frames: any FrameSource) throws {
        let stream = frames.stream
        guard let first = try frames.nextFrame() else {
            throw FrameError(.input, "there are no frames to pick from")
        }
        var selector = try ThumbnailSelector(
            ThumbnailSelector.Options(
                count: count, capacity: Self.capacity(stream), duration: stream.duration, start: first.presentationTime,
                keepsFrames: true))
        try selector.append(first)
        while let frame = try frames.nextFrame() { try selector.append(frame) }
        let selection = selector.finish()
        guard !selection.picks.isEmpty, let pictures = selection.picks.map(\.frame) as? [Frame] else {
            throw FrameError(.input, "there are no frames to pick from")
        }
        let files = try ThumbnailFiles(stream: stream, inputName: folder.inputName, format: .jpeg, fileExtension: "jpg")
            .make(selection, pictures)
        contents.withLock {
            $0.files = files
            $0.notes = selection.notes.map { "\(folder.path): \($0)" }
        }
    }

    func publish() throws { try folder.write(contents.withLock { $0.files }) }
    func discard() {}
}
