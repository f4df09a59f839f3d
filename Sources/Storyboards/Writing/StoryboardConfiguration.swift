public import FrameCore

/// What a storyboard looks like.
///
/// The defaults are what all players in the reference can show: JPEG sheets of equal even-sized tiles.
public struct StoryboardConfiguration: Sendable {
    /// How tiles are put into files.
    public enum Layout: String, Sendable, Hashable, CaseIterable {
        /// Several tiles on one sheet.
        case sprites
        /// One file per tile.
        case singleImages
    }

    /// How long each tile stands; whole milliseconds.
    public var interval: MediaTime
    /// Tiles side by side on a sheet.
    public var columns: Int
    /// Tiles one below the other on a sheet.
    public var rows: Int
    /// Width of a tile, even.
    public var tileWidth: Int
    /// JPEG or WebP.
    public var format: StillFormat
    /// 1…100.
    public var quality: Int
    /// How tiles are put into files.
    public var layout: Layout
    /// Whether files for Roku are made: BIF and small sheets.
    public var includesRoku: Bool
    /// Whether Jellyfin's folder is made.
    public var includesJellyfin: Bool
    /// Name that the files begin with.
    public var baseName: String
    /// Address that the grid description puts before the sheets' names; empty for names alone.
    public var baseURL: String
    /// Threads to draw tiles with; the result does not depend on it.
    public var threads: Int

    /// A configuration; see the properties.
    public init(
        interval: MediaTime = MediaTime(value: 10, timescale: 1), columns: Int = 10, rows: Int = 10,
        tileWidth: Int = 320, format: StillFormat = .jpeg, quality: Int = 75, layout: Layout = .sprites,
        includesRoku: Bool = true, includesJellyfin: Bool = true, baseName: String = "storyboard", baseURL: String = "",
        threads: Int = 1
    ) {
        self.interval = interval
        self.columns = columns
        self.rows = rows
        self.tileWidth = tileWidth
        self.format = format
        self.quality = quality
        self.layout = layout
        self.includesRoku = includesRoku
        self.includesJellyfin = includesJellyfin
        self.baseName = baseName
        self.baseURL = baseURL
        self.threads = threads
    }

    /// Tiles on one sheet.
    public var tilesPerSheet: Int { layout == .sprites ? columns * rows : 1 }

    /// - Throws: `FrameError` that names the first value that is not allowed.
    public func check() throws(FrameError) {
        func require(_ value: Int, _ range: ClosedRange<Int>, _ what: String) throws(FrameError) {
            guard range.contains(value) else {
                throw FrameError(
                    .invalidArgument,
                    "\(value) \(what) are not allowed; there are \(range.lowerBound) to \(range.upperBound)")
            }
        }
        try require(columns, 1...100, "columns")
        try require(rows, 1...100, "rows")
        guard (16...1920).contains(tileWidth), tileWidth % 2 == 0 else {
            throw FrameError(
                .invalidArgument, "a tile width of \(tileWidth) is not allowed; it is even, 16 to 1920 pixels")
        }
        guard StillOptions.qualityRange.contains(quality) else {
            throw FrameError(.invalidArgument, "the quality \(quality) is not allowed; it is 1 to 100")
        }
        guard format == .jpeg || format == .webp else {
            throw FrameError(.unsupportedFormat, "sheets are written as JPEG or WebP, not as \(format.name)")
        }
        let milliseconds = interval.converted(toTimescale: 1000)
        guard milliseconds == interval, milliseconds.value >= 100, milliseconds.value <= 3_600_000 else {
            throw FrameError(
                .invalidArgument,
                "an interval of \(interval) s is not allowed; it is whole milliseconds from 0.1 to 3600 s")
        }
        guard !baseName.isEmpty,
            baseName.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
        else {
            throw FrameError(
                .invalidArgument, "the name '\(baseName)' is not allowed; it has letters, digits, - and _ alone")
        }
        if layout == .sprites { try Self.checkSheet(width: columns * tileWidth, height: rows * 16) }
    }

    /// WebP ends at 16383 pixels a side, and so do many decoders.
    static func checkSheet(width: Int, height: Int) throws(FrameError) {
        guard width <= 16_383, height <= 16_383 else {
            throw FrameError(
                .unsupportedSize,
                "a sheet of \(width)x\(height) is too large; each side may have 16383 pixels, so take fewer or smaller tiles"
            )
        }
    }

    var intervalMilliseconds: Int64 { interval.converted(toTimescale: 1000).value }
}

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
    public var sheetPrefix: String
    /// The sheets' extension.
    public var sheetExtension: String
    /// Number of the first sheet.
    public var firstSheet: Int
    /// Bytes of each sheet, in order.
    public var sheetSizes: [Int]
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
    public func sheetMilliseconds(_ sheet: Int) -> Int64 {
        Int64(min(tilesPerSheet, tileCount - sheet * tilesPerSheet)) * intervalMilliseconds
    }

    /// Bits per second of the most demanding sheet.
    public var peakBandwidth: Int {
        let peaks = sheetSizes.enumerated().map { index, bytes in
            Int((Double(bytes) * 8000 / Double(max(1, sheetMilliseconds(index)))).rounded(.up))
        }
        return max(1, peaks.max() ?? 1)
    }
}
