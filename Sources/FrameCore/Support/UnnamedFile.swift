internal import Glibc

/// A temporary file without a name, which disappears when it is released or the process ends.
final class UnnamedFile: Sendable {
    private let descriptor: Int32
    /// The number of bytes that pass to the system at once.
    private static let chunk = 1 << 20

    /// - Parameter folder: the folder whose file system holds the file.
    init(in folder: String) throws(SystemError) {
        var name = Array((folder + "/.vfx-frames-XXXXXX").utf8CString)
        descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw .last }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(name)
    }

    deinit { close(descriptor) }

    /// Writes all samples, row by row, without padding.
    func write(_ buffer: PixelBuffer, at offset: Int64) throws(SystemError) {
        var position = offset
        try buffer.withPlanes { planes throws(SystemError) in
            for index in 0..<planes.count {
                let plane = planes[index]
                let rowBytes = plane.width * buffer.format.bytesPerSample
                var bytes = [UInt8](repeating: 0, count: rowBytes * Self.rows(plane.height, rowBytes))
                var row = 0
                while row < plane.height {
                    let rows = min(plane.height - row, bytes.count / rowBytes)
                    bytes.withUnsafeMutableBytes { target in
                        for y in 0..<rows {
                            UnsafeMutableRawBufferPointer(rebasing: target[y * rowBytes..<(y + 1) * rowBytes])
                                .copyMemory(from: UnsafeRawBufferPointer(start: plane.row(row + y), count: rowBytes))
                        }
                    }
                    try transfer(rows * rowBytes, at: position) { done, count, place in
                        bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress.map { $0 + done }, count, place) }
                    }
                    position += Int64(rows * rowBytes)
                    row += rows
                }
            }
        }
    }

    /// Reads all samples of a buffer as ``write(_:at:)`` has written them.
    func read(_ buffer: inout PixelBuffer, at offset: Int64) throws {
        var position = offset, failure: (any Error)?
        let sampleBytes = buffer.format.bytesPerSample
        try buffer.withOverwrittenPlanes { planes throws(FrameError) in
            do {
                for index in 0..<planes.count {
                    let plane = planes[index]
                    let rowBytes = plane.width * sampleBytes
                    var bytes = [UInt8](repeating: 0, count: rowBytes * Self.rows(plane.height, rowBytes))
                    var row = 0
                    while row < plane.height {
                        let rows = min(plane.height - row, bytes.count / rowBytes)
                        try transfer(rows * rowBytes, at: position) { done, count, place in
                            bytes.withUnsafeMutableBytes {
                                pread(descriptor, $0.baseAddress.map { $0 + done }, count, place)
                            }
                        }
                        bytes.withUnsafeBytes { source in
                            for y in 0..<rows {
                                UnsafeMutableRawBufferPointer(start: plane.row(row + y), count: rowBytes).copyMemory(
                                    from: UnsafeRawBufferPointer(rebasing: source[y * rowBytes..<(y + 1) * rowBytes]))
                            }
                        }
                        position += Int64(rows * rowBytes)
                        row += rows
                    }
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// The number of rows that pass to the system at once.
    private static func rows(_ height: Int, _ rowBytes: Int) -> Int { min(height, max(1, chunk / max(1, rowBytes))) }

    /// Repeats a call until it has transferred all bytes.
    private func transfer(
        _ count: Int, at offset: Int64, _ call: (_ done: Int, _ count: Int, _ place: off_t) -> Int
    ) throws(SystemError) {
        var done = 0
        while done < count {
            let moved = call(done, count - done, off_t(offset) + off_t(done))
            if moved < 0, errno == EINTR { continue }
            guard moved > 0 else { throw moved == 0 ? SystemError(number: EIO) : .last }
            done += moved
        }
    }
}

extension PixelBuffer {
    /// The number of bytes of all samples, without padding.
    package var packedByteCount: Int {
        (0..<format.planeCount).reduce(0) {
            $0 + format.planeWidth($1, width: width) * format.planeHeight($1, height: height) * format.bytesPerSample
        }
    }
}
