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

    /// - Throws: `FrameError` that names the first value that is not allowed.
    func check() throws(FrameError) {
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
