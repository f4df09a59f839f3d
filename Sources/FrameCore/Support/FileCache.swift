internal import Glibc

/// A folder of cached files, each either complete or absent, limited in size: the least recently used files are removed
/// first.
///
/// Several processes may share a folder. Each measures it before the first file it stores and then after every 64th, so
/// that together they can exceed the limit only by what they store in between.
package struct FileCache: Sendable {
    private let directory: String
    private let byteLimit: Int
    private let usage = Lock(Usage())
    private static let suffix = ".cached"
    /// Larger files are not read; no cached file comes close to this size.
    private static let maximumBytes = 256 << 20
    /// Seconds after which a file that was never completed belongs to a process that has ended.
    private static let abandonedAge = 3600

    private struct Usage {
        /// The size of the folder's files when last measured, and of those stored since; nil before that.
        var bytes: Int?
        var storedSinceMeasured = 0
    }

    private struct File {
        var path: String
        var bytes: Int
        var used: timespec
    }

    /// - Parameters:
    ///   - directory: the cache's folder, created when the first file is stored.
    ///   - byteLimit: maximum size of all files together, in bytes; larger files are not stored.
    package init(directory: String, byteLimit: Int = .max) {
        self.directory = directory
        self.byteLimit = max(0, byteLimit)
    }

    package func read(_ key: String) -> [UInt8]? {
        guard let bytes = LocalFile.read(path(key), atMost: Self.maximumBytes) else { return nil }
        // Most file systems are mounted so that reading does not change the time of the last access.
        utimensat(AT_FDCWD, path(key), nil, 0)
        return bytes
    }

    package func store(_ bytes: [UInt8], as key: String) throws(FrameError) {
        guard bytes.count <= byteLimit else { return }
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
        if byteLimit < .max { count(bytes.count) }
    }

    /// Removes all files this cache has written, and its folder if nothing else is in it.
    package func removeAll() throws(FrameError) {
        usage.withLock { $0 = Usage() }
        guard let names = LocalFile.names(in: directory) else { return }
        for name in names where name.contains(Self.suffix) {
            guard unlink("\(directory)/\(name)") == 0 || errno == ENOENT else {
                throw FrameError(.output, "the cached file cannot be removed", at: .init(file: "\(directory)/\(name)"))
            }
        }
        rmdir(directory)
    }

    /// Adds a stored file to the usage, and makes room if the limit is exceeded.
    private func count(_ bytes: Int) {
        usage.withLock { usage in
            usage.storedSinceMeasured += 1
            if let known = usage.bytes, usage.storedSinceMeasured < 64 {
                usage.bytes = known + bytes
                if known + bytes <= byteLimit { return }
            }
            usage = Usage(bytes: trimmed())
        }
    }

    /// Removes the least recently used files until a tenth of the limit is free, if it is exceeded.
    ///
    /// - Returns: the size of the remaining files.
    private func trimmed() -> Int {
        var files = files()
        var total = files.reduce(0) { $0 + $1.bytes }
        guard total > byteLimit else { return total }
        files.sort { ($0.used.tv_sec, $0.used.tv_nsec, $0.path) < ($1.used.tv_sec, $1.used.tv_nsec, $1.path) }
        for file in files where total > byteLimit / 10 * 9 && unlink(file.path) == 0 { total -= file.bytes }
        return total
    }

    /// The complete files. Removes what processes that have ended left incomplete.
    private func files() -> [File] {
        (LocalFile.names(in: directory) ?? []).compactMap { name in
            var status = stat()
            let path = "\(directory)/\(name)"
            guard name.contains(Self.suffix), stat(path, &status) == 0 else { return nil }
            guard name.hasSuffix(Self.suffix) else {
                if time(nil) - status.st_mtim.tv_sec > Self.abandonedAge { unlink(path) }
                return nil
            }
            return File(path: path, bytes: Int(status.st_size), used: status.st_mtim)
        }
    }

    private func path(_ key: String) -> String { "\(directory)/\(key)\(Self.suffix)" }
}
