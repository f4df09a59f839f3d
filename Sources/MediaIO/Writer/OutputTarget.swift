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

    /// Sees what was written safely on disk; does nothing for pipes, devices and addresses.
    func sync() throws(FrameError) {
        if let part { try Self.sync(part, output) }
    }

    /// Sees the folder safely on disk in which the output has got its name; the name stands without that too.
    func syncDirectory() {
        if part != nil { try? Self.sync(Self.directory(of: final), output) }
    }

    /// A file that has vanished is told of when it should get its name.
    private static func sync(_ path: String, _ output: String) throws(FrameError) {
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return }
            throw FrameError(.output, "the output cannot be opened", at: .init(file: output), cause: SystemError.last)
        }
        defer { close(file) }
        // Some file systems have no such thing.
        guard fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP else { throw writeError(-errno, output) }
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
        let directory = Self.directory(of: path)
        guard let found = LocalFile(directory), found.isDirectory else {
            throw FrameError(.output, "there is no directory \(directory)", at: location)
        }
        guard access(directory, W_OK | X_OK) == 0 else {
            throw FrameError(
                .output, "the directory \(directory) cannot be written to", at: location, cause: SystemError.last)
        }
    }

    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
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
