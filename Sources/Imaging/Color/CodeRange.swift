package import FrameCore

/// Which code values stand for black, white and grey, by the range of a picture and its depth.
package struct CodeRange: Sendable, Hashable {
    /// Luma of black.
    package let black: Int
    /// Luma of white less that of black.
    package let lumaSpan: Int
    /// Chroma of what has no color.
    package let neutral: Int
    /// Largest chroma less the smallest.
    package let chromaSpan: Int

    /// - Parameter range: unspecified counts as limited.
    package init(_ range: ColorDescription.Range, bitDepth: Int) {
        let unit = 1 << (bitDepth - 8), isFull = range == .full, most = (1 << bitDepth) - 1
        black = isFull ? 0 : 16 * unit
        lumaSpan = isFull ? most : 219 * unit
        neutral = 128 * unit
        chromaSpan = isFull ? most : 224 * unit
    }
}
