internal import FrameCore
internal import Glibc

/// Reserves a folder for this process by locking a file in it.
struct FolderLock {
    private let descriptor: Int32
    /// Whether the folder did not exist before.
    let isNew: Bool

    /// Creates the folder if needed and locks it.
    ///
    /// - Parameters:
    ///   - path: path of the folder.
    ///   - output: the job's output, for the error message.
    /// - Throws: `FrameError` if another process holds the folder, if it cannot be created, or if it was not made by
    ///   vfx.
    init(_ path: String, output: String) throws(FrameError) {
        while true {
            let isNew = try Self.make(path)
            let place = path + "/lock"
            let file = open(place, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
            if file < 0, errno == ENOENT { continue }
            guard file >= 0 else {
                let cause = SystemError.last
                if isNew { rmdir(path) }
                throw FrameError(
                    .output, "the folder for finished segments cannot be written to", at: .init(file: place),
                    cause: cause)
            }
            // On a file system without locks, the run proceeds unlocked.
            if flock(file, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
                close(file)
                throw FrameError(
                    .output, "another run is writing this output; wait for it to finish", at: .init(file: output))
            }
            // The previous holder may have removed the folder in the meantime.
            var held = stat(), there = stat()
            if fstat(file, &held) == 0, stat(place, &there) == 0, held.st_ino == there.st_ino {
                descriptor = file
                self.isNew = isNew
                return
            }
            close(file)
        }
    }

    /// Releases the folder; call this only once.
    func release() { close(descriptor) }

    /// Creates the folder if needed, and returns whether it is new.
    private static func make(_ path: String) throws(FrameError) -> Bool {
        let isNew = mkdir(path, 0o777) == 0
        if !isNew, errno != EEXIST {
            let cause = SystemError.last
            throw FrameError(
                .output, "the folder for finished segments cannot be created", at: .init(file: path), cause: cause)
        }
        if !isNew, !isCheckpoint(path) {
            throw FrameError(
                .output, "this was not written by vfx and is in the way; move it away", at: .init(file: path))
        }
        return isNew
    }

    /// Whether a folder is a checkpoint folder or empty.
    static func isCheckpoint(_ path: String) -> Bool {
        guard let names = LocalFile.names(in: path) else { return false }
        return names.isEmpty || names.contains("lock") || names.contains("manifest.json")
    }
}
