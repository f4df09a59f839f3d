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

/// The planar YCbCr layout of a pixel buffer: subsampling and bit depth.
///
/// 8-bit samples take one byte; deeper ones take a native-endian 16-bit word with the value in the low bits.
public struct PixelFormat: Sendable, Hashable, Codable {
    /// The resolution of the chroma planes relative to luma.
    public let subsampling: ChromaSubsampling
    /// Significant bits per sample, 8…16.
    public let bitDepth: Int

    /// Creates a format.
    ///
    /// - Parameters:
    ///   - subsampling: resolution of the chroma planes relative to luma.
    ///   - bitDepth: significant bits per sample, 8…16.
    /// - Throws: ``FrameError`` if `bitDepth` is outside 8…16.
    public init(subsampling: ChromaSubsampling, bitDepth: Int) throws(FrameError) {
        guard (8...16).contains(bitDepth) else {
            throw FrameError(.unsupportedFormat, "bit depth \(bitDepth) is not supported; allowed are 8 to 16 bits")
        }
        self.subsampling = subsampling
        self.bitDepth = bitDepth
    }

    private init(_ subsampling: ChromaSubsampling) {
        self.subsampling = subsampling
        self.bitDepth = 8
    }

    /// 8-bit 4:2:0, the most common video format.
    public static let yuv420p8 = PixelFormat(.yuv420)

    /// The storage per sample: 1 byte for 8 bits, 2 for deeper samples.
    public var bytesPerSample: Int { bitDepth > 8 ? 2 : 1 }
    /// The number of planes: 1 for monochrome, otherwise 3 (luma, Cb, Cr).
    public var planeCount: Int { subsampling == .monochrome ? 1 : 3 }
    /// The largest code value of a sample.
    public var maximumValue: Int { (1 << bitDepth) - 1 }

    /// Returns the width of a plane in a frame `width` luma samples wide; odd sizes round up.
    public func planeWidth(_ plane: Int, width: Int) -> Int {
        plane == 0 ? width : (width + (1 << subsampling.horizontalShift) - 1) >> subsampling.horizontalShift
    }

    /// Returns the height of a plane in a frame `height` luma rows high; odd sizes round up.
    public func planeHeight(_ plane: Int, height: Int) -> Int {
        plane == 0 ? height : (height + (1 << subsampling.verticalShift) - 1) >> subsampling.verticalShift
    }
}

extension PixelFormat: CustomStringConvertible {
    /// A short name such as `yuv420p`, `yuv422p10` or `gray12`.
    public var description: String {
        let name = subsampling == .monochrome ? "gray" : subsampling.rawValue + "p"
        return bitDepth == 8 ? name : "\(name)\(bitDepth)"
    }
}
