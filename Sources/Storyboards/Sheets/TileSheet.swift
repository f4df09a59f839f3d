import FrameCore

/// Tiles drawn side by side on a black sheet of full size.
struct TileSheet: Sendable {
    private(set) var buffer: PixelBuffer
    let color: ColorDescription
    private let tileWidth: Int
    private let tileHeight: Int
    private let columns: Int

    /// - Parameter color: of the tiles; tells what black is.
    init(
        format: PixelFormat, color: ColorDescription, columns: Int, rows: Int, tileWidth: Int, tileHeight: Int
    ) throws(FrameError) {
        var buffer = try PixelBuffer(format: format, width: columns * tileWidth, height: rows * tileHeight)
        let black: UInt8 = color.range == .full ? 0 : 16
        try buffer.withOverwrittenPlanes { planes in
            for index in 0..<planes.count {
                let plane = planes[index]
                for y in 0..<plane.height {
                    plane.row(y).assumingMemoryBound(to: UInt8.self)
                        .update(repeating: index == 0 ? black : 128, count: plane.width)
                }
            }
        }
        self.buffer = buffer
        self.color = color
        self.tileWidth = tileWidth
        self.tileHeight = tileHeight
        self.columns = columns
    }

    /// - Parameter tile: 8 bits, of the sheet's format.
    mutating func draw(_ tile: PixelBuffer, at index: Int) throws(FrameError) {
        let (x, y) = (index % columns * tileWidth, index / columns * tileHeight)
        let shifts = (buffer.format.subsampling.horizontalShift, buffer.format.subsampling.verticalShift)
        try buffer.withMutablePlanes { target in
            tile.withPlanes { source in
                for plane in 0..<target.count {
                    let (sx, sy) = plane == 0 ? (0, 0) : shifts
                    let from = source[plane], to = target[plane]
                    for row in 0..<from.height {
                        (to.row((y >> sy) + row) + (x >> sx)).copyMemory(from: from.row(row), byteCount: from.width)
                    }
                }
            }
        }
    }
}
