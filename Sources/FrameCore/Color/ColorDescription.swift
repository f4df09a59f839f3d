/// How code values become light, by the code points of ITU-T H.273.
///
/// Raw code points are kept, so tags that are unknown here still pass through unchanged.
public struct ColorDescription: Sendable, Hashable, Codable {
    /// Which code values stand for black and white.
    public enum Range: String, Sendable, Hashable, Codable {
        /// Nobody says.
        case unspecified
        /// At 8 bits 16…235 for luma and 16…240 for chroma; deeper samples by powers of two.
        case limited
        /// All code values.
        case full
    }

    /// Where a chroma sample sits relative to luma (H.273 `chroma_sample_loc_type` order).
    public enum ChromaLocation: String, Sendable, Hashable, Codable {
        /// Nobody says.
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

    /// How luma and chroma are made of red, green and blue.
    public var matrix: MatrixCoefficients
    /// What red, green, blue and white are.
    public var primaries: ColorPrimaries
    /// How code values follow light.
    public var transfer: TransferCharacteristics
    /// Which code values stand for black and white.
    public var range: Range
    /// Where chroma samples sit.
    public var chromaLocation: ChromaLocation

    /// Makes a description; what is left out is unspecified.
    ///
    /// - Parameters:
    ///   - matrix: how luma and chroma are made of red, green and blue.
    ///   - primaries: what red, green, blue and white are.
    ///   - transfer: how code values follow light.
    ///   - range: which code values stand for black and white.
    ///   - chromaLocation: where chroma samples sit.
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

    /// Nothing known.
    public static let unspecified = ColorDescription()

    /// The one documented guess for what is left unspecified: BT.709 for pictures of 720 rows or more (BT.601 below),
    /// limited range, chroma sited left.
    public func resolved(height: Int) -> ColorDescription {
        var known = self
        let high = height >= 720
        if matrix == .unspecified { known.matrix = high ? .bt709 : .smpte170M }
        if primaries == .unspecified { known.primaries = high ? .bt709 : .smpte170M }
        if transfer == .unspecified { known.transfer = high ? .bt709 : .smpte170M }
        if range == .unspecified { known.range = .limited }
        if chromaLocation == .unspecified { known.chromaLocation = .left }
        return known
    }
}
