internal import Foundation

/// The memory use of this process and the limits set by the system.
package enum ProcessMemory {
    /// The peak resident memory in KiB; nil if the system does not report it.
    package static var peakKiB: Int? { status("VmHWM:") }

    /// The resident memory in KiB; nil if the system does not report it.
    package static var residentKiB: Int? { status("VmRSS:") }

    private static func status(_ name: String) -> Int? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
        return line.flatMap { Int($0.split(whereSeparator: \.isWhitespace)[1]) }
    }

    /// The bytes that the process has read from files so far; nil if the system does not report it.
    package static var bytesRead: Int? {
        guard let counts = try? String(contentsOfFile: "/proc/self/io", encoding: .utf8) else { return nil }
        return counts.split(separator: "\n").first { $0.hasPrefix("rchar:") }.flatMap { Int($0.dropFirst(7)) }
    }
}

// MARK: - Control groups

extension ProcessMemory {
    /// Returns the lowest memory limit of the process's control groups (version 1 or 2) in bytes; nil if there is none.
    ///
    /// - Parameters:
    ///   - groups: the contents of `/proc/self/cgroup`.
    ///   - read: returns the contents of a file; nil if it does not exist.
    package static func controlGroupLimit(groups: String, read: (String) -> String?) -> Int? {
        files(groups).compactMap(read).compactMap(limit).min()
    }

    /// Returns the files that may hold a limit for the process: of its groups, of their parents, and of the root, under
    /// which a container sees its own.
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

    /// Parses a limit; version 1 represents "no limit" by a huge number, version 2 by a word.
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
    /// The limit, in bytes, above which there is no need to save address space.
    private static let narrow = 4 << 30

    /// The limit on the address space (`RLIMIT_AS`, `ulimit -v`) in bytes; nil without one.
    package static let addressSpaceLimit: Int? = {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur < UInt64(Int.max) else {
            return nil
        }
        return Int(limit.rlim_cur)
    }()

    /// Uses one heap instead of one per thread: what one heap has free cannot be used by the threads of another, and each
    /// reserves 64 MiB of address space. If that is limited, the stacks of codec threads also become smaller than the
    /// usual 8 MiB.
    ///
    /// Must be called before any thread is started.
    package static func reserveLess() {
        // Looked up at run time: no header visible to Swift declares the two functions, and other C libraries lack
        // them.
        if getenv("MALLOC_ARENA_MAX") == nil, let symbol = dlsym(nil, "mallopt") {
            _ = unsafeBitCast(symbol, to: (@convention(c) (Int32, Int32) -> Int32).self)(arenaMaximum, 1)
        }
        guard let addressSpaceLimit, addressSpaceLimit < narrow else { return }
        var attributes = pthread_attr_t()
        guard let symbol = dlsym(nil, "pthread_setattr_default_np"), pthread_attr_init(&attributes) == 0 else { return }
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stackSize)
        _ = unsafeBitCast(symbol, to: (@convention(c) (UnsafePointer<pthread_attr_t>) -> Int32).self)(&attributes)
    }
}
