import FrameCore

/// The EXIF data of an image: a small TIFF file, without the header that each container puts before it.
enum ExifBlock {
    /// Longest text that is written, in bytes, so that a segment of 64 KiB always has room for the rest.
    private static let maximumTextBytes = 1000
    /// Tags that the EXIF data of every image may contain.
    private enum Tag {
        static let width: UInt16 = 0x100, height: UInt16 = 0x101, description: UInt16 = 0x10E
        static let orientation: UInt16 = 0x112, software: UInt16 = 0x131, exif: UInt16 = 0x8769
        static let thumbnail: UInt16 = 0x201, thumbnailLength: UInt16 = 0x202
        static let colorSpace: UInt16 = 0xA001, pixelsAcross: UInt16 = 0xA002, pixelsDown: UInt16 = 0xA003
    }

    /// The properties in EXIF data that describe the image that contains it.
    struct Image {
        var orientation: PictureOrientation
        var width: Int
        var height: Int
        var isSRGB: Bool
    }

    /// Returns the EXIF block for an image; nil when there is nothing to store.
    static func bytes(metadata: StillMetadata, image: Image, thumbnail: [UInt8]?) -> [UInt8]? {
        if let kept = metadata.exif.flatMap({ Self.kept($0, metadata, image, thumbnail: thumbnail) }) { return kept }
        let isEmpty = metadata.timeStamp == nil && metadata.source == nil && metadata.software == nil
        guard !isEmpty || image.orientation != .up || thumbnail != nil else { return nil }
        let time = metadata.timeStamp?.calendar
        var main: [TIFFBlock.Field] = []
        if let source = metadata.source { main.append(text(Tag.description, source)) }
        main.append(short(Tag.orientation, image.orientation.rawValue))
        main += resolution
        if let software = metadata.software { main.append(text(Tag.software, software)) }
        if let time { main.append(text(0x0132, time.text)) }
        var details = [undefined(0x9000, Array("0232".utf8))]
        if let time { details += [text(0x9003, time.text), text(0x9011, "+00:00"), text(0x9291, time.fraction)] }
        details += [
            undefined(0x9101, [1, 2, 3, 0]), undefined(0xA000, Array("0100".utf8)),
            short(Tag.colorSpace, image.isSRGB ? 1 : 0xFFFF), long(Tag.pixelsAcross, image.width),
            long(Tag.pixelsDown, image.height),
        ]
        main += [short(0x0213, 1), .init(tag: Tag.exif, type: 4, count: 1, value: .directory(details))]
        var block = TIFFBlock()
        let start = block.append(main)
        if let thumbnail { add(thumbnail, to: &block, after: start) }
        return block.bytes
    }

    /// Returns EXIF data of another image, adapted to this one; nil if it is damaged.
    private static func kept(
        _ exif: [UInt8], _ metadata: StillMetadata, _ image: Image, thumbnail: [UInt8]?
    ) -> [UInt8]? {
        guard var block = TIFFBlock(exif), block.entries(at: block.start) != nil else { return nil }
        dropThumbnail(&block)
        if let details = block.entry(Tag.exif, at: block.start).flatMap({ block.long($0 + 8) }) {
            set(Tag.pixelsAcross, image.width, in: details, &block)
            set(Tag.pixelsDown, image.height, in: details, &block)
        }
        set(Tag.width, image.width, in: block.start, &block)
        set(Tag.height, image.height, in: block.start, &block)
        var missing: [TIFFBlock.Field] = []
        if !set(Tag.orientation, image.orientation.rawValue, in: block.start, &block), image.orientation != .up {
            let value = block.number(image.orientation.rawValue, bytes: 2) + [0, 0]
            missing.append(.init(tag: Tag.orientation, type: 3, count: 1, value: .entry(value)))
        }
        for (tag, value) in [(Tag.software, metadata.software), (Tag.description, metadata.source)] {
            if let value, block.entry(tag, at: block.start) == nil { missing.append(text(tag, value)) }
        }
        if !missing.isEmpty, let fields = block.fieldsInPlace(at: block.start) {
            block.setStart(block.append(fields + missing))
        }
        if let thumbnail { add(thumbnail, to: &block, after: block.start) }
        return block.bytes
    }

    @discardableResult
    private static func set(_ tag: UInt16, _ value: Int, in directory: Int, _ block: inout TIFFBlock) -> Bool {
        guard let entry = block.entry(tag, at: directory) else { return false }
        block.setNumber(value, at: entry)
        return true
    }

    /// Removes the thumbnail, which shows the image as it was.
    private static func dropThumbnail(_ block: inout TIFFBlock) {
        guard let next = block.entries(at: block.start)?.next, next != 0 else { return }
        block.setNext(0, after: block.start)
        if let start = block.entry(Tag.thumbnail, at: next).flatMap({ block.number(at: $0) }),
            let length = block.entry(Tag.thumbnailLength, at: next).flatMap({ block.number(at: $0) })
        {
            block.erase(start..<start + length)
        }
    }

    /// Appends the directory of a thumbnail (IFD 1) and the thumbnail itself.
    private static func add(_ thumbnail: [UInt8], to block: inout TIFFBlock, after main: Int) {
        let fields =
            [short(0x0103, 6)] + resolution
            + [long(Tag.thumbnail, 0), long(Tag.thumbnailLength, thumbnail.count)]
        let offset = block.append(fields.map { $0.ordered(for: block) })
        block.setNext(offset, after: main)
        let place = block.append(data: thumbnail)
        if let entry = block.entry(Tag.thumbnail, at: offset) { block.setNumber(place, at: entry) }
    }

    /// 72 dots per inch, which means that the resolution is unknown.
    private static let resolution = [
        TIFFBlock.Field(tag: 0x011A, type: 5, count: 1, value: .data([72, 0, 0, 0, 1, 0, 0, 0])),
        TIFFBlock.Field(tag: 0x011B, type: 5, count: 1, value: .data([72, 0, 0, 0, 1, 0, 0, 0])),
        short(0x0128, 2),
    ]

    private static func text(_ tag: UInt16, _ text: String) -> TIFFBlock.Field {
        var text = text.filter { $0 != "\0" }
        while text.utf8.count > maximumTextBytes { text.removeLast() }
        let bytes = Array(text.utf8) + [0]
        return .init(tag: tag, type: 2, count: bytes.count, value: .data(bytes))
    }

    private static func undefined(_ tag: UInt16, _ bytes: [UInt8]) -> TIFFBlock.Field {
        .init(tag: tag, type: 7, count: bytes.count, value: .data(bytes))
    }

    private static func short(_ tag: UInt16, _ value: Int) -> TIFFBlock.Field {
        .init(tag: tag, type: 3, count: 1, value: .data([UInt8(value & 255), UInt8(value >> 8 & 255)]))
    }

    private static func long(_ tag: UInt16, _ value: Int) -> TIFFBlock.Field {
        .init(
            tag: tag, type: 4, count: 1,
            value: .data((0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }))
    }
}

extension ExifBlock {
    /// Returns the orientation in EXIF data from any source; `up` when it is missing or invalid.
    ///
    /// - Parameter bytes: EXIF data, starting at the byte order mark.
    static func orientation(of bytes: [UInt8]) -> PictureOrientation {
        guard let block = TIFFBlock(bytes), let entry = block.entry(Tag.orientation, at: block.start) else {
            return .up
        }
        return block.short(entry + 8).flatMap(PictureOrientation.init(rawValue:)) ?? .up
    }

    /// Tags of a TIFF file that describe its samples rather than the image.
    private static let structure: Set<UInt16> = Set(
        Array(0x00FE...0x0103) + [0x0106, 0x010A, 0x0111] + Array(0x0115...0x0119) + [0x011C] + Array(0x0120...0x0125)
            + [0x013D] + Array(0x0140...0x014D) + Array(0x0151...0x015B) + Array(0x0200...0x0209)
            + Array(0x0211...0x0214) + [profile, xmp, iptc, 0x8649, 0x935C])
    static let profile: UInt16 = 0x8773
    static let xmp: UInt16 = 0x02BC
    static let iptc: UInt16 = 0x83BB

    /// Returns the EXIF data of a TIFF file: its first directory without the description of the samples.
    static func bytes(ofTIFF file: TIFFBlock) -> [UInt8]? {
        let fields = descriptive(file)
        guard !fields.isEmpty else { return nil }
        var block = TIFFBlock()
        block.append(fields)
        return block.bytes
    }

    /// Returns copies of the fields of the first directory that describe the image rather than its samples.
    static func descriptive(_ block: TIFFBlock) -> [TIFFBlock.Field] {
        block.copies(at: block.start) { !structure.contains($0) }
    }
}

extension TIFFBlock.Field {
    /// Returns a little-endian field in the byte order of a block.
    fileprivate func ordered(for block: TIFFBlock) -> Self {
        guard !block.isLittleEndian, case .data(let data) = value else { return self }
        var field = self
        let unit = type == 3 ? 2 : type == 4 || type == 5 ? 4 : 1
        field.value = .data(
            stride(from: 0, to: data.count, by: unit).flatMap { data[$0..<min(data.count, $0 + unit)].reversed() })
        return field
    }
}
