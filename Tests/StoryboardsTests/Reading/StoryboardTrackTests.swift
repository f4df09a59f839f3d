import Foundation
import FrameCore
import MediaIO
import Storyboards
import TestSupport
import Testing

@Suite struct StoryboardTrackTests {
    private let folder: TemporaryFolder
    private let board: StoryboardDescription

    init() throws {
        folder = try TemporaryFolder()
        let (files, board) = try StoryboardWriterTests.board(210)
        self.board = board
        for (name, bytes) in files.files {
            let url = folder.url.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: url)
        }
    }

    private func load(_ name: String, cache: String? = nil) async throws -> StoryboardTrack {
        try await StoryboardTrack.load(
            folder.path(name), bytes: AddressReader(), decoder: StillCodec(), cacheDirectory: cache)
    }

    private func write(_ text: String, _ name: String = "test.vtt") throws {
        _ = try folder.write(Data(text.utf8), to: name)
    }

    /// Converts the brightness of a thumbnail back to the number of the frame it shows.
    private func shown(_ thumbnail: StoryboardThumbnail?) throws -> Int {
        let buffer = try #require(thumbnail).picture.frame.buffer
        let luma = Double(buffer.samples(ofPlane: 0)[buffer.width * buffer.height / 2])
        return Int((luma * 219 / 255 + 16 - 20).rounded())
    }

    @Test(arguments: [
        "storyboard.vtt", "storyboard-bare.vtt", "storyboard-grid.json", "roku/storyboard-hd.bif",
    ])
    func whatIsWrittenIsFoundAgain(name: String) async throws {
        let track = try await load(name)
        for (time, second) in [(0, 0), (999, 0), (1000, 1), (5500, 5), (6000, 6), (8399, 8)] {
            let found = try await track.thumbnail(at: milliseconds(Int64(time)))
            #expect(abs(try shown(found) - 25 * second) <= 2, "\(name) at \(time)")
            #expect(found?.start == milliseconds(Int64(second) * 1000))
            #expect(found?.picture.frame.buffer.width == board.tileWidth)
            #expect(found?.picture.frame.buffer.height == board.tileHeight)
        }
        #expect(try await track.thumbnail(at: milliseconds(-1)) == nil)
        #expect(try await track.thumbnail(at: milliseconds(100_000)) == nil)
    }

    @Test func allFormsOfTracksAreRead() async throws {
        try write(
            "\u{FEFF}WEBVTT - thumbnails\r\n\r\nNOTE nothing\r\n\r\n1\r\n00:00.000 --> 00:00.999 line:0\r\nstoryboard-1.jpg#xywh=pixel:0,0,64,48\r\n\r\n00:00:01.000 --> 00:00:02.000\r\nstoryboard-1.jpg#64,0,64,48\r\n\r\n00:00:05.000 --> 00:00:06.000\r\nstoryboard-2.jpg\r\n"
        )
        let track = try await load("test.vtt")
        #expect(track.names == ["storyboard-1.jpg", "storyboard-2.jpg"])
        // A gap of a millisecond belongs to the cue before it.
        let bridged = try await track.thumbnail(at: MediaTime(value: 9995, timescale: 10_000))
        #expect(bridged?.start == .zero)
        #expect(try shown(try await track.thumbnail(at: milliseconds(1000))) == 25)
        // A gap of three seconds belongs to no cue.
        #expect(try await track.thumbnail(at: milliseconds(3000)) == nil)
        let whole = try await track.thumbnail(at: milliseconds(5000))
        #expect(whole?.picture.frame.buffer.width == board.sheetWidth)
        #expect(try await track.thumbnail(at: milliseconds(6000)) == nil)
    }

    @Test func gridsMayLackALastIndexAndCountInTheAddress() async throws {
        let open = try ThumbnailGrid(
            baseURL: "", pathTemplate: "storyboard-$index$.jpg", columns: 3, rows: 2, durationMilliseconds: 1000)
        let track = StoryboardTrack(
            grid: open, relativeTo: folder.path("x"), bytes: AddressReader(), decoder: StillCodec())
        #expect(abs(try shown(try await track.thumbnail(at: milliseconds(7000))) - 175) <= 2)
        #expect(try await track.thumbnail(at: milliseconds(13_000)) == nil)
        for (base, template) in [("storyboard-$index$.jpg", ""), ("storyboard-$index$", ".jpg")] {
            let grid = try ThumbnailGrid(
                baseURL: base, pathTemplate: template, columns: 3, rows: 2, durationMilliseconds: 1000, maximumIndex: 2)
            #expect(grid.image(2) == "storyboard-2.jpg")
        }
        #expect(
            try ThumbnailGrid(
                baseURL: "http://a/b", pathTemplate: "$index$.jpg", columns: 1, rows: 1, durationMilliseconds: 1
            ).image(3) == "http://a/b/3.jpg")
        for (columns, template, index) in [(0, "$index$", 1), (1, "x", 2), (1, "$index$", 0)] {
            #expect(throws: FrameError.self) {
                try ThumbnailGrid(
                    baseURL: "", pathTemplate: template, columns: columns, rows: 1, durationMilliseconds: 1,
                    maximumIndex: index)
            }
        }
        for text in [
            "{}", "{\"gridWidth\": \"a\"}", "{",
            "{\"gridWidth\":1,\"gridHeight\":1,\"durationMs\":0,\"pathTemplate\":\"$index$\"}",
        ] {
            #expect(throws: FrameError.self) { try ThumbnailGrid(json: Array(text.utf8)) }
        }
    }

    @Test func noTimeIsTooFarForAGrid() async throws {
        let grid = try ThumbnailGrid(
            baseURL: "", pathTemplate: "$index$", columns: 1, rows: 1, durationMilliseconds: 1, maximumIndex: 1)
        let track = StoryboardTrack(
            grid: grid, relativeTo: folder.path("x"), bytes: AddressReader(), decoder: StillCodec())
        for value in [Int64.max, .max - 1, .min] {
            #expect(try await track.thumbnail(at: milliseconds(value)) == nil)
        }
    }

    /// Limits apply to every value in a description.
    @Test func gridsHaveBounds() throws {
        let long = String(repeating: "a", count: ThumbnailGrid.maximumAddressBytes) + "$index$"
        for (template, index) in [(long, 1), ("$index$", ThumbnailGrid.indexRange.upperBound + 1)] {
            #expect(throws: FrameError.self) {
                try ThumbnailGrid(
                    baseURL: "", pathTemplate: template, columns: 1, rows: 1, durationMilliseconds: 1,
                    maximumIndex: index)
            }
        }
        let padding = String(repeating: " ", count: ThumbnailGrid.maximumBytes)
        let grid = "{\"gridWidth\":1,\"gridHeight\":1,\"durationMs\":1,\"pathTemplate\":\"$index$\"}"
        #expect(throws: Never.self) { try ThumbnailGrid(json: Array(grid.utf8)) }
        #expect(throws: FrameError.self) { try ThumbnailGrid(json: Array((grid + padding).utf8)) }
    }

    @Test(arguments: ["\n", "\r", "\r\n"])
    func linesMayEndInAnyWay(ending: String) throws {
        let lines = ["WEBVTT", "", "00:00.000 --> 00:01.000", "a.jpg", "", "00:01.000 --> 00:02.000", "b.jpg"]
        let cues = try ThumbnailCue.parse(webVTT: lines.joined(separator: ending))
        #expect(cues.map(\.image) == ["a.jpg", "b.jpg"])
        let error = #expect(throws: FrameError.self) {
            try ThumbnailCue.parse(webVTT: (lines + ["", "00:03.000 --> 00:02.000", "c"]).joined(separator: ending))
        }
        #expect(error?.message.contains("line 9 ") == true)
        let nameless = #expect(throws: FrameError.self) {
            try ThumbnailCue.parse(webVTT: (lines.dropLast() + [""]).joined(separator: ending))
        }
        #expect(nameless?.message.contains("line 6 ") == true)
    }

    @Test func theCacheServesWithoutTheFiles() async throws {
        let cache = folder.path("cache")
        let track = try await load("storyboard.vtt", cache: cache)
        for name in ["storyboard.vtt", "storyboard-1.jpg", "storyboard-2.jpg"] {
            try FileManager.default.removeItem(atPath: folder.path(name))
        }
        #expect(abs(try shown(try await track.thumbnail(at: milliseconds(7000))) - 175) <= 2)
        let again = try await load("storyboard.vtt", cache: cache)
        #expect(abs(try shown(try await again.thumbnail(at: milliseconds(2000))) - 50) <= 2)
        try again.deleteLocalCache()
        #expect(try FileManager.default.contentsOfDirectory(atPath: cache).isEmpty)
        await #expect(throws: FrameError.self) { try await again.thumbnail(at: milliseconds(3000)) }
        await #expect(throws: FrameError.self) { try await load("storyboard.vtt", cache: cache) }
    }

    @Test(arguments: [
        "", "not a track", "WEBVTT", "WEBVTT\n\n00:00:01.000 --> 00:00:00.500\na.jpg\n",
        "WEBVTT\n\n00:00:01.000 --> x\na.jpg\n", "WEBVTT\n\n00:61:00.000 --> 01:00:00.000\na.jpg\n",
        "WEBVTT\n\n0:00:00.0 --> 0:00:01.0\na.jpg\n", "WEBVTT\n\n00:00:00.000 --> 00:00:01.000\n\n",
        "WEBVTT\n\n00:00:00.000 --> 00:00:01.000\na.jpg#xywh=1,2,3\n",
        "WEBVTT\n\n00:00:00.000 --> 00:00:01.000\na.jpg#xywh=0,0,0,10\n",
        "WEBVTT\n\n00:00:00.000 --> 00:00:01.000\na.jpg#xywh=-1,0,10,10\n",
        "WEBVTT\n\n00:00:00.000 --> 00:00:01.000\na.jpg#xywh=percent:0,0,10,10\n",
        "WEBVTT\n\n00:00:00.000 --> 00:00:01.000\na.jpg#99999999999999999999,0,1,1\n",
    ])
    func badTracksAreRefused(text: String) async throws {
        try write(text)
        await #expect(throws: FrameError.self) { try await load("test.vtt") }
    }

    @Test func missingAndSmallImagesAreErrors() async throws {
        try write("WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nnowhere.jpg#xywh=0,0,10,10\n")
        let missing = try await load("test.vtt")
        await #expect(throws: FrameError.self) { try await missing.thumbnail(at: .zero) }
        try write("WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nstoryboard-1.jpg#xywh=150,60,64,48\n")
        let outside = try await load("test.vtt")
        let error = await #expect(throws: FrameError.self) { try await outside.thumbnail(at: .zero) }
        #expect(error?.message.contains("is not inside the image") == true)
        try write("no picture", "broken.jpg")
        try write("WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nbroken.jpg\n")
        let broken = try await load("test.vtt")
        await #expect(throws: FrameError.self) { try await broken.thumbnail(at: .zero) }
    }

    @Test(arguments: [
        "../secret.jpg", "a/../../secret.jpg", "%2e%2e/secret.jpg", "..%2fsecret.jpg", "%252e%252e/secret.jpg",
        "..\u{2F}\u{301}secret.jpg", "a/../..\u{2F}\u{301}x/secret.jpg",
        "/etc/passwd", "file:///etc/passwd", "file:secret.jpg", "concat:a|b", "data:image/png;base64,AA", "ftp://a/b",
        "..\\secret.jpg", "link.jpg", "linked/secret.jpg", "",
    ])
    func nothingOutsideIsRead(reference: String) async throws {
        let home = folder.path("home")
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        let picture = try Data(contentsOf: folder.url.appendingPathComponent("storyboard-1.jpg"))
        _ = try folder.write(picture, to: "secret.jpg")
        try? FileManager.default.createSymbolicLink(atPath: home + "/link.jpg", withDestinationPath: "../secret.jpg")
        try? FileManager.default.createSymbolicLink(atPath: home + "/linked", withDestinationPath: "..")
        #expect(throws: FrameError.self) { try TrackAddress.resolve(reference, in: home + "/a.vtt") }
        // From the network, these are names on that host.
        if !["/etc/passwd", "link.jpg", "linked/secret.jpg"].contains(reference) {
            #expect(throws: FrameError.self) { try TrackAddress.resolve(reference, in: "http://127.0.0.1/b/a.vtt") }
        }
        guard !reference.isEmpty else { return }
        try Data("WEBVTT\n\n00:00:00.000 --> 00:00:01.000\n\(reference)\n".utf8)
            .write(to: URL(fileURLWithPath: home + "/a.vtt"))
        let track = try await StoryboardTrack.load(home + "/a.vtt", bytes: AddressReader(), decoder: StillCodec())
        await #expect(throws: FrameError.self) { try await track.thumbnail(at: .zero) }
    }

    @Test func addressesAreResolved() throws {
        let here = folder.path("a.vtt")
        for prefix in ["", "file://", "file:"] {
            #expect(try TrackAddress.resolve("b.jpg", in: prefix + here) == folder.path("b.jpg"))
        }
        #expect(try TrackAddress.resolve("sub/b%20c.jpg", in: here) == folder.path("sub/b c.jpg"))
        #expect(try TrackAddress.resolve("https://cdn.example/b.jpg", in: here) == "https://cdn.example/b.jpg")
        let net = "http://host:81/a/b.vtt?token=1"
        #expect(try TrackAddress.resolve("c.jpg", in: net) == "http://host:81/a/c.jpg")
        #expect(try TrackAddress.resolve("/c.jpg", in: net) == "http://host:81/c.jpg")
        #expect(try TrackAddress.resolve("//other/c.jpg", in: net) == "http://other/c.jpg")
        #expect(try TrackAddress.resolve("http://other/c.jpg", in: net) == "http://other/c.jpg")
    }

    @Test func indexFilesCutShortAreRefused() async throws {
        let whole = [UInt8](try Data(contentsOf: folder.url.appendingPathComponent("roku/storyboard-hd.bif")))
        #expect(try BaseIndexFrames.Index(whole).entries.count == 9)
        for length in [0, 8, 15, 40, 64, 100, 135, 143, 144, whole.count / 2, whole.count - 1] {
            #expect(throws: FrameError.self, "\(length)") { try BaseIndexFrames.Index(Array(whole.prefix(length))) }
        }
        var greedy = whole
        greedy.replaceSubrange(12..<16, with: [255, 255, 255, 255])
        #expect(throws: FrameError.self) { try BaseIndexFrames.Index(greedy) }
        // 0 means the default of 1000 milliseconds.
        var silent = whole
        silent.replaceSubrange(16..<20, with: [0, 0, 0, 0])
        #expect(try BaseIndexFrames.Index(silent).entries.map(\.milliseconds) == (0..<9).map { $0 * 1000 })
        // Absurdly large times, whose product overflows 64 bits.
        var late = whole
        late.replaceSubrange(16..<20, with: [255, 255, 255, 255])
        late.replaceSubrange(64 + 8 * 8..<64 + 8 * 8 + 4, with: [254, 255, 255, 255])
        #expect(throws: FrameError.self) { try BaseIndexFrames.Index(late) }
        let made = BaseIndexFrames(intervalMilliseconds: 2500, pictures: [[1], [2, 3], []])
        #expect(try BaseIndexFrames.Index(made.encoded()).entries.map(\.count) == [1, 2, 0])
    }

    @Test func tracksComeOverHTTP() async throws {
        let server = try LocalServer(folder.url)
        let track = try await StoryboardTrack.load(
            server.address + "storyboard.vtt", bytes: AddressReader(), decoder: StillCodec(),
            cacheDirectory: folder.path("cache"))
        #expect(try await track.thumbnail(at: milliseconds(2500))?.start == milliseconds(2000))
        try write("WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nfile:///etc/passwd\n", "evil.vtt")
        let evil = try await StoryboardTrack.load(
            server.address + "evil.vtt", bytes: AddressReader(), decoder: StillCodec())
        await #expect(throws: FrameError.self) { try await evil.thumbnail(at: .zero) }
    }
}
