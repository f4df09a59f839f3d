import Foundation
import TestSupport
import Testing

/// Help as the program prints it; the complete texts are tested in vfxTests, without a process.
@Suite struct HelpTests {
    @Test(arguments: [["--help"], ["rate", "--help"], ["help", "rate"], []])
    func helpIsAnAnswer(arguments: [String]) throws {
        let run = try vfx(arguments)
        #expect(run.status == 0)
        #expect(run.standardError == "")
        #expect(run.outputText.hasPrefix("OVERVIEW: ") && run.outputText.contains("\nUSAGE: vfx "))
    }

    @Test func versionIsStated() throws {
        let run = try vfx("--version")
        #expect(run.status == 0)
        #expect(run.outputText.hasPrefix("0.1.0\ninstruction set: ") && run.outputText.contains(" (available: c"))
    }

    @Test func anUnknownInstructionSetIsRefused() throws {
        let run = try vfx("--version", environment: ["VFX_CPU": "z80"])
        #expect(run.status == 64 && run.outputText.isEmpty)
        #expect(run.standardError.hasPrefix("vfx: error: VFX_CPU is \"z80\"; it must be c"))
        #expect(
            try vfx("--version", environment: ["VFX_CPU": "c"]).outputText.contains("instruction set: c (available: c"))
    }

    /// Runs the examples of the help texts as they are, without the players.
    @Test func examplesWork() throws {
        let folder = try TemporaryFolder()
        // Large enough to be enlarged to 1920x1080.
        _ = try folder.write(Y4M.encode(clip(4, width: 128, height: 96)), to: "in.y4m")
        for name in ["in.mp4", "in.mov", "in.mkv"] {
            #expect(try vfx("rate", "in.y4m", "-o", name, "--fps", "25", in: folder).status == 0)
        }
        for name in ["a.png", "b.png"] {
            #expect(try vfx("flow", "in.mp4", "--at", "0.04", "-o", name, in: folder).status == 0)
        }
        #expect(try vfx("flow", "in.mp4", "--at", "0.04", "-o", "photo.jpg", in: folder).status == 0)
        #expect(try vfx("rate", "in.y4m", "-o", "call.mp4", "--fps", "25", in: folder).status == 0)
        for name in ["before.mp4", "after.mp4"] {
            #expect(try vfx("rate", "in.y4m", "-o", name, "--fps", "25", in: folder).status == 0)
        }
        #expect(try vfx("slomo", "in.y4m", "-o", "slow.mp4", "--factor", "4", in: folder).status == 0)
        let commands = [
            "vfx slomo in", "vfx rate in", "vfx info in.", "vfx flow in.", "vfx flow a.", "vfx blur in",
            "vfx denoise in", "vfx upscale in", "vfx upscale photo", "vfx upscale call", "vfx smooth call",
            "vfx thumbnails in", "vfx still in", "vfx storyboard in", "vfx storyboard --lookup",
            "vfx compare before", "vfx enhance in",
            "cat ",
        ]
        let texts = try [
            "slomo", "rate", "info", "flow", "blur", "denoise", "upscale", "smooth", "thumbnails", "still",
            "storyboard",
            "compare", "enhance",
        ].map { try vfx($0, "--help").outputText }
        let lines = texts.joined(separator: "\n").split(separator: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { line in commands.contains { line.hasPrefix($0) } }
        #expect(lines.count == 50)
        for line in lines {
            var words = line.split(separator: " ").map(String.init)
            var input = Data()
            if words[0] == "cat" {
                input = try folder.data("in.y4m")
                words = Array(words[3...].prefix { $0 != "|" })
            }
            // The clip is shorter than the one in the examples.
            for time in ["3.2", "12.5", "61.2", "1:20", "10:00"] {
                if let at = words.firstIndex(of: time) { words[at] = "0.05" }
            }
            if let at = words.firstIndex(of: "--speed") {
                words[at + 1] = words[at + 1].replacing(/(\d+(\.\d)?):/) { "\((Double($0.1) ?? 0) / 200):" }
            }
            if words[1] != "info" { words.append("--overwrite") }
            let run = try vfx(Array(words.dropFirst()), input: input, in: folder)
            #expect(run.status == 0, "\(line): \(run.standardError)")
        }
    }
}
