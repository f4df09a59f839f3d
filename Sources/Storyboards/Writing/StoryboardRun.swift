internal import FrameCore
internal import Imaging

/// A storyboard that is being written.
struct StoryboardRun: Sendable {
    private let configuration: StoryboardConfiguration
    private let encoder: any StillEncoder
    private let rendering: FrameRenderer
    private let size: (width: Int, height: Int)
    private let rokuSize: (width: Int, height: Int)
    private let rokuGrid: (columns: Int, rows: Int)
    private let files: SheetFiles
    private var main: SheetSeries
    private var roku: SheetSeries
    private var jellyfin: SheetSeries
    private var singles: [[UInt8]] = []
    private var rokuSingles: [[UInt8]] = []
    private var singleBytes = 0
    private static let mostSingleBytes = 2 << 30
    private var pending: [PixelBuffer] = []
    private var color = ColorDescription.unspecified
    private(set) var tileCount = 0
    private var last: (time: MediaTime, tile: PixelBuffer)?

    /// The time of the next tile, relative to the first frame.
    var nextTime: MediaTime {
        MediaTime(value: Int64(tileCount) * configuration.intervalMilliseconds, timescale: 1000)
    }

    init(
        _ configuration: StoryboardConfiguration, _ encoder: any StillEncoder, _ stream: VideoStreamDescription,
        first: Frame
    ) throws {
        self.configuration = configuration
        self.encoder = encoder
        var options = RenderingOptions()
        options.context = configuration.context
        rendering = FrameRenderer(stream: stream, options: options)
        let full = rendering.fullSize(of: first)
        func size(_ width: Int) -> (width: Int, height: Int) {
            let height = Double(width) * Double(full.height) / Double(full.width) / 2
            return (width, max(2, 2 * Int(height.rounded())))
        }
        // A tile shows nothing more than the picture has.
        let width = min(configuration.tileWidth, max(16, full.width / 2 * 2))
        self.size = size(width)
        var small = size(min(240, width))
        while small.height > 720, small.width > 32 { small = size(small.width - 16) }
        // A picture more than about twenty times as tall as it is wide is squeezed to keep within Roku's 720 pixels.
        small.height = min(small.height, 720)
        rokuSize = small
        rokuGrid = (
            max(1, min(configuration.columns, 720 / small.width)), max(1, min(configuration.rows, 720 / small.height))
        )
        let isSprites = configuration.layout == .sprites
        let grid = isSprites ? configuration.grid(ofTiles: self.size) : (1, 1)
        try StoryboardConfiguration.checkSheet(width: grid.0 * self.size.width, height: grid.1 * self.size.height)
        files = SheetFiles(
            configuration: configuration, encoder: encoder,
            jellyfinFolder:
                "\(configuration.baseName).trickplay/\(self.size.width) - \(configuration.columns)x\(configuration.rows)"
        )
        main = SheetSeries(
            columns: grid.0, rows: grid.1, tile: self.size, prefix: "\(configuration.baseName)-", firstSheet: 1)
        roku = SheetSeries(
            columns: rokuGrid.columns, rows: rokuGrid.rows, tile: rokuSize, prefix: "\(configuration.baseName)-",
            firstSheet: 1)
        // Jellyfin divides the height of every sheet by the rows that it is set to.
        jellyfin = SheetSeries(
            columns: configuration.columns, rows: configuration.rows, tile: self.size, prefix: "", firstSheet: 0)
    }

    private func writes(_ output: StoryboardConfiguration.Output) -> Bool { configuration.outputs.contains(output) }

    private var writesSheets: Bool { configuration.outputs.contains(where: \.usesSheets) }

    private var writesJellyfin: Bool {
        writes(.jellyfin) && configuration.layout == .sprites && configuration.format == .jpeg
    }

    mutating func add(_ frame: Frame, _ output: StoryboardWriter.Output) throws {
        let tile: PixelBuffer
        if let last, last.time == frame.presentationTime {
            tile = last.tile
        } else {
            tile = try draw(frame)
            last = (frame.presentationTime, tile)
        }
        pending.append(tile)
        tileCount += 1
        // Encode in batches, so that all threads have work.
        if pending.count >= 32 { try flush(output) }
    }

    /// Draws a frame as a tile: 8 bits, 4:2:0 or monochrome, and grey where it is transparent. Of an interlaced frame, it
    /// shows the first field: it has rows enough for a tile, and both would show what moves twice.
    private mutating func draw(_ frame: Frame) throws -> PixelBuffer {
        var frame = try frame.overGrey(context: configuration.context)
        if let order = frame.fieldOrder {
            // Unspecified color is that of pictures of the whole height.
            frame.color = frame.color.resolved(height: frame.buffer.height)
            frame.buffer = try frame.buffer.field(order == .topFirst ? 0 : 1)
        }
        var picture = try rendering.picture(of: frame, size: size).frame
        let subsampling: ChromaSubsampling =
            picture.buffer.format.subsampling == .monochrome ? .monochrome : .yuv420
        let format = try PixelFormat(subsampling: subsampling, bitDepth: 8)
        picture.color = picture.color.resolved(height: frame.buffer.height)
        if picture.buffer.format != format || picture.color.chromaLocation != .center {
            let resampler = try PictureResampler(
                from: picture.buffer.format, sourceSize: size, color: picture.color, to: format, width: size.width,
                height: size.height, targetLocation: .center)
            picture.buffer = try resampler.resampled(picture.buffer, context: configuration.context)
            picture.color.chromaLocation = .center
        }
        let converter = JPEGColorConverter(picture.color)
        picture.buffer = try converter.converted(picture.buffer)
        picture.color = converter.result
        color = picture.color
        return picture.buffer
    }

    /// Encodes the pending tiles: single images one by one, sheets as they fill up.
    private mutating func flush(_ output: StoryboardWriter.Output) throws {
        guard !pending.isEmpty else { return }
        let tiles = pending, color = color, size = size, rokuSize = rokuSize, encoder = encoder
        let quality = configuration.quality, wantsRoku = writes(.roku)
        let needsSingles = wantsRoku || writes(.iframes)
        let made = Lock<[Int: Result<(PixelBuffer?, [UInt8], [UInt8]), FrameError>]>([:])
        parallelFor(tiles.count, threads: configuration.context.threads) { index in
            let result = Result { () throws(FrameError) in
                let tile = tiles[index]
                func jpeg(_ buffer: PixelBuffer) throws(FrameError) -> [UInt8] {
                    let frame = Frame(buffer: buffer, presentationTime: .zero, color: color)
                    return try encoder.encode(
                        StillPicture(frame: frame), as: .jpeg, options: StillOptions(quality: quality)
                    ).bytes
                }
                guard needsSingles else { return (PixelBuffer?.none, [UInt8](), [UInt8]()) }
                let big = try jpeg(tile)
                guard wantsRoku else { return (PixelBuffer?.none, big, [UInt8]()) }
                if size == rokuSize { return (tile, big, big) }
                let small = try PictureResampler(
                    from: tile.format, sourceSize: size, color: color, to: tile.format, width: rokuSize.width,
                    height: rokuSize.height, targetLocation: color.chromaLocation
                ).resampled(tile, context: .serial)
                return (small, big, try jpeg(small))
            }
            made.withLock { $0[index] = result }
        }
        let files = files
        for (index, tile) in tiles.enumerated() {
            guard let (small, big, little) = try made.withLock({ $0[index] })?.get() else { continue }
            if needsSingles { singles.append(big) }
            singleBytes += big.count + little.count
            guard singleBytes <= Self.mostSingleBytes else {
                throw FrameError(
                    .unsupportedSize,
                    "the first \(singles.count) tiles take more than \(Self.mostSingleBytes) bytes; use smaller tiles or a longer interval"
                )
            }
            if let small {
                rokuSingles.append(little)
                try roku.add(small, color) { try files.write($0, $1, for: .roku, output) }
            }
            try main.add(tile, color) { [writesSheets] in
                writesSheets ? try files.write($0, $1, for: .players, output) : 0
            }
            if writesJellyfin { try jellyfin.add(tile, color) { try files.write($0, $1, for: .jellyfin, output) } }
        }
        pending = []
    }

    mutating func finish(length: MediaTime, _ output: StoryboardWriter.Output) throws -> StoryboardDescription {
        try flush(output)
        guard tileCount > 0 else { throw FrameError(.input, "the video has no frames, so there are no tiles") }
        let milliseconds = max(1, -((.zero - length).ticksDown(1000)))
        let files = files
        try main.close(color) { [writesSheets] in
            writesSheets ? try files.write($0, $1, for: .players, output) : 0
        }
        let board = main.description(
            configuration, format: configuration.format, tiles: tileCount, duration: milliseconds)
        func put(_ name: String, _ text: String) throws { try output(name, Array(text.utf8)) }
        let base = configuration.baseName
        if writes(.vtt) { try put("\(base).vtt", board.webVTT(fragment: "#xywh=")) }
        if writes(.castlabs), configuration.layout == .sprites {
            try put("\(base)-bare.vtt", board.webVTT(fragment: "#"))
            try put("\(base)-grid.json", board.grid(baseURL: configuration.baseURL))
        }
        if writes(.dash) { try put("\(base)-dash.xml", board.dashAdaptationSet()) }
        try writePlaylists(board, output)
        if writesJellyfin {
            try jellyfin.close(color, shrinks: false) { try files.write($0, $1, for: .jellyfin, output) }
        }
        if writes(.roku) { try finishRoku(milliseconds, output) }
        return board
    }

    /// Writes the HLS playlists, with the fragments of single images, and their lines for a master playlist.
    private func writePlaylists(_ board: StoryboardDescription, _ output: StoryboardWriter.Output) throws {
        let base = configuration.baseName
        var lines = ""
        if writes(.hls) {
            try output("\(base)-images.m3u8", Array(board.imagePlaylist().utf8))
            lines += board.imageStreamLine(playlist: "\(base)-images.m3u8")
        }
        if writes(.iframes) {
            let folder = "\(base)-iframes"
            let fragments = FragmentedPictures(width: size.width, height: size.height)
            try output("\(folder)/header.mp4", fragments.header)
            for (tile, picture) in singles.enumerated() {
                let span = board.span(of: tile)
                try output(
                    "\(folder)/\(tile).m4s", fragments.fragment(picture, tile, start: span.start, end: span.end))
            }
            try output("\(base)-iframes.m3u8", Array(board.iFramePlaylist(folder: folder).utf8))
            lines += board.iFrameStreamLine(playlist: "\(base)-iframes.m3u8", sizes: singles.map(\.count))
        }
        guard !lines.isEmpty else { return }
        try output("\(base)-master.m3u8", Array(("#EXTM3U\n#EXT-X-VERSION:7\n" + lines).utf8))
    }

    private mutating func finishRoku(_ milliseconds: Int64, _ output: StoryboardWriter.Output) throws {
        let files = files
        try roku.close(color) { try files.write($0, $1, for: .roku, output) }
        let board = roku.description(configuration, format: .jpeg, tiles: tileCount, duration: milliseconds)
        let base = configuration.baseName
        try output("roku/\(base)-dash.xml", Array(board.dashAdaptationSet().utf8))
        try output("roku/\(base)-images.m3u8", Array(board.imagePlaylist().utf8))
        let interval = UInt32(clamping: configuration.intervalMilliseconds)
        let large = BaseIndexFrames(intervalMilliseconds: interval, pictures: singles)
        let small = BaseIndexFrames(intervalMilliseconds: interval, pictures: rokuSingles)
        try output("roku/\(base)-hd.bif", large.encoded())
        try output("roku/\(base)-sd.bif", small.encoded())
    }
}
