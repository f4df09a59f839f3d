internal import Foundation
internal import FrameCore
internal import MediaIO

/// The files in a folder that are videos by their names.
enum BatchFolder {
    /// Extensions of the files that a search takes; files that are named on the command line need none of them.
    private static let videoExtensions: Set<String> = [
        "264", "265", "3g2", "3gp", "apng", "asf", "avi", "divx", "dv", "f4v", "flv", "gif", "h264", "h265", "hevc",
        "ivf",
        "m1v",
        "m2t", "m2ts", "m2v", "m4v", "mjpeg", "mkv", "mov", "mp4", "mpeg", "mpg", "mts", "mxf", "nut", "obu", "ogm",
        "ogv", "rm", "rmvb", "ts", "vob", "webm", "wmv", "y4m",
    ]

    /// Whether a folder holds images and no videos, so that it is an image sequence.
    static func isImageSequence(_ folder: String) -> Bool {
        PictureFiles.isFolder(folder) && (try? videos(in: LocalFile.path(folder), isRecursive: false).isEmpty) ?? false
    }

    /// Returns the paths of the videos in a folder, relative to it, in ascending order.
    ///
    /// Hidden files and folders are left out. A folder that is reached twice through links is searched once.
    ///
    /// - Throws: `FrameError` if a folder cannot be read.
    static func videos(in folder: String, isRecursive: Bool) throws(FrameError) -> [String] {
        var visited: Set<LocalFile.Identity> = []
        return try search(folder, below: "", isRecursive, &visited).sorted()
    }

    private static func search(
        _ folder: String, below prefix: String, _ isRecursive: Bool, _ visited: inout Set<LocalFile.Identity>
    ) throws(FrameError) -> [String] {
        if let identity = LocalFile(folder)?.identity, !visited.insert(identity).inserted { return [] }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw FrameError(.input, "the folder cannot be read", at: .init(file: folder))
        }
        var found: [String] = []
        for name in names where !name.hasPrefix(".") {
            let path = folder + "/" + name
            guard let file = LocalFile(path) else { continue }
            if file.isDirectory {
                // Finished segments are no inputs.
                guard isRecursive, !name.hasSuffix(".job") else { continue }
                found += try search(path, below: prefix + name + "/", true, &visited)
            } else if file.isRegular, videoExtensions.contains(extensionOf(name).lowercased()) {
                found.append(prefix + name)
            }
        }
        return found
    }

    /// Returns what follows the last dot; empty if there is none or nothing before it.
    static func extensionOf(_ name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "" }
        return String(name[name.index(after: dot)...])
    }
}
