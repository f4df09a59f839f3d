import CLibAV
import FrameCore
import Glibc

/// Where an output goes while it is written and how it gets its name at the end.
///
/// Files are written as `<name>.part` beside their final place and renamed when complete; pipes, devices and addresses
/// are written directly. Of two runs that write one file the second is refused.
final class OutputTarget {
    static let partSuffix = ".part"

    /// As the user gave it.
    let output: String
    /// What libavformat opens.
    let url: String
    let isSeekable: Bool
    private let part: String?
    private let final: String
    private let overwrites: Bool
    /// Held from the claim to the end.
    private let lock = Lock<OutputLock?>(nil)

    /// - Throws: `FrameError` when the output exists and may not be replaced, is the input, or cannot be placed.
    init(_ output: String, input: String?, overwrites: Bool) throws(FrameError) {
        self.output = output
        self.overwrites = overwrites
        final = LocalFile.path(output)
        let location = FrameError.Location(file: output)
        guard !output.isEmpty else { throw FrameError(.output, "the output's name is empty") }
        if output == "-" || output.hasPrefix("pipe:") {
            (url, isSeekable, part) = (output == "-" ? "pipe:1" : output, false, nil)
            return
        }
        if output.contains("://") {
            (url, isSeekable, part) = (output, false, nil)
            return
        }
        let existing = LocalFile(final)
        if let input {
            let source = LocalFile(input)?.identity
            if let source, source == existing?.identity || source == LocalFile(final + Self.partSuffix)?.identity {
                throw FrameError(.output, "the output is the input itself; give it another name", at: location)
            }
        }
        if let existing, existing.isDirectory {
            throw FrameError(.output, "this is a directory; name a file in it", at: location)
        }
        if let existing, !existing.isRegular {
            (url, isSeekable, part) = ("file:" + final, false, nil)
            return
        }
        if existing != nil, !overwrites { throw Self.existsAlready(location) }
        try Self.requireDirectory(of: final, at: location)
        part = final + Self.partSuffix
        url = "file:" + final + Self.partSuffix
        isSeekable = true
    }

    /// Where a file is written, for whoever opens it without libavformat; nil for what is no file.
    var path: String? {
        if output == "-" { return "/dev/stdout" }
        return url.hasPrefix("file:") ? String(url.dropFirst(5)) : nil
    }

    /// Claims the output for this run, before anything is written; harmless when it has been claimed.
    ///
    /// - Throws: `FrameError` when another run is writing it or it cannot be created.
    func claim() throws(FrameError) {
        guard let part, lock.withLock({ $0 == nil }) else { return }
        let claimed = try OutputLock(file: part, output: output)
        lock.withLock { $0 = claimed }
        // Another run may have come to its end since the name was checked.
        guard overwrites || LocalFile(final) == nil else {
            discard()
            throw Self.existsAlready(.init(file: output))
        }
    }

    private static func existsAlready(_ location: FrameError.Location) -> FrameError {
        FrameError(.output, "the output exists already; --overwrite replaces it", at: location)
    }

    /// Sees what was written safely on disk; does nothing for pipes, devices and addresses. A file that has vanished is told
    /// of when it should get its name.
    func sync() throws(FrameError) {
        guard let part else { return }
        let file = Glibc.open(part, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return }
            throw FrameError(.output, "the output cannot be opened", at: .init(file: output), cause: SystemError.last)
        }
        defer { close(file) }
        // Some file systems have no such thing.
        guard fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP else { throw writeError(-errno, output) }
    }

    /// Sees the folder safely on disk in which the output has got its name; the name stands without that too.
    func syncDirectory() {
        if part != nil { try? LocalFile.syncDirectory(of: final) }
    }

    /// Gives the complete output its name.
    func publish() throws(FrameError) {
        guard let part else { return }
        // Whoever abandons the output waits meanwhile.
        let failure = lock.withLock { lock in
            let failure = giveName(from: part, to: final, overwrites: overwrites)
            if failure == nil { lock = nil }
            return failure
        }
        guard let failure else { return }
        discard()
        if failure.number == EEXIST { throw Self.existsAlready(.init(file: output)) }
        throw FrameError(
            .output, "the finished output cannot be given its name", at: .init(file: output), cause: failure)
    }

    /// Removes what was written so far; what another run writes stays.
    func discard() {
        abandon()
        lock.withLock { $0 = nil }
    }

    /// Like ``discard()``, from any thread and while the output is being written.
    func abandon() {
        guard let part else { return }
        lock.withLock { if $0 != nil { unlink(part) } }
    }

    static func requireDirectory(of path: String, at location: FrameError.Location) throws(FrameError) {
        let directory = LocalFile.directory(of: path)
        guard let found = LocalFile(directory), found.isDirectory else {
            throw FrameError(.output, "there is no directory \(directory)", at: location)
        }
        guard access(directory, W_OK | X_OK) == 0 else {
            throw FrameError(
                .output, "the directory \(directory) cannot be written to", at: location, cause: SystemError.last)
        }
    }
}

/// Renames a finished file.
///
/// - Parameter overwrites: whether another file of that name is replaced.
/// - Returns: what failed; nil when it is done.
func giveName(from part: String, to final: String, overwrites: Bool) -> SystemError? {
    if overwrites { return rename(part, final) == 0 ? nil : .last }
    if vfx_rename_new(part, final) == 0 { return nil }
    let unsupported: Set<Int32> = [ENOSYS, EINVAL, ENOTSUP, EPERM]
    guard unsupported.contains(errno) else { return .last }
    // Another name for the file is new as well, or refused.
    if link(part, final) == 0 {
        unlink(part)
        return nil
    }
    guard unsupported.contains(errno) else { return .last }
    // Some file systems know neither.
    if LocalFile(final) != nil { return SystemError(number: EEXIST) }
    return rename(part, final) == 0 ? nil : .last
}

/// Words a failed write.
func writeError(_ number: Int32, _ output: String, time: MediaTime? = nil) -> FrameError {
    let error = LibAVError(number: number)
    let message =
        error.isNoSpace
        ? "the disk is full"
        : error.isBrokenPipe ? "whoever reads the output has gone away" : "the output cannot be written"
    return FrameError(.output, message, at: .init(file: output, time: time), cause: error)
}

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
