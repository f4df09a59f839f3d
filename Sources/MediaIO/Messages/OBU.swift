/// An open bitstream unit of AV1 (AV1 bitstream specification, 5.3).
struct OBU {
    enum Kind: UInt8 { case sequenceHeader = 1, frameHeader = 3, metadata = 5, frame = 6 }

    /// Calls `body` with the units of a packet: the kind, the offset of the unit and the range of its payload. Units of
    /// other kinds are passed over.
    static func forEach(
        in unit: UnsafeBufferPointer<UInt8>, _ body: (_ kind: Kind, _ start: Int, _ payload: Range<Int>) -> Void
    ) {
        var place = 0
        while place < unit.count {
            let start = place, head = unit[place]
            place += head & 4 != 0 ? 2 : 1
            var size = unit.count - place
            if head & 2 != 0 {
                guard let stated = length(in: unit, at: &place) else { return }
                size = stated
            }
            guard size >= 0, place + size <= unit.count else { return }
            if let kind = Kind(rawValue: head >> 3 & 15) { body(kind, start, place..<place + size) }
            place += size
        }
    }

    private static func length(in unit: UnsafeBufferPointer<UInt8>, at place: inout Int) -> Int? {
        var value = 0
        for index in 0..<5 {
            guard place < unit.count else { return nil }
            let byte = unit[place]
            place += 1
            value |= Int(byte & 0x7F) << (7 * index)
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}
