import FrameCore

/// The EXIF data of an image: a small TIFF file, without the header that each container puts before it.
struct ExifBlock {
    /// Longest text that is written, in bytes, so that a segment of 64 KiB always has room for the rest.
    static let maximumTextBytes = 1000

    private enum Value {
        case ascii(String)
        case short(UInt16)
        case long(UInt32)
        case rational(UInt32, UInt32)
        case undefined([UInt8])
        /// Offset of the directory with this index, filled in when it is known.
        case directory(Int)
        /// Offset of the thumbnail, filled in when it is known.
        case thumbnail
    }

    private typealias Field = (tag: UInt16, value: Value)

    /// Returns the EXIF block for an image; nil when there is nothing to store.
    static func bytes(
        metadata: StillMetadata, orientation: PictureOrientation, width: Int, height: Int, isSRGB: Bool,
        thumbnail: [UInt8]?
    ) -> [UInt8]? {
        guard !metadata.isEmpty || orientation != .up || thumbnail != nil else { return nil }
        let time = metadata.timeStamp?.calendar
        var main: [Field] = []
        if let source = metadata.source { main.append((0x010E, .ascii(source))) }
        main.append((0x0112, .short(UInt16(orientation.rawValue))))
        main += [(0x011A, .rational(72, 1)), (0x011B, .rational(72, 1)), (0x0128, .short(2))]
        if let software = metadata.software { main.append((0x0131, .ascii(software))) }
        if let time { main.append((0x0132, .ascii(time.text))) }
        main += [(0x0213, .short(1)), (0x8769, .directory(1))]
        var details: [Field] = [(0x9000, .undefined(Array("0232".utf8)))]
        if let time {
            details += [(0x9003, .ascii(time.text)), (0x9011, .ascii("+00:00")), (0x9291, .ascii(time.fraction))]
        }
        details += [
            (0x9101, .undefined([1, 2, 3, 0])), (0xA000, .undefined(Array("0100".utf8))),
            (0xA001, .short(isSRGB ? 1 : 0xFFFF)), (0xA002, .long(UInt32(width))), (0xA003, .long(UInt32(height))),
        ]
        details.sort { $0.tag < $1.tag }
        var directories = [main, details]
        if let thumbnail {
            directories.append([
                (0x0103, .short(6)), (0x011A, .rational(72, 1)), (0x011B, .rational(72, 1)), (0x0128, .short(2)),
                (0x0201, .thumbnail), (0x0202, .long(UInt32(thumbnail.count))),
            ])
        }
        return layOut(directories, thumbnail: thumbnail ?? [])
    }

    /// Lays out the directories in order, each followed by the values that do not fit its fields, and the thumbnail at
    /// the end.
    private static func layOut(_ directories: [[Field]], thumbnail: [UInt8]) -> [UInt8] {
        var starts: [Int] = [], end = 8
        for fields in directories {
            starts.append(end)
            end += 2 + 12 * fields.count + 4 + fields.map { padded(payload($0.value).count) }.reduce(0, +)
        }
        var writer = ByteWriter()
        writer.text("II")
        writer.little(UInt16(42))
        writer.little(UInt32(8))
        for (index, fields) in directories.enumerated() {
            writer.little(UInt16(fields.count))
            var outside = starts[index] + 2 + 12 * fields.count + 4
            for field in fields {
                writer.little(field.tag)
                let value = field.value
                writer.little(type(value))
                let data = payload(value)
                writer.little(UInt32(count(value)))
                if data.isEmpty {
                    switch value {
                    case .short(let number):
                        writer.little(number)
                        writer.little(UInt16(0))
                    case .long(let number): writer.little(number)
                    case .directory(let other): writer.little(UInt32(starts[other]))
                    case .thumbnail: writer.little(UInt32(end))
                    case .ascii(let text): writer.raw(inline(clipped(text)))
                    case .undefined(let bytes): writer.raw(inline(bytes))
                    case .rational: break
                    }
                } else {
                    writer.little(UInt32(outside))
                    outside += padded(data.count)
                }
            }
            // The main directory (IFD 0) links to that of the thumbnail (IFD 1).
            writer.little(UInt32(index == 0 && starts.count > 2 ? starts[2] : 0))
            for field in fields {
                let data = payload(field.value)
                writer.raw(data)
                writer.zeros(padded(data.count) - data.count)
            }
        }
        writer.raw(thumbnail)
        return writer.bytes
    }

    private static func padded(_ count: Int) -> Int { (count + 1) & ~1 }
    private static func inline(_ bytes: [UInt8]) -> [UInt8] { bytes + repeatElement(0, count: max(0, 4 - bytes.count)) }

    private static func clipped(_ text: String) -> [UInt8] {
        var text = text.filter { $0 != "\0" }
        while text.utf8.count > maximumTextBytes { text.removeLast() }
        return Array(text.utf8) + [0]
    }

    /// Returns the bytes stored outside the field; empty when the value fits into it.
    private static func payload(_ value: Value) -> [UInt8] {
        switch value {
        case .ascii(let text):
            let bytes = clipped(text)
            return bytes.count > 4 ? bytes : []
        case .undefined(let bytes): return bytes.count > 4 ? bytes : []
        case .rational(let a, let b):
            var writer = ByteWriter()
            writer.little(a)
            writer.little(b)
            return writer.bytes
        default: return []
        }
    }

    private static func count(_ value: Value) -> Int {
        switch value {
        case .ascii(let text): clipped(text).count
        case .undefined(let bytes): bytes.count
        default: 1
        }
    }

    private static func type(_ value: Value) -> UInt16 {
        switch value {
        case .ascii: 2
        case .short: 3
        case .long, .directory, .thumbnail: 4
        case .rational: 5
        case .undefined: 7
        }
    }
}

extension ExifBlock {
    /// Returns the orientation in EXIF data from any source; `up` when it is missing or invalid.
    ///
    /// - Parameter bytes: EXIF data, starting at the byte order mark.
    static func orientation(of bytes: ArraySlice<UInt8>) -> PictureOrientation {
        let reader = ByteReader(bytes)
        let isLittle = reader.hasText("II", at: 0)
        guard isLittle || reader.hasText("MM", at: 0) else { return .up }
        func short(_ offset: Int) -> Int? {
            let value = isLittle ? reader.little(offset, as: UInt16.self) : reader.big(offset, as: UInt16.self)
            return value.map(Int.init)
        }
        let start = isLittle ? reader.little(4, as: UInt32.self) : reader.big(4, as: UInt32.self)
        guard let directory = start.map(Int.init), let count = short(directory) else { return .up }
        var orientation = PictureOrientation.up
        for index in 0..<count {
            let field = directory + 2 + 12 * index
            guard let tag = short(field) else { return orientation }
            if tag == 0x0112, let found = short(field + 8).flatMap(PictureOrientation.init(rawValue:)) {
                orientation = found
            }
        }
        return orientation
    }
}
