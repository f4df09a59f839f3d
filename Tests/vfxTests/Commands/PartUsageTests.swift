import Foundation
import Jobs
import TestSupport
import Testing
import vfx

/// Parts, previews and estimates that cannot be, and with which messages they are refused.
@Suite struct PartUsageTests {
    /// A clip shared by all cases, because none of them may write to the folder: 300 frames at 25 frames/s.
    private static let folder: Result<TemporaryFolder, any Error> = Result {
        let folder = try TemporaryFolder()
        _ = try folder.write(clip(300, width: 32, height: 32), to: "in.y4m")
        let made = ending(
            ["rate", "./in.y4m", "-o", "./in.mkv", "--fps", "25", "--codec", "ffv1", "--quiet"], in: folder)
        try #require(made == .done(.success))
        for (name, text) in [("late.txt", "700f\n"), ("later.txt", "3\n60\n")] {
            _ = try folder.write(Data(text.utf8), to: name)
        }
        return folder
    }

    /// Returns the message of a command that is refused as wrongly used, and checks that it wrote nothing.
    private func message(_ arguments: [String], _ code: JobExitCode = .usage) throws -> String {
        let folder = try Self.folder.get(), before = folder.contents
        guard case .failure(let failure) = ending(arguments, in: folder) else {
            Issue.record("it is not refused")
            return ""
        }
        #expect(failure.code == code)
        #expect(folder.contents == before)
        return failure.message
    }

    @Test(arguments: [
        (
            ["--from", "20"],
            "./in.mkv: 20.000000 s is after the clip's last frame; it has 300 frames, 0f to 299f, the last at 11.960000 s"
        ),
        (
            ["--from", "300f"],
            "./in.mkv: frame 300 is after the clip's last frame; it has 300 frames, 0f to 299f, the last at 11.960000 s"
        ),
        (["--from", "5", "--to", "3"], "the part ends at 3.000000 s, which is not after its beginning at 5.000000 s"),
        (["--from", "5f", "--to", "5f"], "the part ends before frame 5, which is not after its first frame 5"),
        (["--duration", "0"], "a part of 0.000000 s has no frames; its duration must be above 0"),
        (["--to", "3", "--duration", "1"], "--to and --duration are mutually exclusive; give only one of them"),
        (
            ["--from", "2.001", "--to", "2.002"],
            "./in.mkv: the part from 2.001000 s to 2.002000 s holds no frame; the next one is at 2.040000 s"
        ),
        (
            ["--from", "soon"],
            "--from 'soon' is not a position in a clip; give seconds such as 3.2, a fraction such as 10/3, h:m:s such as 1:02:03.5, or the number of a frame such as 300f"
        ),
        (
            ["--cut-threshold", "2"], "--cut-threshold '2' is not a number from 0 to 1"
        ),
        (
            ["--cut-threshold", "0.7", "--cuts", "./cuts.txt"],
            "--cuts and --cut-threshold are mutually exclusive; give only one of them"
        ),
    ])
    func impossibleParts(options: [String], message: String) throws {
        #expect(try self.message(["slomo", "./in.mkv", "-o", "./out.mkv"] + options) == message)
    }

    @Test(arguments: [
        ("./late.txt", "./late.txt: line 1: the cut at frame 700 is after the last frame of ./in.mkv"),
        ("./later.txt", "./later.txt: line 2: the cut at 60.000000 s is after the last frame of ./in.mkv"),
        ("./none.txt", "./none.txt: the list of cuts cannot be read"),
    ])
    func listsOfAnotherClip(name: String, message: String) throws {
        #expect(
            try self.message(["slomo", "./in.mkv", "-o", "./out.mkv", "--cuts", name], .badInput).hasPrefix(message))
    }

    @Test(arguments: ["1.1", "-0.1", "many", "nan"]) func thresholdsThatCannotBe(value: String) throws {
        let message = try self.message(["info", "./in.mkv", "--cut-threshold", value])
        #expect(message == "--cut-threshold '\(value)' is not a number from 0 to 1")
    }

    @Test(arguments: [
        (
            ["--preview", "2", "--from", "3"],
            "--preview and --from, --to and --duration are mutually exclusive; give only one of them"
        ),
        (["--preview-report", "./page.html"], "--preview-report requires --preview"),
        (
            ["--preview", "2", "--preview-report", "-"],
            "the page cannot be written to standard output; name a file"
        ),
        (
            ["--preview", "2", "--preview-report", "./page.html", "--format", "null"],
            "./out.mkv: --preview-report reads the preview again; write it to a video file"
        ),
        (["--estimate", "--plan", "./job"], "--estimate and --plan are mutually exclusive; give only one of them"),
        (
            ["--preview", "20"],
            "./in.mkv: 20.000000 s is after the clip's last frame; it has 300 frames, 0f to 299f, the last at 11.960000 s"
        ),
    ])
    func impossiblePreviews(options: [String], message: String) throws {
        #expect(try self.message(["slomo", "./in.mkv", "-o", "./out.mkv"] + options) == message)
    }

    /// Samples are written to temporary files, which errors do not name.
    @Test(arguments: [
        (["-o", "-"], "standard output: standard output has no extension; specify a format with --format"),
        (["-o", "./out.xyz"], "./out.xyz: \".xyz\" is not a known extension; use "),
        (["-o", "./out.mp4", "--codec", "ffv1"], "./out.mp4: mp4 does not support ffv1 video"),
        (["-o", "./out.mkv", "--codec", "h264", "--crf", "99"], "./out.mkv: crf 99.0 is not allowed; "),
        (["-o", "./out%d%d.png"], "./out%d%d.png: an image sequence needs one number pattern in its name"),
        (["-o", "-", "--format", "mp4", "--codec", "ffv1"], "standard output: mp4 does not support ffv1 video"),
    ])
    func errorsOfEstimatesNameTheOutput(options: [String], message: String) throws {
        let found = try self.message(["blur", "./in.mkv", "--estimate"] + options)
        #expect(found.hasPrefix(message), "\(found)")
    }
}
