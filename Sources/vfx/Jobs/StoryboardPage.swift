internal import CommandLineCore
internal import Foundation
internal import MediaIO
internal import Reports
internal import Storyboards

/// The page in a storyboard's folder that shows it working.
enum StoryboardPage {
    /// Writes the page.
    ///
    /// - Parameters:
    ///   - video: the file that it plays, as the command line names it.
    ///   - folder: as the command line names it.
    static func write(
        _ board: StoryboardDescription, video: String, path: String, to folder: OutputFolder
    ) throws {
        let page = StoryboardPlayerPage.html(board, video: address(of: video, from: path), title: fileName(of: video))
        try folder.write("player.html", Array(page.utf8))
    }

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
