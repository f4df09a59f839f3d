/// How code values relate to light: TransferCharacteristics of ITU-T H.273.
///
/// Code points without a name here are kept and passed on unchanged.
public struct TransferCharacteristics: RawRepresentable, Sendable, Hashable, Codable {
    /// The code point.
    public var rawValue: UInt8

    /// Creates transfer characteristics from a code point of H.273.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// BT.709: HDTV.
    public static let bt709 = Self(rawValue: 1)
    /// Not specified by the stream.
    public static let unspecified = Self(rawValue: 2)
    /// BT.470 System M: gamma 2.2.
    public static let gamma22 = Self(rawValue: 4)
    /// BT.470 Systems B and G: gamma 2.8.
    public static let gamma28 = Self(rawValue: 5)
    /// BT.601; the same function as ``bt709``.
    public static let smpte170M = Self(rawValue: 6)
    /// SMPTE ST 240: early HDTV.
    public static let smpte240M = Self(rawValue: 7)
    /// Linear light.
    public static let linear = Self(rawValue: 8)
    /// IEC 61966-2-1: sRGB.
    public static let sRGB = Self(rawValue: 13)
    /// BT.2020 at 10 bits; the same function as ``bt709``.
    public static let bt2020TenBit = Self(rawValue: 14)
    /// BT.2020 at 12 bits; the same function as ``bt709``.
    public static let bt2020TwelveBit = Self(rawValue: 15)
    /// SMPTE ST 2084, the perceptual quantizer of HDR10.
    public static let pq = Self(rawValue: 16)
    /// ARIB STD-B67, hybrid log-gamma.
    public static let hlg = Self(rawValue: 18)

    /// Whether code values exceed the white of standard-dynamic-range displays: ``pq`` and ``hlg``.
    public var isHighDynamicRange: Bool { self == .pq || self == .hlg }
}

extension TransferCharacteristics: CustomStringConvertible {
    /// The code point's number.
    public var description: String { "\(rawValue)" }
}
