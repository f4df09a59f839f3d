internal import FrameCore
internal import Foundation
internal import MediaIO
internal import Pipeline
internal import Reports
internal import Thumbnails

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
            if let video {
                let page = StoryboardPlayerPage.html(
                    board, video: StoryboardPage.address(of: video, from: folder.path), title: fileName(of: video))
                try folder.write("player.html", Array(page.utf8))
            }
            try folder.requireNothingInTheWay()
        }
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
