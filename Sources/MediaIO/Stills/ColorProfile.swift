import CLibAV
import FrameCore

/// An ICC profile: a description of the colors of an image's samples.
struct ColorProfile {
    /// What the samples are that a profile describes.
    enum Space {
        case rgb
        case gray
        /// CMYK and others, whose samples libavcodec converts.
        case other
    }

    let bytes: [UInt8]
    let space: Space

    /// Reads the header; nil when the bytes are not a profile.
    init?(_ bytes: [UInt8]) {
        let reader = ByteReader(bytes)
        guard bytes.count >= 132, reader.hasText("acsp", at: 36) else { return nil }
        self.bytes = bytes
        space = reader.hasText("RGB ", at: 16) ? .rgb : reader.hasText("GRAY", at: 16) ? .gray : .other
    }

    /// The name of the color space for messages.
    var spaceName: String {
        let name = String(decoding: bytes[16..<20], as: UTF8.self).trimmingPrefix(" ")
        return name.filter { $0 != " " }
    }

    /// Returns the data of a tag.
    func tag(_ name: String) -> [UInt8]? {
        let reader = ByteReader(bytes)
        guard let count = reader.big(128, as: UInt32.self), count <= 1000 else { return nil }
        for index in 0..<Int(count) where reader.hasText(name, at: 132 + 12 * index) {
            guard let offset = reader.big(136 + 12 * index, as: UInt32.self),
                let size = reader.big(140 + 12 * index, as: UInt32.self)
            else { return nil }
            return reader.slice(Int(offset), Int(size)).map { Array($0) }
        }
        return nil
    }

    /// For a profile of gray samples: the profile under which RGB samples with three equal components have the same
    /// colors; nil if it has no single tone curve.
    var forEqualComponents: ColorProfile? {
        guard space == .gray, let curve = tag("kTRC") else { return nil }
        return ColorProfile(primaries: .bt709, curve: curve, description: "gray")
    }
}

extension ColorProfile {
    /// Chromaticities (x and y) of white, red, green and blue.
    struct Primaries {
        var white: (Double, Double)
        var red: (Double, Double)
        var green: (Double, Double)
        var blue: (Double, Double)

        static let bt709 = Primaries(
            white: (0.3127, 0.3290), red: (0.64, 0.33), green: (0.30, 0.60), blue: (0.15, 0.06))

        var isBT709: Bool {
            let mine = [white, red, green, blue],
                standard = [Self.bt709.white, Self.bt709.red, Self.bt709.green, Self.bt709.blue]
            return zip(mine, standard).allSatisfy { abs($0.0 - $1.0) < 0.002 && abs($0.1 - $1.1) < 0.002 }
        }
    }

    /// Tone curves for ``init(primaries:curve:description:)``.
    static func gamma(_ value: Double) -> [UInt8] {
        var writer = ByteWriter()
        writer.text("para")
        writer.zeros(6 + 2)
        writer.big(fixed(value))
        return writer.bytes
    }

    static let sRGBCurve: [UInt8] = {
        var writer = ByteWriter()
        writer.text("para")
        writer.zeros(4)
        writer.big(UInt16(3))
        writer.zeros(2)
        for value in [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045] { writer.big(fixed(value)) }
        return writer.bytes
    }()

    /// Creates a profile of RGB samples (ICC.1:2010); nil if the primaries do not span a gamut.
    ///
    /// - Parameter curve: the data of a tone curve, the same for all three components.
    init?(primaries: Primaries, curve: [UInt8], description: String) {
        guard let columns = Self.columns(primaries) else { return nil }
        func text(_ text: String) -> [UInt8] {
            var writer = ByteWriter()
            writer.text("mluc")
            writer.zeros(4)
            writer.big(UInt32(1))
            writer.big(UInt32(12))
            writer.text("enUS")
            writer.big(UInt32(2 * text.utf16.count))
            writer.big(UInt32(28))
            for unit in text.utf16 { writer.big(unit) }
            return writer.bytes
        }
        func xyz(_ value: [Double]) -> [UInt8] {
            var writer = ByteWriter()
            writer.text("XYZ ")
            writer.zeros(4)
            for part in value { writer.big(Self.fixed(part)) }
            return writer.bytes
        }
        let tags: [(name: String, data: [UInt8])] = [
            ("desc", text(description)), ("cprt", text("public domain")), ("wtpt", xyz(Self.d50)),
            ("rXYZ", xyz(columns[0])), ("gXYZ", xyz(columns[1])), ("bXYZ", xyz(columns[2])),
            ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
        ]
        var table = ByteWriter(), data = ByteWriter()
        table.big(UInt32(tags.count))
        let start = 128 + 4 + 12 * tags.count
        var place = 0
        for (index, tag) in tags.enumerated() {
            // The three components share one curve.
            if index < 7 {
                data.zeros((4 - data.count % 4) % 4)
                place = start + data.count
                data.raw(tag.data)
            }
            table.text(tag.name)
            table.big(UInt32(place))
            table.big(UInt32(tag.data.count))
        }
        data.zeros((4 - data.count % 4) % 4)
        var writer = ByteWriter()
        writer.big(UInt32(start + data.count))
        writer.zeros(4)
        writer.big(UInt32(0x0430_0000))
        writer.text("mntrRGB XYZ ")
        for part in [2020, 1, 1, 0, 0, 0] as [UInt16] { writer.big(part) }
        writer.text("acsp")
        writer.zeros(28)
        for part in Self.d50 { writer.big(Self.fixed(part)) }
        writer.zeros(48)
        writer.raw(table.bytes)
        writer.raw(data.bytes)
        self.init(writer.bytes)
    }

    /// The white of the profile connection space.
    private static let d50 = [0.9642, 1.0, 0.8249]

    private static func fixed(_ value: Double) -> Int32 {
        Int32(max(-32_000, min(32_000, value)) * 65_536 + (value < 0 ? -0.5 : 0.5))
    }

    /// Returns the XYZ of each primary, adapted to D50 with the Bradford matrix.
    static func columns(_ primaries: Primaries) -> [[Double]]? {
        func xyz(_ chromaticity: (Double, Double)) -> [Double]? {
            guard chromaticity.1 > 0.0001 else { return nil }
            let (x, y) = chromaticity
            return [x / y, 1, (1 - x - y) / y]
        }
        // Blue primaries of some gamuts have a y near zero; scaled columns are then still finite.
        guard let white = xyz(primaries.white), let red = xyz(primaries.red), let green = xyz(primaries.green),
            let blue = xyz(primaries.blue)
        else { return nil }
        func determinant(_ a: [Double], _ b: [Double], _ c: [Double]) -> Double {
            a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1]) + c[0] * (a[1] * b[2] - a[2] * b[1])
        }
        let whole = determinant(red, green, blue)
        guard abs(whole) > 1e-6 else { return nil }
        let scales = [
            determinant(white, green, blue) / whole, determinant(red, white, blue) / whole,
            determinant(red, green, white) / whole,
        ]
        let bradford = [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]]
        let inverse = [
            [0.9869929, -0.1470543, 0.1599627], [0.4323053, 0.5183603, 0.0492912], [-0.0085287, 0.0400428, 0.9684867],
        ]
        func times(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
            matrix.map { $0[0] * vector[0] + $0[1] * vector[1] + $0[2] * vector[2] }
        }
        let from = times(bradford, white), to = times(bradford, d50)
        guard from.allSatisfy({ abs($0) > 1e-6 }) else { return nil }
        return zip([red, green, blue], scales).map { primary, scale in
            let cone = times(bradford, primary.map { $0 * scale })
            return times(inverse, [cone[0] * to[0] / from[0], cone[1] * to[1] / from[1], cone[2] * to[2] / from[2]])
        }
    }
}

extension VideoStreamDescription {
    private static let profileCode = Int32(AV_PKT_DATA_ICC_PROFILE.rawValue)

    /// The ICC profile of a stream; nil if it has none.
    var colorProfile: [UInt8]? {
        get { sideData.entries.first { $0.code == Self.profileCode }?.bytes }
        set {
            sideData.entries.removeAll { $0.code == Self.profileCode }
            guard let newValue else { return }
            let kind = String(c: av_packet_side_data_name(AV_PKT_DATA_ICC_PROFILE))
            sideData.entries.append(.init(kind: kind, code: Self.profileCode, bytes: newValue))
        }
    }
}

extension SideData {
    private static let profileCode = Int32(AV_FRAME_DATA_ICC_PROFILE.rawValue)

    /// The ICC profile of a frame; nil if it has none.
    package var colorProfile: [UInt8]? {
        get { entries.first { $0.code == Self.profileCode }?.bytes }
        set {
            entries.removeAll { $0.code == Self.profileCode }
            guard let newValue else { return }
            let kind = String(c: av_frame_side_data_name(AV_FRAME_DATA_ICC_PROFILE))
            entries.append(Entry(kind: kind, code: Self.profileCode, bytes: newValue))
        }
    }
}
