/// The resolution of the chroma planes relative to luma.
public enum ChromaSubsampling: String, Sendable, Hashable, Codable, CaseIterable {
    /// Luma only (4:0:0).
    case monochrome
    /// Chroma at half width and half height.
    case yuv420
    /// Chroma at half width.
    case yuv422
    /// Chroma at full resolution.
    case yuv444

    /// Base-2 logarithm of the luma-to-chroma width ratio.
    public var horizontalShift: Int { self == .yuv420 || self == .yuv422 ? 1 : 0 }
    /// Base-2 logarithm of the luma-to-chroma height ratio.
    public var verticalShift: Int { self == .yuv420 ? 1 : 0 }
}

/// The planar layout of a pixel buffer: color model, subsampling, alpha and bit depth.
///
/// 8-bit samples take one byte; deeper ones take a native-endian 16-bit word with the value in the low bits. The planes
/// are luma, Cb and Cr, or green, blue and red; alpha, if there is any, is the last plane and has the size of luma. Alpha
/// is straight: colors are not multiplied by it. Its largest value is opaque, whatever the range of the colors.
public struct PixelFormat: Sendable, Hashable, Codable {
    /// What the planes of color hold.
    public let colorModel: ColorModel
    /// The resolution of the chroma planes relative to luma; 4:4:4 for RGB.
    public let subsampling: ChromaSubsampling
    /// Whether the last plane is alpha.
    public let hasAlpha: Bool
    /// Significant bits per sample, 8…16.
    public let bitDepth: Int

    /// Creates a YCbCr format.
    ///
    /// - Parameters:
    ///   - subsampling: resolution of the chroma planes relative to luma.
    ///   - bitDepth: significant bits per sample, 8…16.
    ///   - hasAlpha: whether the last plane is alpha.
    /// - Throws: ``FrameError`` if `bitDepth` is outside 8…16.
    public init(subsampling: ChromaSubsampling, bitDepth: Int, hasAlpha: Bool = false) throws(FrameError) {
        try self.init(.yCbCr, subsampling, hasAlpha, bitDepth)
    }

    /// Creates a planar RGB format.
    ///
    /// - Parameters:
    ///   - rgbDepth: significant bits per sample, 8…16.
    ///   - hasAlpha: whether the last plane is alpha.
    /// - Throws: ``FrameError`` if `rgbDepth` is outside 8…16.
    public init(rgbDepth: Int, hasAlpha: Bool = false) throws(FrameError) {
        try self.init(.rgb, .yuv444, hasAlpha, rgbDepth)
    }

    private init(
        _ model: ColorModel, _ subsampling: ChromaSubsampling, _ hasAlpha: Bool, _ bitDepth: Int
    ) throws(FrameError) {
        guard (8...16).contains(bitDepth) else {
            throw FrameError(.unsupportedFormat, "bit depth \(bitDepth) is not supported; allowed are 8 to 16 bits")
        }
        self.init(unchecked: model, subsampling, hasAlpha, bitDepth)
    }

    private init(
        unchecked model: ColorModel, _ subsampling: ChromaSubsampling, _ hasAlpha: Bool, _ bitDepth: Int
    ) {
        colorModel = model
        self.subsampling = subsampling
        self.hasAlpha = hasAlpha
        self.bitDepth = bitDepth
    }

    /// Creates a format as it was encoded; without a color model and alpha, as in files from before both, it is YCbCr.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let model = try values.decodeIfPresent(ColorModel.self, forKey: .colorModel) ?? .yCbCr
        let subsampling = try values.decode(ChromaSubsampling.self, forKey: .subsampling)
        self.init(
            unchecked: model, model == .rgb ? .yuv444 : subsampling,
            try values.decodeIfPresent(Bool.self, forKey: .hasAlpha) ?? false,
            try values.decode(Int.self, forKey: .bitDepth))
    }

    /// 8-bit 4:2:0, the most common video format.
    public static let yuv420p8 = PixelFormat(unchecked: .yCbCr, .yuv420, false, 8)
    /// 8-bit 4:2:0 with alpha, as in WebM.
    public static let yuva420p8 = yuv420p8.withAlpha

    /// Whether the planes hold green, blue and red.
    public var isRGB: Bool { colorModel == .rgb }
    /// Whether the planes hold YCbCr or luma and nothing else.
    package var isPlain: Bool { colorModel == .yCbCr && !hasAlpha }
    /// The storage per sample: 1 byte for 8 bits, 2 for deeper samples.
    public var bytesPerSample: Int { bitDepth > 8 ? 2 : 1 }
    /// The number of planes of color: 1 for monochrome, otherwise 3.
    public var colorPlaneCount: Int { subsampling == .monochrome ? 1 : 3 }
    /// The number of planes: those of color, and one of alpha.
    public var planeCount: Int { colorPlaneCount + (hasAlpha ? 1 : 0) }
    /// The index of the alpha plane; nil if there is none.
    public var alphaPlane: Int? { hasAlpha ? colorPlaneCount : nil }
    /// The largest code value of a sample.
    public var maximumValue: Int { (1 << bitDepth) - 1 }

    /// The same format without alpha.
    public var withoutAlpha: PixelFormat { PixelFormat(unchecked: colorModel, subsampling, false, bitDepth) }
    /// The same format with alpha.
    public var withAlpha: PixelFormat { PixelFormat(unchecked: colorModel, subsampling, true, bitDepth) }
    /// One plane of the same depth.
    package var monochrome: PixelFormat { PixelFormat(unchecked: .yCbCr, .monochrome, false, bitDepth) }

    /// Base-2 logarithms of the numbers of pixels per sample of a plane, across and down.
    package func shift(_ plane: Int) -> (x: Int, y: Int) {
        (1..<colorPlaneCount).contains(plane) ? (subsampling.horizontalShift, subsampling.verticalShift) : (0, 0)
    }

    /// The planes in groups of one size that are of one kind: luma, chroma, alpha.
    package var planeGroups: [Range<Int>] {
        [0..<1, 1..<colorPlaneCount, colorPlaneCount..<planeCount].filter { !$0.isEmpty }
    }

    /// Returns the width of a plane in a frame `width` pixels wide; odd sizes round up.
    public func planeWidth(_ plane: Int, width: Int) -> Int {
        let shift = shift(plane).x
        return (width + (1 << shift) - 1) >> shift
    }

    /// Returns the height of a plane in a frame `height` pixels high; odd sizes round up.
    public func planeHeight(_ plane: Int, height: Int) -> Int {
        let shift = shift(plane).y
        return (height + (1 << shift) - 1) >> shift
    }
}

extension PixelFormat: CustomStringConvertible {
    /// A short name such as `yuv420p`, `yuva444p12`, `gbrp`, `gbrap16`, `gray12` or `ya8`.
    public var description: String {
        let isNamedWithDepth = bitDepth != 8 || hasAlpha && subsampling == .monochrome
        return isNamedWithDepth ? "\(layoutName)\(bitDepth)" : layoutName
    }

    /// The name without the depth.
    var layoutName: String {
        switch (colorModel, subsampling) {
        case (.rgb, _): hasAlpha ? "gbrap" : "gbrp"
        case (_, .monochrome): hasAlpha ? "ya" : "gray"
        case (_, let subsampling):
            (hasAlpha ? "yuva" + subsampling.rawValue.dropFirst(3) : subsampling.rawValue) + "p"
        }
    }
}
