internal import FrameCore
internal import Glibc

/// Files that are there in full or as they were before, whenever the machine stops.
enum DurableFile {
    /// Writes `bytes` beside `path`, sees them on disk and renames.
    static func write(_ bytes: [UInt8], to path: String) throws(FrameError) {
        let part = path + ".part"
        let file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard file >= 0 else { throw failure(path) }
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress?.advanced(by: done), $0.count - done) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let error = failure(path)
                close(file)
                unlink(part)
                throw error
            }
            done += count
        }
        let isSynced = fsync(file) == 0
        guard close(file) == 0, isSynced else { throw failure(path) }
        try move(part, to: path)
    }

    /// Gives a file that is on disk its name for good.
    static func move(_ part: String, to path: String) throws(FrameError) {
        guard rename(part, path) == 0 else { throw failure(path) }
        try syncDirectory(of: path)
    }

    static func syncDirectory(of path: String) throws(FrameError) {
        let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let file = open(directory.isEmpty ? "/" : directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw failure(path) }
        defer { close(file) }
        // Some file systems have no such thing; the rename itself stands.
        guard fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP else { throw failure(path) }
    }

    /// All bytes of a small file.
    static func read(_ path: String, atMost limit: Int) -> [UInt8]? {
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

    /// CRC-32 of a file of the size given; nil when it is missing, has another size or is a link.
    ///
    /// - Throws: `FrameError` when it cannot be read, which says nothing of what is in it.
    static func checksum(of path: String, size: Int) throws(FrameError) -> UInt32? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard file >= 0 else {
            if errno == ENOENT || errno == ELOOP { return nil }
            throw unreadable(path)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, Int(status.st_size) == size else { return nil }
        var sum = CRC32(), bytes = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let capacity = bytes.count
            let count = Glibc.read(file, &bytes, capacity)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(path) }
            if count == 0 { return sum.value }
            bytes.withUnsafeBytes { sum.add(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
    }

    private static func unreadable(_ path: String) -> FrameError {
        FrameError(
            .output, "the finished segment cannot be read", at: .init(file: path), cause: SystemCause.last)
    }

    private static func failure(_ path: String) -> FrameError {
        let cause = SystemCause.last
        return FrameError(
            .output, cause.number == ENOSPC ? "the disk is full" : "the file cannot be written", at: .init(file: path),
            cause: cause)
    }
}
