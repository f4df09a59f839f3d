import FrameCore

/// The directories of a TIFF file, and of EXIF data, which have the same form.
///
/// New directories are appended, so that what is already there stays at its offset: maker notes contain offsets that
/// only their maker understands.
struct TIFFBlock {
    /// One entry of a directory.
    struct Field: Sendable {
        var tag: UInt16
        var type: UInt16
        var count: Int
        var value: Value

        enum Value: Sendable {
            /// The samples in the block's byte order.
            case data([UInt8])
            /// The four bytes of the entry itself: a short value, or an offset that stays valid.
            case entry([UInt8])
            case directory([Field])
        }
    }

    private(set) var bytes: [UInt8]
    let isLittleEndian: Bool
    /// The most entries and bytes of an entry that are read; real directories have fewer than a hundred entries.
    private static let limits = (fields: 1000, bytes: 1 << 20)
    /// Tags whose values are offsets of further directories: EXIF, GPS and interoperability.
    private static let pointers: Set<UInt16> = [0x8769, 0x8825, 0xA005]

    /// Creates a little-endian block with only a header.
    init() {
        var writer = ByteWriter()
        writer.text("II")
        writer.little(UInt16(42))
        writer.little(UInt32(8))
        (bytes, isLittleEndian) = (writer.bytes, true)
    }

    /// Reads the header; nil when the bytes are something else.
    init?(_ bytes: [UInt8]) {
        let reader = ByteReader(bytes)
        isLittleEndian = reader.hasText("II", at: 0)
        guard isLittleEndian || reader.hasText("MM", at: 0), bytes.count >= 8 else { return nil }
        self.bytes = bytes
        guard short(2) == 42 else { return nil }
    }

    /// Offset of the first directory.
    var start: Int { long(4) ?? 0 }

    mutating func setStart(_ offset: Int) { putLong(offset, at: 4) }

    func short(_ offset: Int) -> Int? {
        let reader = ByteReader(bytes)
        return (isLittleEndian ? reader.little(offset, as: UInt16.self) : reader.big(offset, as: UInt16.self)).map(
            Int.init)
    }

    func long(_ offset: Int) -> Int? {
        let reader = ByteReader(bytes)
        return (isLittleEndian ? reader.little(offset, as: UInt32.self) : reader.big(offset, as: UInt32.self)).map(
            Int.init)
    }

    mutating func putShort(_ value: Int, at offset: Int) { put(number(value, bytes: 2), at: offset) }
    mutating func putLong(_ value: Int, at offset: Int) { put(number(value, bytes: 4), at: offset) }

    private mutating func put(_ data: [UInt8], at offset: Int) {
        guard offset >= 0, offset + data.count <= bytes.count else { return }
        bytes.replaceSubrange(offset..<offset + data.count, with: data)
    }

    /// Returns a number in the block's byte order.
    func number(_ value: Int, bytes count: Int) -> [UInt8] {
        let big = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
        return isLittleEndian ? big.reversed() : big
    }
}

extension TIFFBlock {
    /// Returns the offsets of the entries of a directory, and that of the next directory (0 for none); nil if it is
    /// damaged.
    func entries(at offset: Int) -> (places: [Int], next: Int)? {
        guard offset >= 8, let count = short(offset), (1...Self.limits.fields).contains(count),
            offset + 2 + 12 * count <= bytes.count
        else { return nil }
        // Some writers leave out the offset of the next directory.
        return ((0..<count).map { offset + 2 + 12 * $0 }, long(offset + 2 + 12 * count) ?? 0)
    }

    /// Returns the entry of a directory with a tag.
    func entry(_ tag: UInt16, at offset: Int) -> Int? {
        entries(at: offset)?.places.first { short($0) == Int(tag) }
    }

    /// Returns the value of an entry with one short or long number.
    func number(at entry: Int) -> Int? { short(entry + 2) == 3 ? short(entry + 8) : long(entry + 8) }

    /// Replaces the value of an entry with one short or long number.
    mutating func setNumber(_ value: Int, at entry: Int) {
        if short(entry + 2) == 3 { putShort(value, at: entry + 8) } else { putLong(value, at: entry + 8) }
    }

    /// Returns where the value of an entry is; nil if it is outside the block.
    func payload(at entry: Int) -> Range<Int>? {
        guard let type = short(entry + 2), let count = long(entry + 4), let size = Self.size(UInt16(type)),
            count <= bytes.count
        else { return nil }
        let length = size * count
        guard let place = length <= 4 ? entry + 8 : long(entry + 8), place + length <= bytes.count else { return nil }
        return place..<place + length
    }

    /// Returns the fields of a directory as they are, for a copy of it in the same block.
    func fieldsInPlace(at offset: Int) -> [Field]? {
        entries(at: offset)?.places.compactMap { place in
            guard let tag = short(place), let type = short(place + 2), let count = long(place + 4) else { return nil }
            return Field(
                tag: UInt16(tag), type: UInt16(type), count: count, value: .entry(Array(bytes[place + 8..<place + 12])))
        }
    }

    /// Returns copies of a directory's fields, with those of the directories below it, in little-endian order.
    ///
    /// - Parameter depth: how many levels of directories to follow.
    func copies(at offset: Int, depth: Int = 3, where isWanted: (UInt16) -> Bool = { _ in true }) -> [Field] {
        // Entries of a damaged block may all refer to the same bytes.
        var budget = (bytes: bytes.count, directories: 16)
        return copies(at: offset, depth: depth, &budget, where: isWanted)
    }

    private func copies(
        at offset: Int, depth: Int, _ budget: inout (bytes: Int, directories: Int), where isWanted: (UInt16) -> Bool
    ) -> [Field] {
        var found: [Field] = []
        budget.directories -= 1
        for place in entries(at: offset)?.places ?? [] {
            guard let tag = short(place).map({ UInt16($0) }), isWanted(tag), let type = short(place + 2) else {
                continue
            }
            if Self.pointers.contains(tag) {
                guard depth > 0, budget.directories > 0, let below = long(place + 8) else { continue }
                let fields = copies(at: below, depth: depth - 1, &budget, where: { _ in true })
                if !fields.isEmpty { found.append(Field(tag: tag, type: 4, count: 1, value: .directory(fields))) }
            } else if let range = payload(at: place), range.count <= min(Self.limits.bytes, budget.bytes),
                let count = long(place + 4)
            {
                budget.bytes -= range.count
                let data = littleEndian(Array(bytes[range]), UInt16(type))
                found.append(Field(tag: tag, type: UInt16(type), count: count, value: .data(data)))
            }
        }
        return found
    }

    private func littleEndian(_ data: [UInt8], _ type: UInt16) -> [UInt8] {
        // Rationals are two long numbers.
        let unit = type == 5 || type == 10 ? 4 : Self.size(type) ?? 1
        guard !isLittleEndian, unit > 1 else { return data }
        return stride(from: 0, to: data.count - unit + 1, by: unit).flatMap { data[$0..<$0 + unit].reversed() }
    }

    /// Bytes of one value of a type; nil for an unknown type.
    private static func size(_ type: UInt16) -> Int? {
        switch type {
        case 1, 2, 6, 7: 1
        case 3, 8: 2
        case 4, 9, 11, 13: 4
        case 5, 10, 12: 8
        default: nil
        }
    }
}

extension TIFFBlock {
    /// Appends a directory, followed by the values that do not fit into its entries and the directories below it.
    ///
    /// - Returns: its offset.
    @discardableResult
    mutating func append(_ fields: [Field], next: Int = 0) -> Int {
        pad()
        let fields = fields.sorted { $0.tag < $1.tag }, offset = bytes.count
        bytes += number(fields.count, bytes: 2)
        bytes += [UInt8](repeating: 0, count: 12 * fields.count)
        bytes += number(next, bytes: 4)
        var below: [(entry: Int, fields: [Field])] = []
        for (index, field) in fields.enumerated() {
            let entry = offset + 2 + 12 * index
            putShort(Int(field.tag), at: entry)
            putShort(Int(field.type), at: entry + 2)
            putLong(field.count, at: entry + 4)
            switch field.value {
            case .entry(let four): put(four, at: entry + 8)
            case .directory(let fields): below.append((entry, fields))
            case .data(let data) where data.count <= 4: put(data, at: entry + 8)
            case .data(let data):
                putLong(bytes.count, at: entry + 8)
                bytes += data
                pad()
            }
        }
        for (entry, fields) in below { putLong(append(fields), at: entry + 8) }
        return offset
    }

    /// Replaces the offset of the directory after the one at `offset`.
    mutating func setNext(_ next: Int, after offset: Int) {
        guard let count = short(offset) else { return }
        putLong(next, at: offset + 2 + 12 * count)
    }

    /// Appends data and returns its offset.
    mutating func append(data: [UInt8]) -> Int {
        pad()
        defer { bytes += data }
        return bytes.count
    }

    /// Removes data, or overwrites it with zeros when more follows.
    mutating func erase(_ range: Range<Int>) {
        guard range.lowerBound >= 8, range.upperBound <= bytes.count else { return }
        if range.upperBound >= bytes.count - 1 {
            bytes.removeSubrange(range.lowerBound...)
        } else {
            put([UInt8](repeating: 0, count: range.count), at: range.lowerBound)
        }
    }

    private mutating func pad() { if bytes.count & 1 == 1 { bytes.append(0) } }
}
