import CLibAV
import Glibc

/// A record in a finished file of the job that made it: an extended attribute, which changes no byte of the file and stays
/// with it when it is renamed or moved.
///
/// It also holds the size and the modification time, so it no longer counts once somebody has changed the file. File
/// systems without extended attributes keep none.
package struct OutputRecord: Hashable {
    private static let attribute = "user.vfx.job", version = 1

    /// Identifies the job; without spaces.
    package var job: String
    /// Whether part of the input was damaged.
    package var isDamaged: Bool

    package init(job: String, isDamaged: Bool) {
        self.job = job
        self.isDamaged = isDamaged
    }

    /// Reads the record of the file at `path`; nil if there is none or the file has changed since.
    package init?(of path: String) {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = vfx_read_attribute(path, Self.attribute, &bytes, UInt(bytes.count))
        guard count > 0, let state = Self.state(path) else { return nil }
        let words = String(decoding: bytes[..<count], as: UTF8.self).split(separator: " ")
        guard words.count == 5, Int(words[0]) == Self.version, words[3...].joined(separator: " ") == state else {
            return nil
        }
        self.init(job: String(words[1]), isDamaged: words[2] == "damaged")
    }

    /// Attaches the record to the file at `path`; does nothing where the file system does not allow it.
    package func write(to path: String) {
        guard let state = Self.state(path) else { return }
        let text = Array("\(Self.version) \(job) \(isDamaged ? "damaged" : "whole") \(state)".utf8)
        _ = vfx_write_attribute(path, Self.attribute, text, UInt(text.count))
    }

    /// The size and the modification time of a file; nil if it is not a regular file.
    private static func state(_ path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return "\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }
}
