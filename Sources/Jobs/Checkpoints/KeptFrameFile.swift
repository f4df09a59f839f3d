internal import Foundation
package import FrameCore
internal import Glibc

/// The file of what a worker keeps of its frames for thumbnails and storyboards: a description of every frame, and the
/// samples of a few.
///
/// | bytes | contents, little-endian |
/// |---|---|
/// | 8 | `vfxkept`, version 2 |
/// | 13 + n + m | for each entry: 1 for a description or 2 for samples (UInt8), length of the head (UInt32), length of the body (UInt64), the head as JSON, the body |
/// | 13 | 0 as kind and lengths |
///
/// The samples are those of all planes, row by row without padding.
enum KeptFrameFile {
    static let name = Array("vfxkept".utf8)
    static let version: UInt8 = 2
    static let magic = name + [version]
    static let largestHead = 4 << 20
    static let largestBody: UInt64 = 1 << 31
    enum Kind: UInt8 { case end, description, samples }
}

/// Writes such a file.
package final class KeptFrameWriter {
    /// The path of the file.
    package let path: String
    private let file: UnsafeMutablePointer<FILE>
    private var isOpen = true
    private var sum = CRC32()
    /// The number of bytes written so far.
    package private(set) var byteCount = 0
    /// The CRC-32 of what has been written so far.
    package var checksum: UInt32 { sum.value }

    package init(_ path: String) throws(FrameError) {
        guard let file = fopen(path, "wbx") else {
            throw FrameError(.output, "the frames cannot be kept", at: .init(file: path), cause: SystemError.last)
        }
        (self.path, self.file) = (path, file)
        try put(KeptFrameFile.magic)
    }

    deinit { close() }

    /// Appends the description of the next frame.
    package func append(_ frame: Frame, description: [UInt8]) throws {
        try begin(.description, JSONEncoder().encode(FrameHeader(frame)), description.count)
        try put(description)
    }

    /// Appends the samples of a frame, in any order.
    package func append(samplesOf frame: Frame) throws {
        let buffer = frame.buffer, bytes = buffer.format.bytesPerSample
        try begin(.samples, JSONEncoder().encode(FrameHeader(frame)), buffer.packedByteCount)
        try buffer.withPlanes { planes throws(FrameError) in
            for index in 0..<planes.count {
                let plane = planes[index]
                for row in 0..<plane.height {
                    try put(UnsafeRawBufferPointer(start: plane.row(row), count: plane.width * bytes))
                }
            }
        }
    }

    /// Completes the file and flushes it to disk.
    package func finish() throws {
        try begin(.end, Data(), 0)
        let isFlushed = fflush(file) == 0 && fsync(fileno(file)) == 0
        let failure = failure()
        isOpen = false
        guard fclose(file) == 0, isFlushed else { throw failure }
    }

    package func close() {
        guard isOpen else { return }
        isOpen = false
        fclose(file)
    }

    private func begin(_ kind: KeptFrameFile.Kind, _ head: Data, _ size: Int) throws(FrameError) {
        var writer = ByteWriter()
        writer.little(kind.rawValue)
        writer.little(UInt32(head.count))
        writer.little(UInt64(size))
        writer.raw(head)
        try put(writer.bytes)
    }

    private func put(_ bytes: [UInt8]) throws(FrameError) {
        let isWritten = bytes.withUnsafeBytes { write($0) }
        guard isWritten else { throw failure() }
    }

    private func put(_ bytes: UnsafeRawBufferPointer) throws(FrameError) {
        guard write(bytes) else { throw failure() }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard fwrite(bytes.baseAddress, 1, bytes.count, file) == bytes.count else { return false }
        sum.add(bytes)
        byteCount += bytes.count
        return true
    }

    private func failure() -> FrameError {
        let cause = SystemError.last
        return FrameError(
            .output, cause.number == ENOSPC ? "the disk is full" : "the frames cannot be kept", at: .init(file: path),
            cause: cause)
    }
}

/// Reads such a file, and validates everything in it.
package final class KeptFrameReader {
    private let file: UnsafeMutablePointer<FILE>
    private let path: String

    package init(_ path: String) throws(FrameError) {
        guard let file = fopen(path, "rb") else {
            throw FrameError(.input, "the kept frames cannot be read", at: .init(file: path), cause: SystemError.last)
        }
        (self.path, self.file) = (path, file)
        guard let magic = read(KeptFrameFile.magic.count), magic.starts(with: KeptFrameFile.name)
        else { throw damage() }
        guard magic == KeptFrameFile.magic else {
            throw FrameError(
                .decode,
                """
                the kept frames have version \(magic.last ?? 0); this program reads version \(KeptFrameFile.version): \
                process the segment again
                """, at: .init(file: path))
        }
    }

    deinit { fclose(file) }

    /// Returns the places of all stored samples in the file, by the time of their frames, and rewinds.
    package func places() throws(FrameError) -> [(time: MediaTime, offset: Int)] {
        var places: [(time: MediaTime, offset: Int)] = []
        while true {
            let offset = ftell(file)
            let (kind, head, size) = try begin()
            guard let head else { break }
            if kind == .samples { places.append((head.time, offset)) }
            guard fseek(file, size, SEEK_CUR) == 0 else { throw damage() }
        }
        guard fseek(file, KeptFrameFile.magic.count, SEEK_SET) == 0 else { throw damage() }
        return places
    }

    /// Returns the description of the next frame; nil after the last.
    package func next() throws(FrameError) -> (head: FrameHeader, description: [UInt8])? {
        while true {
            let (kind, head, size) = try begin()
            guard let head else { return nil }
            if kind == .description {
                guard let bytes = read(size) else { throw damage() }
                return (head, bytes)
            }
            guard fseek(file, size, SEEK_CUR) == 0 else { throw damage() }
        }
    }

    /// Returns the frame whose samples are at a place that ``places()`` has returned. ``next()`` continues where it was.
    package func frame(at offset: Int) throws(FrameError) -> Frame {
        let place = ftell(file)
        guard fseek(file, offset, SEEK_SET) == 0 else { throw damage() }
        let (kind, head, size) = try begin()
        guard kind == .samples, let head else { throw damage() }
        var buffer = try head.makeBuffer()
        let bytes = buffer.format.bytesPerSample
        var left = size
        try buffer.withOverwrittenPlanes { planes throws(FrameError) in
            for index in 0..<planes.count {
                let plane = planes[index]
                for row in 0..<plane.height {
                    let count = plane.width * bytes
                    guard left >= count, fread(plane.row(row), 1, count, file) == count else { throw damage() }
                    left -= count
                }
            }
        }
        guard left == 0, fseek(file, place, SEEK_SET) == 0 else { throw damage() }
        return head.frame(buffer)
    }

    private func begin() throws(FrameError) -> (kind: KeptFrameFile.Kind, head: FrameHeader?, size: Int) {
        guard let bytes = read(13) else { throw damage() }
        var fields = ByteReader(bytes)
        guard let kind = fields.nextLittle(UInt8.self).flatMap(KeptFrameFile.Kind.init),
            let length = fields.nextLittle(UInt32.self), length <= KeptFrameFile.largestHead,
            let size = fields.nextLittle(UInt64.self), size <= KeptFrameFile.largestBody
        else { throw damage() }
        if kind == .end { return (kind, nil, 0) }
        guard let json = read(Int(length)), let head = try? JSONDecoder().decode(FrameHeader.self, from: Data(json))
        else { throw damage() }
        return (kind, head, Int(size))
    }

    private func read(_ count: Int) -> [UInt8]? {
        guard count > 0 else { return [] }
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = fread(buffer.baseAddress, 1, count, file)
        }
        return bytes.count == count ? bytes : nil
    }

    private func damage() -> FrameError {
        FrameError(.decode, "the file of kept frames is damaged", at: .init(file: path))
    }
}
