internal import Foundation

/// Reads numbers from bytes, one after another, and never beyond their end.
struct LittleEndianReader {
    private var rest: Data

    init(_ data: Data) { rest = data }

    mutating func next<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        guard let number = peek(type) else { return nil }
        rest = rest.dropFirst(MemoryLayout<Number>.size)
        return number
    }

    func peek<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        guard rest.count >= MemoryLayout<Number>.size else { return nil }
        return rest.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(as: Number.self)) }
    }

    /// The next `count` bytes, or as many as there are.
    mutating func next(count: Int) -> Data {
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}

extension Data {
    mutating func appendLittleEndian(_ number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}

/// The checksum of PNG and ISO 3309: polynomial 0xEDB88320, reflected, all ones before and after.
enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }

    static func of(_ data: Data) -> UInt32 {
        ~data.reduce(~UInt32(0)) { sum, byte in sum >> 8 ^ table[Int((sum ^ UInt32(byte)) & 255)] }
    }
}
