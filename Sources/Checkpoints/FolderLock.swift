internal import FrameCore
internal import Glibc

/// Holds a folder for this process, by a lock on a file in it.
struct FolderLock {
    private let descriptor: Int32
    /// Whether the folder was made for it.
    let isNew: Bool

    /// Makes the folder where there is none and holds it.
    ///
    /// - Parameters:
    ///   - path: of the folder.
    ///   - output: what is being made, for the message.
    /// - Throws: `FrameError` when another process holds it, and when it cannot be made or is somebody else's.
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
            // Where the file system has no locks, nothing else can be done.
            if flock(file, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
                close(file)
                throw FrameError(.output, "another run is making this output; wait for it", at: .init(file: output))
            }
            // Whoever held it may have taken the folder away meanwhile.
            var held = stat(), there = stat()
            if fstat(file, &held) == 0, stat(place, &there) == 0, held.st_ino == there.st_ino {
                descriptor = file
                self.isNew = isNew
                return
            }
            close(file)
        }
    }

    /// Lets go of the folder; once only.
    func release() { close(descriptor) }

    /// Whether the folder is new.
    private static func make(_ path: String) throws(FrameError) -> Bool {
        let isNew = mkdir(path, 0o777) == 0
        if !isNew, errno != EEXIST {
            let cause = SystemError.last
            throw FrameError(
                .output, "the folder for finished segments cannot be made", at: .init(file: path), cause: cause)
        }
        if !isNew, !isCheckpoint(path) {
            throw FrameError(
                .output, "this was not made by vfx and is in the way; move it away", at: .init(file: path))
        }
        return isNew
    }

    /// Whether a folder is a checkpoint's, or empty.
    static func isCheckpoint(_ path: String) -> Bool {
        guard let names = LocalFile.names(in: path) else { return false }
        return names.isEmpty || names.contains("lock") || names.contains("manifest.json")
    }
}
