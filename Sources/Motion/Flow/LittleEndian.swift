internal import FrameCore

/// Reads numbers from bytes, one after another, and never beyond their end.
struct LittleEndianReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    mutating func next<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        guard let number = peek(type) else { return nil }
        position += MemoryLayout<Number>.size
        return number
    }

    func peek<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        guard bytes.count - position >= MemoryLayout<Number>.size else { return nil }
        return bytes.withUnsafeBytes {
            Number(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: Number.self))
        }
    }

    /// The next `count` bytes, or as many as there are.
    mutating func next(count: Int) -> ArraySlice<UInt8> {
        let taken = bytes[position...].prefix(count)
        position += taken.count
        return taken
    }
}

/// Writes numbers one after another into bytes whose count is known from the start.
struct LittleEndianWriter {
    private(set) var bytes: [UInt8]
    private var position = 0

    /// - Parameter count: of all the bytes that will be written.
    init(count: Int) { bytes = Array(repeating: 0, count: count) }

    mutating func append<Number: FixedWidthInteger>(_ number: Number) {
        bytes.withUnsafeMutableBytes {
            $0.storeBytes(of: number.littleEndian, toByteOffset: position, as: Number.self)
        }
        position += MemoryLayout<Number>.size
    }

    /// The checksum of what has been written so far.
    var checksum: UInt32 { CRC32.of(bytes[..<position]) }
}
