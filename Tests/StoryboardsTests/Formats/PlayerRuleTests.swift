import Foundation
import FrameCore
import MediaIO
import Storyboards
import TestSupport
import Testing

/// Each rule in the table of players, checked on written files.
@Suite struct PlayerRuleTests {
    private let files: WrittenFiles
    private let board: StoryboardDescription

    init() throws { (files, board) = try StoryboardWriterTests.board(210) }

    private func lines(_ name: String) throws -> [String] {
        try files.text(name).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Returns the value of an attribute in XML or in a playlist tag.
    private func value(_ name: String, in text: String) throws -> String {
        let range = try #require(text.range(of: name + "="), "\(name) in \(text)")
        let rest = text[range.upperBound...]
        if rest.hasPrefix("\"") { return String(rest.dropFirst().prefix { $0 != "\"" }) }
        return String(rest.prefix { $0 != "," && $0 != "\n" })
    }

    /// castLabs, JW, Plyr, Vidstack, Bitmovin: `HH:MM:SS.mmm` with two digits for hours, LF, a blank line between
    /// blocks, no cue names, no settings, one line of payload.
    @Test func webVTTIsWhatTheStrictestReads() throws {
        for name in ["storyboard.vtt", "storyboard-bare.vtt"] {
            let text = try files.text(name)
            #expect(!text.contains("\r"))
            let blocks = text.dropLast().components(separatedBy: "\n\n")
            #expect(blocks.first == "WEBVTT")
            #expect(blocks.count == 1 + board.tileCount)
            for block in blocks.dropFirst() {
                let lines = block.components(separatedBy: "\n")
                #expect(lines.count == 2)
                #expect(
                    lines[0].wholeMatch(of: /\d\d:\d\d:\d\d\.\d{3} --> \d\d:\d\d:\d\d\.\d{3}/) != nil, "\(lines[0])")
            }
        }
    }

    /// Plyr compares inclusively and clamps to the end; castLabs requires no gaps: cues are contiguous up to the end or
    /// beyond.
    @Test func cuesAreGaplessToTheEnd() throws {
        let cues = try ThumbnailCue.parse(webVTT: files.text("storyboard.vtt"))
        #expect(cues.first?.start == .zero)
        for (cue, next) in zip(cues, cues.dropFirst()) { #expect(cue.end == next.start) }
        #expect(try #require(cues.last).end >= milliseconds(8400))
    }

    /// Plyr splits only on `#xywh=` and decides about relative addresses by the first cue: plain names in the same
    /// folder.
    @Test func imagesAreRelativeNamesInTheSameFolder() throws {
        for line in try lines("storyboard.vtt") where line.contains(".jpg") {
            #expect(line.wholeMatch(of: /storyboard-\d+\.jpg#xywh=\d+,\d+,\d+,\d+/) != nil, "\(line)")
            #expect(files.files[String(line.prefix { $0 != "#" })] != nil)
        }
        // castLabs' bare form is equivalent.
        #expect(
            try files.text("storyboard-bare.vtt") == files.text("storyboard.vtt").replacing("#xywh=", with: "#"))
    }

    /// All sheets have the full size, and tiles are equal with even sides.
    @Test func sheetsAreFullAndTilesEqual() throws {
        #expect(board.tileWidth % 2 == 0 && board.tileHeight % 2 == 0)
        for sheet in 0..<board.sheetCount {
            let picture = try StillCodec().decode(try #require(files.files[board.sheetName(sheet)])).frame.buffer
            #expect(picture.width == board.sheetWidth && picture.height == board.sheetHeight)
        }
        for cue in try ThumbnailCue.parse(webVTT: files.text("storyboard.vtt")) {
            let part = try #require(cue.part)
            #expect(part.width == board.tileWidth && part.height == board.tileHeight)
            #expect(part.x + part.width <= board.sheetWidth && part.y + part.height <= board.sheetHeight)
        }
    }

    /// Shaka, dash.js, ExoPlayer: the size of the whole sheet, divisible; the duration of a whole sheet; an explicit
    /// start number; the newer scheme name.
    @Test func dashDescribesWholeSheets() throws {
        let text = try files.text("storyboard-dash.xml")
        #expect(try value("contentType", in: text) == "image")
        #expect(try value("mimeType", in: text) == "image/jpeg")
        #expect(
            text.contains(
                "<EssentialProperty schemeIdUri=\"http://dashif.org/guidelines/thumbnail_tile\" value=\"3x2\"/>"))
        #expect(try value(" width", in: text) == "\(board.tileWidth * 3)")
        #expect(try value(" height", in: text) == "\(board.tileHeight * 2)")
        #expect(try value("duration", in: text) == "6000")
        #expect(try value("timescale", in: text) == "1000")
        #expect(try value("startNumber", in: text) == "1")
        let media = try value("media", in: text)
        #expect(files.files[media.replacing("$Number$", with: "1")] != nil)
        #expect(Int(try value("bandwidth", in: text)).map { $0 > 0 } == true)
        #expect(XMLCheck.isWellFormed(text))
    }

    /// Shaka and Roku: version 7, images only, TILES for every sheet with the size of one tile and an unquoted layout;
    /// the last sheet's EXTINF covers only its tiles.
    @Test func imagePlaylistsDescribeTiles() throws {
        let lines = try lines("storyboard-images.m3u8")
        #expect(lines.first == "#EXTM3U")
        for line in ["#EXT-X-VERSION:7", "#EXT-X-PLAYLIST-TYPE:VOD", "#EXT-X-IMAGES-ONLY", "#EXT-X-ENDLIST"] {
            #expect(lines.contains(line))
        }
        let tiles = lines.filter { $0.hasPrefix("#EXT-X-TILES:") }
        let expected = "#EXT-X-TILES:RESOLUTION=\(board.tileWidth)x\(board.tileHeight),LAYOUT=3x2,DURATION=1.000"
        #expect(tiles == [expected, expected])
        #expect(lines.filter { $0.hasPrefix("#EXTINF:") } == ["#EXTINF:6.000,", "#EXTINF:2.400,"])
        #expect(lines.filter { $0.hasSuffix(".jpg") } == ["storyboard-1.jpg", "storyboard-2.jpg"])
        #expect(lines.contains("#EXT-X-TARGETDURATION:6"))
    }

    /// The address is an attribute; there is no line after the tag.
    @Test func masterLinesNameTheirPlaylists() throws {
        let lines = try lines("storyboard-master.m3u8").filter { !$0.isEmpty }
        let images = try #require(lines.first { $0.hasPrefix("#EXT-X-IMAGE-STREAM-INF:") })
        #expect(images.contains("CODECS=\"jpeg\""))
        #expect(try value("URI", in: images) == "storyboard-images.m3u8")
        #expect(try value("RESOLUTION", in: images) == "\(board.tileWidth)x\(board.tileHeight)")
        let frames = try #require(lines.first { $0.hasPrefix("#EXT-X-I-FRAME-STREAM-INF:") })
        #expect(frames.contains("CODECS=\"mjpg\""))
        #expect(try value("URI", in: frames) == "storyboard-iframes.m3u8")
        #expect(lines.allSatisfy { $0.hasPrefix("#") })
    }

    /// Players allow only the extensions of containers, and read images from them.
    @Test func iFramesAreFragmentsOfMP4() throws {
        let lines = try lines("storyboard-iframes.m3u8")
        #expect(lines.contains("#EXT-X-I-FRAMES-ONLY"))
        #expect(lines.contains("#EXT-X-MAP:URI=\"storyboard-iframes/header.mp4\""))
        let header = try #require(files.files["storyboard-iframes/header.mp4"])
        let names = lines.filter { $0.hasSuffix(".m4s") }
        #expect(names.count == board.tileCount)
        let folder = try TemporaryFolder()
        for (tile, name) in names.enumerated() {
            let fragment = try #require(files.files[name])
            let source = try MediaReader(folder.write(Data(header + fragment), to: "\(tile).mp4"))
            let frame = try #require(try source.nextFrame())
            #expect(frame.buffer.width == board.tileWidth && frame.buffer.height == board.tileHeight)
            #expect(try source.sourceDescription.origin == milliseconds(Int64(tile) * 1000), "\(tile)")
            #expect(frame.presentationTime == .zero)
            #expect(try source.nextFrame() == nil)
            #expect(source.damage.isEmpty)
        }
    }

    /// All playlists end with the video.
    @Test(arguments: ["storyboard-images.m3u8", "storyboard-iframes.m3u8", "roku/storyboard-images.m3u8"])
    func playlistsEndWithTheVideo(name: String) throws {
        let seconds = try lines(name).filter { $0.hasPrefix("#EXTINF:") }
            .compactMap { Double($0.dropFirst("#EXTINF:".count).dropLast()) }
        #expect(abs(seconds.reduce(0, +) - 8.4) < 0.0005)
    }

    /// castLabs' grid: numbers from 1 to the last, times in milliseconds.
    @Test func gridsCountFromOne() throws {
        let grid = try ThumbnailGrid(json: try #require(files.files["storyboard-grid.json"]))
        #expect(grid.maximumIndex == 2)
        #expect(grid.columns == 3 && grid.rows == 2)
        #expect(grid.durationMilliseconds == 1000)
        for index in 1...2 { #expect(files.files[grid.image(index)] != nil) }
        #expect(grid.pathTemplate.contains("$index$"))
    }

    /// Jellyfin: sheets from 0 and nothing else, since it takes every file in the folder for a sheet.
    @Test func jellyfinCountsFromZero() throws {
        let folder = "storyboard.trickplay/64 - 3x2/"
        #expect(files.files[folder + "0.jpg"] == files.files["storyboard-1.jpg"])
        #expect(files.files[folder + "1.jpg"] == files.files["storyboard-2.jpg"])
        #expect(files.files.keys.count { $0.hasPrefix("storyboard.trickplay/") } == 2)
    }

    /// Roku: BIF version 0 with its times; sheets of at most 720 pixels per side.
    @Test func rokuGetsWhatItCanShow() throws {
        for name in ["roku/storyboard-hd.bif", "roku/storyboard-sd.bif"] {
            let bytes = try #require(files.files[name])
            #expect(bytes[8..<12].allSatisfy { $0 == 0 })
            #expect(bytes[20..<64].allSatisfy { $0 == 0 })
            let index = try BaseIndexFrames.Index(bytes)
            #expect(index.entries.map(\.milliseconds) == (0..<9).map { $0 * 1000 })
            for entry in index.entries {
                #expect(StillFormat(bytes: Array(bytes[entry.offset..<entry.offset + entry.count])) == .jpeg)
            }
            #expect(index.entries.last.map { $0.offset + $0.count } == bytes.count)
        }
        var large = StoryboardConfiguration(
            interval: milliseconds(100), columns: 10, rows: 10, tileWidth: 320, quality: 50)
        large.outputs.remove(.jellyfin)
        let (written, _) = try StoryboardWriterTests.board(500, large)
        let text = String(decoding: try #require(written.files["roku/storyboard-dash.xml"]), as: UTF8.self)
        let names = written.files.keys.filter { $0.hasPrefix("roku/") && $0.hasSuffix(".jpg") }
        #expect(names.count > 1)
        // A strip of the greatest possible height.
        let strip = SeekableGeneratedSource(count: 30) { _ in
            Frame(buffer: try GeneratedPicture.flat(90, width: 16, height: 1600), presentationTime: .zero)
        }
        let tall = StoryboardConfiguration(interval: milliseconds(1000), columns: 2, rows: 2, tileWidth: 32)
        let roku = try StoryboardWriterTests.board(30, tall, source: strip).files.files
        let high = try StillCodec().decode(try #require(roku["roku/storyboard-1.jpg"])).frame.buffer
        #expect(high.width <= 720 && high.height <= 720)
        for name in names {
            let sheet = try StillCodec().decode(try #require(written.files[name])).frame.buffer
            #expect(sheet.width <= 720 && sheet.height <= 720)
            #expect(try value(" width", in: text) == "\(sheet.width)")
            #expect(try value(" height", in: text) == "\(sheet.height)")
        }
    }
}

/// Checks that tags nest.
enum XMLCheck {
    static func isWellFormed(_ text: String) -> Bool {
        var open: [Substring] = []
        for tag in text.matches(of: /<(\/?)([A-Za-z]+)[^>]*?(\/?)>/) {
            if !tag.3.isEmpty { continue }
            if tag.1.isEmpty { open.append(tag.2) } else if open.popLast() != tag.2 { return false }
        }
        return open.isEmpty
    }
}
