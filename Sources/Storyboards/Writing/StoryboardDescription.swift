public import FrameCore

/// A finished storyboard in numbers: all that its track formats are written from.
public struct StoryboardDescription: Sendable, Hashable {
    /// How long each tile stands, in milliseconds.
    public var intervalMilliseconds: Int64
    /// Tiles side by side on a sheet.
    public var columns: Int
    /// Tiles one below the other on a sheet.
    public var rows: Int
    /// Width of a tile in pixels.
    public var tileWidth: Int
    /// Height of a tile in pixels.
    public var tileHeight: Int
    /// Tiles that show something; the rest of the last sheet is black.
    public var tileCount: Int
    /// Length of the video in milliseconds, rounded up.
    public var durationMilliseconds: Int64
    /// What the sheets' names begin with.
    package var sheetPrefix: String
    /// The sheets' extension.
    package var sheetExtension: String
    /// Number of the first sheet.
    package var firstSheet: Int
    /// Bytes of each sheet, in order.
    package var sheetSizes: [Int]
    /// Kind of the sheets.
    public var format: StillFormat

    /// Tiles on a full sheet.
    public var tilesPerSheet: Int { columns * rows }
    /// Number of sheets.
    public var sheetCount: Int { (tileCount + tilesPerSheet - 1) / tilesPerSheet }
    /// Width of a sheet in pixels.
    public var sheetWidth: Int { columns * tileWidth }
    /// Height of a sheet in pixels.
    public var sheetHeight: Int { rows * tileHeight }

    /// File name of a sheet, counted from 0 here whatever number it bears.
    public func sheetName(_ index: Int) -> String { "\(sheetPrefix)\(index + firstSheet).\(sheetExtension)" }

    /// Where a tile lies.
    public func place(of tile: Int) -> (sheet: Int, x: Int, y: Int) {
        let onSheet = tile % tilesPerSheet
        return (tile / tilesPerSheet, onSheet % columns * tileWidth, onSheet / columns * tileHeight)
    }

    /// First and last moment of a tile in milliseconds; the last ends with the video.
    public func span(of tile: Int) -> (start: Int64, end: Int64) {
        let start = Int64(tile) * intervalMilliseconds
        let end = tile == tileCount - 1 ? max(durationMilliseconds, start + 1) : start + intervalMilliseconds
        return (start, end)
    }

    /// Milliseconds that a sheet stands: the last one its tiles alone.
    package func sheetMilliseconds(_ sheet: Int) -> Int64 {
        Int64(min(tilesPerSheet, tileCount - sheet * tilesPerSheet)) * intervalMilliseconds
    }

    /// Bits per second of the most demanding sheet.
    package var peakBandwidth: Int {
        let peaks = sheetSizes.enumerated().map { index, bytes in
            Int((Double(bytes) * 8000 / Double(max(1, sheetMilliseconds(index)))).rounded(.up))
        }
        return max(1, peaks.max() ?? 1)
    }
}
