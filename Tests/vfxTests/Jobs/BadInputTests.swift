import Foundation
import Jobs
import TestSupport
import Testing
import vfx

/// Unusable inputs and outputs: each gives one sentence and leaves no file.
@Suite struct BadInputTests {
    private func slomo(_ input: String, _ output: String = "./out.mp4", _ extra: [String] = []) -> [String] {
        ["slomo", input, "-o", output, "--factor", "2"] + extra
    }

    @Test func inputsThatCannotBe() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Data(), to: "empty.mp4")
        _ = try folder.write(Data("Not a video at all.\n".utf8), to: "text.mp4")
        _ = try folder.write(Data("YUV4MPEG2 W64 H48 F25:1 C420jpeg\n".utf8), to: "header.y4m")
        let before = folder.contents
        for (name, code, sentence) in [
            ("./nowhere.mp4", JobExitCode.noInput, "there is no such file"),
            ("./empty.mp4", .badInput, "the file is empty"),
            (
                "./text.mp4", .badInput,
                "this is a text file, not a video (Invalid data found when processing input)"
            ),
            ("./header.y4m", .badInput, "stream 0: the video stream contains no frames"),
        ] {
            #expect(ending(slomo(name), in: folder) == refusal("\(name): \(sentence)", code))
        }
        #expect(folder.contents == before)
    }

    @Test(arguments: [
        (
            "./there.mp4", [], JobExitCode.cannotCreate,
            "./there.mp4: the output already exists; --overwrite replaces it"
        ),
        (
            "./no/such/folder/out.mp4", [], .cannotCreate,
            "./no/such/folder/out.mp4: there is no directory ./no/such/folder"
        ),
        (
            "./in.y4m", ["--overwrite"], .cannotCreate,
            "./in.y4m: the output is the input itself; give it another name"
        ),
        ("./out.unknown", [], .usage, "./out.unknown: \".unknown\" is not a known extension; use .mp4, "),
        ("./out", [], .usage, "./out: the name has no extension; use .mp4, "),
        ("-", [], .usage, "standard output has no extension; specify a format with --format"),
        (
            "./out.mp4", ["--format", "teleport"], .usage,
            "./out.mp4: \"teleport\" is not an output format that libavformat knows"
        ),
        (
            "./out.mp4", ["--pixel-format", "teleport"], .usage,
            "./out.mp4: \"teleport\" is not a pixel format that libavutil knows"
        ),
        (
            "./out.mp4", ["--preset", "teleport"], .usage,
            "./out.mp4: preset \"teleport\" is not allowed; libx264 takes ultrafast, "
        ),
    ])
    func outputsThatCannotBe(output: String, extra: [String], code: JobExitCode, sentence: String) throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(clip(3), to: "in.y4m")
        _ = try folder.write(Data("keep me".utf8), to: "there.mp4")
        guard case .failure(let failure) = ending(slomo("./in.y4m", output, extra), in: folder) else {
            Issue.record("it is not refused")
            return
        }
        #expect(failure.code == code)
        #expect(failure.message.contains(sentence), "\(failure.message)")
        #expect(folder.contents == ["in.y4m", "there.mp4"])
        #expect(try folder.data("there.mp4") == Data("keep me".utf8))
    }
}
