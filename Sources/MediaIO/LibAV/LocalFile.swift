import Glibc

/// What the file system says of a path, links followed.
struct LocalFile {
    /// Device and inode: equal for two names of one file.
    struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64
    }

    let identity: Identity
    let size: Int64
    let isRegular: Bool
    let isDirectory: Bool

    /// nil when there is no such file or the path is not a local one.
    init?(_ path: String) {
        var status = stat()
        guard stat(LocalFile.path(path), &status) == 0 else { return nil }
        identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        size = Int64(status.st_size)
        isRegular = status.st_mode & S_IFMT == S_IFREG
        isDirectory = status.st_mode & S_IFMT == S_IFDIR
    }

    /// The path of a `file:` address; other names as they are.
    static func path(_ name: String) -> String { name.hasPrefix("file:") ? String(name.dropFirst(5)) : name }
}

/// A failure of a system call.
struct SystemError: Error, CustomStringConvertible {
    let number: Int32
    var description: String { String(cString: strerror(number)) }
    static var last: SystemError { SystemError(number: errno) }
}
