package import FrameCore

/// Converts samples between full and limited range at their own bit depth. Alpha stays: it has no limited range.
///
/// Each result is the exact value, rounded to the nearest code; halves move away from black and from neutral chroma.
/// Limited-range codes outside black to white are clipped, since full range has none for them.
package struct RangeConverter: Sendable, Hashable {
    private let bitDepth: Int
    private let luma: [UInt16]
    private let chroma: [UInt16]

    /// - Parameters:
    ///   - from: the range of the samples; unspecified counts as limited.
    ///   - to: the range of the result; unspecified counts as limited.
    ///   - bitDepth: bits per sample, 8 to 16.
    package init(from: ColorDescription.Range, to: ColorDescription.Range, bitDepth: Int) {
        let (old, new) = (CodeRange(from, bitDepth: bitDepth), CodeRange(to, bitDepth: bitDepth))
        let most = (1 << bitDepth) - 1
        func code(_ distance: Int, _ spans: (from: Int, to: Int), above zero: Int) -> UInt16 {
            let scaled = (2 * abs(distance) * spans.to + spans.from) / (2 * spans.from)
            return UInt16(max(0, min(most, zero + distance.signum() * scaled)))
        }
        self.bitDepth = bitDepth
        luma = (0...most).map { code($0 - old.black, (old.lumaSpan, new.lumaSpan), above: new.black) }
        chroma = (0...most).map { code($0 - old.neutral, (old.chromaSpan, new.chromaSpan), above: new.neutral) }
    }

    /// Returns the picture with all samples converted.
    ///
    /// - Parameter picture: a picture of any layout and of the converter's bit depth.
    /// - Throws: `FrameError` if its depth is another, or memory cannot be allocated.
    package func converted(_ picture: PixelBuffer) throws(FrameError) -> PixelBuffer {
        guard picture.format.bitDepth == bitDepth else {
            throw FrameError(
                .invalidArgument, "a range converter for \(bitDepth) bits does not fit \(picture.format) pictures")
        }
        var made = try PixelBuffer(format: picture.format, width: picture.width, height: picture.height)
        try made.withOverwrittenPlanes { target in
            picture.withPlanes { source in
                let format = source.format
                for plane in 0..<format.colorPlaneCount {
                    let table = plane == 0 || format.isRGB ? luma : chroma
                    lookUp(
                        table, source.format.sampleType, source.format.sampleType, source[plane], into: target[plane])
                }
                if let alpha = format.alphaPlane { target[alpha].copy(source[alpha], format) }
            }
        }
        return made
    }
}
