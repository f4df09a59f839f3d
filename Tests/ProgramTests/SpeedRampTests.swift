import Foundation
import TestSupport
import Testing

/// Speed ramps of whole files: sound, subtitles, chapters, parts and runs in pieces.
@Suite(.enabled(if: hasTools, "ffmpeg makes the clips and measures them")) struct SpeedRampTests {
    private static let ramp = "0:1,1:0.25,2:0.25,2.5:1,3:4,4:4,5:1"
    /// The speeds at the points, and the times of flashes and clicks in the source.
    private static let points: [(Double, Double)] = [
        (0, 1), (1, 0.25), (2, 0.25), (2.5, 1), (3, 4), (4, 4), (5, 1), (6, 1),
    ]
    private static let clicks = [0.5, 1.0, 1.5, 2.0, 2.5, 3.25, 3.75, 4.5, 5.5]

    /// The time of the output at which a time of the source is shown.
    private static func shown(_ time: Double) -> Double {
        var output = 0.0
        for (a, b) in zip(points, points.dropFirst()) {
            let length = b.0 - a.0, duration = 2 * length / (a.1 + b.1)
            guard time > b.0 else {
                let slope = (b.1 - a.1) / duration, rest = time - a.0
                return output + (slope == 0 ? rest / a.1 : ((a.1 * a.1 + 2 * slope * rest).squareRoot() - a.1) / slope)
            }
            output += duration
        }
        return output
    }

    private func source(_ folder: TemporaryFolder, _ name: String, codec: String) throws -> String {
        let isClick = Self.clicks.map { "between(t,\($0),\($0 + 0.02))" }.joined(separator: "+")
        let sound = "0.03*sin(2*PI*220*t)+0.6*sin(2*PI*1500*t)*(\(isClick))"
        try Data(
            """
            1
            00:00:01,000 --> 00:00:02,000
            one


            """.utf8
        ).write(to: URL(fileURLWithPath: folder.path("in.srt")))
        try Data(";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=2000\ntitle=a\n".utf8)
            .write(to: URL(fileURLWithPath: folder.path("in.txt")))
        _ = try tool(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=96x64:r=24:d=6", "-f", "lavfi", "-i",
                "aevalsrc=exprs='\(sound)':s=48000:d=6", "-i", folder.path("in.srt"), "-i", folder.path("in.txt"),
                "-map", "0", "-map", "1", "-map", "2", "-map_metadata", "3", "-c:a", codec, folder.path(name),
            ])
        return folder.path(name)
    }

    /// Returns when clicks set in, in seconds from the beginning of the file.
    private func onsets(_ path: String) throws -> [Double] {
        let folder = try TemporaryFolder(), raw = folder.path("sound.raw")
        // The sound's own start is part of the file.
        _ = try tool(
            "ffmpeg",
            [
                "-v", "error", "-i", path, "-map", "0:a", "-af",
                "aresample=48000:first_pts=0,highpass=f=800", "-ac", "1", "-f", "s16le", raw,
            ])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
        let samples = stride(from: 0, to: bytes.count - 1, by: 2).map {
            abs(Int(Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)))
        }
        var found: [Double] = [], quietSince = -10_000
        for (index, sample) in samples.enumerated() where sample > 5000 {
            if index - quietSince > 2400 { found.append(Double(index) / 48_000) }
            quietSince = index
        }
        return found
    }

    @Test(arguments: [("mkv", "flac"), ("mov", "pcm_s16le"), ("mp4", "aac")])
    func soundIsWithinFiveMilliseconds(kind: (ending: String, codec: String)) throws {
        let folder = try TemporaryFolder()
        let input = try source(folder, "in.mkv", codec: "flac"), output = folder.path("out." + kind.ending)
        let run = try vfx(["slomo", input, "-o", output, "--speed", Self.ramp], in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        let found = try onsets(output)
        #expect(found.count == Self.clicks.count, "\(found)")
        for (onset, click) in zip(found, Self.clicks) {
            #expect(abs(onset - Self.shown(click)) < 0.005, "the click at \(click) s is heard at \(onset) s")
        }
    }

    @Test func subtitlesAndChaptersFollow() throws {
        let folder = try TemporaryFolder()
        let input = try source(folder, "in.mkv", codec: "flac"), output = folder.path("out.mkv")
        #expect(try vfx(["slomo", input, "-o", output, "--speed", Self.ramp], in: folder).status == 0)
        let packet = try tool(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "s", "-show_entries", "packet=pts_time,duration_time", "-of",
                "csv=p=0", output,
            ])
        let values = packet.split(whereSeparator: { ",\n".contains($0) }).compactMap { Double($0) }
        #expect(abs(values[0] - Self.shown(1)) < 0.002 && abs(values[1] - (Self.shown(2) - Self.shown(1))) < 0.002)
        let chapter = try tool(
            "ffprobe", ["-v", "error", "-show_entries", "chapter=end_time", "-of", "csv=p=0", output])
        #expect(abs(try #require(Double(chapter.split(separator: "\n")[0])) - Self.shown(2)) < 0.002)
    }

    @Test func silenceIsNoted() throws {
        let folder = try TemporaryFolder(), input = try source(folder, "in.mkv", codec: "flac")
        let run = try vfx(["slomo", input, "-o", "out.mkv", "--speed", "0:1,2:0@1,3:1"], in: folder)
        #expect(run.status == 0)
        #expect(
            run.standardError.contains("is silent where the speed is below 0.25 or above 4"), "\(run.standardError)")
        let dropped = try vfx(
            ["slomo", input, "-o", "out2.mkv", "--speed", "0:1,2:0@1,3:1", "--audio", "drop"], in: folder)
        #expect(dropped.status == 0 && !dropped.standardError.contains("silent"))
    }

    @Test func aPartIsWhatTheRampMakesOfIt() throws {
        let folder = try TemporaryFolder(), input = try source(folder, "in.mkv", codec: "flac")
        let run = try vfx(
            ["slomo", input, "-o", "part.mkv", "--speed", Self.ramp, "--from", "1", "--to", "2", "--print-times"],
            in: folder)
        #expect(run.status == 0)
        // A second at a quarter of the speed.
        #expect(run.outputText.split(separator: "\n").count == 97)
    }

    @Test(arguments: [
        ("0:1,20:2", "20 s lies beyond the end of the clip"), ("0:1,0:2", "overlap"), ("0:-1", "backwards"),
    ])
    func badPointsAreNamed(points: String, part: String) throws {
        let folder = try TemporaryFolder(), input = try source(folder, "in.mkv", codec: "flac")
        let run = try vfx(["slomo", input, "-o", "out.mkv", "--speed", points], in: folder)
        #expect(run.status == 64 && run.standardError.contains(part), "\(run.standardError)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("out.mkv")))
    }
}
