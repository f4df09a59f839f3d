import CLibAV
package import FrameCore
import Glibc

/// Bytes that can be opened by a path, without touching a disk.
package final class MemoryFile {
    private let descriptor: Int32
    /// Good for as long as the file is.
    package var path: String { "/proc/self/fd/\(descriptor)" }

    /// - Throws: `FrameError` when memory is short.
    package init(_ bytes: [UInt8]) throws(FrameError) {
        descriptor = vfx_memory_file("picture")
        guard descriptor >= 0 else {
            throw FrameError(.allocation, "no memory for a picture file", cause: SystemError.last)
        }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                write(descriptor, $0.baseAddress.map { $0 + written }, $0.count - written)
            }
            guard count > 0 else {
                close(descriptor)
                throw FrameError(.allocation, "no memory for a picture file", cause: SystemError.last)
            }
            written += count
        }
    }

    deinit { close(descriptor) }
}
