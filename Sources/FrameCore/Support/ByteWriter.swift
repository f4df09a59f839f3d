/// Bytes put together field by field, in either order.
package struct ByteWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package var count: Int { bytes.count }

    package mutating func big(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.bigEndian) { bytes += $0 }
    }

    package mutating func little(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
    }

    package mutating func raw(_ more: some Sequence<UInt8>) { bytes += more }
    package mutating func text(_ text: String) { bytes += text.utf8 }
    package mutating func zeros(_ count: Int) { bytes += repeatElement(0, count: max(0, count)) }
}

/// Fields of a byte sequence that nobody vouches for: what lies outside is nil.
package struct ByteReader: Sendable {
    package let bytes: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }
    package init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    package var count: Int { bytes.count }

    /// `count` bytes from `offset`; nil when not all are there.
    package func slice(_ offset: Int, _ count: Int) -> ArraySlice<UInt8>? {
        guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else { return nil }
        let start = bytes.startIndex + offset
        return bytes[start..<start + count]
    }

    package func big<T: FixedWidthInteger>(_ offset: Int, as type: T.Type) -> T? {
        slice(offset, MemoryLayout<T>.size)?.reduce(T.zero) { ($0 << 8) | T(truncatingIfNeeded: $1) }
    }

    package func little<T: FixedWidthInteger>(_ offset: Int, as type: T.Type) -> T? {
        slice(offset, MemoryLayout<T>.size)?.reversed().reduce(T.zero) { ($0 << 8) | T(truncatingIfNeeded: $1) }
    }

    package func hasText(_ text: String, at offset: Int) -> Bool {
        slice(offset, text.utf8.count).map { $0.elementsEqual(text.utf8) } ?? false
    }
}
