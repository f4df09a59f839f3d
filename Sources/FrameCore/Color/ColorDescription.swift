/// How code values map to light, as code points of ITU-T H.273.
///
/// Raw code points are kept, so tags unknown to this package pass through unchanged.
public struct ColorDescription: Sendable, Hashable, Codable {
    /// Which code values represent black and white.
    public enum Range: String, Sendable, Hashable, Codable {
        /// Not specified.
        case unspecified
        /// At 8 bits, 16…235 for luma and 16…240 for chroma; scaled by powers of two at higher depths.
        case limited
        /// The full range of code values.
        case full
    }

    /// Where a chroma sample is sited relative to luma, in the order of `chroma_sample_loc_type` in H.273.
    public enum ChromaLocation: String, Sendable, Hashable, Codable {
        /// Not specified.
        case unspecified
        /// At the left luma sample, between two rows: MPEG-2 and later.
        case left
        /// Between four luma samples: MPEG-1 and JPEG.
        case center
        /// At the upper left luma sample: BT.2020.
        case topLeft
        /// Between two luma samples of the upper row.
        case top
        /// At the lower left luma sample.
        case bottomLeft
        /// Between two luma samples of the lower row.
        case bottom
    }

    /// How luma and chroma are derived from red, green and blue.
    public var matrix: MatrixCoefficients
    /// The chromaticities of red, green, blue and white.
    public var primaries: ColorPrimaries
    /// How code values relate to light.
    public var transfer: TransferCharacteristics
    /// Which code values represent black and white.
    public var range: Range
    /// Where chroma samples are sited.
    public var chromaLocation: ChromaLocation

    /// Creates a description; omitted properties are unspecified.
    ///
    /// - Parameters:
    ///   - matrix: how luma and chroma are derived from red, green and blue.
    ///   - primaries: chromaticities of red, green, blue and white.
    ///   - transfer: how code values relate to light.
    ///   - range: which code values represent black and white.
    ///   - chromaLocation: where chroma samples are sited.
    public init(
        matrix: MatrixCoefficients = .unspecified, primaries: ColorPrimaries = .unspecified,
        transfer: TransferCharacteristics = .unspecified, range: Range = .unspecified,
        chromaLocation: ChromaLocation = .unspecified
    ) {
        self.matrix = matrix
        self.primaries = primaries
        self.transfer = transfer
        self.range = range
        self.chromaLocation = chromaLocation
    }

    /// Everything unspecified.
    public static let unspecified = ColorDescription()

    /// Returns the description with unspecified properties replaced by the package's documented defaults.
    ///
    /// Of matrix, primaries and transfer, those that are known determine the others, so that all belong to the same
    /// standard; RGB is sRGB. If none is known, the height decides: BT.709 for 720 rows or more, BT.601 with 625 lines
    /// for 576, 288 and 608 rows, BT.601 with 525 lines for other heights. The defaults of the other properties are limited
    /// range and left-sited chroma.
    ///
    /// - Parameter height: the number of rows of the frame as it came from its source.
    public func resolved(height: Int) -> ColorDescription {
        var known = self
        let system = ColorSystem(self, height: height)
        if matrix == .unspecified { known.matrix = system.matrix }
        if primaries == .unspecified { known.primaries = system.primaries }
        if transfer == .unspecified { known.transfer = system.transfer }
        if range == .unspecified { known.range = .limited }
        if chromaLocation == .unspecified { known.chromaLocation = .left }
        return known
    }
}
