import FrameCore

/// Adds to image files what libav's encoders leave out.
enum StillContainer {
    /// Largest EXIF block in a JPEG file, in bytes: the limit of a segment's 16-bit length, minus length and
    /// identifier.
    static let jpegExifLimit = 65_533 - 6

    /// Inserts an EXIF block after the JFIF header.
    static func jpeg(_ file: [UInt8], exif: [UInt8]) throws(FrameError) -> [UInt8] {
        guard exif.count <= jpegExifLimit else {
            throw FrameError(
                .invalidArgument,
                "the EXIF data with its thumbnail takes \(exif.count) bytes; JPEG allows at most \(jpegExifLimit)")
        }
        let reader = ByteReader(file)
        guard reader.big(0, as: UInt16.self) == 0xFFD8 else {
            throw FrameError(.encode, "the JPEG encoder's output is not a JPEG file")
        }
        var position = 2
        if reader.big(2, as: UInt16.self) == 0xFFE0, let length = reader.big(4, as: UInt16.self) {
            position = min(file.count, 4 + Int(length))
        }
        var writer = ByteWriter()
        writer.raw(file[..<position])
        writer.big(UInt16(0xFFE1))
        writer.big(UInt16(exif.count + 8))
        writer.text("Exif")
        writer.zeros(2)
        writer.raw(exif)
        writer.raw(file[position...])
        return writer.bytes
    }

    /// Inserts chunks for EXIF data and color after the header of a PNG file.
    static func png(_ file: [UInt8], exif: [UInt8]?, color: ColorDescription?) throws(FrameError) -> [UInt8] {
        // Signature and header are 8 + 25 bytes in every PNG file.
        guard file.count > 33 else { throw FrameError(.encode, "the PNG encoder's output is not a PNG file") }
        var writer = ByteWriter()
        writer.raw(file[..<33])
        if let color { writer.chunk("cICP", [color.primaries.rawValue, color.transfer.rawValue, 0, 1]) }
        if let exif { writer.chunk("eXIf", exif) }
        writer.raw(file[33...])
        return writer.bytes
    }

    /// Rebuilds a WebP file with the extended header that EXIF data needs.
    static func webp(
        _ file: [UInt8], exif: [UInt8], width: Int, height: Int, hasAlpha: Bool
    ) throws(FrameError) -> [UInt8] {
        let reader = ByteReader(file)
        guard reader.hasText("RIFF", at: 0), reader.hasText("WEBP", at: 8) else {
            throw FrameError(.encode, "the WebP encoder's output is not a WebP file")
        }
        var chunks = ByteWriter()
        var position = 12
        while let size = reader.little(position + 4, as: UInt32.self) {
            let length = 8 + (Int(size) + 1) & ~1
            guard let chunk = reader.slice(position, min(length, file.count - position)) else { break }
            if !reader.hasText("VP8X", at: position) { chunks.raw(chunk) }
            position += length
        }
        var body = ByteWriter()
        body.text("WEBPVP8X")
        body.little(UInt32(10))
        body.little(UInt32(0x08 | (hasAlpha ? 0x10 : 0)))
        for side in [width - 1, height - 1] {
            body.little(UInt16(truncatingIfNeeded: side))
            body.little(UInt8(truncatingIfNeeded: side >> 16))
        }
        body.raw(chunks.bytes)
        body.text("EXIF")
        body.little(UInt32(exif.count))
        body.raw(exif)
        body.zeros(exif.count & 1)
        var writer = ByteWriter()
        writer.text("RIFF")
        writer.little(UInt32(body.count))
        writer.raw(body.bytes)
        return writer.bytes
    }

    /// Wraps a JPEG XL codestream in a container with EXIF data.
    static func jpegXL(_ codestream: [UInt8], exif: [UInt8]) throws(FrameError) -> [UInt8] {
        guard codestream.starts(with: [0xFF, 0x0A]) else {
            throw FrameError(.encode, "the JPEG XL encoder's output is not a codestream")
        }
        var writer = ByteWriter()
        writer.box("JXL ") { $0.raw([0x0D, 0x0A, 0x87, 0x0A]) }
        writer.box("ftyp") {
            $0.text("jxl ")
            $0.zeros(4)
            $0.text("jxl ")
        }
        writer.box("Exif") {
            $0.zeros(4)
            $0.raw(exif)
        }
        writer.box("jxlc") { $0.raw(codestream) }
        return writer.bytes
    }

    /// Returns the EXIF data of a file, starting at the byte order mark; nil when there is none.
    static func exif(of file: [UInt8]) -> ArraySlice<UInt8>? {
        let reader = ByteReader(file)
        switch StillFormat(bytes: file) {
        case .jpeg: return jpegExif(reader)
        case .png:
            var position = 8
            while let length = reader.big(position, as: UInt32.self), !reader.hasText("IDAT", at: position + 4) {
                if reader.hasText("eXIf", at: position + 4) { return reader.slice(position + 8, Int(length)) }
                position += 12 + Int(length)
            }
            return nil
        case .webp:
            var position = 12
            while let length = reader.little(position + 4, as: UInt32.self) {
                if reader.hasText("EXIF", at: position) {
                    let found = reader.slice(position + 8, Int(length))
                    return found.map { $0.starts(with: Array("Exif\0\0".utf8)) ? $0.dropFirst(6) : $0 }
                }
                position += 8 + (Int(length) + 1) & ~1
            }
            return nil
        case .avif, .jpegXL, nil: return nil
        }
    }

    private static func jpegExif(_ reader: ByteReader) -> ArraySlice<UInt8>? {
        var position = 2
        while let marker = reader.big(position, as: UInt16.self), marker & 0xFF00 == 0xFF00, marker != 0xFFDA,
            let length = reader.big(position + 2, as: UInt16.self)
        {
            if marker == 0xFFE1, reader.hasText("Exif\0\0", at: position + 4), length >= 8 {
                return reader.slice(position + 10, Int(length) - 8)
            }
            position += 2 + Int(length)
        }
        return nil
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
