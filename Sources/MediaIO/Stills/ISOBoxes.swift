import FrameCore

/// The boxes of an ISO base media file: of AVIF, JPEG XL and JPEG 2000 images.
struct ISOBoxes {
    struct Box {
        var kind: String
        var body: Range<Int>
    }

    let reader: ByteReader

    init(_ file: [UInt8]) { reader = ByteReader(file) }

    var all: [Box] { boxes(in: 0..<reader.count) }

    /// Returns the boxes that fill a range, up to the first damaged one.
    func boxes(in range: Range<Int>) -> [Box] {
        var found: [Box] = []
        var position = range.lowerBound
        while position + 8 <= range.upperBound, var size = reader.big(position, as: UInt32.self).map(Int.init),
            let kind = reader.slice(position + 4, 4)
        {
            var head = 8
            if size == 1 {
                size = reader.big(position + 8, as: UInt64.self).flatMap { Int(exactly: $0) } ?? 0
                head = 16
            } else if size == 0 {
                // The last box reaches to the end.
                size = range.upperBound - position
            }
            guard size >= head, size <= range.upperBound - position else { break }
            found.append(Box(kind: String(decoding: kind, as: UTF8.self), body: position + head..<position + size))
            position += size
        }
        return found
    }

    /// Returns the contents of the first box of each kind along a path of boxes.
    func find(_ path: String...) -> Range<Int>? {
        var range = 0..<reader.count
        for kind in path {
            guard let box = boxes(in: range).first(where: { $0.kind == kind }) else { return nil }
            range = box.body
            // This box has a version and flags before its contents.
            if kind == "meta" { range = min(range.lowerBound + 4, range.upperBound)..<range.upperBound }
        }
        return range
    }

    func bytes(_ range: Range<Int>) -> [UInt8] { reader.slice(range.lowerBound, range.count).map { Array($0) } ?? [] }
}

/// The items of an image file in ISO/IEC 23008-12 (HEIF), such as AVIF: pictures, EXIF data and XMP packets.
struct HEIFItems {
    private struct Place {
        var isInData = false
        var extents: [Range<Int>] = []
    }

    private let boxes: ISOBoxes
    private var kinds: [(number: Int, kind: String, mediaType: String)] = []
    private var places: [Int: Place] = [:]
    /// Properties of the main picture, in order.
    private(set) var properties: [ISOBoxes.Box] = []
    /// Properties of all items, in order.
    private var allProperties: [ISOBoxes.Box] = []
    /// The number of the main picture.
    private var main: Int?
    private let mostItems = 10_000

    init(_ boxes: ISOBoxes) {
        self.boxes = boxes
        guard let meta = boxes.find("meta") else { return }
        let children = boxes.boxes(in: meta)
        func body(_ kind: String) -> Range<Int>? { children.first { $0.kind == kind }?.body }
        if let info = body("iinf") { readKinds(info) }
        if let places = body("iloc") { readPlaces(places) }
        if let list = boxes.find("meta", "iprp", "ipco") {
            let all = boxes.boxes(in: list)
            let uses = boxes.find("meta", "iprp", "ipma")
            main = body("pitm").flatMap { mainItem($0) }
            allProperties = all
            let numbers = main.flatMap { main in uses.map { associations(of: main, in: $0) } } ?? []
            properties = numbers.isEmpty ? all : numbers.compactMap { all.indices.contains($0 - 1) ? all[$0 - 1] : nil }
        }
    }

    /// Returns the contents of the first item of a type.
    func bytes(kind: String, mediaType: String? = nil) -> [UInt8]? {
        kinds.first { $0.kind == kind && (mediaType == nil || $0.mediaType == mediaType) }.flatMap { bytes($0.number) }
    }

    /// Returns the main picture as it is coded, or its first tile, and the decoder's configuration; nil if it is of another
    /// kind.
    ///
    /// - Parameters:
    ///   - kind: the type of coded pictures, such as `av01`.
    ///   - record: the type of the property with the configuration, such as `av1C`.
    func codedPicture(kind: String, record: String) -> (bytes: [UInt8], record: [UInt8])? {
        let own = kinds.filter { $0.kind == kind }
        guard let item = own.first(where: { $0.number == main }) ?? own.first, let bytes = bytes(item.number) else {
            return nil
        }
        let box = (properties + allProperties).first { $0.kind == record }
        return (bytes, box.map { boxes.bytes($0.body) } ?? [])
    }

    private func bytes(_ number: Int) -> [UInt8]? {
        guard let place = places[number] else { return nil }
        let start = place.isInData ? boxes.find("meta", "idat")?.lowerBound ?? 0 : 0
        var found: [UInt8] = []
        for extent in place.extents {
            // The extents of a damaged file may overlap.
            guard found.count + extent.count <= boxes.reader.count else { return nil }
            found += boxes.bytes(extent.lowerBound + start..<extent.upperBound + start)
        }
        return found.isEmpty ? nil : found
    }

    private func mainItem(_ body: Range<Int>) -> Int? {
        let start = body.lowerBound
        return boxes.reader.big(start, as: UInt8.self) == 0
            ? boxes.reader.big(start + 4, as: UInt16.self).map(Int.init)
            : boxes.reader.big(start + 4, as: UInt32.self).map(Int.init)
    }

    private mutating func readKinds(_ body: Range<Int>) {
        let reader = boxes.reader
        let head = reader.big(body.lowerBound, as: UInt8.self) == 0 ? 6 : 8
        guard body.count > head else { return }
        for entry in boxes.boxes(in: body.lowerBound + head..<body.upperBound).prefix(mostItems) {
            let start = entry.body.lowerBound, version = reader.big(start, as: UInt8.self) ?? 0
            guard version >= 2 else { continue }
            let wide = version > 2
            let number =
                wide
                ? reader.big(start + 4, as: UInt32.self).map(Int.init)
                : reader.big(start + 4, as: UInt16.self).map(Int.init)
            let place = start + (wide ? 10 : 8)
            guard let number, let kind = reader.slice(place, 4), place + 4 <= entry.body.upperBound else { continue }
            // The item's name and, for the kind `mime`, its media type, each ended by a zero.
            let texts = boxes.bytes(place + 4..<entry.body.upperBound).split(
                separator: 0, omittingEmptySubsequences: false)
            let mediaType = texts.count > 1 ? String(decoding: texts[1], as: UTF8.self) : ""
            kinds.append((number, String(decoding: kind, as: UTF8.self), mediaType))
        }
    }

    private mutating func readPlaces(_ body: Range<Int>) {
        let reader = boxes.reader
        var position = body.lowerBound
        func number(_ bytes: Int) -> Int? {
            defer { position += bytes }
            guard position + bytes <= body.upperBound else { return nil }
            return (0..<bytes).reduce(0) { value, index in
                (value << 8 | Int(reader.big(position + index, as: UInt8.self) ?? 0)) & Int(UInt32.max)
            }
        }
        guard let version = number(1), number(3) != nil, let sizes = number(2) else { return }
        let (offsetSize, lengthSize, baseSize) = (sizes >> 12 & 15, sizes >> 8 & 15, sizes >> 4 & 15)
        let indexSize = version > 0 ? sizes & 15 : 0
        guard let count = number(version < 2 ? 2 : 4) else { return }
        for _ in 0..<min(count, mostItems) {
            guard let item = number(version < 2 ? 2 : 4) else { return }
            var place = Place()
            if version > 0 { place.isInData = (number(2) ?? 0) & 15 == 1 }
            guard number(2) != nil, let base = number(baseSize), let extents = number(2) else { return }
            for _ in 0..<extents {
                guard number(indexSize) != nil, let offset = number(offsetSize), let length = number(lengthSize),
                    place.extents.count < mostItems
                else { return }
                let start = base + offset
                // A length of zero means up to the end of the file.
                place.extents.append(start..<(length == 0 ? max(start, reader.count) : start + length))
            }
            places[item] = place
        }
    }

    /// Returns the numbers, counted from 1, of the properties of an item.
    private func associations(of item: Int, in body: Range<Int>) -> [Int] {
        let reader = boxes.reader
        guard let head = reader.big(body.lowerBound, as: UInt32.self),
            let count = reader.big(body.lowerBound + 4, as: UInt32.self)
        else { return [] }
        let (isWide, hasWideNumbers) = (head >> 24 > 0, head & 1 == 1)
        var position = body.lowerBound + 8
        for _ in 0..<min(Int(count), mostItems) {
            let number =
                isWide
                ? reader.big(position, as: UInt32.self).map(Int.init)
                : reader.big(position, as: UInt16.self).map(Int.init)
            position += isWide ? 4 : 2
            guard let number, let uses = reader.big(position, as: UInt8.self), position < body.upperBound else { break }
            position += 1
            var found: [Int] = []
            for _ in 0..<uses {
                if hasWideNumbers {
                    found.append(Int(reader.big(position, as: UInt16.self) ?? 0) & 0x7FFF)
                } else {
                    found.append(Int(reader.big(position, as: UInt8.self) ?? 0) & 0x7F)
                }
                position += hasWideNumbers ? 2 : 1
            }
            if number == item { return found }
        }
        return []
    }
}
