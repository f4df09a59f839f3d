/// The checksum of PNG and ISO 3309: polynomial 0xEDB88320, reflected, all ones before and after.
package struct CRC32: Sendable, Hashable {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }

    private var sum = ~UInt32(0)

    /// Of nothing.
    package init() {}

    /// Of what was added so far.
    package var value: UInt32 { ~sum }

    /// Goes on with more bytes.
    package mutating func add(_ bytes: some Sequence<UInt8>) {
        let table = Self.table
        sum = bytes.reduce(sum) { $0 >> 8 ^ table[Int(($0 ^ UInt32($1)) & 255)] }
    }

    /// Of bytes that are all there.
    package static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var sum = CRC32()
        sum.add(bytes)
        return sum.value
    }
}
