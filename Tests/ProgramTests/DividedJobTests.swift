import Foundation
import FrameCore
import TestSupport
import Testing

/// Jobs that are divided by `--plan`, made by workers and joined.
@Suite(.enabled(if: hasTools, "ffmpeg makes the clip"))
struct DividedJobTests {
    /// Runs the workers in an order that no single run has.
    private func work(_ folder: TemporaryFolder, segments: [Int] = [2, 0, 1]) throws {
        for segment in segments {
            let run = try vfx("work", "job", "--segment", "\(segment)", "--quiet", in: folder)
            #expect(run.status == 0 && run.standardError.isEmpty, "\(run.standardError)")
        }
    }

    /// One of each kind, and of flow, whose segments no test of the pipeline has.
    private static let commands: [[String]] = [
        ["slomo", "--phases", "0.25,0.5", "--codec", "h264"], ["rate", "--fps", "23.976", "--codec", "hevc"],
        ["denoise", "--codec", "vp9", "--preset", "8"], ["smooth", "--depth", "1"],
        ["enhance", "--chain", "slomo=0.5,denoise=0.5,blur=40", "--codec", "h264"],
        ["flow", "--backward", "--codec", "ffv1"],
    ]

    @Test(arguments: commands)
    func theJoinedFileIsThatOfOneMachine(command: [String]) throws {
        let folder = try TemporaryFolder(), input = try LongClip.path()
        let arguments = [command[0], input] + command.dropFirst()
        let whole = try vfx(arguments + ["-o", "whole.mkv", "--quiet"], in: folder)
        #expect(whole.status == 0, "\(whole.standardError)")
        let plan = try vfx(arguments + ["-o", "out.mkv", "--plan", "job/", "--json"], in: folder)
        #expect(plan.status == 0, "\(plan.standardError)")
        let event = try #require(try events(plan.outputText).first)
        #expect(event["segments"] as? Int == 3 && event["frames"] as? Int == LongClip.frames)
        #expect(event["segments_without_seeking"] as? Int == 0)
        #expect(folder.contents == ["job", "whole.mkv"])
        try work(folder)
        let join = try vfx("join", "job", in: folder)
        #expect(join.status == 0, "\(join.standardError)")
        #expect(try LongClip.contents(folder.path("out.mkv")) == LongClip.contents(folder.path("whole.mkv")))
        let again = try vfx("join", "job", in: folder)
        #expect(again.status == 0 && again.standardError.contains("already complete"))
    }

    @Test func lossesAreErrorsBeforeThePlan() throws {
        let folder = try TemporaryFolder()
        let font = try folder.write(Data(repeating: 7, count: 100), to: "f.ttf")
        _ = try tool(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=2:d=40", "-c:v", "libx264", "-attach", font,
                "-metadata:s:t:0", "mimetype=application/x-truetype-font", folder.path("in.mkv"),
            ])
        let arguments = ["denoise", "in.mkv", "-o", "out.mp4", "--plan", "job"]
        let refused = try vfx(arguments + ["--fail-on-loss"], in: folder)
        #expect(refused.status == 73 && refused.standardError.contains("attachment"), "\(refused.standardError)")
        #expect(folder.contents == ["f.ttf", "in.mkv"])
        #expect(try vfx(arguments, in: folder).status == 0)
    }

    /// A clip that jumps every two seconds: encoders decide differently about it with another number of threads.
    @Test(arguments: [
        (["--denoise", "auto"], []), (["--denoise", "auto"], ["--plan-by-decoding"]), (["--slomo", "0.5"], []),
        (["--slomo", "0.5", "--codec", "hevc", "--encoder-threads", "3"], []),
    ])
    func aClipThatJumpsIsTheSameToo(effects: [String], planning: [String]) throws {
        let folder = try TemporaryFolder()
        _ = try tool(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "mandelbrot=s=160x96:r=10:start_scale=0.5,format=yuv420p", "-t",
                "2",
                "-c:v", "libx264", folder.path("short.mp4"),
            ])
        _ = try tool(
            "ffmpeg",
            ["-v", "error", "-stream_loop", "24", "-i", folder.path("short.mp4"), "-c", "copy", folder.path("in.mp4")])
        let arguments = ["enhance", "in.mp4", "--preset", "veryfast", "--to", "49", "--quiet"] + effects
        #expect(try vfx(arguments + ["-o", "whole.mkv", "--threads", "1"], in: folder).status == 0)
        let plan = try vfx(arguments + ["-o", "out.mkv", "--plan", "job"] + planning, in: folder)
        #expect(plan.status == 0, "\(plan.standardError)")
        try work(folder)
        #expect(try vfx("join", "job", "--quiet", in: folder).status == 0)
        #expect(try LongClip.contents(folder.path("out.mkv")) == LongClip.contents(folder.path("whole.mkv")))
        // The single run finds its own file complete.
        let again = try vfx(arguments + ["-o", "out.mkv", "--threads", "3", "--resume"], in: folder)
        #expect(again.status == 0, "\(again.standardError)")
        #expect(try LongClip.contents(folder.path("out.mkv")) == LongClip.contents(folder.path("whole.mkv")))
    }

    /// A part, its cuts from a list, and a chain whose last effect samples the time.
    @Test(arguments: [
        (["slomo", "--phases", "0.5"], "70f", [2, 0, 1]), (["rate", "--fps", "15"], "250f", [1, 0]),
        (["enhance", "--chain", "denoise=0.5,rate=15"], "0:25.01", [1, 0]),
    ])
    func aPartIsDivided(command: [String], from: String, segments: [Int]) throws {
        let folder = try TemporaryFolder(), input = try LongClip.path()
        _ = try folder.write(Data("100f\n301f\n480f\n600f\n".utf8), to: "cuts.txt")
        let arguments =
            [
                command[0], input, "--threads", "2", "--codec", "ffv1", "--from", from, "--to", "629f", "--cuts",
                "cuts.txt",
            ]
            + command.dropFirst()
        let whole = try vfx(arguments + ["-o", "whole.mkv", "--quiet"], in: folder)
        #expect(whole.status == 0, "\(whole.standardError)")
        let plan = try vfx(arguments + ["-o", "out.mkv", "--plan", "job/", "--json"], in: folder)
        #expect(plan.status == 0, "\(plan.standardError)")
        #expect(try events(plan.outputText).first?["segments"] as? Int == segments.count)
        try FileManager.default.removeItem(atPath: folder.path("cuts.txt"))
        try work(folder, segments: segments)
        let join = try vfx("join", "job", in: folder)
        #expect(join.status == 0, "\(join.standardError)")
        #expect(try LongClip.contents(folder.path("out.mkv")) == LongClip.contents(folder.path("whole.mkv")))
    }

    /// Workers of a chain whose last effect samples the time begin in the middle, too.
    @Test func aWorkerReadsOnlyItsPart() throws {
        let folder = try TemporaryFolder(), input = try LongClip.path()
        #expect(try vfx("blur", input, "-o", "out.mkv", "--plan", "job", in: folder).status == 0)
        let run = try vfx("work", "job", "--segment", "2", "--json", in: folder)
        let made = try events(run.outputText).first { $0["type"] as? String == "segment" }
        #expect(made?["first_frame_read"] as? Int == 416 && made?["frames"] as? Int == LongClip.frames - 480)
        #expect((made?["bytes_read"] as? Int ?? 0) > 0)
        let chain = try vfx(
            "enhance", input, "-o", "chain.mkv", "--chain", "blur=30,rate=30", "--plan", "chain", in: folder)
        #expect(chain.status == 0, "\(chain.standardError)")
        let later = try vfx("work", "chain", "--segment", "2", "--json", in: folder)
        let segment = try events(later.outputText).first { $0["type"] as? String == "segment" }
        #expect(segment?["first_frame_read"] as? Int == 176)
    }

    @Test(arguments: ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX"])
    func theEnvironmentNamesTheTask(variable: String) throws {
        let folder = try TemporaryFolder(), input = try LongClip.path()
        #expect(try vfx("blur", input, "-o", "out.mkv", "--plan", "job", in: folder).status == 0)
        let run = try vfx("work", "job", "--tasks", "2", "--json", environment: [variable: "1"], in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        let made = try events(run.outputText).filter { $0["type"] as? String == "segment" }
        #expect(made.map { $0["segment"] as? Int } == [1, 2])
        let beyond = try vfx("work", "job", "--tasks", "2", environment: [variable: "2"], in: folder)
        #expect(
            beyond.status == 64 && beyond.standardError.contains("\(variable) '2' is not a whole number from 0 to 1"))
        let status = try vfx("status", "job", in: folder)
        #expect(status.outputText == "2 of 3 segments done\n", "\(status.outputText)")
    }

    @Test func whatIsMissingIsNamed() throws {
        let folder = try TemporaryFolder(), input = try LongClip.path()
        #expect(try vfx("blur", input, "-o", "out.mkv", "--codec", "ffv1", "--plan", "a job", in: folder).status == 0)
        let empty = try vfx("join", "a job", in: folder)
        #expect(
            empty.status == 66
                && empty.standardError.contains(
                    "segment 0 and 2 more are missing or damaged; vfx work 'a job' --segment 0"),
            "\(empty.standardError)")
        let none = try vfx("work", "a job", in: folder)
        #expect(none.status == 64 && none.standardError.contains("no segment is given"))
        let far = try vfx("work", "a job", "--segment", "3", in: folder)
        #expect(far.status == 64 && far.standardError.contains("from 0 to 2"))
        let twice = try vfx("blur", input, "-o", "out.mkv", "--plan", "a job", in: folder)
        #expect(twice.status == 73 && twice.standardError.contains("already holds a plan"))
        #expect(try vfx("status", "nowhere", in: folder).status == 66)
        #expect(folder.contents == ["a job"])
    }

    @Test func whatCannotBeDividedIsRefused() throws {
        let folder = try TemporaryFolder(), input = try LongClip.path(), short = fixture("dog.mp4")
        for (arguments, words) in [
            (["blur", short, "-o", "out.mkv"], "encoded in one piece"), (["blur", input, "-o", "out.y4m"], "y4m"),
            (["blur", input, "-o", "-", "--format", "matroska"], "already sent"),
            (["blur", input, "-o", "out.mkv", "--resume"], "mutually exclusive"),
        ] {
            let run = try vfx(arguments + ["--plan", "job"], in: folder)
            #expect(run.status == 64 && run.standardError.contains(words), "\(run.standardError)")
        }
        #expect(folder.contents.isEmpty)
    }

    /// The recipe becomes a part of the job, and paths are those of the folder in which the job was planned.
    @Test func aPlanNeedsNothingBesideTheInput() throws {
        let folder = try TemporaryFolder(), elsewhere = try TemporaryFolder(), input = try LongClip.path()
        let recipe = try vfx("enhance", input, "-o", "x.mkv", "--blur", "30", "--print-recipe", in: folder)
        _ = try folder.write(recipe.standardOutput, to: "r.json")
        let plan = try vfx(
            "enhance", input, "-o", "out.mkv", "--codec", "ffv1", "--recipe", "r.json", "--thumbnails", "best",
            "--plan", "job", in: folder)
        #expect(plan.status == 0, "\(plan.standardError)")
        try FileManager.default.removeItem(atPath: folder.path("r.json"))
        for task in 0..<3 {
            let run = try vfx("work", folder.path("job"), "--task", "\(task)", "--quiet", in: elsewhere)
            #expect(run.status == 0, "\(run.standardError)")
        }
        let join = try vfx("join", folder.path("job"), in: elsewhere)
        #expect(join.status == 0, "\(join.standardError)")
        #expect(elsewhere.contents.isEmpty && folder.contents == ["best", "job", "out.mkv"])
    }

    /// The files of a folder by their names.
    private func files(_ folder: TemporaryFolder, _ name: String) throws -> [String: Data] {
        let root = folder.path(name)
        var files: [String: Data] = [:]
        for case let path as String in FileManager.default.enumerator(atPath: root) ?? .init() {
            if let data = FileManager.default.contents(atPath: root + "/" + path) { files[path] = data }
        }
        return files
    }

    /// The frames are those before encoding, so a strong compression changes no picture.
    @Test(arguments: [["--denoise", "0.5"], ["--chain", "slomo=0.5,blur=20"], ["--chain", "rate=1"]])
    func thumbnailsAndStoryboardAreThoseOfOneMachine(effects: [String]) throws {
        let whole = try TemporaryFolder(), divided = try TemporaryFolder(), input = try LongClip.path()
        let arguments =
            ["enhance", input, "-o", "out.mp4", "--codec", "h264", "--crf", "45", "--threads", "1", "--quiet"]
            + effects + ["--thumbnails", "best", "--storyboard", "board", "--storyboard-interval", "1.7"]
        let single = try vfx(arguments, in: whole)
        #expect(single.status == 0, "\(single.standardError)")
        #expect(try vfx(arguments + ["--plan", "job"], in: divided).status == 0)
        try work(divided)
        let join = try vfx("join", "job", "--quiet", in: divided)
        #expect(join.status == 0, "\(join.standardError)")
        for name in ["best", "board"] {
            let expected = try files(whole, name)
            #expect(try expected.count > 4 && files(divided, name) == expected, "\(name)")
        }
        // A join that was interrupted at the very end makes what is missing.
        try FileManager.default.removeItem(atPath: divided.path("board"))
        #expect(try vfx("join", "job", "--quiet", in: divided).status == 0)
        #expect(try files(divided, "board") == files(whole, "board"))
        // Frames that are damaged make the segment count as missing.
        let kept = try #require(
            FileManager.default.contentsOfDirectory(atPath: divided.path("job")).first {
                $0.hasPrefix("000001-") && $0.hasSuffix(".frames")
            })
        var bytes = try #require(FileManager.default.contents(atPath: divided.path("job/" + kept)))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(fileURLWithPath: divided.path("job/" + kept)))
        try FileManager.default.removeItem(atPath: divided.path("out.mp4"))
        let damaged = try vfx("join", "job", in: divided)
        #expect(
            damaged.status == 66 && damaged.standardError.contains("segment 1 is missing or damaged"),
            "\(damaged.standardError)")
    }

    /// The part begins after a segment's beginning, and the clip goes on after its end.
    @Test func thumbnailsOfAPartAreThoseOfOneMachine() throws {
        let whole = try TemporaryFolder(), divided = try TemporaryFolder(), input = try LongClip.path()
        let arguments = [
            "enhance", input, "-o", "out.mkv", "--codec", "ffv1", "--denoise", "0.5", "--threads", "2", "--from",
            "250f", "--to", "629f", "--thumbnails", "best", "--quiet",
        ]
        let single = try vfx(arguments, in: whole)
        #expect(single.status == 0, "\(single.standardError)")
        let plan = try vfx(arguments + ["--plan", "job"], in: divided)
        #expect(plan.status == 0, "\(plan.standardError)")
        try work(divided, segments: [1, 0])
        let join = try vfx("join", "job", "--quiet", in: divided)
        #expect(join.status == 0, "\(join.standardError)")
        let expected = try files(whole, "best")
        #expect(try expected.count > 2 && files(divided, "best") == expected)
    }

    /// The noise model becomes a part of the job.
    @Test func workersKnowTheNoise() throws {
        let folder = try TemporaryFolder(), elsewhere = try TemporaryFolder(), input = try LongClip.path()
        _ = try tool(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=2", "-vf",
                "noise=alls=12:allf=t,format=yuv420p", "-c:v", "ffv1", folder.path("noisy.mkv"),
            ])
        let noise = try vfx("info", "noisy.mkv", "--write-noise", "n.txt", "--quiet", in: folder)
        #expect(noise.status == 0, "\(noise.standardError)")
        let arguments = [
            "denoise", input, "--codec", "ffv1", "--threads", "2", "--noise-model", "n.txt", "--quiet",
        ]
        #expect(try vfx(arguments + ["-o", "whole.mkv"], in: folder).status == 0)
        let plan = try vfx(arguments + ["-o", "out.mkv", "--plan", "job"], in: folder)
        #expect(plan.status == 0, "\(plan.standardError)")
        try FileManager.default.removeItem(atPath: folder.path("n.txt"))
        for segment in ["1", "2", "0"] {
            let run = try vfx("work", folder.path("job"), "--segment", segment, "--quiet", in: elsewhere)
            #expect(run.status == 0, "\(run.standardError)")
        }
        let join = try vfx("join", folder.path("job"), "--quiet", in: elsewhere)
        #expect(join.status == 0, "\(join.standardError)")
        #expect(try LongClip.contents(folder.path("out.mkv")) == LongClip.contents(folder.path("whole.mkv")))
    }

    @Test func grainIsThatOfOneMachine() throws {
        let folder = try TemporaryFolder(), elsewhere = try TemporaryFolder()
        _ = try tool(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=50", "-vf",
                "noise=alls=12:allf=t,format=yuv420p", "-c:v", "libx264", "-crf", "8", folder.path("in.mkv"),
            ])
        let arguments = ["denoise", "in.mkv", "--preset", "8", "--threads", "1", "--grain", "keep", "--quiet"]
        let whole = try vfx(arguments + ["-o", "whole.mkv", "--grain-table", "whole.tbl"], in: folder)
        #expect(whole.status == 0, "\(whole.standardError)")
        let plan = try vfx(arguments + ["-o", "out.mkv", "--grain-table", "out.tbl", "--plan", "job"], in: folder)
        #expect(plan.status == 0, "\(plan.standardError)")
        for segment in ["2", "0", "1"] {
            let run = try vfx("work", folder.path("job"), "--segment", segment, "--quiet", in: elsewhere)
            #expect(run.status == 0, "\(run.standardError)")
        }
        let join = try vfx("join", folder.path("job"), "--quiet", in: elsewhere)
        #expect(join.status == 0, "\(join.standardError)")
        #expect(try LongClip.contents(folder.path("out.mkv")) == LongClip.contents(folder.path("whole.mkv")))
        let tables = ["out.tbl", "whole.tbl"].map { FileManager.default.contents(atPath: folder.path($0)) }
        #expect(tables[0] != nil && tables[0] == tables[1] && elsewhere.contents.isEmpty)
        // As after a join that was interrupted when it had written the table only.
        try FileManager.default.removeItem(atPath: folder.path("out.mkv"))
        let again = try vfx("join", folder.path("job"), "--quiet", in: elsewhere)
        #expect(again.status == 0, "\(again.standardError)")
        #expect(FileManager.default.contents(atPath: folder.path("out.tbl")) == tables[1])
    }

    /// A job in a plan that was changed is not the one whose identity the plan holds.
    @Test(arguments: [
        ("\"strength\":50", "\"strength\":60", "effects[0].strength is \"60\" but was \"50\""),
        ("\"quality\":\"normal\"", "\"quality\":\"high\"", "quality is \"high\" but was \"normal\""),
        ("\"file\":\"IN\"", "\"file\":\"/etc/passwd\"", "/etc/passwd"),
    ])
    func aForgedPlanIsRefused(old: String, new: String, words: String) throws {
        let folder = try TemporaryFolder(), input = try LongClip.path()
        #expect(try vfx("blur", input, "-o", "out.mkv", "--plan", "job", in: folder).status == 0)
        let path = folder.path("job/plan.json")
        let data = try #require(FileManager.default.contents(atPath: path))
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let identifier = try #require(object["identifier"] as? String)
        var text = String(decoding: data, as: UTF8.self)
            .replacing(old.replacing("IN", with: input), with: new)
        #expect(text != String(decoding: data, as: UTF8.self))
        // With the right checksum, as a forger would write it.
        let plain = text.replacing("\"identifier\":\"\(identifier)\"", with: "\"identifier\":\"\"")
        text = text.replacing(identifier, with: stableHash(of: plain))
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let work = try vfx("work", "job", "--segment", "0", in: folder)
        #expect(work.status != 0 && work.standardError.contains(words), "\(work.standardError)")
        #expect(folder.contents == ["job"])
    }

    /// Programs of these names take the place of Slurm's.
    @Test func statusAsksTheAccountsOnceTheQueueIsEmpty() throws {
        let folder = try TemporaryFolder(), input = try LongClip.path()
        #expect(try vfx("blur", input, "-o", "out.mkv", "--plan", "job", in: folder).status == 0)
        _ = try folder.write(Data("{\"array\":\"7\",\"join\":\"8\"}".utf8), to: "job/slurm.json")
        func program(_ name: String, _ script: String) throws {
            let path = try folder.write(Data("#!/bin/sh\n\(script)\n".utf8), to: name)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        try program("squeue", "true")
        try program("sacct", "echo '  COMPLETED'; echo 'CANCELLED by 0'")
        let paths = folder.path("") + ":/usr/bin:/bin"
        let accounts = try vfx("status", "job", environment: ["PATH": paths], in: folder)
        #expect(
            accounts.outputText.contains("1 task cancelled in Slurm, 1 task completed in Slurm"),
            "\(accounts.outputText)")
        try program("squeue", "echo RUNNING; echo PENDING; echo PENDING")
        let queue = try vfx("status", "job", environment: ["PATH": paths], in: folder)
        #expect(
            queue.outputText.contains("2 tasks pending in Slurm, 1 task running in Slurm"), "\(queue.outputText)")
    }

    @Test func schedulersGetTheirScripts() throws {
        let folder = try TemporaryFolder(), input = try LongClip.path()
        #expect(try vfx("blur", input, "-o", "out.mkv", "--plan", "job", in: folder).status == 0)
        let parallel = try vfx("submit", "job", "--engine", "parallel", "--max-running", "2", in: folder)
        #expect(parallel.status == 0 && parallel.outputText.contains("seq 0 2 | parallel --will-cite --jobs 2"))
        let manifest = try vfx("submit", "job", "--engine", "k8s", "--image", "i", "--tasks", "2", in: folder)
        #expect(manifest.status == 0 && manifest.outputText.contains("\"completions\" : 2"))
        let many = try vfx("submit", "job", "--engine", "k8s", "--tasks", "4", in: folder)
        #expect(many.status == 64 && many.standardError.contains("--tasks '4' is not a whole number from 1 to 3"))
    }
}
