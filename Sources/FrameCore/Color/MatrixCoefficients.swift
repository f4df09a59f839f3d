/// How luma and chroma are derived from red, green and blue: MatrixCoefficients of ITU-T H.273.
///
/// Code points without a name here are kept and passed on unchanged.
public struct MatrixCoefficients: RawRepresentable, Sendable, Hashable, Codable {
    /// The code point.
    public var rawValue: UInt8

    /// Creates matrix coefficients from a code point of H.273.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The planes are green, blue and red themselves.
    public static let identity = Self(rawValue: 0)
    /// BT.709: HDTV.
    public static let bt709 = Self(rawValue: 1)
    /// Not specified by the stream.
    public static let unspecified = Self(rawValue: 2)
    /// FCC Title 47: NTSC of 1953.
    public static let fcc = Self(rawValue: 4)
    /// BT.601 with 625 lines; also used by JPEG.
    public static let bt470BG = Self(rawValue: 5)
    /// BT.601 with 525 lines; the same coefficients as ``bt470BG``.
    public static let smpte170M = Self(rawValue: 6)
    /// SMPTE ST 240: early HDTV.
    public static let smpte240M = Self(rawValue: 7)
    /// BT.2020 with non-constant luminance: UHDTV.
    public static let bt2020NonConstantLuminance = Self(rawValue: 9)
    /// BT.2020 with constant luminance.
    public static let bt2020ConstantLuminance = Self(rawValue: 10)
}

extension MatrixCoefficients: CustomStringConvertible {
    /// The code point's number.
    public var description: String { "\(rawValue)" }
}
