public import FrameCore

/// The appearance of a storyboard.
///
/// The defaults work in all players listed in <doc:PublishingStoryboards>: JPEG sheets of equal, even-sized tiles.
public struct StoryboardConfiguration: Sendable {
    /// How tiles are distributed over files.
    public enum Layout: String, Sendable, Hashable, CaseIterable {
        /// Several tiles on one sheet.
        case sprites
        /// One file per tile.
        case singleImages
    }

    /// What can be written.
    public enum Output: String, Sendable, Hashable, CaseIterable {
        /// A WebVTT file with `#xywh=`.
        case vtt
        /// A WebVTT file with bare coordinates, and a grid description, for castLabs' players.
        case castlabs
        /// A DASH adaptation set.
        case dash
        /// An HLS image playlist.
        case hls
        /// An HLS I-frame playlist of images in fragmented MP4.
        case iframes
        /// Jellyfin's trickplay folder.
        case jellyfin
        /// BIF files and small sheets for Roku.
        case roku

        /// Whether its tracks refer to the large sheets.
        var usesSheets: Bool { [.vtt, .castlabs, .dash, .hls].contains(self) }
    }

    /// How long each tile is shown, in whole milliseconds: 0.1 to 3600 s.
    public var interval: MediaTime
    /// The number of tiles per row of a sheet, 1…100.
    public var columns: Int
    /// The number of tile rows on a sheet, 1…100. Sheets have fewer rows, and then fewer columns, if they would have more
    /// than ``mostSheetPixels``; a single sheet has no more than its tiles need.
    public var rows: Int
    /// The width of a tile in pixels: even, 16…1920. Tiles are not wider than the displayed picture.
    public var tileWidth: Int
    /// The format of the sheets, JPEG or WebP.
    public var format: StillFormat
    /// The quality of the sheets, 1…100.
    public var quality: Int
    /// How tiles are distributed over files.
    public var layout: Layout
    /// What to write.
    public var outputs: Set<Output>
    /// The prefix of the file names: ASCII letters, digits, `-` and `_`.
    public var baseName: String
    /// The address that the grid description puts before the sheets' names; empty for the names only.
    public var baseURL: String
    /// The threads and kernels for drawing tiles; the result does not depend on them.
    public var context: ExecutionContext

    /// Creates a configuration.
    public init(
        interval: MediaTime = MediaTime(value: 10, timescale: 1), columns: Int = 10, rows: Int = 10,
        tileWidth: Int = 320, format: StillFormat = .jpeg, quality: Int = 75, layout: Layout = .sprites,
        outputs: Set<Output> = Set(Output.allCases), baseName: String = "storyboard", baseURL: String = "",
        context: ExecutionContext = .serial
    ) {
        self.interval = interval
        self.columns = columns
        self.rows = rows
        self.tileWidth = tileWidth
        self.format = format
        self.quality = quality
        self.layout = layout
        self.outputs = outputs
        self.baseName = baseName
        self.baseURL = baseURL
        self.context = context
    }

    /// The largest number of pixels of a sheet; iOS draws no images of more than 16.7 million.
    public static let mostSheetPixels = 16_000_000

    /// Returns the largest grid up to the wanted one whose sheets are small enough.
    package func grid(ofTiles tile: (width: Int, height: Int)) -> (columns: Int, rows: Int) {
        let most = max(1, Self.mostSheetPixels / (tile.width * tile.height))
        let columns = min(columns, most)
        return (columns, min(rows, most / columns))
    }

    /// Checks all values.
    ///
    /// - Throws: `FrameError` that names the first invalid value.
    package func check() throws(FrameError) {
        func require(_ value: Int, _ range: ClosedRange<Int>, _ what: String) throws(FrameError) {
            guard range.contains(value) else {
                throw FrameError(
                    .invalidArgument,
                    "\(value) \(what) are not allowed; there may be \(range.lowerBound) to \(range.upperBound)")
            }
        }
        try require(columns, 1...100, "columns")
        try require(rows, 1...100, "rows")
        guard (16...1920).contains(tileWidth), tileWidth % 2 == 0 else {
            throw FrameError(
                .invalidArgument, "a tile width of \(tileWidth) is not allowed; it must be even, 16 to 1920 pixels")
        }
        guard StillOptions.qualityRange.contains(quality) else {
            throw FrameError(.invalidArgument, "the quality \(quality) is not allowed; it must be 1 to 100")
        }
        guard format == .jpeg || format == .webp else {
            throw FrameError(.unsupportedFormat, "sheets can be JPEG or WebP, not \(format.name)")
        }
        let milliseconds = interval.converted(toTimescale: 1000)
        guard milliseconds == interval, milliseconds.value >= 100, milliseconds.value <= 3_600_000 else {
            throw FrameError(
                .invalidArgument,
                "an interval of \(interval) s is not allowed; it must be whole milliseconds, 0.1 to 3600 s")
        }
        guard !baseName.isEmpty,
            baseName.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
        else {
            throw FrameError(
                .invalidArgument, "the name '\(baseName)' is not allowed; use only letters, digits, - and _")
        }
        guard !outputs.isEmpty else { throw FrameError(.invalidArgument, "no format is chosen") }
        if layout == .sprites { try Self.checkSheet(width: columns * tileWidth, height: rows * 16) }
    }

    /// Checks the size of a sheet. WebP allows at most 16383 pixels per side, as do many decoders.
    static func checkSheet(width: Int, height: Int) throws(FrameError) {
        guard width <= 16_383, height <= 16_383 else {
            throw FrameError(
                .unsupportedSize,
                "a sheet of \(width)x\(height) is too large; each side may have 16383 pixels, so use fewer or smaller tiles"
            )
        }
    }

    var intervalMilliseconds: Int64 { interval.converted(toTimescale: 1000).value }
}
