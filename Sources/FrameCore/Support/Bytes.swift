/// Bytes put together field by field, in either order.
package struct ByteWriter: Sendable {
    @usableFromInline package var bytes: [UInt8] = []

    /// - Parameter capacity: bytes that will be written, where that is known.
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

/// Fields of a byte sequence that nobody vouches for: what lies outside is nil.
package struct ByteReader: Sendable {
    @usableFromInline package let bytes: ArraySlice<UInt8>
    /// Where the next field begins for ``nextLittle(_:)`` and ``next(_:)``.
    @usableFromInline package var position = 0

    package init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }
    package init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    package var count: Int { bytes.count }

    /// `count` bytes from `offset`; nil when not all are there.
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

    /// The next number, and on to the one after it; nil when not all of it is there.
    @inlinable
    package mutating func nextLittle<T: FixedWidthInteger>(_ type: T.Type) -> T? {
        guard let value = little(position, as: type) else { return nil }
        position += MemoryLayout<T>.size
        return value
    }

    /// The next `count` bytes, and on to those after them; nil when not all are there.
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

    /// As it stands in memory.
    @inlinable
    package func word<T: FixedWidthInteger>(_ offset: Int, as type: T.Type) -> T? {
        guard holds(offset, MemoryLayout<T>.size) else { return nil }
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
    }
}
