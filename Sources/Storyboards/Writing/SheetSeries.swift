internal import FrameCore

/// A series of sheets, each written when it is full.
struct SheetSeries: Sendable {
    private(set) var columns: Int
    private(set) var rows: Int
    let tile: (width: Int, height: Int)
    let prefix: String
    let firstSheet: Int
    private var sheet: TileSheet?
    private var onSheet = 0
    private var sizes: [Int] = []

    init(columns: Int, rows: Int, tile: (width: Int, height: Int), prefix: String, firstSheet: Int) {
        self.columns = columns
        self.rows = rows
        self.tile = tile
        self.prefix = prefix
        self.firstSheet = firstSheet
    }

    typealias Write = (_ number: Int, _ sheet: Frame) throws -> Int

    mutating func add(_ picture: PixelBuffer, _ color: ColorDescription, _ write: Write) throws {
        if sheet == nil {
            sheet = try TileSheet(
                format: picture.format, color: color, columns: columns, rows: rows, tileWidth: tile.width,
                tileHeight: tile.height)
        }
        try sheet?.draw(picture, at: onSheet)
        onSheet += 1
        if onSheet == columns * rows { try finish(color, write) }
    }

    /// Writes the last sheet.
    ///
    /// - Parameter shrinks: whether a sheet that is the only one becomes no larger than its tiles. The last of several
    ///   stays as large as the others, because some players divide every sheet by the grid.
    mutating func close(_ color: ColorDescription, shrinks: Bool = true, _ write: Write) throws {
        if shrinks, sizes.isEmpty, onSheet > 0 {
            columns = min(columns, onSheet)
            rows = (onSheet + columns - 1) / columns
            try sheet?.crop(columns: columns, rows: rows)
        }
        try finish(color, write)
    }

    private mutating func finish(_ color: ColorDescription, _ write: Write) throws {
        guard let full = sheet else { return }
        sizes.append(
            try write(sizes.count, Frame(buffer: full.buffer, presentationTime: .zero, color: full.color)))
        (sheet, onSheet) = (nil, 0)
    }

    func description(
        _ configuration: StoryboardConfiguration, format: StillFormat, tiles: Int, duration: Int64
    ) -> StoryboardDescription {
        StoryboardDescription(
            intervalMilliseconds: configuration.intervalMilliseconds, columns: columns, rows: rows,
            tileWidth: tile.width, tileHeight: tile.height, tileCount: tiles, durationMilliseconds: duration,
            sheetPrefix: prefix, sheetExtension: format.fileExtensions[0], firstSheet: firstSheet,
            sheetSizes: sizes, format: format)
    }
}

/// A sheet, black where no tile has been drawn.
struct TileSheet: Sendable {
    private(set) var buffer: PixelBuffer
    let color: ColorDescription
    private let tileWidth: Int
    private let tileHeight: Int
    private let columns: Int

    /// Creates a black sheet.
    ///
    /// - Parameter color: the tiles' color description, which determines the code value of black.
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

    /// Keeps only the first columns and rows.
    mutating func crop(columns: Int, rows: Int) throws(FrameError) {
        var part = try TileSheet(
            format: buffer.format, color: color, columns: columns, rows: rows, tileWidth: tileWidth,
            tileHeight: tileHeight)
        try part.buffer.withOverwrittenPlanes { target in
            buffer.withPlanes { source in
                for plane in 0..<target.count {
                    for row in 0..<target[plane].height {
                        target[plane].row(row).copyMemory(from: source[plane].row(row), byteCount: target[plane].width)
                    }
                }
            }
        }
        self = part
    }

    /// Draws a tile at a position, counted in row order.
    ///
    /// - Parameter tile: an 8-bit tile in the sheet's pixel format.
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

/// Writes finished sheets to their files.
struct SheetFiles: Sendable {
    let configuration: StoryboardConfiguration
    let encoder: any StillEncoder
    let jellyfinFolder: String

    /// Who reads a sheet.
    enum Reader { case players, roku, jellyfin }

    /// Encodes a sheet and writes it to its file.
    ///
    /// - Returns: the size of the file in bytes.
    func write(_ number: Int, _ sheet: Frame, for reader: Reader, _ output: StoryboardWriter.Output) throws -> Int {
        // Roku devices and Jellyfin show only JPEG.
        let format = reader == .players ? configuration.format : .jpeg
        let file = try encoder.encode(
            StillPicture(frame: sheet), as: format,
            options: StillOptions(quality: configuration.quality, threads: configuration.context.threads))
        let name = "\(configuration.baseName)-\(number + 1).\(format.fileExtensions[0])"
        switch reader {
        case .players: try output(name, file.bytes)
        case .roku: try output("roku/\(name)", file.bytes)
        case .jellyfin: try output("\(jellyfinFolder)/\(number).jpg", file.bytes)
        }
        return file.bytes.count
    }
}
