import CLibAV
import FrameCore
import Glibc

/// Where an output is written, and how it gets its name when it is complete.
///
/// Files are written as `<name>.part` in the same directory and renamed when complete. Pipes, devices and URLs are
/// written directly. A lock prevents two runs from writing the same file: the second one fails.
final class OutputTarget {
    private static let partSuffix = ".part"

    /// Returns the path to which a file or folder is written until it is complete.
    static func part(of path: String) -> String { LocalFile.companion(of: path, suffix: partSuffix) }

    /// The output's name as the user gave it.
    let output: String
    /// The URL that libavformat opens.
    let url: String
    let isSeekable: Bool
    private let part: String?
    private let final: String
    private let overwrites: Bool
    /// Held from ``claim()`` until the output is published or discarded.
    private let lock = Lock<OutputLock?>(nil)

    /// - Throws: `FrameError` when the output exists and may not be replaced, is the input, or cannot be created there.
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
            if let source, source == existing?.identity || source == LocalFile(Self.part(of: final))?.identity {
                throw FrameError(.output, "the output is the input itself; give it another name", at: location)
            }
        }
        if let existing, existing.isDirectory {
            throw FrameError(.output, "this is a directory; specify a file in it", at: location)
        }
        if let existing, !existing.isRegular {
            (url, isSeekable, part) = ("file:" + final, false, nil)
            return
        }
        if existing != nil, !overwrites { throw Self.existsAlready(location) }
        try Self.requireDirectory(of: final, at: location)
        part = Self.part(of: final)
        url = "file:" + Self.part(of: final)
        isSeekable = true
    }

    /// Writes to a file in memory, which keeps its name.
    init(memory file: MemoryFile) {
        output = file.path
        url = "file:" + file.path
        (isSeekable, part, final, overwrites) = (true, nil, file.path, true)
    }

    /// The path to write to without libavformat; nil for URLs and for pipes other than standard output.
    var path: String? {
        if output == "-" { return "/dev/stdout" }
        return url.hasPrefix("file:") ? String(url.dropFirst(5)) : nil
    }

    /// Claims the output for this run. Call before writing; further calls do nothing.
    ///
    /// - Throws: `FrameError` when another run is writing the output or it cannot be created.
    func claim() throws(FrameError) {
        guard let part, lock.withLock({ $0 == nil }) else { return }
        let claimed = try OutputLock(file: part, output: output)
        lock.withLock { $0 = claimed }
        // Another run may have published its output since the name was checked.
        guard overwrites || LocalFile(final) == nil else {
            discard()
            throw Self.existsAlready(.init(file: output))
        }
    }

    private static func existsAlready(_ location: FrameError.Location) -> FrameError {
        FrameError(.output, "the output already exists; --overwrite replaces it", at: location)
    }

    /// Flushes what was written to disk; does nothing for pipes, devices and URLs.
    ///
    /// A missing file is not reported here, but by ``publish()``.
    func sync() throws(FrameError) {
        guard let part else { return }
        let file = Glibc.open(part, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return }
            throw FrameError(.output, "the output cannot be opened", at: .init(file: output), cause: SystemError.last)
        }
        defer { close(file) }
        // Some file systems do not support fsync.
        guard fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP else { throw writeError(-errno, output) }
    }

    /// Flushes the directory of the published output to disk, so that its new name survives a crash. Errors are
    /// ignored.
    func syncDirectory() {
        if part != nil { try? LocalFile.syncDirectory(of: final) }
    }

    /// Renames the complete output to its final name.
    func publish() throws(FrameError) {
        guard let part else { return }
        // A concurrent abandon() waits until the file has been renamed.
        let failure = lock.withLock { lock in
            let failure = giveName(from: part, to: final, overwrites: overwrites)
            if failure == nil { lock = nil }
            return failure
        }
        guard let failure else { return }
        discard()
        if failure.number == EEXIST { throw Self.existsAlready(.init(file: output)) }
        throw FrameError(
            .output, "the finished output cannot be renamed to its final name", at: .init(file: output),
            cause: failure)
    }

    /// Removes what was written so far, but not what another run is writing.
    func discard() {
        abandon()
        lock.withLock { $0 = nil }
    }

    /// Like ``discard()``, but may be called from any thread while the output is being written.
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
/// - Parameters:
///   - part: path of the finished file.
///   - final: new path of the file.
///   - overwrites: whether an existing file at `final` is replaced.
/// - Returns: the error; nil on success.
func giveName(from part: String, to final: String, overwrites: Bool) -> SystemError? {
    if overwrites { return rename(part, final) == 0 ? nil : .last }
    if vfx_rename_new(part, final) == 0 { return nil }
    let unsupported: Set<Int32> = [ENOSYS, EINVAL, ENOTSUP, EPERM]
    guard unsupported.contains(errno) else { return .last }
    // A hard link also fails if the new name exists.
    if link(part, final) == 0 {
        unlink(part)
        return nil
    }
    guard unsupported.contains(errno) else { return .last }
    // Some file systems support neither.
    if LocalFile(final) != nil { return SystemError(number: EEXIST) }
    return rename(part, final) == 0 ? nil : .last
}

/// Returns the error for a failed write with libav's error number `number`.
func writeError(_ number: Int32, _ output: String, time: MediaTime? = nil) -> FrameError {
    let error = LibAVError(number: number)
    let message =
        error.isNoSpace
        ? "the disk is full"
        : error.isBrokenPipe ? "the program that reads the output has closed the pipe" : "the output cannot be written"
    return FrameError(.output, message, at: .init(file: output, time: time), cause: error)
}

/// An advisory lock on an output's `.part`, so that only one run writes it. The lock ends with the process, even if the
/// process is killed.
///
/// What a killed run leaves behind is therefore not locked and does not block a later run.
final class OutputLock: Sendable {
    private let descriptor: Int32

    /// Locks a file, which is created if it does not exist.
    ///
    /// - Parameters:
    ///   - file: the path of the `.part`.
    ///   - output: the output's name for errors.
    /// - Throws: `FrameError` when another run holds the lock or the file cannot be created.
    convenience init(file: String, output: String) throws(FrameError) {
        try self.init(file, flags: O_RDWR | O_CREAT, output)
    }

    /// Locks an existing folder.
    ///
    /// - Parameters:
    ///   - folder: the path of the `.part`.
    ///   - output: the output's name for errors.
    /// - Throws: `FrameError` when another run holds the lock or the folder cannot be opened.
    convenience init(folder: String, output: String) throws(FrameError) {
        try self.init(folder, flags: O_RDONLY | O_DIRECTORY, output)
    }

    private init(_ path: String, flags: Int32, _ output: String) throws(FrameError) {
        let location = FrameError.Location(file: output)
        // Between open() and flock(), the run that held the lock may rename or remove the file. Links are not followed,
        // since the file that a link points to would be overwritten.
        for _ in 0..<16 {
            let opened = open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o666)
            guard opened >= 0 else {
                throw FrameError(.output, "the output cannot be created", at: location, cause: SystemError.last)
            }
            // Some network file systems do not support locks; the run continues without one.
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

    /// Whether locks can be used: not on SMB shares, where a lock also blocks the process's other descriptors of the
    /// file.
    private static func hasLocks(_ file: Int32) -> Bool { vfx_is_on_smb(file) == 0 }

    private static func isBusy(_ location: FrameError.Location) -> FrameError {
        FrameError(
            .output, "another run is writing this output; wait until it ends or choose another name",
            at: location)
    }
}
