/// Chromaticities of red, green, blue and white: ColourPrimaries of ITU-T H.273.
///
/// Code points without a name here are kept and passed on unchanged.
public struct ColorPrimaries: RawRepresentable, Sendable, Hashable, Codable {
    /// The code point.
    public var rawValue: UInt8

    /// Creates primaries from a code point of H.273.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// BT.709 and sRGB.
    public static let bt709 = Self(rawValue: 1)
    /// Not specified by the stream.
    public static let unspecified = Self(rawValue: 2)
    /// BT.470 System M: NTSC of 1953.
    public static let bt470M = Self(rawValue: 4)
    /// BT.601 with 625 lines.
    public static let bt470BG = Self(rawValue: 5)
    /// BT.601 with 525 lines.
    public static let smpte170M = Self(rawValue: 6)
    /// SMPTE ST 240; the same as ``smpte170M``.
    public static let smpte240M = Self(rawValue: 7)
    /// BT.2020 and BT.2100.
    public static let bt2020 = Self(rawValue: 9)
    /// SMPTE RP 431-2: DCI-P3 with the DCI cinema white point.
    public static let dciP3 = Self(rawValue: 11)
    /// SMPTE EG 432-1: Display P3, with the D65 white point.
    public static let displayP3 = Self(rawValue: 12)
}

extension ColorPrimaries: CustomStringConvertible {
    /// The code point's number.
    public var description: String { "\(rawValue)" }
}
