/// CRC-32 as in PNG and ISO 3309: polynomial 0xEDB88320, reflected, initialized to and finally XORed with all ones.
package struct CRC32: Sendable, Hashable {
    /// Tables for slicing by 4 (Kounavis and Berry, 2005): table `k` is for a byte with `k` more bytes after it in the
    /// word.
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

    /// Starts with no bytes.
    package init() {}

    /// The checksum of the bytes added so far.
    package var value: UInt32 { ~sum }

    /// Appends bytes to the checksummed sequence.
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

    /// Returns the checksum of a complete sequence.
    package static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var sum = CRC32()
        Array(bytes).withUnsafeBytes { sum.add($0) }
        return sum.value
    }
}

/// Returns a short name for any text: two 64-bit FNV-1a hashes with different offset bases, as 32 hexadecimal digits.
/// The name is the same on every machine.
package func stableHash(of text: String) -> String {
    func hash(_ start: UInt64) -> UInt64 {
        text.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
    return [hash(0xCBF2_9CE4_8422_2325), hash(0x9E37_79B9_7F4A_7C15)]
        .map { $0.zeroPadded(to: 16, radix: 16) }.joined()
}
