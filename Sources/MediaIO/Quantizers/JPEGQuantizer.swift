import FrameCore

/// How coarsely a JPEG file quantizes luma, read from the segments before its first scan (ITU-T T.81, B.2.2 and B.2.4.1).
struct JPEGQuantizer {
    /// The sums of the three lowest steps besides the mean, by the number of the table.
    private var sums = [Int?](repeating: nil, count: 4)
    /// The number of the first component's table.
    private var table: Int?

    /// The mean step of the lowest frequencies, in 8-bit code values; nil if it is not known.
    ///
    /// In the usual table (Annex K), the three steps add up to 35, and the first three along the row and the column, of which
    /// this is meant to be the mean, have a mean of 11. The first component counts as luma, whatever the color space.
    var step: Double? {
        guard let table, sums.indices.contains(table), let sum = sums[table], sum > 0 else { return nil }
        return 11 * Double(sum) / 35
    }

    /// Reads a segment; what is damaged or means something else is ignored.
    ///
    /// - Parameters:
    ///   - marker: its marker.
    ///   - body: what follows its length.
    mutating func read(_ marker: UInt16, _ body: ArraySlice<UInt8>) {
        switch marker {
        case 0xFFDB: readTables(ByteReader(body))
        // Frame headers of the modes with a transform; depth, size and number of components come first.
        case 0xFFC0, 0xFFC1, 0xFFC2, 0xFFC9, 0xFFCA:
            let reader = ByteReader(body)
            if reader.big(0, as: UInt8.self) == 8 { table = reader.big(8, as: UInt8.self).map(Int.init) }
        default: break
        }
    }

    private mutating func readTables(_ reader: ByteReader) {
        var position = 0
        while let kind = reader.big(position, as: UInt8.self) {
            let size = kind >> 4 == 0 ? 1 : 2, number = Int(kind & 15)
            guard sums.indices.contains(number), reader.slice(position + 1, 64 * size) != nil else { return }
            // In zigzag order, these are one step right, one down, and both.
            sums[number] = [1, 2, 4].reduce(0) { sum, index in
                let at = position + 1 + index * size
                return sum
                    + Int(
                        size == 1
                            ? reader.big(at, as: UInt8.self).map(UInt16.init) ?? 0
                            : reader.big(at, as: UInt16.self) ?? 0)
            }
            position += 1 + 64 * size
        }
    }
}
