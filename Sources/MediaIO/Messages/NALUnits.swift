/// A network abstraction layer unit of H.264 or HEVC, with its header, and perhaps others that follow it.
struct NALUnit {
    let bytes: Slice<UnsafeBufferPointer<UInt8>>

    /// Returns the content without the bytes that keep zeros apart (ITU-T H.264, 7.4.1; H.265, 7.4.2).
    ///
    /// - Parameters:
    ///   - header: the size of the unit's header in bytes.
    ///   - limit: the number of bytes that are looked at.
    func unescaped(after header: Int, upTo limit: Int = .max) -> [UInt8] {
        var content: [UInt8] = [], zeros = 0
        for byte in bytes.dropFirst(header).prefix(limit) {
            if zeros >= 2, byte <= 3 {
                // Less than 3 is only found between units.
                guard byte == 3 else { break }
                zeros = 0
                continue
            }
            content.append(byte)
            zeros = byte == 0 ? zeros + 1 : 0
        }
        return content
    }
}

/// Splits a packet into units, by their lengths or start codes.
struct NALUnits: Sequence, IteratorProtocol {
    private var rest: Slice<UnsafeBufferPointer<UInt8>>
    private let lengthBytes: Int

    /// - Parameter lengthBytes: the size of the lengths before units; 0 if units have start codes.
    init(_ bytes: UnsafeBufferPointer<UInt8>, lengthBytes: Int) {
        rest = bytes[...]
        self.lengthBytes = lengthBytes
    }

    /// Returns the next unit; with start codes, all that follows is part of it, to save the search for its end.
    mutating func next() -> NALUnit? {
        if lengthBytes > 0 {
            guard rest.count > lengthBytes else { return nil }
            let length = rest.prefix(lengthBytes).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(lengthBytes)
            defer { rest = rest.dropFirst(length) }
            return NALUnit(bytes: rest.prefix(length))
        }
        var zeros = 0
        while let byte = rest.popFirst() {
            if zeros >= 2, byte == 1 { return NALUnit(bytes: rest) }
            zeros = byte == 0 ? zeros + 1 : 0
        }
        return nil
    }
}
