import FrameCore

/// What is stored in an image file beside its samples, in the form that all formats share.
struct StillExtras {
    /// An ICC profile.
    var profile: [UInt8]?
    /// EXIF data from its byte order mark on.
    var exif: [UInt8]?
    var xmp: [UInt8]?
    var iptc: [UInt8]?
    /// Complete text chunks of a PNG file.
    var pngText: [UInt8]?

    var isEmpty: Bool { profile == nil && exif == nil && xmp == nil && iptc == nil && pngText == nil }
}

/// Adds to image files what libav's encoders leave out.
enum StillContainer {
    static let exifName = "Exif\0\0"
    static let xmpName = "http://ns.adobe.com/xap/1.0/\0"
    static let photoshopName = "Photoshop 3.0\0"
    private static let profileName = "ICC_PROFILE\0"
    /// Largest contents of a JPEG segment, in bytes: the limit of its 16-bit length, minus the length itself.
    private static let segmentLimit = 65_533
    /// Largest EXIF block in a JPEG file, in bytes.
    static let mostEXIFBytes = segmentLimit - exifName.utf8.count

    /// Inserts segments for metadata and the ICC profile after the JFIF header.
    ///
    /// - Parameter notes: receives one note for each thing that is too large for a segment.
    static func jpeg(_ file: [UInt8], _ extras: StillExtras, notes: inout [Note]) throws(FrameError) -> [UInt8] {
        let reader = ByteReader(file)
        guard reader.big(0, as: UInt16.self) == 0xFFD8 else {
            throw FrameError(.encode, "the JPEG encoder's output is not a JPEG file")
        }
        var position = 2
        if reader.big(2, as: UInt16.self) == 0xFFE0, let length = reader.big(4, as: UInt16.self) {
            position = min(file.count, 4 + Int(length))
        }
        var writer = ByteWriter(capacity: file.count + 65_536)
        writer.raw(file[..<position])
        func segment(_ marker: UInt16, _ name: String, _ data: [UInt8]?, _ what: String) {
            guard let data else { return }
            guard name.utf8.count + data.count <= segmentLimit else {
                notes.append(
                    .loss(
                        "image-metadata-dropped",
                        "the \(what) data of \(data.count) bytes is too large for JPEG and left out"))
                return
            }
            writer.big(marker)
            writer.big(UInt16(name.utf8.count + data.count + 2))
            writer.text(name)
            writer.raw(data)
        }
        segment(0xFFE1, exifName, extras.exif, "EXIF")
        segment(0xFFE1, xmpName, extras.xmp, "XMP")
        segment(0xFFED, photoshopName, extras.iptc.map(imageResource), "IPTC")
        if let profile = extras.profile {
            // Two bytes number the segments.
            let size = segmentLimit - profileName.utf8.count - 2
            let parts = (profile.count + size - 1) / size
            if parts <= 255 {
                for part in 0..<parts {
                    let data = profile[part * size..<min(profile.count, (part + 1) * size)]
                    segment(0xFFE2, profileName, [UInt8(part + 1), UInt8(parts)] + data, "ICC")
                }
            } else {
                notes.append(
                    .loss(
                        "color-profile-dropped",
                        "the ICC profile of \(profile.count) bytes is too large for JPEG and left out"))
            }
        }
        writer.raw(file[position...])
        return writer.bytes
    }

    /// Returns IPTC records as one of Photoshop's image resources.
    private static func imageResource(_ iptc: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.text("8BIM")
        writer.big(UInt16(0x0404))
        writer.zeros(2)
        writer.big(UInt32(iptc.count))
        writer.raw(iptc)
        writer.zeros(iptc.count & 1)
        return writer.bytes
    }

    /// Inserts chunks for metadata and color after the header of a PNG file.
    static func png(_ file: [UInt8], _ extras: StillExtras, color: ColorDescription?) throws(FrameError) -> [UInt8] {
        // Signature and header are 8 + 25 bytes in every PNG file.
        guard file.count > 33 else { throw FrameError(.encode, "the PNG encoder's output is not a PNG file") }
        var writer = ByteWriter(capacity: file.count + 65_536)
        writer.raw(file[..<33])
        if let color { writer.chunk("cICP", [color.primaries.rawValue, color.transfer.rawValue, 0, 1]) }
        if let profile = extras.profile {
            writer.chunk("iCCP", Array("ICC profile".utf8) + [0, 0] + ZlibStream.stored(profile))
        }
        if let exif = extras.exif { writer.chunk("eXIf", exif) }
        // Keyword, no compression, and neither language nor translated keyword.
        if let xmp = extras.xmp { writer.chunk("iTXt", Array("XML:com.adobe.xmp".utf8) + [0, 0, 0, 0, 0] + xmp) }
        if let text = extras.pngText { writer.raw(text) }
        writer.raw(file[33...])
        return writer.bytes
    }

    /// Rebuilds a WebP file with the extended header that metadata needs.
    static func webp(
        _ file: [UInt8], _ extras: StillExtras, width: Int, height: Int, hasAlpha: Bool
    ) throws(FrameError) -> [UInt8] {
        let reader = ByteReader(file)
        guard reader.hasText("RIFF", at: 0), reader.hasText("WEBP", at: 8) else {
            throw FrameError(.encode, "the WebP encoder's output is not a WebP file")
        }
        var chunks = ByteWriter(capacity: file.count)
        var position = 12
        while let size = reader.little(position + 4, as: UInt32.self) {
            let length = 8 + (Int(size) + 1) & ~1
            guard let chunk = reader.slice(position, min(length, file.count - position)) else { break }
            if !reader.hasText("VP8X", at: position) { chunks.raw(chunk) }
            position += length
        }
        var body = ByteWriter(capacity: file.count + 65_536)
        body.text("WEBPVP8X")
        body.little(UInt32(10))
        let flags: [(UInt32, Bool)] = [
            (0x20, extras.profile != nil), (0x10, hasAlpha), (0x08, extras.exif != nil), (0x04, extras.xmp != nil),
        ]
        body.little(flags.reduce(0) { $1.1 ? $0 | $1.0 : $0 })
        for side in [width - 1, height - 1] {
            body.little(UInt16(truncatingIfNeeded: side))
            body.little(UInt8(truncatingIfNeeded: side >> 16))
        }
        func chunk(_ name: String, _ data: [UInt8]?) {
            guard let data else { return }
            body.text(name)
            body.little(UInt32(data.count))
            body.raw(data)
            body.zeros(data.count & 1)
        }
        chunk("ICCP", extras.profile)
        body.raw(chunks.bytes)
        chunk("EXIF", extras.exif)
        chunk("XMP ", extras.xmp)
        var writer = ByteWriter(capacity: body.count + 8)
        writer.text("RIFF")
        writer.little(UInt32(body.count))
        writer.raw(body.bytes)
        return writer.bytes
    }

    /// Wraps a JPEG XL codestream in a container with metadata.
    static func jpegXL(_ codestream: [UInt8], _ extras: StillExtras) throws(FrameError) -> [UInt8] {
        guard codestream.starts(with: [0xFF, 0x0A]) else {
            throw FrameError(.encode, "the JPEG XL encoder's output is not a codestream")
        }
        var writer = ByteWriter(capacity: codestream.count + 65_536)
        writer.box("JXL ") { $0.raw([0x0D, 0x0A, 0x87, 0x0A]) }
        writer.box("ftyp") {
            $0.text("jxl ")
            $0.zeros(4)
            $0.text("jxl ")
        }
        if let exif = extras.exif {
            writer.box("Exif") {
                $0.zeros(4)
                $0.raw(exif)
            }
        }
        if let xmp = extras.xmp { writer.box("xml ") { $0.raw(xmp) } }
        writer.box("jxlc") { $0.raw(codestream) }
        return writer.bytes
    }

    /// Adds fields to the first directory of a TIFF file.
    static func tiff(_ file: [UInt8], _ extras: StillExtras) throws(FrameError) -> [UInt8] {
        guard var block = TIFFBlock(file), var fields = block.fieldsInPlace(at: block.start) else {
            throw FrameError(.encode, "the TIFF encoder's output is not a TIFF file")
        }
        if let exif = extras.exif.flatMap({ TIFFBlock($0) }) {
            let described = ExifBlock.descriptive(exif), tags = Set(described.map(\.tag))
            fields = fields.filter { !tags.contains($0.tag) } + described
        }
        for (tag, type, data) in [
            (ExifBlock.profile, 7, extras.profile), (ExifBlock.xmp, 1, extras.xmp), (ExifBlock.iptc, 7, extras.iptc),
        ] as [(UInt16, UInt16, [UInt8]?)] {
            if let data { fields.append(.init(tag: tag, type: type, count: data.count, value: .data(data))) }
        }
        block.setStart(block.append(fields))
        return block.bytes
    }
}

/// Compressed data in the form that PNG stores (RFC 1950), but without compression, since profiles are small.
enum ZlibStream {
    /// Returns a stream whose blocks are not compressed.
    static func stored(_ data: [UInt8]) -> [UInt8] {
        var writer = ByteWriter(capacity: data.count + 64)
        writer.raw([0x78, 0x01])
        var position = 0
        repeat {
            let count = min(65_535, data.count - position)
            writer.raw([position + count == data.count ? 1 : 0])
            writer.little(UInt16(count))
            writer.little(~UInt16(count))
            writer.raw(data[position..<position + count])
            position += count
        } while position < data.count
        var (a, b) = (UInt32(1), UInt32(0))
        for byte in data {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        writer.big(b << 16 | a)
        return writer.bytes
    }
}

extension ByteWriter {
    /// Writes a chunk of a PNG file.
    fileprivate mutating func chunk(_ kind: String, _ contents: [UInt8]) {
        let body = Array(kind.utf8) + contents
        big(UInt32(contents.count))
        raw(body)
        big(CRC32.of(body))
    }
}
