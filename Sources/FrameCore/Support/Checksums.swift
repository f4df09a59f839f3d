/// The checksum of PNG and ISO 3309: polynomial 0xEDB88320, reflected, all ones before and after.
package struct CRC32: Sendable, Hashable {
    /// What a byte at each of four places adds ("slicing", Kounavis and Berry 2005).
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 4 * 256)
        for byte in 0..<256 {
            tables[byte] = (0..<8).reduce(UInt32(byte)) { value, _ in
                value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
            }
        }
        for place in 256..<tables.count {
            let before = tables[place - 256]
            tables[place] = before >> 8 ^ tables[Int(before & 255)]
        }
        return tables
    }()

    private var sum = ~UInt32(0)

    /// Of nothing.
    package init() {}

    /// Of what was added so far.
    package var value: UInt32 { ~sum }

    /// Goes on with more bytes.
    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        sum = Self.tables.withUnsafeBufferPointer { [sum] tables in
            var sum = sum, place = 0
            while place + 4 <= bytes.count {
                sum ^= bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self).littleEndian
                sum =
                    tables[768 + Int(sum & 255)] ^ tables[512 + Int(sum >> 8 & 255)]
                    ^ tables[256 + Int(sum >> 16 & 255)]
                    ^ tables[Int(sum >> 24)]
                place += 4
            }
            while place < bytes.count {
                sum = sum >> 8 ^ tables[Int((sum ^ UInt32(bytes[place])) & 255)]
                place += 1
            }
            return sum
        }
    }

    /// Of bytes that are all there.
    package static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var sum = CRC32()
        Array(bytes).withUnsafeBytes { sum.add($0) }
        return sum.value
    }
}

/// A name for a text of any length and characters: 128 bits of FNV-1a in two runs, as 32 hexadecimal digits, the same on every
/// machine.
package func stableHash(of text: String) -> String {
    func hash(_ start: UInt64) -> UInt64 {
        text.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
    return [hash(0xCBF2_9CE4_8422_2325), hash(0x9E37_79B9_7F4A_7C15)]
        .map { $0.zeroPadded(to: 16, radix: 16) }.joined()
}
