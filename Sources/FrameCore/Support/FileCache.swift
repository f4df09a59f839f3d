import Foundation

/// Files in a folder of their own, each complete or not there.
package struct FileCache: Sendable {
    private let directory: String
    private static let suffix = ".cached"

    /// - Parameter directory: made when the first file is stored.
    package init(directory: String) { self.directory = directory }

    package func read(_ key: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path(key)).map { Array($0) }
    }

    package func store(_ bytes: [UInt8], as key: String) throws(FrameError) {
        do {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            // Written beside and renamed, so that no reader sees half a file.
            let part = path(key) + "." + UUID().uuidString
            try Data(bytes).write(to: URL(fileURLWithPath: part))
            guard rename(part, path(key)) == 0 else {
                unlink(part)
                throw CocoaError(.fileWriteUnknown)
            }
        } catch {
            throw FrameError(.output, "the cache cannot be written", at: .init(file: directory), cause: error)
        }
    }

    /// Removes what this cache wrote, and its folder if nothing else lies there.
    package func removeAll() throws(FrameError) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else { return }
        for name in names where name.contains(Self.suffix) {
            guard unlink("\(directory)/\(name)") == 0 || errno == ENOENT else {
                throw FrameError(.output, "the cached file cannot be removed", at: .init(file: "\(directory)/\(name)"))
            }
        }
        rmdir(directory)
    }

    private func path(_ key: String) -> String { "\(directory)/\(key)\(Self.suffix)" }
}
