import FrameCore
import Glibc

/// What an image file holds besides its samples, read from the containers of JPEG, PNG, WebP, AVIF, JPEG XL, JPEG 2000
/// and TIFF.
struct EmbeddedMetadata {
    /// EXIF, XMP, IPTC and text.
    var metadata = StillMetadata()
    /// An ICC profile that libavcodec does not return with the picture.
    var profile: [UInt8]?
    /// Color tags of a PNG file that libavcodec does not return; nil if there are none.
    var color: ColorDescription?
    /// How the stored picture is turned for display.
    var orientation = PictureOrientation.up
    /// The mean step with which the luma of a JPEG or WebP file is quantized; see ``JPEGQuantizer`` and ``VP8Quantizer``.
    var quantizerStep: Double?
    /// Whether the codec filters the edges of its blocks.
    var isLoopFiltered = false
    /// One note for each thing that is left out.
    var notes: [Note] = []

    init() {}

    /// Reads the metadata of an image file; empty when the bytes are something else.
    init(_ file: [UInt8]) {
        let reader = ByteReader(file)
        if reader.hasText("jP  ", at: 4) {
            readJPEG2000(ISOBoxes(file))
        } else if file.starts(with: [0x76, 0x2F, 0x31, 0x01]) {
            readEXR(reader)
        } else if HEICImage.isHEIC(file) {
            readAVIF(ISOBoxes(file), isDecoded: true)
            if profile != nil { color = nil }
            // libheif applies the orientation.
            orientation = .up
        } else if let tiff = TIFFBlock(file) {
            readTIFF(tiff)
        } else {
            switch StillFormat(bytes: file) {
            case .jpeg: readJPEG(reader)
            case .png: readPNG(reader)
            case .webp: readWebP(reader)
            case .avif: readAVIF(ISOBoxes(file))
            case .jpegXL: readJPEGXL(ISOBoxes(file))
            case nil: break
            }
        }
        if let xmp = metadata.xmp, XMPPacket.describesOtherImages(xmp) {
            metadata.xmp = nil
            note(
                "the file's further images, such as a gain map or a motion photo, and the XMP data about them are left out"
            )
        }
    }

    /// Reads the metadata of a local file; empty when it cannot be read or is larger than an image.
    init(fileAt path: String) {
        self.init()
        guard let size = LocalFile(path)?.size, size > 0, size <= StillCodec.maximumFileBytes,
            let file = fopen(LocalFile.path(path), "rb")
        else { return }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        guard fread(&bytes, 1, bytes.count, file) == bytes.count else { return }
        self.init(bytes)
    }

    /// Adds what libavcodec does not return with a picture.
    func complete(_ color: inout ColorDescription, _ sideData: inout SideData) {
        if let tags = self.color {
            (color.primaries, color.transfer) = (tags.primaries, tags.transfer)
            // The tags take precedence over a profile (PNG, third edition).
            sideData.colorProfile = nil
        } else if let profile, sideData.colorProfile == nil {
            sideData.colorProfile = profile
        }
    }

    private mutating func note(_ sentence: String) { notes.appendOnce(.loss("image-metadata-dropped", sentence)) }

    private mutating func setExif(_ bytes: some Sequence<UInt8>) {
        var bytes = Array(bytes)
        if bytes.starts(with: Array("Exif\0\0".utf8)) { bytes.removeFirst(6) }
        guard metadata.exif == nil else { return }
        guard let block = TIFFBlock(bytes), block.entries(at: block.start) != nil else {
            return note("the EXIF data is damaged and left out")
        }
        metadata.exif = bytes
    }

    private mutating func readJPEG(_ reader: ByteReader) {
        var position = 2
        var quantizer = JPEGQuantizer()
        while let marker = reader.big(position, as: UInt16.self), marker & 0xFF00 == 0xFF00, marker != 0xFFDA,
            let length = reader.big(position + 2, as: UInt16.self), length >= 2
        {
            let body = position + 4, size = Int(length) - 2
            quantizer.read(marker, reader.slice(body, size) ?? [])
            func rest(_ name: String) -> [UInt8]? {
                guard reader.hasText(name, at: body), size > name.utf8.count else { return nil }
                return reader.slice(body + name.utf8.count, size - name.utf8.count).map { Array($0) }
            }
            switch marker {
            case 0xFFE1:
                if let exif = rest(StillContainer.exifName) {
                    setExif(exif)
                } else if let xmp = rest(StillContainer.xmpName) {
                    metadata.xmp = metadata.xmp ?? xmp
                } else if rest("http://ns.adobe.com/xmp/extension/\0") != nil {
                    note("the extended part of the XMP data is left out")
                }
            case 0xFFE2 where rest("MPF\0") != nil:
                note("the file's further images, such as a gain map, are left out")
            case 0xFFED:
                if let resources = rest(StillContainer.photoshopName) { metadata.iptc = Self.iptc(in: resources) }
            default: break
            }
            position += 2 + Int(length)
        }
        quantizerStep = quantizer.step
        orientation = metadata.exif.map { ExifBlock.orientation(of: $0) } ?? .up
    }

    /// Returns the IPTC records among Photoshop's image resources.
    private static func iptc(in resources: [UInt8]) -> [UInt8]? {
        let reader = ByteReader(resources)
        var position = 0
        while reader.hasText("8BIM", at: position), let number = reader.big(position + 4, as: UInt16.self),
            let name = reader.big(position + 6, as: UInt8.self)
        {
            // A name with its length, padded to an even number of bytes.
            let size = position + 6 + (Int(name) + 2) & ~1
            guard let count = reader.big(size, as: UInt32.self) else { return nil }
            if number == 0x0404 { return reader.slice(size + 4, Int(count)).map { Array($0) } }
            position = size + 4 + (Int(count) + 1) & ~1
        }
        return nil
    }

    private mutating func readTIFF(_ file: TIFFBlock) {
        func data(_ tag: UInt16) -> [UInt8]? {
            file.entry(tag, at: file.start).flatMap { file.payload(at: $0) }.map { Array(file.bytes[$0]) }
        }
        metadata.exif = ExifBlock.bytes(ofTIFF: file)
        metadata.xmp = data(ExifBlock.xmp)
        metadata.iptc = data(ExifBlock.iptc)
        profile = data(ExifBlock.profile)
        orientation = ExifBlock.orientation(of: file.bytes)
        if file.entries(at: file.start)?.next ?? 0 != 0 { note("only the first image of the file is read") }
    }

    private mutating func readWebP(_ reader: ByteReader) {
        var position = 12
        while let length = reader.little(position + 4, as: UInt32.self) {
            let body = reader.slice(position + 8, Int(length))
            if reader.hasText("EXIF", at: position), let body { setExif(body) }
            if reader.hasText("XMP ", at: position), let body { metadata.xmp = Array(body) }
            if reader.hasText("ICCP", at: position), let body { profile = Array(body) }
            if reader.hasText("VP8 ", at: position), let body, let quantizer = VP8Quantizer(body) {
                (quantizerStep, isLoopFiltered) = (quantizer.step, quantizer.isLoopFiltered)
            }
            position += 8 + (Int(length) + 1) & ~1
        }
        orientation = metadata.exif.map { ExifBlock.orientation(of: $0) } ?? .up
    }

    /// - Parameter isDecoded: whether the picture is decoded without its color tags.
    private mutating func readAVIF(_ boxes: ISOBoxes, isDecoded: Bool = false) {
        let items = HEIFItems(boxes)
        orientation = AVIFFile.orientation(of: items.properties, in: boxes)
        for box in items.properties where box.kind == "colr" {
            let start = box.body.lowerBound
            if boxes.reader.hasText("nclx", at: start), isDecoded {
                color = ColorDescription(
                    primaries: ColorPrimaries(rawValue: boxes.reader.big(start + 5, as: UInt8.self) ?? 2),
                    transfer: TransferCharacteristics(rawValue: boxes.reader.big(start + 7, as: UInt8.self) ?? 2))
            }
            guard box.body.count > 4, ["prof", "rICC"].contains(where: { boxes.reader.hasText($0, at: start) }) else {
                continue
            }
            profile = boxes.bytes(start + 4..<box.body.upperBound)
        }
        readQuantizer(items)
        setExif(afterOffset: items.bytes(kind: "Exif"))
        metadata.xmp = items.bytes(kind: "mime", mediaType: "application/rdf+xml")
    }

    private mutating func readQuantizer(_ items: HEIFItems) {
        let kinds = [("av01", "av1C", PacketQuantizer.Codec.av1), ("hvc1", "hvcC", .hevc)]
        for (kind, record, codec) in kinds {
            guard let picture = items.codedPicture(kind: kind, record: record) else { continue }
            var quantizer = PacketQuantizer(codec, extradata: picture.record)
            guard let step = picture.bytes.withUnsafeBufferPointer({ quantizer.step(of: $0) }) else { continue }
            (quantizerStep, isLoopFiltered) = (Double(step), true)
        }
    }

    /// Reads the primaries of an OpenEXR file: attributes with name, type, size and value.
    private mutating func readEXR(_ reader: ByteReader) {
        var position = 8
        func text() -> String? {
            var end = position
            while let byte = reader.big(end, as: UInt8.self), byte != 0, end - position < 256 { end += 1 }
            defer { position = end + 1 }
            return reader.slice(position, end - position).map { String(decoding: $0, as: UTF8.self) }
        }
        while let name = text(), !name.isEmpty, text() != nil, let size = reader.little(position, as: UInt32.self) {
            if name == "chromaticities", size == 32 {
                let values = (0..<8).compactMap { index in
                    reader.little(position + 4 + 4 * index, as: UInt32.self).map { Double(Float(bitPattern: $0)) }
                }
                guard values.count == 8, values.allSatisfy(\.isFinite) else { return }
                let primaries = ColorProfile.Primaries(
                    white: (values[6], values[7]), red: (values[0], values[1]), green: (values[2], values[3]),
                    blue: (values[4], values[5]))
                guard !primaries.isBT709 else { return }
                let curve = ColorProfile.sRGBCurve
                profile = ColorProfile(primaries: primaries, curve: curve, description: "OpenEXR chromaticities")?.bytes
                return
            }
            position += 4 + Int(size)
        }
    }

    private mutating func readJPEGXL(_ boxes: ISOBoxes) {
        for box in boxes.all {
            switch box.kind {
            case "Exif": setExif(afterOffset: boxes.bytes(box.body))
            case "xml ": metadata.xmp = metadata.xmp ?? boxes.bytes(box.body)
            case "brob": note("compressed metadata is left out")
            default: break
            }
        }
        // The decoder applies the orientation.
    }

    /// Takes EXIF data that follows the offset of its TIFF header.
    private mutating func setExif(afterOffset item: [UInt8]?) {
        guard let item, let offset = ByteReader(item).big(0, as: UInt32.self), 4 + Int(offset) < item.count else {
            return
        }
        setExif(item[(4 + Int(offset))...])
    }

    private mutating func readJPEG2000(_ boxes: ISOBoxes) {
        let uuids: [(name: [UInt8], use: WritableKeyPath<StillMetadata, [UInt8]?>)] = [
            (Array("JpgTiffExif->JP2".utf8), \.exif),
            (
                [0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC],
                \.xmp
            ),
            (
                [0x33, 0xC7, 0xA4, 0xD2, 0xB8, 0x1D, 0x47, 0x23, 0xA0, 0xBA, 0xF1, 0xA3, 0xE0, 0x97, 0xAD, 0x38],
                \.iptc
            ),
        ]
        for box in boxes.all where box.kind == "uuid" && box.body.count > 16 {
            let name = boxes.bytes(box.body.lowerBound..<box.body.lowerBound + 16)
            let data = boxes.bytes(box.body.lowerBound + 16..<box.body.upperBound)
            guard let use = uuids.first(where: { $0.name == name })?.use else { continue }
            if use == \.exif { setExif(data) } else { metadata[keyPath: use] = data }
        }
        orientation = metadata.exif.map { ExifBlock.orientation(of: $0) } ?? .up
        guard let header = boxes.find("jp2h") else { return }
        for box in boxes.boxes(in: header) where box.kind == "colr" && box.body.count > 3 {
            // Method 2 is a restricted and method 3 any ICC profile.
            guard let method = boxes.reader.big(box.body.lowerBound, as: UInt8.self), method == 2 || method == 3 else {
                continue
            }
            profile = boxes.bytes(box.body.lowerBound + 3..<box.body.upperBound)
        }
    }
}

extension EmbeddedMetadata {
    private mutating func readPNG(_ reader: ByteReader) {
        var text: [UInt8] = []
        var (gamma, primaries): (Double?, ColorProfile.Primaries?) = (nil, nil)
        var hasProfile = false
        var position = 8
        while let length = reader.big(position, as: UInt32.self).map(Int.init),
            let kind = reader.slice(position + 4, 4),
            let body = reader.slice(position + 8, length)
        {
            let data = Array(body)
            switch String(decoding: kind, as: UTF8.self) {
            case "eXIf": setExif(data)
            case "iCCP", "sRGB": hasProfile = true
            case "cICP" where data.count == 4:
                color = ColorDescription(
                    primaries: ColorPrimaries(rawValue: data[0]), transfer: TransferCharacteristics(rawValue: data[1]))
            case "gAMA": gamma = ByteReader(data).big(0, as: UInt32.self).map { Double($0) / 100_000 }
            case "cHRM": primaries = Self.primaries(data)
            case "iTXt" where data.starts(with: Array("XML:com.adobe.xmp\0".utf8)): readXMP(inText: data)
            case "tEXt", "zTXt", "iTXt":
                if data.starts(with: Array("Raw profile type ".utf8)) {
                    readRawProfile(data, isCompressed: kind.elementsEqual("zTXt".utf8))
                } else {
                    text += reader.slice(position, 12 + length) ?? []
                }
            default: break
            }
            position += 12 + length
        }
        if !text.isEmpty { metadata.pngText = text }
        orientation = metadata.exif.map { ExifBlock.orientation(of: $0) } ?? .up
        if !hasProfile, color == nil { profile = Self.profile(gamma: gamma, primaries) }
    }

    private static func primaries(_ chunk: [UInt8]) -> ColorProfile.Primaries? {
        let reader = ByteReader(chunk)
        let values = (0..<8).compactMap { reader.big(4 * $0, as: UInt32.self).map { Double($0) / 100_000 } }
        guard values.count == 8 else { return nil }
        return .init(
            white: (values[0], values[1]), red: (values[2], values[3]), green: (values[4], values[5]),
            blue: (values[6], values[7]))
    }

    /// Returns a profile with the colors of a PNG file's gAMA and cHRM chunks; nil if they are those of sRGB.
    private static func profile(gamma: Double?, _ primaries: ColorProfile.Primaries?) -> [UInt8]? {
        // The value for sRGB, which stands for its curve.
        let isSRGB = gamma.map { abs($0 - 1 / 2.2) < 0.005 } ?? true
        if isSRGB, primaries?.isBT709 ?? true { return nil }
        guard gamma.map({ $0 > 0.01 && $0 < 100 }) ?? true else { return nil }
        let curve = isSRGB ? ColorProfile.sRGBCurve : ColorProfile.gamma(1 / (gamma ?? 1))
        return ColorProfile(primaries: primaries ?? .bt709, curve: curve, description: "PNG gAMA and cHRM")?.bytes
    }

    /// Takes an XMP packet from an international text chunk: keyword, compression, language and translated keyword, text.
    private mutating func readXMP(inText data: [UInt8]) {
        let start = "XML:com.adobe.xmp\0".utf8.count
        guard data.count > start + 2, data[start] == 0 else { return note("compressed XMP data is left out") }
        let rest = data[(start + 2)...]
        guard let language = rest.firstIndex(of: 0), let keyword = rest[(language + 1)...].firstIndex(of: 0) else {
            return
        }
        metadata.xmp = Array(data[(keyword + 1)...])
    }

    /// Takes EXIF, XMP or IPTC data that ImageMagick and others write in hexadecimal: a name, a length, and the digits.
    private mutating func readRawProfile(_ data: [UInt8], isCompressed: Bool) {
        let name = String(decoding: data.prefix { $0 != 0 }.dropFirst("Raw profile type ".utf8.count), as: UTF8.self)
        guard !isCompressed else {
            // What is also stored in a chunk of its own is not lost.
            let isKept = name == "icc" || name == "icm" || (name == "exif" || name == "APP1") && metadata.exif != nil
            if !isKept { note("the compressed \(name) data in a PNG text chunk is left out") }
            return
        }
        let lines = data.drop { $0 != 0 }.dropFirst().split(separator: UInt8(ascii: "\n"))
        let digits = lines.dropFirst(2).joined().compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        switch name {
        case "exif": setExif(bytes)
        case "APP1" where bytes.starts(with: Array("Exif\0\0".utf8)): setExif(bytes)
        case "xmp": metadata.xmp = metadata.xmp ?? bytes
        case "iptc": metadata.iptc = Self.iptc(in: bytes) ?? bytes
        default: break
        }
    }
}

/// Text in RDF/XML that describes an image.
enum XMPPacket {
    /// Whether a packet describes further images in the file, such as a gain map, which is not kept.
    static func describesOtherImages(_ packet: [UInt8]) -> Bool {
        let text = String(decoding: packet, as: UTF8.self)
        return ["hdrgm:", "HDRGainMap:", "Container:Directory", "GCamera:MotionPhoto", "GCamera:MicroVideo"]
            .contains { text.contains($0) }
    }

    /// Returns a packet with the size and orientation of another image.
    static func adapted(_ packet: [UInt8], to image: ExifBlock.Image) -> [UInt8] {
        let values: [(name: String, value: Int)] = [
            ("tiff:Orientation", image.orientation.rawValue), ("tiff:ImageWidth", image.width),
            ("tiff:ImageLength", image.height), ("exif:PixelXDimension", image.width),
            ("exif:PixelYDimension", image.height),
        ]
        return values.reduce(packet) { replaced($0, numberOf: Array($1.name.utf8), by: $1.value) }
    }

    /// Replaces the number in `name="6"` and `<name>6</name>`.
    private static func replaced(_ packet: [UInt8], numberOf name: [UInt8], by value: Int) -> [UInt8] {
        var result: [UInt8] = [], position = 0
        while position < packet.count {
            guard packet[position] == name[0], packet[position...].starts(with: name) else {
                result.append(packet[position])
                position += 1
                continue
            }
            var end = position + name.count
            while end < packet.count, "=\"'>".utf8.contains(packet[end]) { end += 1 }
            let digits = packet[end...].prefix { (48...57).contains($0) }
            result += packet[position..<end]
            if end > position + name.count, !digits.isEmpty {
                result += Array(String(value).utf8)
                position = digits.endIndex
            } else {
                position = end
            }
        }
        return result
    }
}
