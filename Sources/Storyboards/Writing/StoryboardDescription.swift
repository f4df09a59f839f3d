public import FrameCore

/// The sizes, counts and times of a finished storyboard, from which its tracks are written.
public struct StoryboardDescription: Sendable, Hashable {
    /// How long each tile is shown, in milliseconds.
    public var intervalMilliseconds: Int64
    /// The number of tiles per row of a sheet.
    public var columns: Int
    /// The number of tile rows on a sheet.
    public var rows: Int
    /// The width of a tile in pixels.
    public var tileWidth: Int
    /// The height of a tile in pixels.
    public var tileHeight: Int
    /// The number of tiles with an image; the rest of the last of several sheets is black.
    public var tileCount: Int
    /// The duration of the video in milliseconds, rounded up.
    public var durationMilliseconds: Int64
    /// The prefix of the sheets' names.
    package var sheetPrefix: String
    /// The sheets' file extension.
    package var sheetExtension: String
    /// The number in the name of the first sheet.
    package var firstSheet: Int
    /// The size of each sheet's file in bytes, in order.
    package var sheetSizes: [Int]
    /// The format of the sheets.
    public var format: StillFormat

    /// The number of tiles on a full sheet.
    public var tilesPerSheet: Int { columns * rows }
    /// The number of sheets.
    public var sheetCount: Int { (tileCount + tilesPerSheet - 1) / tilesPerSheet }
    /// The width of a sheet in pixels.
    public var sheetWidth: Int { columns * tileWidth }
    /// The height of a sheet in pixels.
    public var sheetHeight: Int { rows * tileHeight }

    /// Returns the file name of a sheet. `index` starts at 0, even if the number in the name of the first sheet does
    /// not.
    public func sheetName(_ index: Int) -> String { "\(sheetPrefix)\(index + firstSheet).\(sheetExtension)" }

    /// Returns the sheet of a tile and its position there, in pixels.
    public func place(of tile: Int) -> (sheet: Int, x: Int, y: Int) {
        let onSheet = tile % tilesPerSheet
        return (tile / tilesPerSheet, onSheet % columns * tileWidth, onSheet / columns * tileHeight)
    }

    /// Returns the start and end of a tile in milliseconds; the last tile ends with the video.
    public func span(of tile: Int) -> (start: Int64, end: Int64) {
        let start = Int64(tile) * intervalMilliseconds
        let end = tile == tileCount - 1 ? max(durationMilliseconds, start + 1) : start + intervalMilliseconds
        return (start, end)
    }

    /// Returns how long a sheet is shown, in milliseconds; the last sheet ends with the video.
    package func sheetMilliseconds(_ sheet: Int) -> Int64 {
        let last = min((sheet + 1) * tilesPerSheet, tileCount) - 1
        return span(of: last).end - span(of: sheet * tilesPerSheet).start
    }

    /// The highest bit rate of all sheets, in bits per second.
    package var peakBandwidth: Int {
        let peaks = sheetSizes.enumerated().map { index, bytes in
            Int((Double(bytes) * 8000 / Double(max(1, sheetMilliseconds(index)))).rounded(.up))
        }
        return max(1, peaks.max() ?? 1)
    }
}
