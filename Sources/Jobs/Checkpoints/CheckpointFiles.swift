internal import Foundation
package import FrameCore
internal import Glibc

/// The files of a checkpoint folder. Each is either complete or unchanged, even if the machine stops at any moment.
package enum CheckpointFiles {
    static func name(of index: Int) -> String {
        index.zeroPadded(to: 6) + ".seg"
    }

    /// Reads the manifest of an earlier run; nil if there is none.
    static func manifest(in path: String) throws(FrameError) -> CheckpointManifest? {
        let place = path + "/manifest.json"
        guard access(place, F_OK) == 0 else { return nil }
        guard let bytes = LocalFile.read(place, atMost: CheckpointManifest.maximumBytes) else {
            throw FrameError(.output, "the manifest cannot be read; --overwrite starts over", at: .init(file: place))
        }
        do throws(FrameError) {
            return try CheckpointManifest(json: bytes)
        } catch {
            throw FrameError(
                .output, "\(error.message); --overwrite starts over", at: .init(file: place), cause: error.cause)
        }
    }

    /// Returns the leading segments whose files are unchanged since they were written.
    static func intact(
        _ segments: [FinishedSegment], in path: String
    ) throws(FrameError) -> [FinishedSegment] {
        let sums = Lock<[Int: Result<UInt32?, FrameError>]>([:])
        parallelFor(segments.count, threads: ProcessInfo.processInfo.activeProcessorCount) { place in
            let segment = segments[place]
            let sum = Result { () throws(FrameError) in
                try checksum(of: path + "/" + name(of: segment.index), size: segment.bytes)
            }
            sums.withLock { $0[place] = sum }
        }
        var found: [FinishedSegment] = []
        for (place, segment) in segments.enumerated() {
            guard try sums.withLock({ $0[place] })?.get() == segment.checksum else { break }
            found.append(segment)
        }
        return found
    }

    static func write(_ manifest: CheckpointManifest, to path: String) throws(FrameError) {
        let json: [UInt8]
        do {
            json = try manifest.json
        } catch {
            throw FrameError(.output, "the manifest cannot be written", at: .init(file: path), cause: error)
        }
        try write(json, to: path + "/manifest.json")
    }

    /// Returns what identifies an output file; nil if the file does not exist.
    package static func published(_ path: String) -> CheckpointManifest.Published? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return CheckpointManifest.Published(
            inode: UInt64(status.st_ino), size: Int64(status.st_size))
    }

    /// Removes unfinished segments and finished ones that are not in `kept` (nil keeps all); leaves other files alone.
    static func removeFiles(in path: String, but kept: Set<String>?) {
        for name in LocalFile.names(in: path) ?? []
        where name.hasSuffix(".part") || name.hasSuffix(".seg") && kept?.contains(name) == false {
            unlink(path + "/" + name)
        }
    }

    /// Removes all finished segments.
    static func removeSegments(in path: String) {
        for name in LocalFile.names(in: path) ?? [] where name.hasSuffix(".seg") { unlink(path + "/" + name) }
    }

    /// Removes the source checkpoints of reset points below `point`.
    static func removeCheckpoints(in path: String, before point: Int) {
        for name in LocalFile.names(in: path) ?? []
        where name.hasSuffix(StoredSourceCheckpoint.suffix) && Int(name.prefix(6)).map({ $0 < point }) ?? false {
            unlink(path + "/" + name)
        }
    }

    static func removeFolder(_ path: String) {
        removeFiles(in: path, but: [])
        removeCheckpoints(in: path, before: .max)
        unlink(path + "/lock")
        unlink(path + "/manifest.json")
        rmdir(path)
    }
}

extension CheckpointFiles {
    /// Writes `bytes` to a temporary file next to `path`, syncs it to disk and renames it.
    ///
    /// - Parameter worker: a name of this process, if several may write the file at once; nil if a lock prevents that.
    package static func write(_ bytes: [UInt8], to path: String, worker: String? = nil) throws(FrameError) {
        let part = path + (worker.map { "-\($0)" } ?? "") + ".part"
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

    /// Renames a file that has been synced to disk to its final name.
    static func move(_ part: String, to path: String) throws(FrameError) {
        guard rename(part, path) == 0 else { throw failure(path) }
        try syncDirectory(of: path)
    }

    /// Returns the CRC-32 of a file of the given size; nil if it is missing, has another size or is a symbolic link.
    ///
    /// - Throws: `FrameError` if the file cannot be read, which says nothing about its contents.
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

    static func syncDirectory(of path: String) throws(FrameError) {
        do { try LocalFile.syncDirectory(of: path) } catch { throw failure(path, error) }
    }

    private static func unreadable(_ path: String) -> FrameError {
        FrameError(
            .output, "the finished segment cannot be read", at: .init(file: path), cause: SystemError.last)
    }

    private static func failure(_ path: String, _ cause: SystemError = .last) -> FrameError {
        FrameError(
            .output, cause.number == ENOSPC ? "the disk is full" : "the file cannot be written", at: .init(file: path),
            cause: cause)
    }
}
