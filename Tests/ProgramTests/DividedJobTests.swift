import Foundation
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

    private static let commands: [[String]] = [
        ["slomo", "--phases", "0.25,0.5", "--codec", "h264"], ["rate", "--fps", "23.976", "--codec", "hevc"],
        ["blur", "--strength", "60", "--codec", "ffv1"], ["denoise", "--codec", "vp9", "--preset", "8"],
        ["upscale", "--scale", "2", "--codec", "h264"], ["smooth", "--depth", "1"],
        ["enhance", "--chain", "slomo=0.5,denoise=0.5,blur=40", "--codec", "h264"],
    ]

    @Test(arguments: commands)
    func theJoinedFileIsThatOfOneMachine(command: [String]) throws {
        let folder = try TemporaryFolder(), input = try LongClip.path()
        let arguments = [command[0], input, "--threads", "2"] + command.dropFirst()
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
        #expect(made?["first_frame_read"] as? Int == 472 && made?["frames"] as? Int == LongClip.frames - 480)
        #expect((made?["bytes_read"] as? Int ?? 0) > 0)
        let chain = try vfx(
            "enhance", input, "-o", "chain.mkv", "--chain", "blur=30,rate=30", "--plan", "chain", in: folder)
        #expect(chain.status == 0, "\(chain.standardError)")
        let later = try vfx("work", "chain", "--segment", "2", "--json", in: folder)
        let segment = try events(later.outputText).first { $0["type"] as? String == "segment" }
        #expect(segment?["first_frame_read"] as? Int == 232)
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

    /// The recipe is copied into the job, and paths are those of the folder in which the job was planned.
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
