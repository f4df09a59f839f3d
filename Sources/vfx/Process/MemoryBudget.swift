internal import Foundation
internal import FrameCore
internal import Pipeline

/// The memory that this process may take where it is limited, and whether a job can do with it.
struct MemoryBudget {
    /// What a job takes besides pictures, in bytes: code, threads' stacks, tables.
    private static let program = 320 << 20
    /// Pictures that a decoder keeps, and those of an encoder that looks least far ahead.
    private static let decoded = 6, encoded = 10

    /// Bytes; nil without a limit.
    let allowed: Int?
    /// Whether the limit counts addresses (`ulimit -v`) and so the program's code too.
    private let countsAddresses: Bool

    /// Limits above this leave an encoder as it is: it is the small machine that needs one that takes less.
    private static let small = 3 << 29

    /// The limit that an encoder's settings must keep; nil for none.
    var forEncoders: Int? { allowed.flatMap { $0 <= Self.small ? $0 : nil } }

    /// The limit on this process and on its control groups, whichever is lowest.
    init() {
        let addresses = ProcessMemory.addressSpaceLimit, group = Self.groupLimit
        countsAddresses = addresses.map { $0 <= group ?? .max } ?? false
        allowed = countsAddresses ? addresses : group
    }

    /// - Parameters:
    ///   - frames: bytes of the frames that the job's stages hold.
    ///   - source: what is decoded.
    ///   - result: what is encoded.
    ///   - file: the input's name for errors.
    /// - Throws: `FrameError` with the bytes that are needed when there are fewer.
    func check(
        frames: Int, source: VideoStreamDescription, result: VideoStreamDescription, file: String
    ) throws(FrameError) {
        guard let allowed else { return }
        let needed =
            frames + Self.decoded * source.bytesPerFrame + Self.encoded * result.bytesPerFrame
            + (countsAddresses ? Self.program : 0)
        guard needed > allowed else { return }
        throw FrameError(
            .allocation,
            "\(source.width)x\(source.height) frames need at least \(needed) bytes of memory, but only \(allowed) are allowed",
            at: .init(file: file))
    }

    private static var groupLimit: Int? {
        func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
        return ProcessMemory.controlGroupLimit(groups: text("/proc/self/cgroup") ?? "", read: text)
    }
}

/// Memory of this process, and the limits that the system sets.
package enum ProcessMemory {
    /// The most resident memory so far, in KiB; nil where the system does not tell.
    static var peakKiB: Int? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { Int($0.split(whereSeparator: \.isWhitespace)[1]) }
    }
}

// MARK: - Control groups

extension ProcessMemory {
    /// The lowest limit of the control groups in bytes, of either version of them; nil without one.
    ///
    /// - Parameters:
    ///   - groups: the text of `/proc/self/cgroup`.
    ///   - read: gives the text of a file; nil where there is none.
    package static func controlGroupLimit(groups: String, read: (String) -> String?) -> Int? {
        files(groups).compactMap(read).compactMap(limit).min()
    }

    /// Where limits for the process may stand: in its groups, in those above, and where a container shows its own as root.
    private static func files(_ groups: String) -> [String] {
        var files: [String] = []
        for line in groups.split(separator: "\n") {
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { continue }
            let names =
                fields[1].isEmpty
                ? ("/sys/fs/cgroup", "memory.max")
                : fields[1] == "memory" ? ("/sys/fs/cgroup/memory", "memory.limit_in_bytes") : nil
            guard let (root, name) = names else { continue }
            var group = fields[2]
            while let slash = group.lastIndex(of: "/") {
                files.append("\(root)\(group)/\(name)")
                group = group[..<slash]
            }
        }
        return files + ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
    }

    /// Version 1 states a huge number for no limit, version 2 a word.
    private static func limit(_ text: String) -> Int? {
        guard let line = text.split(whereSeparator: \.isWhitespace).first, let bytes = Int(line), bytes < 1 << 50 else {
            return nil
        }
        return bytes
    }
}

// MARK: - Address space

extension ProcessMemory {
    private static let arenaMaximum: Int32 = -8
    private static let stackSize = 2 << 20
    /// Where there are more addresses than that, nothing need be saved.
    private static let narrow = 4 << 30

    /// The limit on the address space (`RLIMIT_AS`, `ulimit -v`) in bytes; nil without one.
    static let addressSpaceLimit: Int? = {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur < UInt64(Int.max) else {
            return nil
        }
        return Int(limit.rlim_cur)
    }()

    /// Keeps what is set aside and not used small where addresses are limited: one heap instead of one for each thread
    /// (64 MiB each), and stacks of the codecs' threads that are smaller than the usual 8 MiB.
    ///
    /// To be called before any thread is started.
    static func saveAddressSpace() {
        guard let addressSpaceLimit, addressSpaceLimit < narrow else { return }
        // No header that Swift imports declares the two, and other C libraries lack them.
        if getenv("MALLOC_ARENA_MAX") == nil, let symbol = dlsym(nil, "mallopt") {
            _ = unsafeBitCast(symbol, to: (@convention(c) (Int32, Int32) -> Int32).self)(arenaMaximum, 1)
        }
        var attributes = pthread_attr_t()
        guard let symbol = dlsym(nil, "pthread_setattr_default_np"), pthread_attr_init(&attributes) == 0 else { return }
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stackSize)
        _ = unsafeBitCast(symbol, to: (@convention(c) (UnsafePointer<pthread_attr_t>) -> Int32).self)(&attributes)
    }
}
