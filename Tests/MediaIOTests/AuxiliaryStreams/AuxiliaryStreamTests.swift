import FrameCore
import Foundation
import MediaIO
import Testing

@Suite struct AuxiliaryStreamTests {
    private let source = fixture("all-streams.mkv")

    private func kinds(_ info: MediaInfo) -> [String] { info.streams.map { "\($0.kind):\($0.codec)" } }

    @Test(.enabled(if: hasProbe, "ffprobe is the witness")) func allStreamsAreRemuxed() throws {
        let folder = try TemporaryFolder()
        let sink = try carry(source, to: folder("a.mkv"))
        #expect(sink.notes.isEmpty)
        let before = try MediaReader(source).info, after = try MediaReader(folder("a.mkv")).info
        #expect(kinds(after) == kinds(before))
        #expect(after.streams.map(\.language) == before.streams.map(\.language))
        #expect(after.streams.map(\.dispositions) == before.streams.map(\.dispositions))
        #expect(after.chapters == before.chapters)
        #expect(after.metadata["title"] == "Passengers")
        #expect(try packets(folder("a.mkv")) == packets(source))
    }

    @Test(.enabled(if: hasProbe, "ffprobe is the witness")) func aPipeGivesTheSame() throws {
        let folder = try TemporaryFolder()
        try carry(source, to: folder("file.mkv"))
        try carry(try pipe(try bytes(of: source), in: folder), to: folder("piped.mkv"))
        #expect(try kinds(MediaReader(folder("piped.mkv")).info) == kinds(MediaReader(folder("file.mkv")).info))
        #expect(try packets(folder("piped.mkv")) == packets(folder("file.mkv")))
    }

    @Test func whatAContainerCannotHoldIsConvertedOrNoted() throws {
        let folder = try TemporaryFolder()
        let mp4 = try carry(source, to: folder("a.mp4"))
        let info = try MediaReader(folder("a.mp4")).info
        #expect(kinds(info).prefix(4) == ["video:h264", "audio:aac", "audio:flac", "subtitle:mov_text"])
        #expect(kinds(info).contains("coverArt:png"))
        #expect(info.chapters.map(\.title) == ["One", "Two"])
        #expect(mp4.notes.contains { $0.contains("mov_text") } && mp4.notes.contains { $0.contains("attachment") })
        let webm = try carry(source, to: folder("a.webm"))
        let web = try MediaReader(folder("a.webm")).info
        #expect(kinds(web) == ["video:vp9", "audio:opus", "audio:opus", "subtitle:webvtt"])
        #expect(webm.notes.count == 5)
        let mov = try carry(source, to: folder("a.mov"))
        let movie = try MediaReader(folder("a.mov")).info
        #expect(kinds(movie).prefix(4) == ["video:h264", "audio:aac", "audio:alac", "subtitle:mov_text"])
        #expect(!mov.notes.isEmpty)
        // And back again: mov_text becomes SubRip.
        try carry(folder("a.mp4"), to: folder("b.mkv"))
        #expect(try kinds(MediaReader(folder("b.mkv")).info).contains("subtitle:subrip"))
    }

    @Test(
        .enabled(if: hasProbe, "ffprobe is the witness"),
        arguments: [
            ("a.mkv", 2), ("a.mkv", 8), ("a.mp4", 3), ("a.mp4", 8), ("a.mov", 2), ("a.webm", 3),
        ] as [(String, Int32)])
    func slowMotionStretchesSoundAndMovesTheRest(name: String, factor: Int32) throws {
        let folder = try TemporaryFolder()
        try carry(source, to: folder(name), factor: factor)
        let reading = try read(folder(name))
        let original = try read(source)
        #expect(reading.times.first == original.times.first?.multiplied(by: Rational(factor, 1)))
        for (before, after) in zip(original.reader.info.chapters, reading.reader.info.chapters) {
            #expect(after.start == before.start.multiplied(by: Rational(factor, 1)))
            #expect(after.title == before.title)
        }
        #expect(reading.reader.info.chapters.count == 2)
        for track in 0..<2 {
            let before = try #require(try soundLength(source, track)),
                after = try #require(try soundLength(folder(name), track))
            // Tolerance of one encoded frame (Opus and AAC pad the last one).
            #expect(abs(after - before * Double(factor)) < 0.07)
        }
    }

    @Test(.enabled(if: hasProbe, "ffprobe is the witness")) func slowMotionMovesSubtitles() throws {
        let folder = try TemporaryFolder()
        let before = try shown(source).map { $0.map { $0 * 4 } }
        #expect(before.count == 2)
        for name in ["a.mkv", "a.mp4", "a.webm"] {
            try carry(source, to: folder(name), factor: 4)
            // The mp4 fills the gaps with empty subtitles of two bytes.
            let after = try shown(folder(name))
            try #require(after.count == 2)
            for (was, now) in zip(before, after) {
                #expect(abs(was[0] - now[0]) < 0.001 && abs(was[1] - now[1]) < 0.001)
            }
        }
    }

    private func shown(_ path: String) throws -> [[Double]] {
        let rows = try probe(path, "s", "packet=pts_time,duration_time,size").map {
            $0.split(separator: ",").map { Double($0) ?? 0 }
        }
        return rows.filter { $0.count > 2 && $0[2] > 2 }
    }

    /// A source that begins before time zero, because the header states a codec delay for the video track.
    @Test(.enabled(if: hasMaker, "ffmpeg makes the file")) func chaptersStayWithThePicturesThatAreMoved() throws {
        let folder = try TemporaryFolder()
        let chapters =
            ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=400\nEND=1000\ntitle=One\n"
            + "[CHAPTER]\nTIMEBASE=1/1000\nSTART=1000\nEND=2000\ntitle=Two\n"
        _ = try folder.write(chapters.utf8, to: "c.txt")
        try make(
            folder("a.mkv"),
            ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=2", "-i", folder("c.txt"), "-map_chapters", "1"] + quickVideo
        )
        var data = try bytes(of: folder("a.mkv"))
        // Replace the 8-byte track UID with the codec delay in nanoseconds.
        let uid = try #require(data.indices.first { data[$0...].starts(with: [0x73, 0xC5, 0x88]) })
        data.replaceSubrange(uid..<uid + 11, with: [0x56, 0xAA, 0x88, 0, 0, 0, 0, 0x0B, 0xEB, 0xC2, 0x00])
        let source = try folder.write(data, to: "early.mkv")
        let before = try read(source)
        #expect(before.reader.info.startTime == milliseconds(-200) && before.times.first == .zero)
        for factor in [1, 3] as [Int32] {
            try carry(source, to: folder("out\(factor).mkv"), factor: factor)
            let after = try read(folder("out\(factor).mkv"))
            let start = try #require(before.times.first), moved = try #require(after.times.first)
            #expect(moved == .zero)
            for (was, now) in zip(before.reader.info.chapters, after.reader.info.chapters) {
                #expect(now.start - moved == (was.start - start).multiplied(by: Rational(factor, 1)))
                #expect(now.end - moved == (was.end - start).multiplied(by: Rational(factor, 1)))
            }
            #expect(after.reader.info.chapters.count == 2)
        }
    }

    @Test func soundCanBeDropped() throws {
        let folder = try TemporaryFolder()
        try carry(source, to: folder("a.mkv"), factor: 2, options: .init(audio: .drop))
        #expect(try MediaReader(folder("a.mkv")).info.streams.allSatisfy { $0.kind != .audio })
    }

    /// Kind, time and content of all packets except the video's. Requires ffprobe, which only tests use.
    private func packets(_ path: String) throws -> [String] {
        try ["a", "s"].flatMap {
            try probe(path, $0, "packet=stream_index,pts_time,size,data_hash", ["-show_data_hash", "md5"])
        }
    }

    /// Duration of the decoded audio in seconds.
    private func soundLength(_ path: String, _ track: Int) throws -> Double? {
        let samples = try probe(path, "a:\(track)", "frame=nb_samples").compactMap { Double($0) }
        let rate = try probe(path, "a:\(track)", "stream=sample_rate").compactMap { Double($0) }.first
        return rate.map { samples.reduce(0, +) / $0 }
    }
}
