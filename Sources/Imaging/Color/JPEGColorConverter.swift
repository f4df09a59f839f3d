package import FrameCore

/// Brings tiles to the color of JPEG files (BT.601, full range) once, so that none of the many encodings has to.
package struct SheetColor {
    package let result: ColorDescription
    /// What is multiplied with luma, with the two chromas, and added, for each of the three results.
    private let rows: [(y: Float, b: Float, r: Float)]
    private let from: (black: Float, luma: Float, chroma: Float)
    private let isIdentity: Bool

    /// - Parameter color: of the tiles, 8 bits; nothing in it is unspecified.
    package init(_ color: ColorDescription) {
        result = ColorDescription(
            matrix: 5, primaries: color.primaries, transfer: color.transfer, range: .full,
            chromaLocation: color.chromaLocation)
        let isFull = color.range == .full
        from = isFull ? (0, 1, 1) : (16, 255 / 219, 255 / 224)
        let (kr, kb): (Float, Float) =
            switch color.matrix {
            case 1: (0.2126, 0.0722)
            case 9, 10: (0.2627, 0.0593)
            default: (0.299, 0.114)
            }
        isIdentity = isFull && kr == 0.299
        func through(_ y: Float, _ b: Float, _ r: Float) -> SIMD3<Float> {
            let red = y + 2 * (1 - kr) * r, blue = y + 2 * (1 - kb) * b
            let green = (y - kr * red - kb * blue) / (1 - kr - kb)
            let luma = 0.299 * red + 0.587 * green + 0.114 * blue
            return SIMD3(luma, (blue - luma) / 1.772, (red - luma) / 1.402)
        }
        let (y, b, r) = (through(1, 0, 0), through(0, 1, 0), through(0, 0, 1))
        rows = (0..<3).map { (y[$0], b[$0], r[$0]) }
    }

    /// - Parameter tile: 8 bits, 4:2:0 or luma alone.
    package func converted(_ tile: PixelBuffer) throws(FrameError) -> PixelBuffer {
        if isIdentity { return tile }
        var made = try PixelBuffer(format: tile.format, width: tile.width, height: tile.height)
        try made.withOverwrittenPlanes { target in
            tile.withPlanes { source in
                let isMonochrome = source.count == 1
                for y in 0..<tile.height {
                    let luma = source[0].row(y).assumingMemoryBound(to: UInt8.self)
                    let out = target[0].row(y).assumingMemoryBound(to: UInt8.self)
                    if isMonochrome {
                        for x in 0..<tile.width { out[x] = byte((Float(luma[x]) - from.black) * from.luma) }
                        continue
                    }
                    let cb = source[1].row(y / 2).assumingMemoryBound(to: UInt8.self)
                    let cr = source[2].row(y / 2).assumingMemoryBound(to: UInt8.self)
                    let (b, r) = (rows[0].b * from.chroma, rows[0].r * from.chroma)
                    for x in 0..<tile.width {
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
