/// What the first three planes of a pixel buffer hold.
public enum ColorModel: String, Sendable, Hashable, Codable, CaseIterable {
    /// Luma, Cb and Cr, or luma alone.
    case yCbCr
    /// Green, blue and red, in the order in which H.273 stores them under the identity matrix.
    case rgb
}
