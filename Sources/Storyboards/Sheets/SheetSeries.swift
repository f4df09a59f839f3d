import FrameCore

/// Sheets that fill one after the other.
struct SheetSeries: Sendable {
    let columns: Int
    let rows: Int
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

    mutating func finish(_ color: ColorDescription, _ write: Write) throws {
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
