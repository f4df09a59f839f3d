internal import CommandLineCore
internal import Foundation
package import FrameCore
package import MediaIO
package import Reports
package import Storyboards

extension StoryboardPlayerPage {
    /// Writes the page that demonstrates a storyboard into its folder.
    ///
    /// - Parameters:
    ///   - video: the file that the page plays, as named on the command line.
    ///   - start: the time in the file at which the storyboard begins.
    ///   - path: the folder, as named on the command line.
    ///   - folder: the folder to write to.
    package static func write(
        _ board: StoryboardDescription, video: String, start: MediaTime = .zero, path: String, to folder: OutputFolder
    ) throws {
        let page = html(board, video: address(of: video, from: path), start: start, title: fileName(of: video))
        try folder.write("player.html", Array(page.utf8))
    }

    /// Returns the address of a video relative to a page in the folder.
    private static func address(of input: String, from folder: String) -> String {
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

extension StoryboardConfiguration {
    /// Sets the time between tiles; a number of frames is rounded to the millisecond of the tracks.
    ///
    /// - Throws: `FrameError` if it is a number of frames and the video has no frame rate.
    package mutating func setInterval(_ length: ClipPosition, of stream: VideoStreamDescription) throws(FrameError) {
        let time = try length.length(at: stream.nominalFrameRate)
        interval = length.time ?? time.converted(toTimescale: 1000)
    }
}
