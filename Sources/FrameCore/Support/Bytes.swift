/// Builds a byte sequence field by field, in big-endian or little-endian order.
package struct ByteWriter: Sendable {
    @usableFromInline package var bytes: [UInt8] = []

    /// - Parameter capacity: the expected number of bytes, if known.
    package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    package var count: Int { bytes.count }

    @inlinable
    package mutating func big(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.bigEndian) { bytes += $0 }
    }

    @inlinable
    package mutating func little(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
    }

    package mutating func raw(_ more: some Sequence<UInt8>) { bytes += more }
    package mutating func text(_ text: String) { bytes += text.utf8 }
    package mutating func zeros(_ count: Int) { bytes += repeatElement(0, count: max(0, count)) }
}

/// Reads fields from untrusted bytes; a read outside them returns nil.
package struct ByteReader: Sendable {
    @usableFromInline package let bytes: ArraySlice<UInt8>
    /// Offset of the next field for ``nextLittle(_:)`` and ``next(_:)``.
    @usableFromInline package var position = 0

    package init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }
    package init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    package var count: Int { bytes.count }

    /// Returns `count` bytes from `offset`, or nil if the range is not entirely inside.
    package func slice(_ offset: Int, _ count: Int) -> ArraySlice<UInt8>? {
        guard holds(offset, count) else { return nil }
        let start = bytes.startIndex + offset
        return bytes[start..<start + count]
    }

    @inlinable
    package func big<T: FixedWidthInteger>(_ offset: Int, as type: T.Type) -> T? {
        word(offset, as: type).map(T.init(bigEndian:))
    }

    @inlinable
    package func little<T: FixedWidthInteger>(_ offset: Int, as type: T.Type) -> T? {
        word(offset, as: type).map(T.init(littleEndian:))
    }

    /// Reads the next little-endian number and advances past it; returns nil if it is incomplete.
    @inlinable
    package mutating func nextLittle<T: FixedWidthInteger>(_ type: T.Type) -> T? {
        guard let value = little(position, as: type) else { return nil }
        position += MemoryLayout<T>.size
        return value
    }

    /// Reads the next `count` bytes and advances past them; returns nil if fewer remain.
    package mutating func next(_ count: Int) -> ArraySlice<UInt8>? {
        guard let found = slice(position, count) else { return nil }
        position += count
        return found
    }

    package func hasText(_ text: String, at offset: Int) -> Bool {
        slice(offset, text.utf8.count).map { $0.elementsEqual(text.utf8) } ?? false
    }

    @inlinable
    package func holds(_ offset: Int, _ count: Int) -> Bool {
        offset >= 0 && count >= 0 && offset <= bytes.count && count <= bytes.count - offset
    }

    /// Reads a number in native byte order.
    @inlinable
    package func word<T: FixedWidthInteger>(_ offset: Int, as type: T.Type) -> T? {
        guard holds(offset, MemoryLayout<T>.size) else { return nil }
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
    }
}
