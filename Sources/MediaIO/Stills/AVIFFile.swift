import FrameCore

/// An AVIF file made of AV1 frames that libav encoded: one for color, and optionally one for alpha.
struct AVIFFile {
    /// An AV1 frame and its format, which the container must repeat.
    struct Image {
        /// Open bitstream units (OBUs), including a sequence header.
        var bytes: [UInt8]
        var format: PixelFormat
    }

    var width: Int
    var height: Int
    var color: Image
    var alpha: Image?
    var description: ColorDescription
    var orientation: PictureOrientation
    var extras: StillExtras

    private struct Item {
        var kind: String
        /// The type of an item of the kind `mime`.
        var mediaType: String?
        var bytes: [UInt8]
        /// Indices of properties, counted from 1, and whether a reader must understand them.
        var properties: [(number: UInt8, isEssential: Bool)]
    }

    func encoded() throws(FrameError) -> [UInt8] {
        var properties = ByteWriter()
        var count: UInt8 = 0
        func add(_ write: (inout ByteWriter) -> Void) -> UInt8 {
            write(&properties)
            count += 1
            return count
        }
        let size = add {
            $0.fullBox("ispe") {
                $0.big(UInt32(width))
                $0.big(UInt32(height))
            }
        }
        var turn: [(UInt8, Bool)] = []
        let (quarters, axis) = Self.turning(orientation)
        if quarters > 0 { turn.append((add { $0.box("irot") { $0.big(quarters) } }, true)) }
        if let axis { turn.append((add { $0.box("imir") { $0.big(axis) } }, true)) }

        let colorConfiguration = try AV1Configuration(color)
        var own = [(size, false), (add { Self.pixi(&$0, color.format) }, false)]
        own.append((add { colorConfiguration.write(&$0) }, true))
        own.append((add { Self.colr(&$0, description) }, false))
        if let profile = extras.profile {
            let box = add {
                $0.box("colr") {
                    $0.text("prof")
                    $0.raw(profile)
                }
            }
            own.append((box, false))
        }
        var items = [Item(kind: "av01", bytes: color.bytes, properties: (own + turn).map { ($0.0, $0.1) })]
        var references = ByteWriter()
        if let alpha {
            let configuration = try AV1Configuration(alpha)
            var own = [(size, false), (add { Self.pixi(&$0, alpha.format) }, false)]
            own.append((add { configuration.write(&$0) }, true))
            own.append(
                (
                    add {
                        $0.fullBox("auxC") { $0.text("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0") }
                    }, false
                ))
            items.append(Item(kind: "av01", bytes: alpha.bytes, properties: (own + turn).map { ($0.0, $0.1) }))
            Self.refer(&references, "auxl", from: items.count, to: 1)
        }
        if let exif = extras.exif {
            items.append(Item(kind: "Exif", bytes: [0, 0, 0, 0] + exif, properties: []))
            Self.refer(&references, "cdsc", from: items.count, to: 1)
        }
        if let xmp = extras.xmp {
            items.append(Item(kind: "mime", mediaType: "application/rdf+xml", bytes: xmp, properties: []))
            Self.refer(&references, "cdsc", from: items.count, to: 1)
        }
        return layOut(items, properties: properties.bytes, references: references.bytes)
    }

    /// Returns the number of counterclockwise quarter turns, and the mirroring that follows them: 0 top to bottom, 1
    /// left to right, nil none.
    static func turning(_ orientation: PictureOrientation) -> (quarters: UInt8, axis: UInt8?) {
        switch orientation {
        case .up: (0, nil)
        case .upMirrored: (0, 1)
        case .down: (2, nil)
        case .downMirrored: (0, 0)
        case .leftMirrored: (1, 0)
        case .right: (3, nil)
        case .rightMirrored: (1, 1)
        case .left: (1, nil)
        }
    }

    private func layOut(_ items: [Item], properties: [UInt8], references: [UInt8]) -> [UInt8] {
        var head = ByteWriter()
        head.box("ftyp") {
            $0.text("avif")
            $0.zeros(4)
            $0.text("avifmif1miaf")
        }
        // The offsets of the items depend on the length of the meta box that lists them, but not vice versa.
        func meta(_ start: Int) -> [UInt8] {
            var writer = ByteWriter()
            writer.fullBox("meta") { meta in
                meta.fullBox("hdlr") {
                    $0.zeros(4)
                    $0.text("pict")
                    $0.zeros(13)
                }
                meta.fullBox("pitm") { $0.big(UInt16(1)) }
                Self.iloc(&meta, items, start: start)
                Self.iinf(&meta, items)
                if !references.isEmpty { meta.fullBox("iref") { $0.raw(references) } }
                meta.box("iprp") {
                    $0.box("ipco") { $0.raw(properties) }
                    Self.ipma(&$0, items)
                }
            }
            return writer.bytes
        }
        let start = head.count + meta(0).count + 8
        head.raw(meta(start))
        head.box("mdat") { data in items.forEach { data.raw($0.bytes) } }
        return head.bytes
    }

    /// Writes the offsets of the items, which are stored contiguously starting at offset `start`.
    private static func iloc(_ writer: inout ByteWriter, _ items: [Item], start: Int) {
        writer.fullBox("iloc") {
            $0.big(UInt16(0x4400))
            $0.big(UInt16(items.count))
            var offset = start
            for (index, item) in items.enumerated() {
                $0.big(UInt16(index + 1))
                $0.big(UInt16(0))
                $0.big(UInt16(1))
                $0.big(UInt32(offset))
                $0.big(UInt32(item.bytes.count))
                offset += item.bytes.count
            }
        }
    }

    /// Writes the types of the items.
    private static func iinf(_ writer: inout ByteWriter, _ items: [Item]) {
        writer.fullBox("iinf") { list in
            list.big(UInt16(items.count))
            for (index, item) in items.enumerated() {
                list.fullBox("infe", version: 2, flags: item.kind == "av01" ? 0 : 1) {
                    $0.big(UInt16(index + 1))
                    $0.big(UInt16(0))
                    $0.text(item.kind)
                    $0.zeros(1)
                    if let type = item.mediaType { $0.text(type + "\0") }
                }
            }
        }
    }

    /// Writes the associations between items and properties.
    private static func ipma(_ writer: inout ByteWriter, _ items: [Item]) {
        writer.fullBox("ipma") {
            let described = items.enumerated().filter { !$0.element.properties.isEmpty }
            $0.big(UInt32(described.count))
            for (index, item) in described {
                $0.big(UInt16(index + 1))
                $0.big(UInt8(item.properties.count))
                for property in item.properties {
                    $0.big(property.number | (property.isEssential ? 0x80 : 0))
                }
            }
        }
    }

    private static func refer(_ writer: inout ByteWriter, _ kind: String, from: Int, to: Int) {
        writer.box(kind) {
            $0.big(UInt16(from))
            $0.big(UInt16(1))
            $0.big(UInt16(to))
        }
    }

    private static func pixi(_ writer: inout ByteWriter, _ format: PixelFormat) {
        writer.fullBox("pixi") {
            $0.big(UInt8(format.planeCount))
            for _ in 0..<format.planeCount { $0.big(UInt8(format.bitDepth)) }
        }
    }

    private static func colr(_ writer: inout ByteWriter, _ color: ColorDescription) {
        writer.box("colr") {
            $0.text("nclx")
            for code in [color.primaries.rawValue, color.transfer.rawValue, color.matrix.rawValue] {
                $0.big(UInt16(code))
            }
            $0.big(UInt8(color.range == .full ? 0x80 : 0))
        }
    }
}

/// The av1C box: what a decoder must know before it reads the sequence header.
struct AV1Configuration {
    private let profile: UInt8
    private let level: UInt8
    private let format: PixelFormat

    /// Reads profile and level from the sequence header.
    init(_ image: AVIFFile.Image) throws(FrameError) {
        format = image.format
        let reader = ByteReader(image.bytes)
        var start: UInt32?
        image.bytes.withUnsafeBufferPointer { bytes in
            OBU.forEach(in: bytes) { kind, _, payload in
                if kind == .sequenceHeader { start = start ?? reader.big(payload.lowerBound, as: UInt32.self) }
            }
        }
        guard let start else { throw FrameError(.encode, "the AV1 encoder wrote no sequence header") }
        profile = UInt8(start >> 29)
        // In a reduced header the level comes first. Otherwise it follows the timing and delay flags and the 12 bits of the
        // only operating point.
        level = start & 0x0800_0000 != 0 ? UInt8(start >> 22 & 31) : UInt8(start >> 3 & 31)
    }

    func write(_ writer: inout ByteWriter) {
        writer.box("av1C") {
            $0.big(UInt8(0x81))
            $0.big(profile << 5 | level)
            let isMonochrome = format.subsampling == .monochrome
            var bits: UInt8 = 0
            if format.bitDepth > 8 { bits |= 0x40 }
            if format.bitDepth == 12 { bits |= 0x20 }
            if isMonochrome { bits |= 0x10 }
            if isMonochrome || format.subsampling.horizontalShift == 1 { bits |= 0x08 }
            if isMonochrome || format.subsampling.verticalShift == 1 { bits |= 0x04 }
            $0.big(bits)
            $0.big(UInt8(0))
        }
    }
}
