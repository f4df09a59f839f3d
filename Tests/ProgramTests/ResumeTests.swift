import FrameCore
import Foundation
import Jobs
import TestSupport
import Testing

/// Jobs that are killed and resumed.
///
/// The manifest is renamed into place once when a job begins, once for each finished segment, and once when everything
/// is written.
@Suite(.enabled(if: FaultyLibrary.compiler != nil && hasTools, "a C compiler makes the stops, and ffmpeg the clip"))
struct ResumeTests {
    /// Runs until a file has been renamed to its name the given number of times, and kills the program there.
    private func kill(_ arguments: [String], in folder: TemporaryFolder, after rename: String) throws {
        try StoppedRun(arguments, after: rename, in: folder).kill()
    }

    /// One of each kind: more frames than before, others, as many, without looking ahead, and a chain. `.ci/kills` kills
    /// the other commands, too.
    private static let commands: [[String]] = [
        ["slomo", "--phases", "0.25,0.5", "--codec", "h264"], ["rate", "--fps", "23.976", "--codec", "hevc"],
        ["denoise", "--codec", "vp9", "--preset", "8"],
        ["upscale", "--scale", "1.5", "--low-latency", "--codec", "av1", "--preset", "8"],
        ["enhance", "--chain", "slomo=0.5,denoise=0.5,blur=40", "--codec", "h264"],
    ]

    @Test(arguments: commands)
    func aKilledJobEndsAsIfNothingHadHappened(command: [String]) throws {
        let folder = try TemporaryFolder(), input = try LongClip.path()
        let arguments = [command[0], input, "--quiet"] + command.dropFirst()
        let whole = try vfx(arguments + ["-o", "whole.mkv"], in: folder)
        #expect(whole.status == 0, "\(whole.standardError)")
        #expect(folder.contents == ["whole.mkv"])
        let expected = try LongClip.contents(folder.path("whole.mkv"))
        for kept in command.contains("h264") ? [1, 2] : [2] {
            try kill(arguments + ["-o", "part.mkv"], in: folder, after: "manifest.json:\(kept + 1)")
            #expect(folder.contents == ["part.mkv.job", "part.mkv.part", "whole.mkv"])
            #expect(try CheckpointManifest(json: folder.data("part.mkv.job/manifest.json")).segments.count == kept)
            let rest = try vfx(
                [command[0], input] + command.dropFirst() + ["-o", "part.mkv", "--resume", "--json"], in: folder)
            #expect(rest.status == 0, "\(rest.standardError)")
            // Finished segments are not made again.
            let resume = try events(rest.outputText).first { $0["type"] as? String == "resume" }
            #expect(resume?["segments"] as? Int == kept)
            // The input is read from a few frames before the next segment on, or from its beginning if an effect looks
            // further back.
            let isLong = command.contains { $0.contains("slomo=") }
            // Repeats are told with the help of more frames.
            let lead = ["slomo", "rate"].contains(command[0]) ? 60 : 8
            #expect(resume?["first_frame_read"] as? Int == (isLong ? 0 : 240 * kept - lead))
            let before = try #require(resume?["frames_written"] as? Int)
            let after = try #require(
                events(rest.outputText).last { $0["type"] as? String == "finished" }?["frames_written"] as? Int)
            #expect(before > 0 && before + after == expected.components(separatedBy: "\n0,").count / 2)
            #expect(folder.contents == ["part.mkv", "whole.mkv"])
            #expect(try LongClip.contents(folder.path("part.mkv")) == expected)
            try FileManager.default.removeItem(atPath: folder.path("part.mkv"))
        }
    }

    /// Frames that differ from those recorded must not be used, and nothing else may depend on the record.
    @Test(arguments: ["checksums", "stamp", "cut short"])
    func aWrongRecordOfTheInputOnlyCostsTime(fault: String) throws {
        let folder = try TemporaryFolder(), input = try LongClip.path()
        let arguments = ["blur", input, "--codec", "h264"]
        #expect(try vfx(arguments + ["-o", "whole.mkv"], in: folder).status == 0)
        try kill(arguments + ["-o", "part.mkv", "--quiet"], in: folder, after: "manifest.json:3")
        for number in 1...3 {
            let path = folder.path("part.mkv.job/00000\(number).start")
            guard let data = FileManager.default.contents(atPath: path) else { continue }
            var text = String(decoding: data, as: UTF8.self)
            switch fault {
            case "checksums": text.replace(try Regex("\"checksums\":\\[[0-9]+,"), with: "\"checksums\":[1,")
            case "stamp": text.replace(try Regex("\"stamp\":[0-9]+"), with: "\"stamp\":77777777")
            default: text.removeLast(text.count / 2)
            }
            #expect(text != String(decoding: data, as: UTF8.self))
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        }
        let rest = try vfx(arguments + ["-o", "part.mkv", "--resume"], in: folder)
        #expect(rest.status == 0)
        #expect(rest.standardError.contains("so the input is decoded from its first frame"), "\(rest.standardError)")
        #expect(try LongClip.contents(folder.path("part.mkv")) == LongClip.contents(folder.path("whole.mkv")))
    }

    /// The moments at which something is half done, and what the next run finds.
    @Test func aKillAtAnyMomentLosesNothing() throws {
        let folder = try TemporaryFolder(), input = try LongClip.path()
        let arguments = ["denoise", input, "--quiet", "--codec", "ffv1", "-o", "out.mkv"]
        #expect(try vfx(arguments, in: folder).status == 0)
        let expected = try LongClip.contents(folder.path("out.mkv"))
        try FileManager.default.removeItem(atPath: folder.path("out.mkv"))
        for (rename, kept, files) in [
            ("manifest.json:1", 0, []),
            // The segment has its final name, but is not in the manifest yet.
            ("000001.seg:1", 1, ["000000.seg", "000001.seg"]),
            // Everything is written; only the output has not been renamed.
            ("manifest.json:5", 3, ["000000.seg", "000001.seg", "000002.seg"]),
        ] {
            try kill(arguments, in: folder, after: rename)
            #expect(folder.contents == ["out.mkv.job"] + (kept > 0 ? ["out.mkv.part"] : []), "\(rename)")
            let manifest = try CheckpointManifest(json: folder.data("out.mkv.job/manifest.json"))
            #expect(manifest.segments.count == kept && (manifest.published != nil) == (kept == 3))
            let found = try FileManager.default.contentsOfDirectory(atPath: folder.path("out.mkv.job"))
            #expect(found.filter { $0.hasSuffix(".seg") }.sorted() == files)
            let rest = try vfx(arguments.filter { $0 != "--quiet" } + ["--resume", "--json"], in: folder)
            #expect(rest.status == 0, "\(rename): \(rest.standardError)")
            let resume = try events(rest.outputText).first { $0["type"] as? String == "resume" }
            #expect((resume?["segments"] as? Int ?? 0) == kept)
            #expect(folder.contents == ["out.mkv"])
            #expect(try LongClip.contents(folder.path("out.mkv")) == expected, "\(rename)")
            try FileManager.default.removeItem(atPath: folder.path("out.mkv"))
        }
        // The output has its final name, but the folder still exists.
        try kill(arguments, in: folder, after: "out.mkv:1")
        #expect(folder.contents == ["out.mkv", "out.mkv.job"])
        let video = try folder.data("out.mkv")
        let rest = try vfx(arguments.filter { $0 != "--quiet" } + ["--resume"], in: folder)
        #expect(rest.status == 0 && rest.standardError.contains("already complete"), "\(rest.standardError)")
        #expect(folder.contents == ["out.mkv"])
        #expect(try folder.data("out.mkv") == video && LongClip.contents(folder.path("out.mkv")) == expected)
    }

    /// A script that retries until a job is done gets 0 and the same file, whether the clip is long or short.
    @Test(arguments: [true, false]) func aCompleteOutputIsFound(isLong: Bool) throws {
        let folder = try TemporaryFolder()
        let input = try isLong ? LongClip.path() : folder.write(Y4M.encode(clip(6)), to: "in.y4m")
        let arguments = ["blur", input, "-o", "out.mkv", "--codec", "ffv1"]
        #expect(try vfx(arguments, in: folder).status == 0)
        let video = try folder.data("out.mkv")
        for more in [["--resume"], ["--resume", "--threads", "1"], ["--resume", "--overwrite"]] {
            let again = try vfx(arguments + more, in: folder)
            #expect(again.status == 0 && again.standardError.contains("already complete"), "\(again.standardError)")
        }
        try FileManager.default.moveItem(atPath: folder.path("out.mkv"), toPath: folder.path("moved.mkv"))
        let moved = try vfx(
            ["blur", input, "-o", "moved.mkv", "--codec", "ffv1", "--resume", "--json"], in: folder)
        #expect(moved.status == 0)
        let ending = try #require(events(moved.outputText).last)
        #expect(ending["type"] as? String == "finished" && ending["exit_code"] as? Int == 0)
        #expect(try folder.data("moved.mkv") == video)
        // Another job's output, and one that was changed, are neither complete nor replaced.
        let name = ["blur", input, "-o", "moved.mkv", "--codec", "ffv1"]
        for other in [["--strength", "51"], ["--encoder-threads", "2"], ["--from", "0.1"], ["--audio", "drop"]] {
            let run = try vfx(name + other + ["--resume"], in: folder)
            #expect(run.status == 73, "\(other): \(run.standardError)")
        }
        #expect(try vfx(name, in: folder).status == 73)
        try (video + [0]).write(to: URL(fileURLWithPath: folder.path("moved.mkv")))
        #expect(try vfx(name + ["--resume"], in: folder).status == 73)
        #expect(try folder.data("moved.mkv") == video + [0])
    }

    /// Everything that the job makes must be there.
    @Test func aMissingFolderIsNotComplete() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Y4M.encode(clip(6)), to: "in.y4m")
        let arguments = ["enhance", "in.y4m", "-o", "out.mkv", "--denoise", "0.5", "--storyboard", "board", "--resume"]
        #expect(try vfx(arguments, in: folder).status == 0)
        #expect(try vfx(arguments, in: folder).status == 0)
        try FileManager.default.removeItem(atPath: folder.path("board"))
        #expect(try vfx(arguments, in: folder).status == 73)
    }

    @Test(arguments: [(SIGINT, Int32(130), "SIGINT"), (SIGTERM, Int32(143), "SIGTERM"), (SIGHUP, Int32(129), "SIGHUP")])
    func aSignalKeepsWhatIsFinished(number: Int32, status: Int32, name: String) throws {
        let folder = try TemporaryFolder(), input = try LongClip.path()
        let run = try StoppedRun(
            ["blur", input, "-o", "out.mp4", "--threads", "1"], after: "manifest.json:2", in: folder)
        let (ended, said) = run.goOn(signals: [number])
        #expect(ended == status)
        #expect(
            said.hasSuffix(
                "vfx: error: stopped by \(name); 1 finished segment is kept in out.mp4.job; --resume continues from there\n"
            ),
            "\(said)")
        #expect(folder.contents == ["out.mp4.job"])
        let other = try vfx(
            "blur", input, "-o", "out.mp4", "--strength", "51", "--threads", "1", "--resume", in: folder)
        #expect(other.status == 64)
        #expect(other.standardError.contains("effects[0].strength is \"51\" but was \"50\""))
        let again = try vfx("blur", input, "-o", "out.mp4", "--threads", "1", in: folder)
        #expect(again.status == 73 && again.standardError.contains("--overwrite starts over"))
        let resumed = try vfx("blur", input, "-o", "out.mp4", "--threads", "1", "--resume", in: folder)
        #expect(resumed.status == 0, "\(resumed.standardError)")
        #expect(folder.contents == ["out.mp4"])
    }

    /// The second signal exits without waiting, and the finished segments still remain.
    @Test func aSecondSignalLeavesAtOnce() throws {
        let folder = try TemporaryFolder(), input = try LongClip.path()
        let arguments = ["denoise", input, "-o", "out.mkv", "--quiet"]
        let run = try StoppedRun(arguments, after: "manifest.json:2", in: folder)
        // Of two pending signals, the one with the lower number is delivered first.
        let (status, said) = run.goOn(signals: [SIGINT, SIGTERM])
        #expect(status == 143)
        #expect(said == "vfx: error: stopped by SIGTERM\n")
        #expect(folder.contents == ["out.mkv.job", "out.mkv.part"])
        #expect(try CheckpointManifest(json: folder.data("out.mkv.job/manifest.json")).segments.count == 1)
        let resumed = try vfx(arguments + ["--resume"], in: folder)
        #expect(resumed.status == 0, "\(resumed.standardError)")
        #expect(folder.contents == ["out.mkv"])
    }

    /// When run by root, SVT-AV1 would give its threads real-time priority.
    @Test(.enabled(if: geteuid() == 0, "only root may have real-time priority"))
    func encodersLeaveTheProcessorToOthersToo() throws {
        let folder = try TemporaryFolder()
        let run = try StoppedRun(
            [
                "upscale", try LongClip.path(), "--scale", "2", "-o", "out.mkv", "--codec", "av1", "--preset", "12",
                "--quiet",
            ],
            after: "manifest.json:2", in: folder)
        let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(run.process.processIdentifier)/task")
        #expect(tasks.count > 4)
        for task in tasks.compactMap({ pid_t($0) }) { #expect(sched_getscheduler(task) == SCHED_OTHER) }
        run.kill()
    }

    /// Returns all files of a folder by their relative paths.
    private func files(_ folder: TemporaryFolder, _ name: String) throws -> [String: Data] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path(name))
        let found = try paths.compactMap { path -> (String, Data)? in
            var isDirectory: ObjCBool = false
            guard FileManager.default.fileExists(atPath: folder.path("\(name)/\(path)"), isDirectory: &isDirectory),
                !isDirectory.boolValue
            else { return nil }
            return (path, try folder.data("\(name)/\(path)"))
        }
        return Dictionary(uniqueKeysWithValues: found)
    }

    /// The branches receive the frames of finished segments as decoded from the output, so a lossless codec changes
    /// nothing.
    @Test func thumbnailsAndStoryboardAreThoseOfAnUndisturbedRun() throws {
        let folder = try TemporaryFolder(), undisturbed = try TemporaryFolder(), input = try LongClip.path()
        let arguments = [
            "enhance", input, "-o", "out.mkv", "--blur", "20", "--codec", "ffv1", "--thumbnails", "best",
            "--storyboard", "board",
        ]
        #expect(try vfx(arguments, in: undisturbed).status == 0)
        try kill(arguments, in: folder, after: "manifest.json:3")
        let run = try vfx(arguments + ["--resume"], in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        #expect(folder.contents == ["best", "board", "out.mkv"])
        for name in folder.contents.prefix(2) {
            let found = try files(folder, name), expected = try files(undisturbed, name)
            #expect(Set(found.keys) == Set(expected.keys) && found.count >= 4, "\(found.keys)")
            for (path, data) in expected { #expect(found[path] == data, "\(name)/\(path)") }
        }
        let track = String(decoding: try folder.data("board/storyboard.vtt"), as: UTF8.self)
        #expect(track.components(separatedBy: " --> ").count - 1 == 7)
    }

    /// Killed when the video had been renamed but the folders had not: their contents are from an older run.
    @Test func aCompleteOutputGetsWhatIsMissingBesideIt() throws {
        let folder = try TemporaryFolder(), undisturbed = try TemporaryFolder(), input = try LongClip.path()
        let arguments = ["enhance", input, "-o", "out.mkv", "--blur", "20", "--codec", "ffv1", "--thumbnails", "best"]
        #expect(try vfx(arguments, in: undisturbed).status == 0)
        let older = try vfx("thumbnails", input, "-o", "best", "--count", "1", in: folder)
        #expect(older.status == 0, "\(older.standardError)")
        try kill(arguments + ["--overwrite"], in: folder, after: "out.mkv:1")
        #expect(folder.contents == ["best", "best.part", "out.mkv", "out.mkv.job"])
        let video = try folder.data("out.mkv")
        let run = try vfx(arguments + ["--resume"], in: folder)
        #expect(run.status == 0 && run.standardError.contains("already complete"), "\(run.standardError)")
        #expect(folder.contents == ["best", "out.mkv"])
        #expect(try folder.data("out.mkv") == video)
        let found = try files(folder, "best"), expected = try files(undisturbed, "best")
        #expect(Set(found.keys) == Set(expected.keys))
        for (path, data) in expected { #expect(found[path] == data, "\(path)") }
        #expect(try vfx(arguments + ["--resume"], in: folder).status == 0)
    }

    /// The encoder's pixel format may differ from that of the frames.
    @Test func tilesOfFinishedSegmentsFitTheOthers() throws {
        let folder = try TemporaryFolder()
        _ = try tool(
            "ffmpeg",
            [
                "-v", "error", "-i", try LongClip.path(), "-map", "0:v", "-pix_fmt", "gray", "-c:v", "ffv1",
                folder.path("grey.mkv"),
            ])
        let arguments = [
            "enhance", "grey.mkv", "-o", "out.webm", "--denoise", "0.5", "--codec", "vp9", "--preset", "8",
            "--storyboard",
            "board",
        ]
        try kill(arguments, in: folder, after: "manifest.json:2")
        let run = try vfx(arguments + ["--resume"], in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        #expect(folder.contents == ["board", "grey.mkv", "out.webm"])
    }

    @Test func whatCannotBeGoneOnWithIsRefused() throws {
        let folder = try TemporaryFolder(), input = try LongClip.path()
        for (output, words) in [
            (["out.y4m"], "y4m"), (["out_%03d.png"], "images"), (["-", "--format", "matroska"], "already sent"),
            (["/dev/null", "--format", "null"], "null"), (["/dev/null", "--format", "matroska"], "device"),
        ] {
            let run = try vfx(["blur", input, "--resume", "-o"] + output, in: folder)
            #expect(run.status == 64 && run.errorLines.count == 1, "\(run.standardError)")
            #expect(run.standardError.contains(words))
        }
        try FileManager.default.copyItem(atPath: input, toPath: folder.path("listed.mkv"))
        _ = try folder.write(Data("ffconcat version 1.0\nfile listed.mkv\n".utf8), to: "in.ffconcat")
        let list = try vfx("blur", "in.ffconcat", "--resume", "-o", "out.mkv", in: folder)
        #expect(
            list.status == 64 && list.standardError.contains("the files behind a playlist or a pattern may change"),
            "\(list.standardError)")
        for name in ["g1.png", "g2.png"] {
            _ = try tool(
                "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48", "-frames:v", "1", folder.path(name)])
        }
        let pattern = try vfx("blur", "g%*.png", "--resume", "-o", "out.mkv", in: folder)
        #expect(
            pattern.status == 64
                && pattern.standardError.contains("the files behind a playlist or a pattern may change"),
            "\(pattern.standardError)")
        for name in ["in.ffconcat", "listed.mkv", "g1.png", "g2.png"] {
            try FileManager.default.removeItem(atPath: folder.path(name))
        }
        let piped = try vfx(
            "blur", "-", "--resume", "-o", "out.mkv", input: Y4M.encode(clip()), in: folder)
        #expect(piped.status == 64 && piped.standardError.contains("a pipe"))
        #expect(folder.contents.isEmpty)
    }

    /// The same bytes through a pipe, for which nothing is kept.
    @Test func segmentsAreTheSameWithoutBeingKept() throws {
        let folder = try TemporaryFolder(), input = try LongClip.path()
        #expect(try vfx("rate", input, "--fps", "12", "-o", "file.mkv", in: folder).status == 0)
        let piped = try vfx("rate", input, "--fps", "12", "-o", "-", "--format", "matroska", in: folder)
        _ = try folder.write(piped.standardOutput, to: "pipe.mkv")
        #expect(try LongClip.contents(folder.path("file.mkv")) == LongClip.contents(folder.path("pipe.mkv")))
    }

    /// y4m is written in one piece, a video file of this length in three.
    @Test(arguments: [["denoise"], ["slomo", "--phases", "0.5"], ["smooth", "--depth", "1"], ["flow"]])
    func segmentsHoldThePicturesOfOnePiece(command: [String]) throws {
        let folder = try TemporaryFolder(), input = try LongClip.path()
        // In y4m, which has no timestamps, slow motion keeps repeats anyway.
        let repeats = command[0] == "slomo" ? ["--repeats", "keep"] : []
        for output in [["-o", "a.y4m"], ["-o", "b.mkv", "--codec", "ffv1"]] {
            let run = try vfx([command[0], input] + command.dropFirst() + repeats + output, in: folder)
            #expect(run.status == 0, "\(run.standardError)")
        }
        let whole = try LongClip.pictures(folder.path("a.y4m")), joined = try LongClip.pictures(folder.path("b.mkv"))
        #expect(whole.count >= LongClip.frames - 1 && Set(whole).count > 100)
        #expect(joined == whole)
    }
}
