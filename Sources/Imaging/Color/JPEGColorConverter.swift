package import FrameCore

/// Converts images to the color encoding of JPEG files (BT.601, full range), so that encoders need no conversion.
package struct JPEGColorConverter {
    package let result: ColorDescription
    /// The weights of luma, Cb and Cr for each of the three output planes.
    private let rows: [(y: Float, b: Float, r: Float)]
    private let from: (black: Float, luma: Float, chroma: Float)
    private let isIdentity: Bool

    /// - Parameter color: the encoding of the 8-bit source images; must not contain unspecified properties.
    package init(_ color: ColorDescription) {
        result = ColorDescription(
            matrix: .bt470BG, primaries: color.primaries, transfer: color.transfer, range: .full,
            chromaLocation: color.chromaLocation)
        let range = CodeRange(color.range, bitDepth: 8)
        from = (Float(range.black), 255 / Float(range.lumaSpan), 255 / Float(range.chromaSpan))
        let source = LumaCoefficients(color.matrix), target = LumaCoefficients.bt601
        isIdentity = color.range == .full && source == target
        func through(_ y: Float, _ cb: Float, _ cr: Float) -> SIMD3<Float> { target.yCbCr(source.rgb(y, cb, cr)) }
        let (y, b, r) = (through(1, 0, 0), through(0, 1, 0), through(0, 0, 1))
        rows = (0..<3).map { (y[$0], b[$0], r[$0]) }
    }

    /// - Parameter picture: an 8-bit image, 4:2:0 or monochrome.
    package func converted(_ picture: PixelBuffer) throws(FrameError) -> PixelBuffer {
        if isIdentity { return picture }
        var made = try PixelBuffer(format: picture.format, width: picture.width, height: picture.height)
        try made.withOverwrittenPlanes { target in
            picture.withPlanes { source in
                let isMonochrome = source.count == 1
                for y in 0..<picture.height {
                    let luma = source[0].row(y).assumingMemoryBound(to: UInt8.self)
                    let out = target[0].row(y).assumingMemoryBound(to: UInt8.self)
                    if isMonochrome {
                        for x in 0..<picture.width { out[x] = byte((Float(luma[x]) - from.black) * from.luma) }
                        continue
                    }
                    let cb = source[1].row(y / 2).assumingMemoryBound(to: UInt8.self)
                    let cr = source[2].row(y / 2).assumingMemoryBound(to: UInt8.self)
                    let (b, r) = (rows[0].b * from.chroma, rows[0].r * from.chroma)
                    for x in 0..<picture.width {
                        let color = (Float(cb[x >> 1]) - 128) * b + (Float(cr[x >> 1]) - 128) * r
                        out[x] = byte((Float(luma[x]) - from.black) * from.luma + color)
                    }
                }
                if isMonochrome { return }
                for y in 0..<source[1].height {
                    let cb = source[1].row(y).assumingMemoryBound(to: UInt8.self)
                    let cr = source[2].row(y).assumingMemoryBound(to: UInt8.self)
                    for plane in 1...2 {
                        let out = target[plane].row(y).assumingMemoryBound(to: UInt8.self)
                        let (b, r) = (rows[plane].b * from.chroma, rows[plane].r * from.chroma)
                        for x in 0..<source[1].width {
                            out[x] = byte((Float(cb[x]) - 128) * b + (Float(cr[x]) - 128) * r + 128)
                        }
                    }
                }
            }
        }
        return made
    }

    private func byte(_ value: Float) -> UInt8 { UInt8(max(0, min(255, value + 0.5))) }
}
