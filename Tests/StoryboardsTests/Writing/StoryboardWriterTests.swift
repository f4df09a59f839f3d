import Foundation
import FrameCore
import MediaIO
import Storyboards
import TestSupport
import Testing

/// The files that a writer has written, by name.
final class WrittenFiles {
    var files: [String: [UInt8]] = [:]
    func text(_ name: String) throws -> String { String(decoding: try #require(files[name], "\(name)"), as: UTF8.self) }
}

@Suite struct StoryboardWriterTests {
    static let configuration = StoryboardConfiguration(
        interval: milliseconds(1000), columns: 3, rows: 2, tileWidth: 64, quality: 95)

    /// Writes a storyboard of `count` frames of 40 ms, whose grey level encodes the number; see
    /// ``SeekableGeneratedSource``.
    static func board(
        _ count: Int = 200, _ configuration: StoryboardConfiguration = configuration,
        source: SeekableGeneratedSource? = nil
    ) throws -> (files: WrittenFiles, board: StoryboardDescription) {
        let files = WrittenFiles()
        let writer = try StoryboardWriter(configuration: configuration, encoder: StillCodec())
        let source = source ?? grey(count)
        let board = try writer.write(source) { name, bytes in
            #expect(files.files[name] == nil, "\(name) is written twice")
            files.files[name] = bytes
        }
        return (files, board)
    }

    /// Frame n has brightness 20 + n.
    static func grey(_ count: Int) -> SeekableGeneratedSource {
        SeekableGeneratedSource(count: count) { number in
            Frame(
                buffer: try GeneratedPicture.flat(20 + number, width: 64, height: 48), presentationTime: .zero,
                color: ColorDescription(matrix: .smpte170M, primaries: .bt709, transfer: .bt709, range: .limited))
        }
    }

    private func decode(_ files: WrittenFiles, _ name: String) throws -> PixelBuffer {
        try StillCodec().decode(try #require(files.files[name], "\(name)")).frame.buffer
    }

    @Test func tilesShowTheFramesOfTheirTimes() throws {
        // 8 s give 8 tiles, on two sheets of 6.
        let (files, board) = try Self.board()
        #expect(board.tileCount == 8)
        #expect(board.sheetCount == 2)
        #expect(board.durationMilliseconds == 8000)
        for tile in 0..<12 {
            let place = board.place(of: tile)
            let sheet = try decode(files, board.sheetName(place.sheet))
            #expect(sheet.width == 192 && sheet.height == 96)
            let luma = Double(sheet.samples(ofPlane: 0)[(place.y + 20) * 192 + place.x + 30])
            // JPEG is full range; the rest of the last sheet is black.
            let expected = tile < 8 ? Double(20 + 25 * tile - 16) * 255 / 219 : 0
            #expect(abs(luma - expected) <= 2, "tile \(tile): \(luma), not \(expected)")
        }
    }

    /// Both fields in one tile would show what moves twice.
    @Test(arguments: [FieldOrder.topFirst, .bottomFirst], [48, 47])
    func tilesOfInterlacedVideoShowTheFirstField(order: FieldOrder, height: Int) throws {
        let brightness = order == .topFirst ? 40 : 160
        let source = SeekableGeneratedSource(count: 25) { _ in
            var picture = try GeneratedPicture.flat(40, width: 64, height: height)
            try picture.withMutablePlanes { planes in
                let luma = planes[0]
                for y in stride(from: 1, to: luma.height, by: 2) {
                    for x in 0..<luma.width { luma.row(y).storeBytes(of: 160, toByteOffset: x, as: UInt8.self) }
                }
            }
            var frame = Frame(buffer: picture, presentationTime: .zero)
            frame.fieldOrder = order
            return frame
        }
        let (files, board) = try Self.board(25, source: source)
        let sheet = try decode(files, board.sheetName(0))
        let luma = sheet.samples(ofPlane: 0), expected = Double(brightness - 16) * 255 / 219
        for y in 0..<board.tileHeight {
            #expect(abs(Double(luma[y * sheet.width + 30]) - expected) <= 2, "row \(y)")
        }
    }

    /// Pictures that begin 2 s after the sound, and end 4 s before it.
    @Test func tilesFollowAPlayersClock() throws {
        let files = WrittenFiles()
        let writer = try StoryboardWriter(configuration: Self.configuration, encoder: StillCodec())
        let board = try writer.write(
            Self.grey(75), delay: milliseconds(2000), length: { milliseconds(9000) },
            to: { files.files[$0] = $1 })
        #expect(board.tileCount == 9 && board.durationMilliseconds == 9000)
        for (tile, frame) in [0, 0, 0, 25, 50, 74, 74, 74, 74].enumerated() {
            let place = board.place(of: tile)
            let sheet = try decode(files, board.sheetName(place.sheet))
            let luma = Double(sheet.samples(ofPlane: 0)[(place.y + 20) * 192 + place.x + 30])
            #expect(abs(luma - Double(20 + frame - 16) * 255 / 219) <= 2, "tile \(tile): \(luma)")
        }
        #expect(try files.text("storyboard.vtt").contains("00:00:08.000 --> 00:00:09.000"))
    }

    /// A length that a damaged container states must not give a million tiles.
    @Test func anImpossibleLengthIsIgnored() throws {
        let writer = try StoryboardWriter(configuration: Self.configuration, encoder: StillCodec())
        let board = try writer.write(
            Self.grey(50), length: { MediaTime(value: 1 << 40, timescale: 1) }, to: { _, _ in })
        #expect(board.tileCount == 2)
    }

    @Test func everyFormatIsWritten() throws {
        let (files, _) = try Self.board()
        #expect(
            files.files.keys.sorted()
                == ([
                    "roku/storyboard-1.jpg", "roku/storyboard-2.jpg", "roku/storyboard-dash.xml",
                    "roku/storyboard-hd.bif",
                    "roku/storyboard-images.m3u8", "roku/storyboard-sd.bif", "storyboard-1.jpg", "storyboard-2.jpg",
                    "storyboard-bare.vtt", "storyboard-dash.xml", "storyboard-grid.json",
                ] + (0..<8).map { "storyboard-iframes/\($0).m4s" }
                + [
                    "storyboard-iframes/header.mp4", "storyboard-iframes.m3u8", "storyboard-images.m3u8",
                    "storyboard-master.m3u8", "storyboard.trickplay/64 - 3x2/0.jpg",
                    "storyboard.trickplay/64 - 3x2/1.jpg",
                    "storyboard.vtt",
                ]).sorted())
    }

    /// What each choice writes: no more pictures than its tracks need.
    @Test(
        arguments: [
            (.vtt, ["storyboard-1.jpg", "storyboard-2.jpg", "storyboard.vtt"]),
            (
                .castlabs,
                ["storyboard-1.jpg", "storyboard-2.jpg", "storyboard-bare.vtt", "storyboard-grid.json"]
            ), (.dash, ["storyboard-1.jpg", "storyboard-2.jpg", "storyboard-dash.xml"]),
            (
                .hls,
                ["storyboard-1.jpg", "storyboard-2.jpg", "storyboard-images.m3u8", "storyboard-master.m3u8"]
            ),
            (
                .jellyfin, ["storyboard.trickplay/64 - 3x2/0.jpg", "storyboard.trickplay/64 - 3x2/1.jpg"]
            ),
            (
                .roku,
                [
                    "roku/storyboard-1.jpg", "roku/storyboard-2.jpg", "roku/storyboard-dash.xml",
                    "roku/storyboard-hd.bif",
                    "roku/storyboard-images.m3u8", "roku/storyboard-sd.bif",
                ]
            ),
        ] as [(StoryboardConfiguration.Output, [String])])
    func onlyWhatIsChosenIsWritten(output: StoryboardConfiguration.Output, names: [String]) throws {
        var configuration = Self.configuration
        configuration.outputs = [output]
        let files = try Self.board(200, configuration).files.files, all = try Self.board().files.files
        #expect(files.keys.sorted() == names)
        for name in names where !name.contains("master") { #expect(files[name] == all[name], "\(name)") }
    }

    /// A single sheet is no larger than its tiles need.
    @Test(arguments: [(1, 1, 1), (25, 1, 1), (50, 2, 1), (75, 3, 1), (100, 3, 2), (150, 3, 2)])
    func aSingleSheetHasNoEmptyRows(frames: Int, columns: Int, rows: Int) throws {
        let (files, board) = try Self.board(frames)
        #expect(board.columns == columns && board.rows == rows && board.sheetCount == 1)
        let sheet = try decode(files, "storyboard-1.jpg")
        #expect(sheet.width == columns * 64 && sheet.height == rows * 48)
        // Jellyfin divides the height by the rows that it is set to.
        let whole = try decode(files, "storyboard.trickplay/64 - 3x2/0.jpg")
        #expect(whole.width == 192 && whole.height == 96)
        let dash = try files.text("storyboard-dash.xml")
        #expect(dash.contains("value=\"\(columns)x\(rows)\"") && dash.contains("height=\"\(rows * 48)\""))
    }

    /// iOS draws no images of more than 16.7 million pixels.
    @Test func largeSheetsHaveFewerRows() throws {
        let source = SeekableGeneratedSource(count: 60) { _ in
            Frame(buffer: try GeneratedPicture.flat(90, width: 360, height: 640), presentationTime: .zero)
        }
        var configuration = StoryboardConfiguration(
            interval: milliseconds(100), tileWidth: 160, quality: 40, outputs: [.vtt, .jellyfin])
        (configuration.columns, configuration.rows) = (100, 100)
        #expect(configuration.grid(ofTiles: (320, 568)) == (88, 1))
        configuration.columns = 10
        #expect(configuration.grid(ofTiles: (320, 568)) == (10, 8))
        #expect(configuration.grid(ofTiles: (320, 180)) == (10, 27))
        #expect(configuration.grid(ofTiles: (1920, 8000)) == (1, 1))
        (configuration.columns, configuration.rows) = (2, 3)
        let (files, board) = try Self.board(60, configuration, source: source)
        #expect(board.columns * board.tileWidth * board.rows * board.tileHeight <= 16_000_000)
        #expect(files.files["storyboard.trickplay/160 - 2x3/0.jpg"] != nil)
    }

    /// A tile shows nothing more than the picture has, and Jellyfin looks for a folder of that width.
    @Test func tilesOfSmallVideosAreNotEnlarged() throws {
        var configuration = Self.configuration
        configuration.tileWidth = 320
        let source = SeekableGeneratedSource(count: 50) { _ in
            Frame(buffer: try GeneratedPicture.flat(90, width: 65, height: 49), presentationTime: .zero)
        }
        let (files, board) = try Self.board(50, configuration, source: source)
        #expect(board.tileWidth == 64 && board.tileHeight == 48)
        #expect(files.files["storyboard.trickplay/64 - 3x2/0.jpg"] != nil)
    }

    @Test func shortClipsHaveOneTileAndEmptyOnesNone() throws {
        for count in [1, 3] {
            let (files, board) = try Self.board(count)
            #expect(board.tileCount == 1)
            let end = count == 1 ? "040" : "120"
            #expect(try files.text("storyboard.vtt").contains("00:00:00.000 --> 00:00:00.\(end)\n"))
        }
        let error = #expect(throws: FrameError.self) { try Self.board(0) }
        #expect(error?.message.contains("no tile") == true)
    }

    @Test func clipsMayBeginAnywhere() throws {
        let source = SeekableGeneratedSource.numbered(60, start: milliseconds(7777))
        let (files, board) = try Self.board(source: source)
        #expect(board.tileCount == 3)
        #expect(try files.text("storyboard.vtt").hasPrefix("WEBVTT\n\n00:00:00.000 --> 00:00:01.000\n"))
    }

    @Test func singleImagesHaveNoFragments() throws {
        var configuration = Self.configuration
        configuration.layout = .singleImages
        let (files, board) = try Self.board(100, configuration)
        #expect(board.tileCount == 4)
        let text = try files.text("storyboard.vtt")
        #expect(!text.contains("#"))
        for tile in 1...4 { #expect(text.contains("\nstoryboard-\(tile).jpg\n")) }
        #expect(files.files["storyboard-grid.json"] == nil)
        // The number of columns has no effect here.
        (configuration.columns, configuration.tileWidth) = (100, 1920)
        #expect(try Self.board(2, configuration).board.tileCount == 1)
    }

    @Test func webPSheetsAreWebP() throws {
        var configuration = Self.configuration
        configuration.format = .webp
        let (files, _) = try Self.board(100, configuration)
        #expect(StillFormat(bytes: try #require(files.files["storyboard-1.webp"])) == .webp)
        #expect(try files.text("storyboard.vtt").contains("storyboard-1.webp#xywh="))
        #expect(files.files["roku/storyboard-1.jpg"] != nil)
        #expect(files.files.keys.allSatisfy { !$0.contains("trickplay") })
    }

    /// A pipeline delivers its frames one at a time.
    @Test func framesMayComeOneByOne() throws {
        let expected = try Self.board(130)
        var recorder = try StoryboardRecorder(
            configuration: Self.configuration, encoder: StillCodec(), stream: Self.grey(0).stream)
        var files: [String: [UInt8]] = [:], counts: [Int] = []
        let source = Self.grey(130)
        while let frame = try source.nextFrame() {
            try recorder.append(frame, onTile: { counts.append($0) }, to: { files[$0] = $1 })
        }
        // The end of the last frame is not known yet.
        #expect(recorder.tileCount == 6)
        let board = try recorder.finish { files[$0] = $1 }
        #expect(board == expected.board && board.tileCount == 6)
        #expect(files == expected.files.files)
        #expect(counts == Array(1...6))
        #expect(throws: FrameError.self) { try recorder.finish { files[$0] = $1 } }
    }

    /// Times come from files, which may be damaged.
    @Test(arguments: [(100, 20_000), (3_600_000, 400_000)])
    func timesThatJumpFarGiveNoMillionsOfTiles(interval: Int64, jump: Int64) throws {
        var configuration = Self.configuration
        configuration.interval = milliseconds(interval)
        var recorder = try StoryboardRecorder(
            configuration: configuration, encoder: StillCodec(), stream: Self.grey(0).stream)
        var count = 0
        func append(_ time: MediaTime) throws {
            let frame = Frame(buffer: try GeneratedPicture.flat(90), presentationTime: time)
            try recorder.append(frame, onTile: { count = $0 }, to: { _, _ in })
        }
        try append(.zero)
        #expect(throws: FrameError.self) { try append(MediaTime(value: jump, timescale: 1)) }
        #expect(throws: FrameError.self) { try append(MediaTime(value: .max, timescale: 1)) }
        #expect(count == 0)
    }

    @Test func threadsDoNotMatter() throws {
        var configuration = Self.configuration
        configuration.context = ExecutionContext(threads: 2)
        #expect(try Self.board(200, configuration).files.files == Self.board().files.files)
    }

    @Test func tallAndWideVideosKeepTheirShape() throws {
        let quarter: [Int32] = [0, 65536, 0, -65536, 0, 0, 0, 0, 1 << 30]
        let source = SeekableGeneratedSource(
            count: 30,
            stream: VideoStreamDescription(
                format: .yuv420p8, width: 64, height: 48, timeBase: Rational(1, 25), displayMatrix: quarter)
        ) { _ in
            Frame(
                buffer: try GeneratedPicture.flat(90), presentationTime: .zero, sampleAspectRatio: Rational(2, 1))
        }
        let (_, board) = try Self.board(source: source)
        #expect(board.tileWidth == 48 && board.tileHeight == 128)
    }

    @Test func whatIsNotAllowedIsRefused() throws {
        func refused(_ change: (inout StoryboardConfiguration) -> Void) throws {
            var configuration = Self.configuration
            change(&configuration)
            #expect(throws: FrameError.self) {
                try StoryboardWriter(configuration: configuration, encoder: StillCodec())
            }
        }
        try refused { $0.columns = 0 }
        try refused { $0.rows = 0 }
        try refused { $0.columns = 101 }
        try refused { $0.tileWidth = 63 }
        try refused { $0.tileWidth = 0 }
        try refused { $0.interval = .zero }
        try refused { $0.interval = MediaTime(value: 1, timescale: 3) }
        try refused { $0.format = .png }
        try refused { $0.quality = 0 }
        try refused { $0.baseName = "../x" }
        try refused { ($0.columns, $0.tileWidth) = (100, 320) }
    }
}
