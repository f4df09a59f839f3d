import Foundation
import FrameCore
import MediaIO
import TestSupport
import Testing

/// What an input may and may not access.
@Suite struct NetworkTests {
    private let folder: TemporaryFolder
    private let server: LocalServer

    init() throws {
        folder = try TemporaryFolder()
        server = try LocalServer(URL(fileURLWithPath: folder.path))
        try write(clip(ticks: Array(0..<12)), to: folder("a.mkv"), options: MediaWriterOptions(codec: .h264))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["ffmpeg", "-v", "error", "-i", folder("a.mkv"), "-c", "copy", folder("a.ts")]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    private func playlist(_ entry: String, _ name: String) throws -> String {
        try folder.write(
            "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:0.48,\n\(entry)\n#EXT-X-ENDLIST\n".utf8, to: name)
    }

    private func script(_ entry: String, _ name: String) throws -> String {
        try folder.write("ffconcat version 1.0\nfile '\(entry)'\nduration 0.48\n".utf8, to: name)
    }

    @Test(arguments: [
        ("a.mkv", false, ["file"]), ("file:a.mkv", false, ["file"]), ("-", false, ["pipe"]),
        ("pipe:3", false, ["pipe"]),
        ("http://a/b", true, ["http", "tcp"]), ("HTTPS://a/b", true, ["https", "tls"]),
        ("concat:a.ts|b.ts", false, ["concat", "file"]), ("concat:a.ts|http://b/c", true, ["concat", "http"]),
        ("subfile,,start,0,end,9,,:a.ts", false, ["subfile", "file"]), ("hls+http://a/b", true, ["hls", "http"]),
        ("unheard-of:a", true, ["unheard-of", "tcp"]),
        // A URL that counts as remote must not access local files, however schemes are combined.
        ("pipe+http://a/b", true, ["http"]), ("hls+pipe:http:0", true, ["hls"]), ("file+unheard:a", true, ["tcp"]),
        ("x+fd+unix:a", true, ["x"]),
    ])
    func addressesReachOneSideAlone(name: String, isRemote: Bool, some: [String]) {
        let address = InputAddress(name)
        let protocols = Set(address.protocols.split(separator: ",").map(String.init))
        #expect(address.isRemote == isRemote)
        #expect(protocols.isSuperset(of: some), "\(protocols)")
        #expect(protocols.isDisjoint(with: isRemote ? ["file", "pipe", "fd", "unix"] : ["http", "tcp", "udp", "ftp"]))
    }

    @Test func addressesAreRead() throws {
        #expect(try read(server.address + "a.ts").frames.count == 12)
        #expect(server.requests > 0)
        #expect(throws: Never.self) { try AddressReader().bytes(at: server.address + "a.ts", limit: 1 << 20) }
    }

    @Test(arguments: ["", "cache:", "async:", "concat:/dev/null|", "HTTP", "subfile,,start,0,end,100,,:"])
    func addressesAreRefusedByNameWhereTheNetworkIsOff(prefix: String) throws {
        let address = prefix == "HTTP" ? "HTTP" + server.address.dropFirst(4) : prefix + server.address + "a.ts"
        let options = MediaReaderOptions(allowsNetwork: false)
        for open in [
            { _ = try MediaReader(address, options: options) }, { _ = try MediaProbe(address, options: options) },
            { _ = try KeyFrameReader(address, options: options) },
        ] {
            let error = try refusal(open)
            #expect(error.message.contains("network access is switched off"))
            #expect(error.location.file == address)
        }
        #expect(server.requests == 0)
    }

    @Test func bytesAndPicturesAreRefusedToo() throws {
        let address = server.address + "a.ts"
        for open in [
            { _ = try AddressReader(allowsNetwork: false).bytes(at: address, limit: 1 << 20) },
            { _ = try StillCodec(allowsNetwork: false).read(address) },
        ] {
            let error = try refusal(open)
            #expect(error.message.contains("switched off") && error.location.file == address)
        }
        #expect(server.requests == 0)
    }

    @Test func localFilesAreReadWhereTheNetworkIsOff() throws {
        let options = MediaReaderOptions(allowsNetwork: false)
        for name in [folder("a.ts"), "file:" + folder("a.ts"), "concat:" + folder("a.ts")] {
            #expect(try read(name, options).frames.count == 12)
        }
    }

    @Test func aRemotePlaylistReachesTheNetAlone() throws {
        _ = try playlist("a.ts", "near.m3u8")
        #expect(try read(server.address + "near.m3u8").frames.count == 12)
        for local in [
            "file://" + folder("a.ts"), "file:" + folder("a.ts"), "concat:" + folder("a.ts"),
            "subfile,,start,0,end,9999,,:" + folder("a.ts"),
        ] {
            _ = try playlist(local, "far.m3u8")
            _ = try script(local, "far.ffconcat")
            for name in ["far.m3u8", "far.ffconcat"] {
                #expect(throws: FrameError.self, "\(name) of \(local)") {
                    try MediaReader(server.address + name)
                }
            }
        }
    }

    @Test func aLocalPlaylistReachesLocalFilesAlone() throws {
        #expect(try read(playlist("a.ts", "near.m3u8")).frames.count == 12)
        #expect(try read(script("a.ts", "near.ffconcat")).frames.count == 12)
        let far = try [playlist(server.address + "a.ts", "far.m3u8"), script(server.address + "a.ts", "far.ffconcat")]
        for name in far { #expect(throws: FrameError.self) { try MediaReader(name) } }
        #expect(server.requests == 0)
    }

    /// Otherwise a file with the name of a video could reveal other files, or wait forever.
    @Test func aPlaylistUnderAnotherNameIsNoVideo() throws {
        for name in ["evil.mp4", "evil", "evil.m3u8.png"] {
            for path in try [playlist("a.ts", name), script("a.ts", name)] {
                let error = try refusal { _ = try MediaReader(path) }
                #expect(error.message.contains("this is a playlist, but its name does not say so"))
            }
        }
        for path in try [playlist("a.ts", "evil.png"), script("a.ts", "evil.jpg")] {
            #expect(throws: FrameError.self) { try StillCodec().decode(bytes(of: path)) }
        }
    }

    @Test(.timeLimit(.minutes(30))) func aLocalPlaylistWithoutAnEndIsReadToWhereItEnds() throws {
        let path = try folder.write(
            "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:0.48,\na.ts\n".utf8, to: "live.m3u8")
        #expect(try read(path).frames.count == 12)
    }
}
