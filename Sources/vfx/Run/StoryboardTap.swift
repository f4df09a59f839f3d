internal import FrameCore
internal import Foundation
internal import MediaIO
internal import Pipeline
internal import Reports
internal import Thumbnails

/// The storyboard of a job's output, written while it is made.
///
/// `@unchecked Sendable`: the folder is reached by the tap's thread, and by the writer's once that has ended.
final class StoryboardTap: ExtraTap, @unchecked Sendable {
    private let folder: OutputFolder
    private let writer: StoryboardWriter
    private let video: String
    /// The frame shown, the next, and those on their way here; tiles are small.
    let kept: MemoryBound.Part

    init(
        folder: OutputFolder, configuration: StoryboardConfiguration, video: String, stream: VideoStreamDescription
    ) throws {
        self.folder = folder
        self.video = video
        kept = MemoryBound.Part(
            name: "storyboard", frames: 2 + FanOutSink.waitingFrames + 1, bytesPerFrame: stream.bytesPerFrame)
        do {
            writer = try StoryboardWriter(configuration: configuration, encoder: StillCodec())
        } catch {
            folder.discard()
            throw error
        }
    }

    var notes: [String] { [] }

    func consume(_ frames: any FrameSource) throws {
        let board = try writer.write(frames, to: { try folder.write($0, $1) })
        let name = video.split(separator: "/").last.map(String.init) ?? video
        let page = StoryboardPlayerPage.html(
            board, video: StoryboardPage.address(of: video, from: folder.path), title: name)
        try folder.write("player.html", Array(page.utf8))
    }

    func publish() throws { try folder.publish() }
    func discard() { folder.discard() }
}

/// What the pages of a storyboard's folder need to know.
enum StoryboardPage {
    /// A video as a page in the folder names it.
    static func address(of input: String, from folder: String) -> String {
        if input.contains("://") { return input }
        func parts(_ path: String) -> [String] {
            URL(fileURLWithPath: path).standardized.path.split(separator: "/").map(String.init)
        }
        let file = parts(input), folder = parts(folder)
        let common = zip(file, folder).prefix { $0 == $1 }.count
        let way = Array(repeating: "..", count: folder.count - common) + file[common...]
        return way.map { $0.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? $0 }.joined(separator: "/")
    }
}
