internal import Glibc

/// The file system's status of a path, with symbolic links followed.
package struct LocalFile {
    /// Device and inode number: equal if two paths name the same file.
    package struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64
    }

    package let identity: Identity
    package let size: Int64
    package let isRegular: Bool
    package let isDirectory: Bool

    /// Returns nil if the file does not exist or the path is not local.
    package init?(_ path: String) {
        var status = stat()
        guard stat(LocalFile.path(path), &status) == 0 else { return nil }
        identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        size = Int64(status.st_size)
        isRegular = status.st_mode & S_IFMT == S_IFREG
        isDirectory = status.st_mode & S_IFMT == S_IFDIR
    }
}

extension LocalFile {
    /// Whether two names are those of the same file, even if it does not exist yet: other spellings, symbolic and hard
    /// links included.
    package static func isSame(_ a: String, _ b: String) -> Bool {
        func place(_ name: String) -> String {
            let path = Self.path(name)
            func resolved(_ path: String) -> String? {
                realpath(path, nil).map { found in
                    defer { free(found) }
                    return String(cString: found)
                }
            }
            if let place = resolved(path) { return place }
            let last = path.split(separator: "/").last.map(String.init) ?? path
            return (resolved(directory(of: path)) ?? directory(of: path)) + "/" + last
        }
        if place(a) == place(b) { return true }
        var first = stat(), second = stat()
        return stat(path(a), &first) == 0 && stat(path(b), &second) == 0 && first.st_dev == second.st_dev
            && first.st_ino == second.st_ino
    }

    /// Returns the path in a `file:` URL; other names are returned unchanged.
    package static func path(_ name: String) -> String {
        name.hasPrefix("file:") ? String(name.dropFirst(5)) : name
    }

    /// Returns the folder that contains `path`.
    package static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The largest number of bytes in the name of a file, on all usual file systems.
    private static let longestName = 255

    /// Returns the path of a file or folder that belongs to the one at `path`, and lies beside it: the path with a suffix,
    /// or, if the name would be too long, with a checksum in place of its end.
    package static func companion(of path: String, suffix: String) -> String {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard name.utf8.count + suffix.utf8.count > longestName else { return path + suffix }
        let ending = "~" + String(stableHash(of: String(name)).prefix(16)) + suffix
        var start = name
        while start.utf8.count + ending.utf8.count > longestName, !start.isEmpty { start.removeLast() }
        return path.dropLast(name.count) + start + ending
    }

    /// Returns the names in a folder, unordered, or nil if the folder cannot be read.
    package static func names(in directory: String) -> [String]? {
        guard let stream = opendir(directory) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Returns the contents of a file, or nil if it cannot be read, is a symbolic link, is not a regular file or
    /// exceeds `limit` bytes.
    package static func read(_ path: String, atMost limit: Int) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size)), done = 0
        while done < bytes.count {
            let rest = bytes.count - done
            let count = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress?.advanced(by: done), rest) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            done += count
        }
        return bytes
    }

    /// Creates a file that does not exist yet and writes `bytes`, without syncing it to disk.
    package static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        guard let file = fopen(path, "wxe") else { throw .last }
        let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
        let failure = SystemError.last
        guard fclose(file) == 0 || !isWritten else { throw .last }
        guard isWritten else { throw failure }
    }

    /// Creates a folder and its missing parents; does nothing if the folder exists.
    package static func makeDirectory(_ path: String) throws(SystemError) {
        if mkdir(path, 0o777) == 0 { return }
        if errno == ENOENT, path.contains("/"), directory(of: path) != path {
            try makeDirectory(directory(of: path))
            if mkdir(path, 0o777) == 0 { return }
        }
        let failure = SystemError.last
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { throw failure }
    }

    /// Syncs the folder that contains `path`, so that a file created or renamed in it survives a power failure.
    package static func syncDirectory(of path: String) throws(SystemError) {
        let file = open(directory(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw .last }
        defer { close(file) }
        // Some file systems cannot sync a folder; that is not a failure.
        guard fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP else { throw .last }
    }
}

/// A failed system call.
package struct SystemError: Error, CustomStringConvertible {
    package let number: Int32

    package init(number: Int32) { self.number = number }

    package var description: String { String(cString: strerror(number)) }
    /// The error of the latest system call, from `errno`.
    package static var last: SystemError { SystemError(number: errno) }
}
