import CLibAV
package import FrameCore
import Glibc

/// A packet in a segment file; times are in ticks of the encoder's time base.
package struct SegmentPacket: Hashable {
    package var presentationTime: Int64
    package var duration: Int64
    /// libavcodec's packet flags.
    package var flags: Int32
    package var bytes: [UInt8]
    /// What Matroska stores beside the packet, such as the alpha of VP9; empty for none.
    package var addition: [UInt8]

    package init(
        presentationTime: Int64, duration: Int64, flags: Int32, bytes: [UInt8], addition: [UInt8] = []
    ) {
        self.addition = addition
        self.presentationTime = presentationTime
        self.duration = duration
        self.flags = flags
        self.bytes = bytes
    }

    /// Copies everything to an empty libavcodec packet, except for the decoding time, which is not stored.
    func fill(_ packet: UnsafeMutablePointer<AVPacket>) throws(FrameError) {
        try check(av_new_packet(packet, Int32(clamping: bytes.count)), .allocation, "no memory for a packet")
        bytes.withUnsafeBytes {
            guard let from = $0.baseAddress else { return }
            packet.pointee.data.update(from: from.assumingMemoryBound(to: UInt8.self), count: $0.count)
        }
        packet.pointee.pts = presentationTime
        packet.pointee.duration = duration
        packet.pointee.flags = flags
        guard !addition.isEmpty else { return }
        guard
            let place = av_packet_new_side_data(packet, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, addition.count)
        else { throw FrameError(.allocation, "no memory for a packet") }
        place.update(from: addition, count: addition.count)
    }
}

/// The file of a finished segment: all packets of the encoder that was opened for it.
///
/// | bytes | contents, little-endian |
/// |---|---|
/// | 8 | `vfxseg`, 0, version 1 |
/// | 4 + n | length of the codec's extradata (UInt32), and its bytes |
/// | 24 + n | for each packet in decoding order: its length (UInt32), flags (Int32), presentation time and duration (Int64), and its bytes; with ``additionFlag`` the addition and its length (UInt32) are the last of them |
/// | 8 | 0xFFFFFFFF, number of packets (UInt32) |
enum SegmentFile {
    static let magic: [UInt8] = Array("vfxseg".utf8) + [0, 1]
    static let endMark = UInt32.max
    /// The flag of packets with an addition; libavcodec has no such flag.
    static let additionFlag: Int32 = 1 << 30
    /// Largest packet and largest extradata, in bytes.
    static let largestPacket = 1 << 30
    static let largestHeader = 1 << 20
}

/// Writes a segment file.
package final class SegmentFileWriter {
    private let file: UnsafeMutablePointer<FILE>
    private let path: String
    private var isOpen = true
    private(set) var packetCount = 0
    package private(set) var byteCount = 0
    private var sum = CRC32()

    package init(_ path: String, header: [UInt8]) throws(FrameError) {
        self.path = path
        guard let file = fopen(path, "wb") else {
            throw FrameError(.output, "the segment cannot be created", at: .init(file: path), cause: SystemError.last)
        }
        self.file = file
        var head = ByteWriter()
        head.raw(SegmentFile.magic)
        head.little(UInt32(header.count))
        head.raw(header)
        try write(head)
    }

    deinit { close() }

    package var checksum: UInt32 { sum.value }

    package func append(
        presentationTime: Int64, duration: Int64, flags: Int32, bytes: UnsafeRawBufferPointer,
        addition: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
    ) throws(FrameError) {
        var head = ByteWriter(), end = ByteWriter()
        if !addition.isEmpty {
            end.raw(Array(addition))
            end.little(UInt32(addition.count))
        }
        head.little(UInt32(bytes.count + end.bytes.count))
        head.little(addition.isEmpty ? flags : flags | SegmentFile.additionFlag)
        head.little(presentationTime)
        head.little(duration)
        try write(head)
        try write(bytes)
        if !addition.isEmpty { try write(end) }
        packetCount += 1
    }

    /// Completes the file and flushes it to disk.
    package func finish() throws(FrameError) {
        var end = ByteWriter()
        end.little(SegmentFile.endMark)
        end.little(UInt32(packetCount))
        try write(end)
        guard fflush(file) == 0, fsync(fileno(file)) == 0 else { throw failure() }
        isOpen = false
        guard fclose(file) == 0 else { throw failure() }
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        fclose(file)
    }

    private func write(_ fields: ByteWriter) throws(FrameError) {
        guard fields.bytes.withUnsafeBytes(put) else { throw failure() }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws(FrameError) {
        guard put(bytes) else { throw failure() }
    }

    private func put(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard fwrite(bytes.baseAddress, 1, bytes.count, file) == bytes.count else { return false }
        sum.add(bytes)
        byteCount += bytes.count
        return true
    }

    private func failure() -> FrameError { writeError(-errno, path) }
}

/// Reads a segment file packet by packet, and validates everything in it.
package final class SegmentFileReader {
    private let file: UnsafeMutablePointer<FILE>
    private let path: String
    private let size: Int
    private let start: Int
    private var place: Int
    private var count = 0
    /// The codec's extradata.
    package let header: [UInt8]

    package init(_ path: String) throws(FrameError) {
        self.path = path
        guard let found = LocalFile(path), found.isRegular, let file = fopen(path, "rb") else {
            throw FrameError(.input, "the segment cannot be read", at: .init(file: path), cause: SystemError.last)
        }
        self.file = file
        size = Int(found.size)
        let head = Self.read(12, from: file)
        guard let head, Array(head[..<8]) == SegmentFile.magic,
            let length = ByteReader(head).little(8, as: UInt32.self), length <= SegmentFile.largestHeader,
            12 + Int(length) <= size, let header = Self.read(Int(length), from: file)
        else {
            fclose(file)
            throw FrameError(.decode, "this is not a finished segment", at: .init(file: path))
        }
        self.header = header
        start = 12 + Int(length)
        place = start
    }

    deinit { fclose(file) }

    /// Returns the presentation times of all packets in ascending order, and rewinds to the first packet.
    package func presentationTimes() throws(FrameError) -> [Int64] {
        var times: [Int64] = []
        while let packet = try nextHead() {
            times.append(packet.time)
            guard fseek(file, packet.length, SEEK_CUR) == 0 else { throw damage() }
            place += packet.length
        }
        guard fseek(file, start, SEEK_SET) == 0 else { throw damage() }
        (place, count) = (start, 0)
        return times.sorted()
    }

    /// Returns the next packet in decoding order; nil after the last.
    package func next() throws(FrameError) -> SegmentPacket? {
        guard let head = try nextHead() else { return nil }
        guard let bytes = Self.read(head.length, from: file) else { throw damage() }
        place += head.length
        var packet = SegmentPacket(
            presentationTime: head.time, duration: head.duration, flags: head.flags, bytes: bytes)
        guard head.flags & SegmentFile.additionFlag != 0 else { return packet }
        let end = bytes.count - 4
        guard let length = ByteReader(bytes).little(end, as: UInt32.self).map(Int.init), length <= end else {
            throw damage()
        }
        packet.flags &= ~SegmentFile.additionFlag
        packet.addition = Array(bytes[end - length..<end])
        packet.bytes.removeLast(length + 4)
        return packet
    }

    private func nextHead() throws(FrameError) -> (length: Int, flags: Int32, time: Int64, duration: Int64)? {
        guard let head = Self.read(8, from: file).map(ByteReader.init),
            let length = head.little(0, as: UInt32.self), let flags = head.little(4, as: Int32.self)
        else { throw damage() }
        place += 8
        if length == SegmentFile.endMark {
            guard flags == count, place == size else { throw damage() }
            return nil
        }
        guard length <= SegmentFile.largestPacket, place + 16 + Int(length) <= size,
            let times = Self.read(16, from: file).map(ByteReader.init), let time = times.little(0, as: Int64.self),
            let duration = times.little(8, as: Int64.self)
        else { throw damage() }
        place += 16
        count += 1
        return (Int(length), flags, time, duration)
    }

    private func damage() -> FrameError {
        FrameError(.decode, "the kept segment is damaged", at: .init(file: path))
    }

    private static func read(_ count: Int, from file: UnsafeMutablePointer<FILE>) -> [UInt8]? {
        // Making an empty array this way writes to storage that all empty arrays share.
        guard count > 0 else { return [] }
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = fread(buffer.baseAddress, 1, count, file)
        }
        return bytes.count == count ? bytes : nil
    }
}
