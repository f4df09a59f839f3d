/// The memory that control groups allow a process, by what the kernel shows of either version of them.
package enum ControlGroups {
    /// The lowest limit in bytes; nil without one.
    ///
    /// - Parameters:
    ///   - groups: the text of `/proc/self/cgroup`.
    ///   - read: gives the text of a file; nil where there is none.
    package static func memoryLimit(groups: String, read: (String) -> String?) -> Int? {
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
