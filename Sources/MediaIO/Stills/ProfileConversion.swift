import CLibAV
import FrameCore
import Glibc

/// Converts samples that an ICC profile describes to sRGB, for formats that cannot hold the profile.
///
/// For profiles of three tone curves and a matrix, or of one tone curve for gray (ICC.1:2010, F.2 and F.3). Colors
/// outside of sRGB are clipped.
struct ProfileConversion {
    /// The linear light of each sample value, for each component.
    private let curves: [[Double]]
    /// From linear light of the profile to that of sRGB, row by row.
    private let matrix: [[Double]]
    private static let steps = 65_535

    /// Returns nil for a profile of another kind.
    init?(_ profile: ColorProfile) {
        let names = profile.space == .gray ? ["kTRC"] : ["rTRC", "gTRC", "bTRC"]
        let curves = names.compactMap { profile.tag($0).flatMap(Self.curve) }
        guard profile.space != .other, curves.count == names.count else { return nil }
        self.curves = curves.map { curve in (0...Self.steps).map { curve(Double($0) / Double(Self.steps)) } }
        guard profile.space == .rgb else {
            matrix = []
            return
        }
        let primaries = ["rXYZ", "gXYZ", "bXYZ"].compactMap { profile.tag($0).flatMap(Self.xyz) }
        guard primaries.count == 3, let sRGB = ColorProfile.columns(.bt709).flatMap(Self.inverse) else { return nil }
        matrix = (0..<3).map { row in
            (0..<3).map { column in (0..<3).reduce(0) { $0 + sRGB[row][$1] * primaries[column][$1] } }
        }
    }

    /// Whether the profile describes gray samples.
    var isGray: Bool { matrix.isEmpty }

    /// Converts the colors of a frame in place; alpha stays.
    ///
    /// - Parameter frame: packed gray or RGB, with or without alpha, of 8 bits or of 16 in little-endian order.
    func convert(_ frame: AVFrame) {
        let format = AVPixelFormat(rawValue: frame.format)
        guard let descriptor = av_pix_fmt_desc_get(format)?.pointee, let base = frame.data.0 else { return }
        let isDeep = descriptor.comp.0.depth > 8, width = Int(frame.width)
        let channels = Int(descriptor.nb_components), colors = channels > 2 ? 3 : 1
        for y in 0..<Int(frame.height) {
            let row = UnsafeMutableRawPointer(base + y * Int(frame.linesize.0))
            for x in 0..<width {
                if isDeep {
                    let samples = row.assumingMemoryBound(to: UInt16.self) + x * channels
                    convert(samples, colors, scale: 1, most: 65_535)
                } else {
                    let samples = row.assumingMemoryBound(to: UInt8.self) + x * channels
                    convert(samples, colors, scale: 257, most: 255)
                }
            }
        }
    }

    @inline(__always)
    private func convert<Sample: FixedWidthInteger & UnsignedInteger>(
        _ samples: UnsafeMutablePointer<Sample>, _ colors: Int, scale: Int, most: Double
    ) {
        func light(_ index: Int) -> Double {
            let curve = curves[min(index, curves.count - 1)]
            return curve[Int(samples[min(index, colors - 1)]) * scale]
        }
        func store(_ light: Double, _ index: Int) { samples[index] = Sample(Self.encoded(light) * most + 0.5) }
        guard !isGray else {
            for index in 0..<colors { store(light(index), index) }
            return
        }
        let (r, g, b) = (light(0), light(1), light(2))
        for index in 0..<colors {
            // A gray sample stands for three equal ones, whose luminance is in the second row.
            let row = matrix[colors == 1 ? 1 : index]
            store(row[0] * r + row[1] * g + row[2] * b, index)
        }
    }

    /// The sRGB transfer function (IEC 61966-2-1), clipped to 0…1.
    private static func encoded(_ light: Double) -> Double {
        guard light > 0 else { return 0 }
        return light <= 0.003_130_8 ? 12.92 * light : light >= 1 ? 1 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }

    private static func fixed(_ reader: ByteReader, _ offset: Int) -> Double? {
        reader.big(offset, as: UInt32.self).map { Double(Int32(bitPattern: $0)) / 65_536 }
    }

    private static func xyz(_ data: [UInt8]) -> [Double]? {
        let reader = ByteReader(data), values = [8, 12, 16].compactMap { fixed(reader, $0) }
        return reader.hasText("XYZ ", at: 0) && values.count == 3 ? values : nil
    }

    /// Returns a tone curve of the types `curv` and `para`; nil for another.
    private static func curve(_ data: [UInt8]) -> ((Double) -> Double)? {
        let reader = ByteReader(data)
        if reader.hasText("curv", at: 0), let count = reader.big(8, as: UInt32.self).map(Int.init) {
            guard count > 1 else {
                let gamma = count == 0 ? 1 : Double(reader.big(12, as: UInt16.self) ?? 256) / 256
                return { pow($0, gamma) }
            }
            guard count <= 65_536, data.count >= 12 + 2 * count else { return nil }
            let table = (0..<count).map { Double(reader.big(12 + 2 * $0, as: UInt16.self) ?? 0) / 65_535 }
            return { value in
                let place = value * Double(count - 1), index = min(Int(place), count - 2)
                return table[index] + (table[index + 1] - table[index]) * (place - Double(index))
            }
        }
        guard reader.hasText("para", at: 0), let kind = reader.big(8, as: UInt16.self), kind < 5 else { return nil }
        let count = [1, 3, 4, 5, 7][Int(kind)], p = (0..<count).compactMap { fixed(reader, 12 + 4 * $0) }
        guard p.count == count else { return nil }
        let power = { (base: Double) in base > 0 ? pow(base, p[0]) : 0 }
        switch kind {
        case 0: return { power($0) }
        case 1: return { $0 >= -p[2] / p[1] ? power(p[1] * $0 + p[2]) : 0 }
        case 2: return { $0 >= -p[2] / p[1] ? power(p[1] * $0 + p[2]) + p[3] : p[3] }
        case 3: return { $0 >= p[4] ? power(p[1] * $0 + p[2]) : p[3] * $0 }
        default: return { $0 >= p[4] ? power(p[1] * $0 + p[2]) + p[5] : p[3] * $0 + p[6] }
        }
    }

    /// Returns the inverse, row by row, of a matrix given by its columns; nil if there is none.
    private static func inverse(_ columns: [[Double]]) -> [[Double]]? {
        let (a, b, c) = (columns[0], columns[1], columns[2])
        func cross(_ u: [Double], _ v: [Double]) -> [Double] {
            [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
        }
        let rows = [cross(b, c), cross(c, a), cross(a, b)]
        let determinant = zip(a, rows[0]).reduce(0) { $0 + $1.0 * $1.1 }
        return abs(determinant) > 1e-9 ? rows.map { $0.map { $0 / determinant } } : nil
    }
}
