import FrameCore
import Foundation
import MediaIO
import TestSupport
import Testing

/// `vfx enhance` keeps the same other streams and metadata as the single commands.
@Suite(.enabled(if: hasTools, "ffmpeg makes the clips and ffprobe is the witness")) struct EnhanceStreamTests {
    private static let pairs: [(flags: [String], command: [String])] = [
        (["--slomo", "0.25,0.5"], ["slomo", "--phases", "0.25,0.5"]), (["--blur", "50"], ["blur"]),
        (["--upscale", "2"], ["upscale", "--scale", "2"]),
        (["--slomo", "0.5", "--audio", "drop"], ["slomo", "--phases", "0.5", "--audio", "drop"]),
    ]

    private let allStreams = fixture("all-streams.mkv")

    @Test(arguments: pairs)
    func streamsChaptersAndTagsAreTheSame(pair: (flags: [String], command: [String])) throws {
        let folder = try TemporaryFolder()
        try expectSame(pair, allStreams, "mkv", folder)
    }

    @Test(arguments: pairs)
    func unevenTimesAndRotationAreTheSame(pair: (flags: [String], command: [String])) throws {
        let folder = try TemporaryFolder()
        _ = try tool(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=126x74:r=30:d=1", "-f", "lavfi", "-i",
                "sine=440:r=16000:d=1", "-vf", "select='not(eq(mod(n,7),3))',setsar=4/3", "-vsync", "vfr", "-c:v",
                "libx264", "-c:a", "aac", folder.path("flat.mp4"),
            ])
        try turnForDisplay(folder.path("flat.mp4"), to: folder.path("in.mp4"))
        let reader = try MediaReader(folder.path("in.mp4"))
        #expect(reader.stream.displayMatrix != nil)
        try expectSame(pair, folder.path("in.mp4"), "mp4", folder)
    }

    private func expectSame(
        _ pair: (flags: [String], command: [String]), _ input: String, _ kind: String, _ folder: TemporaryFolder
    ) throws {
        let chain = try vfx(["enhance", input, "-o", "chain.\(kind)"] + pair.flags, in: folder)
        #expect(chain.status == 0, "\(chain.standardError)")
        let single = try vfx(pair.command + [input, "-o", "single.\(kind)"], in: folder)
        #expect(single.status == 0, "\(single.standardError)")
        let (a, b) = (try MediaReader(folder.path("chain.\(kind)")), try MediaReader(folder.path("single.\(kind)")))
        #expect(a.info.streams.map { "\($0.kind) \($0.codec)" } == b.info.streams.map { "\($0.kind) \($0.codec)" })
        #expect(a.info.chapters.map(\.title) == b.info.chapters.map(\.title))
        #expect(a.info.metadata["title"] == b.info.metadata["title"])
        #expect(a.stream.displayMatrix == b.stream.displayMatrix)
        #expect(a.stream.sampleAspectRatio == b.stream.sampleAspectRatio)
        let packets = try ["chain", "single"].map { name in
            try tool(
                "ffprobe",
                [
                    "-v", "error", "-show_entries", "packet=stream_index,pts_time,duration_time,size,data_hash",
                    "-show_data_hash", "md5", "-of", "csv=p=0", folder.path("\(name).\(kind)"),
                ])
        }
        #expect(packets[0] == packets[1] && packets[0].count > 500)
    }
}
