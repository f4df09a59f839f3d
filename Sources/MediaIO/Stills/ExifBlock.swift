package import FrameCore

/// The EXIF data of a picture: a TIFF file in small, without the headers that each container puts before it.
struct ExifBlock {
    /// Longest text that is written, so that a segment of 64 KiB always has room for the rest.
    static let maximumTextBytes = 1000

    private enum Value {
        case ascii(String)
        case short(UInt16)
        case long(UInt32)
        case rational(UInt32, UInt32)
        case undefined([UInt8])
        /// Offset of another directory, filled in when it is known.
        case directory(Int)
        /// Offset of the thumbnail.
        case thumbnail
    }

    private typealias Field = (tag: UInt16, value: Value)

    /// The block for a picture; nil when there is nothing to say.
    static func bytes(
        metadata: StillMetadata, orientation: PictureOrientation, width: Int, height: Int, isSRGB: Bool,
        thumbnail: [UInt8]?
    ) -> [UInt8]? {
        guard !metadata.isEmpty || orientation != .up || thumbnail != nil else { return nil }
        let time = metadata.timeStamp.map(CivilTime.init)
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

    /// Directories one after the other, each followed by the values that do not fit its fields; the thumbnail last.
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
            // The thumbnail's directory is the main one's successor.
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

    /// What lies outside the field; empty when the value fits it.
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

/// What matters of other people's EXIF data.
struct ExifReader {
    private(set) var orientation = PictureOrientation.up

    /// - Parameter bytes: from the byte order mark on; nonsense leaves the defaults.
    init(_ bytes: ArraySlice<UInt8>) {
        let reader = ByteReader(bytes)
        let isLittle = reader.hasText("II", at: 0)
        guard isLittle || reader.hasText("MM", at: 0) else { return }
        func short(_ offset: Int) -> Int? {
            let value = isLittle ? reader.little(offset, as: UInt16.self) : reader.big(offset, as: UInt16.self)
            return value.map(Int.init)
        }
        let start = isLittle ? reader.little(4, as: UInt32.self) : reader.big(4, as: UInt32.self)
        guard let directory = start.map(Int.init), let count = short(directory) else { return }
        for index in 0..<count {
            let field = directory + 2 + 12 * index
            guard let tag = short(field) else { return }
            if tag == 0x0112, let found = short(field + 8).flatMap(PictureOrientation.init(rawValue:)) {
                orientation = found
            }
        }
    }
}

/// A moment as a calendar says it, in UTC.
struct CivilTime {
    /// `YYYY:MM:DD HH:MM:SS`, as EXIF wants it.
    let text: String
    /// Decimals of the second.
    let fraction: String

    /// - Parameter time: seconds since 1970-01-01 00:00:00 UTC; brought into the years 0…9999.
    init(_ time: MediaTime) {
        let range = Int64(-62_167_219_200_000)...Int64(253_402_300_799_999)
        let milliseconds = min(max(time.ticks(of: Rational(1, 1000)), range.lowerBound), range.upperBound)
        let seconds = Self.floorDivide(milliseconds, 1000)
        let days = Self.floorDivide(seconds, 86_400)
        let second = seconds - days * 86_400
        // Days counted in 400-year eras that begin in March, so that leap days come last.
        let shifted = days + 719_468
        let era = Self.floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        func digits(_ value: Int64, _ width: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        text =
            "\(digits(year, 4)):\(digits(month, 2)):\(digits(day, 2)) "
            + "\(digits(second / 3600, 2)):\(digits(second / 60 % 60, 2)):\(digits(second % 60, 2))"
        fraction = digits(milliseconds - seconds * 1000, 3)
    }

    private static func floorDivide(_ a: Int64, _ b: Int64) -> Int64 { (a >= 0 ? a : a - (b - 1)) / b }
}

extension StillCodec {
    /// A moment as EXIF writes it, `YYYY:MM:DD HH:MM:SS` in UTC.
    package static func calendarText(_ time: MediaTime) -> String { CivilTime(time).text }
}
