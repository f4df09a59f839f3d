/// How code values become light, by the code points of ITU-T H.273.
///
/// Raw code points are kept, so tags that are unknown here still pass through unchanged. 2 is "unspecified" throughout.
public struct ColorDescription: Sendable, Hashable, Codable {
    public enum Range: String, Sendable, Hashable, Codable { case unspecified, limited, full }

    /// Where a chroma sample sits relative to luma (H.273 `chroma_sample_loc_type` order).
    public enum ChromaLocation: String, Sendable, Hashable, Codable {
        case unspecified, left, center, topLeft, top, bottomLeft, bottom
    }

    /// H.273 MatrixCoefficients.
    public var matrix: UInt8
    /// H.273 ColourPrimaries.
    public var primaries: UInt8
    /// H.273 TransferCharacteristics.
    public var transfer: UInt8
    public var range: Range
    public var chromaLocation: ChromaLocation

    public init(
        matrix: UInt8 = 2, primaries: UInt8 = 2, transfer: UInt8 = 2, range: Range = .unspecified,
        chromaLocation: ChromaLocation = .unspecified
    ) {
        self.matrix = matrix
        self.primaries = primaries
        self.transfer = transfer
        self.range = range
        self.chromaLocation = chromaLocation
    }

    public static let unspecified = ColorDescription()

    /// The one documented guess for what is left unspecified: BT.709 for pictures of 720 rows or more (BT.601 below),
    /// limited range, chroma sited left.
    public func resolved(height: Int) -> ColorDescription {
        var known = self
        let high = height >= 720
        if matrix == 2 { known.matrix = high ? 1 : 6 }
        if primaries == 2 { known.primaries = high ? 1 : 6 }
        if transfer == 2 { known.transfer = high ? 1 : 6 }
        if range == .unspecified { known.range = .limited }
        if chromaLocation == .unspecified { known.chromaLocation = .left }
        return known
    }
}
