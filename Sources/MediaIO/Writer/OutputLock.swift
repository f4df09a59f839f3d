import CLibAV
import FrameCore
import Glibc

/// Says that this run and no other writes an output: an advisory lock on its `.part`, which ends with the process however
/// that ends.
///
/// What a killed run left behind is not locked and so is in no run's way.
final class OutputLock: Sendable {
    private let descriptor: Int32

    /// Locks a file, which is made where it is missing.
    ///
    /// - Parameters:
    ///   - file: the path of the `.part`.
    ///   - output: the output's name for errors.
    /// - Throws: `FrameError` when another run holds it or it cannot be created.
    convenience init(file: String, output: String) throws(FrameError) {
        try self.init(file, flags: O_RDWR | O_CREAT, output)
    }

    /// Locks a folder that is there.
    ///
    /// - Parameters:
    ///   - folder: the path of the `.part`.
    ///   - output: the output's name for errors.
    /// - Throws: `FrameError` when another run holds it or it cannot be opened.
    convenience init(folder: String, output: String) throws(FrameError) {
        try self.init(folder, flags: O_RDONLY | O_DIRECTORY, output)
    }

    private init(_ path: String, flags: Int32, _ output: String) throws(FrameError) {
        let location = FrameError.Location(file: output)
        // The run that held it may give the file its name, or remove it, between the two calls. A link is not followed: what
        // it names would be emptied.
        for _ in 0..<16 {
            let opened = open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o666)
            guard opened >= 0 else {
                throw FrameError(.output, "the output cannot be created", at: location, cause: SystemError.last)
            }
            // Some network file systems have no locks: there the run goes on without.
            if Self.hasLocks(opened), flock(opened, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
                close(opened)
                throw Self.isBusy(location)
            }
            var own = stat(), named = stat()
            if fstat(opened, &own) == 0, stat(path, &named) == 0, own.st_ino == named.st_ino,
                own.st_dev == named.st_dev
            {
                descriptor = opened
                return
            }
            close(opened)
        }
        throw Self.isBusy(location)
    }

    deinit { close(descriptor) }

    /// On shares of the SMB protocol a lock bars the process itself from what it has opened besides.
    private static func hasLocks(_ file: Int32) -> Bool { vfx_is_on_smb(file) == 0 }

    private static func isBusy(_ location: FrameError.Location) -> FrameError {
        FrameError(
            .output, "another run is writing this output at the moment; wait for its end or choose another name",
            at: location)
    }
}
