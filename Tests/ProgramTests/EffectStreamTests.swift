import FrameCore
import Foundation
import MediaIO
import TestSupport
import Testing

/// The one-to-one effects keep everything else in a file: every stream, tag and timestamp.
@Suite(.enabled(if: hasTools, "ffmpeg makes the clip and ffprobe is the witness")) struct EffectStreamTests {
    private static let commands = [["blur"], ["denoise"], ["denoise", "--strength", "0"]]

    private let allStreams = fixture("all-streams.mkv")

    @Test(arguments: commands)
    func allStreamsRideAlong(command: [String]) throws {
        let folder = try TemporaryFolder()
        let run = try vfx(command + [allStreams, "-o", "out.mkv"], in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        try expectSameStreams(allStreams, folder.path("out.mkv"))
        let info = try MediaReader(folder.path("out.mkv")).info
        #expect(info.chapters.map(\.title) == ["One", "Two"])
        #expect(info.metadata["title"] == "Passengers")
    }

    /// An mp4 keeps what it can hold, and a note reports the rest.
    @Test(arguments: commands)
    func whatAnMP4HoldsRidesAlong(command: [String]) throws {
        let folder = try TemporaryFolder()
        let run = try vfx(command + [allStreams, "-o", "out.mp4"], in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        let path = folder.path("out.mp4")
        #expect(try times(path) == times(allStreams))
        #expect(
            run.errorLines.filter { $0.contains("note") } == [
                "vfx: note: many players cannot show h264 video in yuv444p; --pixel-format yuv420p makes a file that they can show",
                "vfx: note: stream 2 (audio, flac): many players cannot play flac sound in mp4; an output with the extension .mkv plays more widely",
                "vfx: note: stream 3 (subtitle, ass) is converted to mov_text; styling may be lost",
                "vfx: note: stream 4 (attachment, none) is left out; mp4 does not support attachments",
            ])
        let kinds = try MediaReader(path).info.streams.map { "\($0.kind) \($0.codec)" }
        // The chapter titles are a track, too.
        #expect(
            kinds.filter { !$0.hasPrefix("data") } == [
                "video h264", "audio aac", "audio flac", "subtitle mov_text", "coverArt png",
            ])
        for (stream, entries) in [
            ("a", "packet=pts_time,data_hash"), ("s", "packet=size"), ("v:1", "packet=data_hash"),
        ] {
            let more = ["-show_data_hash", "md5"]
            let found = try probe(path, stream, entries, more)
            #expect(!found.isEmpty)
            if stream != "s" { #expect(try found.sorted() == probe(allStreams, stream, entries, more).sorted()) }
        }
    }

    /// libavformat has no table of what a transport stream can hold.
    @Test func aTransportStreamTakesWhatItHolds() throws {
        let folder = try TemporaryFolder()
        let run = try vfx("denoise", allStreams, "-o", "out.ts", in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        #expect(
            run.errorLines.filter { $0.contains("note") } == [
                "vfx: note: mpegts cannot store these tags: title",
                "vfx: note: mpegts cannot store the chapters of the source",
                "vfx: note: stream 2 (audio, flac) is transcoded by aac; mpegts does not support it",
                "vfx: note: mpegts cannot store everything of stream 2 (audio): disposition forced, tag title",
                "vfx: note: stream 3 (subtitle, ass) is left out; mpegts does not support it",
                "vfx: note: stream 4 (attachment, none) is left out; mpegts does not support attachments",
                "vfx: note: stream 5 (cover art, png) is left out; mpegts does not support cover art",
            ])
        let info = try MediaReader(folder.path("out.ts")).info
        #expect(info.streams.map { "\($0.kind) \($0.codec)" } == ["video h264", "audio aac", "audio aac"])
        // The audio begins as long before the video as in the input.
        func lead(_ path: String) throws -> Double {
            let firsts = try ["v:0", "a:0"].map { stream in
                // Side data has a column of its own.
                try probe(path, stream, "packet=pts_time").compactMap { Double($0.prefix { $0 != "," }) }.min()
            }
            return try #require(firsts[0]) - #require(firsts[1])
        }
        #expect(abs(try lead(folder.path("out.ts")) - lead(allStreams)) < 0.001)
    }

    @Test(arguments: commands)
    func anOddDeepClipWithUnevenTimesComesOutWhole(command: [String]) throws {
        let folder = try TemporaryFolder()
        try makeOddClip(folder)
        let run = try vfx(command + ["in.mkv", "-o", "out.mkv", "--codec", "ffv1"], in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        let (before, after) = (folder.path("in.mkv"), folder.path("out.mkv"))
        try expectSameStreams(before, after)
        let tags =
            "stream=width,height,pix_fmt,color_range,color_space,color_transfer,color_primaries,sample_aspect_ratio"
        #expect(try probe(after, "v:0", tags) == probe(before, "v:0", tags))
        #expect(try probe(before, "v:0", tags).first?.contains("125,67") == true)
        let steps = try times(before)
        #expect(steps.count > 20 && Set(zip(steps, steps.dropFirst()).map { ($1 - $0).reduced }).count > 1)
        #expect(try times(after) == steps)
        guard command.contains("0") else { return }
        let (a, b) = (try MediaReader(before), try MediaReader(after))
        while let frame = try a.nextFrame() {
            let copy = try #require(try b.nextFrame())
            #expect(copy.buffer.hasSameSamples(as: frame.buffer))
            #expect(copy.color == frame.color)
        }
    }

    /// 4:2:2 at 10 bits, with some frames missing, two audio languages and subtitles.
    private func makeOddClip(_ folder: TemporaryFolder) throws {
        let subtitles = "1\n00:00:00,200 --> 00:00:00,600\nHello\n\n2\n00:00:00,700 --> 00:00:01,100\nworld\n"
        _ = try folder.write(Data(subtitles.utf8), to: "s.srt")
        _ = try tool(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=250x134:r=30:d=1.2", "-f", "lavfi", "-i",
                "sine=440:r=16000:d=1.2", "-f", "lavfi", "-i", "sine=880:r=16000:d=1.2", "-i", folder.path("s.srt"),
                "-map", "0", "-map", "1", "-map", "2", "-map", "3", "-vf",
                "select='not(eq(mod(n,7),3)+eq(mod(n,11),4))',format=yuv444p10le,scale=125:67,setsar=4/3", "-vsync",
                "vfr", "-pix_fmt", "yuv422p10le",
                "-color_range", "tv", "-colorspace", "bt2020nc", "-color_trc", "smpte2084", "-color_primaries",
                "bt2020", "-c:v", "ffv1", "-c:a:0", "aac", "-c:a:1", "flac", "-c:s", "srt", "-metadata:s:a:0",
                "language=eng", "-metadata:s:a:1", "language=deu", folder.path("in.mkv"),
            ])
    }

    /// Checks for the same streams in the same order, with the same packets in all but the video.
    private func expectSameStreams(_ before: String, _ after: String) throws {
        func kinds(_ path: String) throws -> [String] {
            try MediaReader(path).info.streams.map {
                "\($0.kind) \($0.kind == .video ? "" : $0.codec) \($0.language ?? "") \($0.dispositions)"
            }
        }
        func packets(_ path: String) throws -> [String] {
            try ["a", "s"].flatMap {
                try probe(path, $0, "packet=stream_index,pts_time,size,data_hash", ["-show_data_hash", "md5"])
            }
        }
        #expect(try kinds(after) == kinds(before))
        let expected = try packets(before)
        #expect(expected.count > 10)
        #expect(try packets(after) == expected)
        #expect(try times(after) == times(before))
    }

    private func times(_ path: String) throws -> [MediaTime] {
        let reader = try MediaReader(path)
        var times: [MediaTime] = []
        while let frame = try reader.nextFrame() { times.append(frame.presentationTime) }
        return times
    }

    private func probe(_ path: String, _ streams: String, _ entries: String, _ more: [String] = []) throws -> [String] {
        try tool(
            "ffprobe",
            ["-v", "error", "-select_streams", streams, "-show_entries", entries, "-of", "csv=p=0"] + more + [path]
        ).split(separator: "\n").map(String.init)
    }
}
