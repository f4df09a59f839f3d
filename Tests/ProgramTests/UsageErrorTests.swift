import Foundation
import TestSupport
import Testing

/// Invalid command lines: each gives one sentence on standard error and the documented exit code, prints nothing on
/// standard output and writes no file.
///
/// The sentences themselves are tested in vfxTests, without a process.
@Suite struct UsageErrorTests {
    @Test(arguments: [
        (
            ["slomo", "in.y4m", "-o", "out.y4m", "--phases", "0.5", "--factor", "2"],
            "--phases and --factor are mutually exclusive; give only one of them"
        ),
        (
            ["slomo", "in.y4m", "-o", "out.y4m", "--factor", "2", "--quality", "best"],
            "the value 'best' is invalid for '--quality <quality>'. Please provide one of 'normal' and 'high'."
        ),
        (["slomo", "in.y4m", "--factor", "2"], "missing expected argument '--output <file>'"),
        (["teleport"], "unexpected argument 'teleport'"),
        (
            ["flow", "in.y4m", "-o", "x.flo"],
            "x.flo holds only one pair; name a second image or use --at, or write the whole clip to a video or to numbered images such as flow_%05d.png"
        ),
        (
            ["upscale", "in.y4m", "-o", "out.y4m", "--size", "48x48"],
            "48x48 is not allowed as the output size of 64x48; it must be larger in at least one direction and smaller in neither"
        ),
        (["smooth", "in.y4m", "-o", "out.y4m", "--depth", "5"], "--depth '5' is not a whole number from 1 to 4"),
        (["enhance", "in.y4m", "-o", "out.mkv", "--recipe", "none.json"], "none.json: the recipe cannot be read"),
        (["thumbnails", "in.y4m", "-o", "best", "--count", "0"], "--count '0' is not a whole number from 1 to 100"),
    ])
    func wrongCommandLine(arguments: [String], sentence: String) throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Y4M.encode(clip(3)), to: "in.y4m")
        let run = try vfx(arguments, in: folder)
        #expect(run.errorLines == ["vfx: error: \(sentence)"])
        #expect(run.status == 64)
        #expect(run.standardOutput.isEmpty)
        #expect(folder.contents == ["in.y4m"])
    }

    @Test func jsonAndVideoDoNotShareStandardOutput() throws {
        let run = try vfx(["slomo", "-", "-o", "-", "--factor", "2", "--json"])
        #expect(run.status == 64)
        #expect(
            run.errorLines == [
                "vfx: error: --json and -o - both need standard output; write the video to a file or leave --json out"
            ])
        let last = try #require(try events(run.outputText).last)
        #expect(last["type"] as? String == "error")
        #expect(last["exit_code"] as? Int == 64)
    }

    /// With --json, every error is also reported as JSON, however early it is found.
    @Test(arguments: [
        ["slomo", "in.y4m", "-o", "out.mkv", "--phases", "0.5,0.2", "--json"],
        ["slomo", "in.y4m", "-o", "out.y4m", "--phases", "0.2,0.7", "--json"],
        ["slomo", "in.y4m", "-o", "out.y4m", "--json", "--quality", "best"],
        ["rate", "--json", "in.y4m", "-o", "out.y4m", "--fps", "0"],
        ["info", "in.y4m", "--json", "--input-fps", "fast"],
        ["info", "--json"],
    ])
    func earlyErrorsAreJSONToo(arguments: [String]) throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Y4M.encode(clip(3)), to: "in.y4m")
        let run = try vfx(arguments, in: folder)
        #expect(run.status == 64)
        #expect(run.errorLines.count == 1)
        let lines = try events(run.outputText)
        #expect(lines.count == 1)
        #expect(lines.first?["type"] as? String == "error")
        #expect(lines.first?["exit_code"] as? Int == 64)
        #expect(lines.first.map { "vfx: error: \($0["message"] ?? "")" } == run.errorLines.first)
        #expect(folder.contents == ["in.y4m"])
    }

    @Test func withoutJSONNothingIsOnStandardOutput() throws {
        let run = try vfx(["slomo", "in.y4m", "-o", "out.mkv", "--phases", "0.5,0.2", "--", "--json"])
        #expect(run.status == 64)
        #expect(run.standardOutput.isEmpty)
    }
}
