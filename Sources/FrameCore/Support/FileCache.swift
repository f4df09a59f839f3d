internal import Glibc

/// A folder of cached files, each either complete or absent.
package struct FileCache: Sendable {
    private let directory: String
    private static let suffix = ".cached"
    /// Larger files are not read; no cached file comes close to this size.
    private static let maximumBytes = 256 << 20

    /// - Parameter directory: the cache's folder, created when the first file is stored.
    package init(directory: String) { self.directory = directory }

    package func read(_ key: String) -> [UInt8]? { LocalFile.read(path(key), atMost: Self.maximumBytes) }

    package func store(_ bytes: [UInt8], as key: String) throws(FrameError) {
        // Written under a temporary name and then renamed, so that a reader never sees an incomplete file.
        let part = "\(path(key)).\(getpid()).\(UInt64.random(in: 0 ... .max).zeroPadded(to: 16, radix: 16))"
        do throws(SystemError) {
            try LocalFile.makeDirectory(directory)
            try LocalFile.write(bytes, to: part)
            guard rename(part, path(key)) == 0 else { throw .last }
        } catch {
            unlink(part)
            throw FrameError(.output, "the cache cannot be written", at: .init(file: directory), cause: error)
        }
    }

    /// Removes all files this cache has written, and its folder if nothing else is in it.
    package func removeAll() throws(FrameError) {
        guard let names = LocalFile.names(in: directory) else { return }
        for name in names where name.contains(Self.suffix) {
            guard unlink("\(directory)/\(name)") == 0 || errno == ENOENT else {
                throw FrameError(.output, "the cached file cannot be removed", at: .init(file: "\(directory)/\(name)"))
            }
        }
        rmdir(directory)
    }

    private func path(_ key: String) -> String { "\(directory)/\(key)\(Self.suffix)" }
}
