import Foundation
import TestSupport
import Testing

/// `--no-network`, and what playlists may reach without it.
@Suite struct NetworkTests {
    private let folder: TemporaryFolder
    private let server: LocalServer

    init() throws {
        folder = try TemporaryFolder()
        server = try LocalServer(folder.url)
        _ = try folder.write(Y4M.encode(clip(4)), to: "a.y4m")
    }

    @Test(arguments: [
        ["slomo", "IN", "-o", "out.mkv", "--phases", "0.5"], ["rate", "IN", "-o", "out.mkv", "--fps", "50"],
        ["info", "IN"], ["flow", "IN", "-o", "out.mkv"], ["flow", "IN", "--at", "0", "-o", "out.png"],
        ["blur", "IN", "-o", "out.mkv"], ["denoise", "IN", "-o", "out.mkv"],
        ["upscale", "IN", "-o", "out.mkv", "--scale", "2"], ["upscale", "IN", "-o", "out.png", "--scale", "2"],
        ["smooth", "IN", "-o", "out.mkv"], ["thumbnails", "IN", "-o", "out"], ["still", "IN", "-o", "out.png"],
        ["storyboard", "IN", "-o", "out"], ["storyboard", "--lookup", "IN", "--at", "0", "-o", "out.png"],
        ["compare", "IN", "a.y4m"], ["compare", "a.y4m", "IN"],
        ["enhance", "IN", "-o", "out.mkv", "--blur", "30"],
    ])
    func everyCommandRefusesAddresses(arguments: [String]) throws {
        let address = server.address + "a.y4m"
        let run = try vfx(arguments.map { $0 == "IN" ? address : $0 } + ["--no-network"], in: folder)
        #expect(run.status == 65 || run.status == 66)
        #expect(run.errorLines.count == 1)
        #expect(run.standardError.contains(address) && run.standardError.contains("network access is switched off"))
        #expect(server.requests == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a.y4m"])
    }

    @Test func localFilesAreReadAllTheSame() throws {
        #expect(try vfx("info", "a.y4m", "--no-network", in: folder).status == 0)
        #expect(try vfx("info", server.address + "a.y4m", in: folder).status == 0)
        #expect(server.requests > 0)
    }

    /// A track on disk may refer to images on the network.
    @Test func aTracksPicturesAreRefusedToo() throws {
        let track = "WEBVTT\n\n00:00.000 --> 00:01.000\n\(server.address)a.png\n"
        _ = try folder.write(Data(track.utf8), to: "a.vtt")
        let run = try vfx(
            "storyboard", "--lookup", "a.vtt", "--at", "0", "-o", "out.png", "--no-network", in: folder)
        #expect(run.status == 65 && run.standardError.contains(server.address + "a.png"))
        #expect(server.requests == 0)
    }

    @Test(.enabled(if: hasTools, "ffmpeg makes the file that is named"))
    func neitherRemoteNorPipedPlaylistsReachLocalFiles() throws {
        // HLS accepts local files only with certain extensions, regardless of the options.
        _ = try tool(
            "ffmpeg",
            ["-v", "error", "-i", folder.path("a.y4m"), "-c:v", "libx264", "-f", "mpegts", folder.path("a.ts")])
        let local = "file:" + folder.path("a.ts")
        let list = Data(
            "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:0.16,\n\(local)\n#EXT-X-ENDLIST\n".utf8)
        let script = Data("ffconcat version 1.0\nfile 'a.ts'\n".utf8)
        let farScript = Data("ffconcat version 1.0\nfile '\(local)'\n".utf8)
        _ = try folder.write(list, to: "list.m3u8")
        _ = try folder.write(script, to: "list.ffconcat")
        _ = try folder.write(farScript, to: "far.ffconcat")
        // The same playlists can be read where they are allowed.
        for name in ["list.m3u8", "list.ffconcat"] {
            let run = try vfx("info", name, "--json", in: folder)
            #expect(run.status == 0 && run.outputText.contains("\"width\""), "\(run.standardError)")
        }
        let piped = "this is a playlist, but its name does not say so; name it .m3u8, .ffconcat or .mpd"
        for (run, sentence) in [
            (
                try vfx("info", server.address + "list.m3u8", "--json", in: folder),
                "\(server.address)list.m3u8: this is not a video, or its header is damaged"
            ),
            (
                try vfx("info", server.address + "far.ffconcat", "--json", in: folder),
                "\(server.address)far.ffconcat: the input cannot be opened (Operation not permitted)"
            ), (try vfx("info", "-", "--json", input: list, in: folder), "standard input: \(piped)"),
            (try vfx("info", "-", "--json", input: script, in: folder), "standard input: \(piped)"),
        ] {
            #expect(run.status == 65)
            #expect(run.errorLines.count == 1 && run.standardError.contains(sentence), "\(run.standardError)")
            #expect(!run.outputText.contains("h264") && !run.outputText.contains("\"width\""))
        }
    }
}
