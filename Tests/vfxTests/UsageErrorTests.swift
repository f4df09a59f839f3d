import Foundation
import TestSupport
import Testing

/// One sentence on standard error, the documented status, nothing written.
@Suite struct UsageErrorTests {
    @Test(arguments: [
        (
            ["slomo", "in.y4m", "-o", "out.y4m", "--phases", "0.5", "--factor", "2"],
            "--phases and --factor exclude each other; give one of them"
        ),
        (
            ["slomo", "in.y4m", "-o", "out.y4m", "--phases", "0,0.5"],
            "phase 0 is not allowed; a phase lies strictly between 0 and 1"
        ),
        (
            ["slomo", "in.y4m", "-o", "out.y4m", "--phases", "-0.5"],
            "phase -0.5 is not allowed; a phase lies strictly between 0 and 1"
        ),
        (
            ["slomo", "in.y4m", "-o", "out.y4m", "--phases", "0.5,0.2"],
            "phase 0.2 comes after phase 0.5; phases must ascend, each given once"
        ),
        (
            ["slomo", "in.y4m", "-o", "out.y4m", "--phases", "a"],
            "phase 'a' is not a number; give decimals such as 0.25 (9 decimal places at most) or fractions such as 1/3"
        ),
        (
            ["slomo", "in.y4m", "-o", "out.y4m", "--factor", "1"],
            "factor 1 is not allowed; it is a whole number from 2 to 256"
        ),
        (["slomo", "in.y4m", "-o", "out.y4m", "--factor", "2.5"], "factor '2.5' is not a whole number from 2 to 256"),
        (
            ["slomo", "in.y4m", "-o", "out.y4m", "--phases", "0.2,0.7"],
            "y4m has no timestamps, so it cannot hold the uneven times of these phases; use evenly spaced ones (--factor) or a container such as .mkv"
        ),
        (
            ["slomo", "in.y4m", "-o", "-", "--format", "yuv4mpegpipe", "--phases", "0.2"],
            "y4m has no timestamps, so it cannot hold the uneven times of these phases; use evenly spaced ones (--factor) or a container such as .mkv"
        ),
        (
            ["slomo", "in.y4m", "-o", "out.y4m", "--factor", "2", "--threads", "0"],
            "--threads '0' is not a whole number from 1 to 256"
        ),
        (
            ["slomo", "in.y4m", "-o", "out.mp4", "--factor", "2", "--crf", "good"],
            "--crf 'good' is not a number from 0 to 100"
        ),
        (
            ["slomo", "in.y4m", "-o", "out.y4m", "--factor", "2", "--quiet", "--verbose"],
            "--quiet and --verbose exclude each other; give one of them"
        ),
        (
            ["slomo", "in.y4m", "-o", "out.y4m", "--factor", "2", "--quality", "best"],
            "the value 'best' is invalid for '--quality <quality>'. Please provide one of 'normal' and 'high'."
        ),
        (["slomo", "in.y4m", "--factor", "2"], "missing expected argument '--output <file>'"),
        (["slomo", "in.y4m", "-o", "out.y4m", "--bogus"], "unknown option '--bogus'"),
        (["rate", "in.y4m", "-o", "out.y4m"], "missing expected argument '--fps <rate>'"),
        (["rate", "in.y4m", "-o", "out.y4m", "--fps", "0"], "--fps 0 is not allowed; a frame rate is 1 to 1000"),
        (
            ["rate", "in.y4m", "-o", "out.y4m", "--fps", "fast"],
            "--fps 'fast' is not a frame rate; give a number such as 60 or 23.976 or a fraction such as 24000/1001"
        ),
        (
            ["rate", "in.y4m", "-o", "out.y4m", "--fps", "50", "--input-fps", "-3"],
            "--input-fps '-3' is not a frame rate; give a number such as 60 or 23.976 or a fraction such as 24000/1001"
        ),
        (["blur", "in.y4m", "-o", "out.y4m", "--strength", "0"], "--strength '0' is not a whole number from 1 to 100"),
        (
            ["blur", "in.y4m", "-o", "out.y4m", "--strength", "101"],
            "--strength '101' is not a whole number from 1 to 100"
        ),
        (
            ["blur", "in.y4m", "-o", "out.y4m", "--strength", "-1"],
            "--strength '-1' is not a whole number from 1 to 100"
        ),
        (
            ["blur", "in.y4m", "-o", "out.y4m", "--strength", "1.5"],
            "--strength '1.5' is not a whole number from 1 to 100"
        ),
        (
            ["blur", "in.y4m", "-o", "out.y4m", "--strength", "nan"],
            "--strength 'nan' is not a whole number from 1 to 100"
        ),
        (["blur", "in.y4m", "-o", "out.y4m", "--strength", ""], "--strength '' is not a whole number from 1 to 100"),
        (
            ["denoise", "in.y4m", "-o", "out.y4m", "--strength", "-0.1"],
            "--strength '-0.1' is not 'auto' or a number from 0 to 1"
        ),
        (
            ["denoise", "in.y4m", "-o", "out.y4m", "--strength", "1.5"],
            "--strength '1.5' is not 'auto' or a number from 0 to 1"
        ),
        (
            ["denoise", "in.y4m", "-o", "out.y4m", "--strength", "nan"],
            "--strength 'nan' is not 'auto' or a number from 0 to 1"
        ),
        (
            ["denoise", "in.y4m", "-o", "out.y4m", "--strength", "inf"],
            "--strength 'inf' is not 'auto' or a number from 0 to 1"
        ),
        (
            ["denoise", "in.y4m", "-o", "out.y4m", "--strength", "much"],
            "--strength 'much' is not 'auto' or a number from 0 to 1"
        ),
        (["denoise", "in.y4m", "-o", "out.y4m", "--sigma", "-1"], "--sigma '-1' is not a number from 0 to 255"),
        (["denoise", "in.y4m", "-o", "out.y4m", "--sigma", "300"], "--sigma '300' is not a number from 0 to 255"),
        (["denoise", "in.y4m", "-o", "out.y4m", "--sigma", "nan"], "--sigma 'nan' is not a number from 0 to 255"),
        (["denoise", "in.y4m", "-o", "out.y4m", "--sigma", "auto"], "--sigma 'auto' is not a number from 0 to 255"),
        (
            ["denoise", "in.y4m", "-o", "out.y4m", "--strength", "auto", "--sigma", "12"],
            "--strength and --sigma exclude each other; give one of them"
        ),
        (
            ["denoise", "in.y4m", "-o", "out.y4m", "--past", "4"],
            "--past '4' is not a whole number from 0 to 3 (8 with --quality high)"
        ),
        (
            ["denoise", "in.y4m", "-o", "out.y4m", "--future", "-1"],
            "--future '-1' is not a whole number from 0 to 3 (8 with --quality high)"
        ),
        (
            ["denoise", "in.y4m", "-o", "out.y4m", "--future", "9", "--quality", "high"],
            "--future '9' is not a whole number from 0 to 8"
        ),
        (
            ["denoise", "in.y4m", "-o", "out.y4m", "--past", "0", "--future", "0"],
            "--past 0 and --future 0 leave nothing to compare a frame with; give at least one of them a frame"
        ),
        (["denoise", "in.y4m", "-o", "out.y4m", "--at-cut", "blend"], "unknown option '--at-cut'"),
        (["teleport"], "unexpected argument 'teleport'"),
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
}
