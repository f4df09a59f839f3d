import FrameCore
import Foundation
import Jobs
import TestSupport
import Testing

/// Jobs that are killed and gone on with.
@Suite struct ResumeTests {
    /// 63 s in 630 frames: three segments.
    private static let input: Result<(folder: TemporaryFolder, path: String), any Error> = Result {
        let folder = try TemporaryFolder()
        let source =
            "testsrc2=s=64x48:r=10:d=63,setsar=8:9[out0];sine=440:sample_rate=16000:duration=63[out1]"
        _ = try tool(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", source, "-c:v", "libx264", "-preset", "veryfast", "-c:a", "flac",
                "-metadata", "title=long", folder.path("in.mkv"),
            ])
        return (folder, folder.path("in.mkv"))
    }

    private func input() throws -> String { try Self.input.get().path }

    /// What ffmpeg finds in a file: every packet of every stream with its times, and every decoded picture.
    private func contents(_ path: String) throws -> String {
        var text = ""
        for options in [["-map", "0", "-c", "copy"], ["-map", "0:v"]] {
            text += try tool("ffmpeg", ["-v", "error", "-i", path] + options + ["-f", "framemd5", "-"])
        }
        #expect(text.count > 1000)
        return text
    }

    /// Starts the program and kills it once `count` segments are kept, or somewhat later.
    private func kill(_ arguments: [String], in folder: TemporaryFolder, atSegment count: Int, output: String) throws {
        let process = ProgramRun.make("vfx", arguments, directory: folder.url)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let manifest = folder.path(output + ".job/manifest.json")
        let wasInTime = waitUntil {
            let text = (try? String(contentsOfFile: manifest, encoding: .utf8)) ?? ""
            return text.components(separatedBy: "\"index\"").count - 1 >= count || !process.isRunning
        }
        #expect(wasInTime)
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    private static let commands: [[String]] = [
        ["slomo", "--phases", "0.25,0.5", "--codec", "h264"], ["rate", "--fps", "23.976", "--codec", "hevc"],
        ["blur", "--strength", "60", "--codec", "ffv1"], ["denoise", "--codec", "vp9", "--preset", "8"],
        ["upscale", "--scale", "2", "--quality", "high", "--codec", "h264"], ["smooth", "--depth", "1"],
        ["flow", "--codec", "h264"],
        ["upscale", "--scale", "1.5", "--low-latency", "--codec", "av1", "--preset", "8"],
        ["enhance", "--chain", "slomo=0.5,denoise=0.5,blur=40", "--codec", "h264"],
    ]

    @Test(arguments: commands)
    func aKilledJobEndsAsIfNothingHadHappened(command: [String]) throws {
        let folder = try TemporaryFolder(), input = try input()
        let arguments = [command[0], input, "--quiet"] + command.dropFirst()
        let whole = try vfx(arguments + ["-o", "whole.mkv"], in: folder)
        #expect(whole.status == 0, "\(whole.standardError)")
        #expect(folder.contents == ["whole.mkv"])
        let expected = try contents(folder.path("whole.mkv"))
        for count in [1, 2] {
            try kill(arguments + ["-o", "part.mkv"], in: folder, atSegment: count, output: "part.mkv")
            #expect(!folder.contents.contains("part.mkv"))
            let kept = try JobManifest(json: folder.data("part.mkv.job/manifest.json")).segments.count
            #expect(kept >= count)
            let rest = try vfx(
                [command[0], input] + command.dropFirst() + ["-o", "part.mkv", "--resume", "--json"], in: folder)
            #expect(rest.status == 0, "\(rest.standardError)")
            // What was finished is not made again.
            let resume = try events(rest.outputText).first { $0["type"] as? String == "resume" }
            #expect(resume?["segments"] as? Int == kept)
            let before = try #require(resume?["frames_written"] as? Int)
            let after = try #require(
                events(rest.outputText).last { $0["type"] as? String == "finished" }?["frames_written"] as? Int)
            #expect(before > 0 && before + after == expected.components(separatedBy: "\n0,").count / 2)
            #expect(folder.contents == ["part.mkv", "whole.mkv"])
            #expect(try contents(folder.path("part.mkv")) == expected)
            try FileManager.default.removeItem(atPath: folder.path("part.mkv"))
        }
    }

    @Test func aSignalKeepsWhatIsFinished() throws {
        let folder = try TemporaryFolder(), input = try input()
        let process = ProgramRun.make(
            "vfx", ["blur", input, "-o", "out.mp4", "--json", "--threads", "1"], directory: folder.url)
        process.standardOutput = FileHandle.nullDevice
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        #expect(waitUntil { FileManager.default.fileExists(atPath: folder.path("out.mp4.job/000000.seg")) })
        Foundation.kill(process.processIdentifier, SIGINT)
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus != 0 else { return }
        #expect(process.terminationStatus == 130)
        #expect(text.contains("kept in out.mp4.job, --resume goes on with that"))
        #expect(folder.contents == ["out.mp4.job"])
        let other = try vfx(
            "blur", input, "-o", "out.mp4", "--strength", "51", "--threads", "1", "--resume", in: folder)
        #expect(other.status == 64)
        #expect(other.standardError.contains("the effect is \"blur 51"))
        let again = try vfx("blur", input, "-o", "out.mp4", "--threads", "1", in: folder)
        #expect(again.status == 73 && again.standardError.contains("--overwrite starts over"))
        let resumed = try vfx("blur", input, "-o", "out.mp4", "--threads", "1", "--resume", in: folder)
        #expect(resumed.status == 0, "\(resumed.standardError)")
        #expect(folder.contents == ["out.mp4"])
    }

    @Test func thumbnailsAndStoryboardAreWhole() throws {
        let folder = try TemporaryFolder(), input = try input()
        let arguments = [
            "enhance", input, "-o", "out.mp4", "--blur", "20", "--codec", "h264", "--thumbnails", "best",
            "--storyboard", "board",
        ]
        try kill(arguments, in: folder, atSegment: 1, output: "out.mp4")
        let run = try vfx(arguments + ["--resume"], in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        #expect(folder.contents == ["best", "board", "out.mp4"])
        let track = String(decoding: try folder.data("board/storyboard.vtt"), as: UTF8.self)
        #expect(track.components(separatedBy: " --> ").count - 1 == 7)
    }

    /// Killed when the output had its name and the folder of segments was all but gone.
    @Test(.disabled("waits for a kill at an exact place"))
    func aCompleteOutputGetsWhatIsMissingBesideIt() throws {
        let folder = try TemporaryFolder(), input = try input()
        let arguments = ["enhance", input, "-o", "out.mkv", "--blur", "20", "--codec", "h264", "--thumbnails", "best"]
        #expect(try vfx(arguments, in: folder).status == 0)
        let video = try folder.data("out.mkv")
        try FileManager.default.removeItem(atPath: folder.path("best"))
        try FileManager.default.createDirectory(atPath: folder.path("out.mkv.job"), withIntermediateDirectories: false)
        let run = try vfx(arguments + ["--resume"], in: folder)
        #expect(run.status == 0 && run.standardError.contains("complete already"), "\(run.standardError)")
        #expect(folder.contents == ["best", "out.mkv"])
        #expect(try folder.data("out.mkv") == video)
        #expect(try vfx(arguments + ["--resume"], in: folder).status == 73)
    }

    /// What the encoder was given has another layout than the frames that it was made from.
    @Test func tilesOfFinishedSegmentsFitTheOthers() throws {
        let folder = try TemporaryFolder()
        _ = try tool(
            "ffmpeg",
            [
                "-v", "error", "-i", try input(), "-map", "0:v", "-pix_fmt", "gray", "-c:v", "ffv1",
                folder.path("grey.mkv"),
            ])
        let arguments = [
            "enhance", "grey.mkv", "-o", "out.webm", "--denoise", "0.5", "--codec", "vp9", "--preset", "8",
            "--storyboard",
            "board",
        ]
        try kill(arguments, in: folder, atSegment: 1, output: "out.webm")
        let run = try vfx(arguments + ["--resume"], in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        #expect(folder.contents == ["board", "grey.mkv", "out.webm"])
    }

    @Test func whatCannotBeGoneOnWithIsRefused() throws {
        let folder = try TemporaryFolder(), input = try input()
        for (output, words) in [
            (["out.y4m"], "y4m"), (["out_%03d.png"], "pictures"), (["-", "--format", "matroska"], "sent away"),
            (["/dev/null", "--format", "null"], "null"), (["/dev/null", "--format", "matroska"], "device"),
        ] {
            let run = try vfx(["blur", input, "--resume", "-o"] + output, in: folder)
            #expect(run.status == 64 && run.errorLines.count == 1, "\(run.standardError)")
            #expect(run.standardError.contains(words))
        }
        _ = try folder.write(Data("ffconcat version 1.0\nfile '\(input)'\n".utf8), to: "in.ffconcat")
        let list = try vfx("blur", "in.ffconcat", "--resume", "-o", "out.mkv", in: folder)
        #expect(list.status == 64 && list.standardError.contains("a playlist's files"), "\(list.standardError)")
        try FileManager.default.removeItem(atPath: folder.path("in.ffconcat"))
        let piped = try vfx(
            "blur", "-", "--resume", "-o", "out.mkv", input: Y4M.encode(clip()), in: folder)
        #expect(piped.status == 64 && piped.standardError.contains("a pipe"))
        #expect(folder.contents.isEmpty)
    }

    /// The same bytes through a pipe, which keeps nothing.
    @Test func segmentsAreTheSameWithoutBeingKept() throws {
        let folder = try TemporaryFolder(), input = try input()
        #expect(try vfx("rate", input, "--fps", "12", "-o", "file.mkv", in: folder).status == 0)
        let piped = try vfx("rate", input, "--fps", "12", "-o", "-", "--format", "matroska", in: folder)
        _ = try folder.write(piped.standardOutput, to: "pipe.mkv")
        #expect(try contents(folder.path("file.mkv")) == contents(folder.path("pipe.mkv")))
    }
}
