internal import Foundation

/// Memory of this process.
enum ProcessMemory {
    /// The most resident memory so far, in KiB; nil where the system does not tell.
    static var peakKiB: Int? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { Int($0.split(whereSeparator: \.isWhitespace)[1]) }
    }
}
