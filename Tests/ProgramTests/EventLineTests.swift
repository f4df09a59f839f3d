import Foundation
import TestSupport
import Testing

/// The lines of `--json`, byte for byte: the order of keys, decimal places and nulls are part of the interface.
@Suite(.enabled(if: hasTools, "ffmpeg makes the long clip"))
struct EventLineTests {
    /// A folder with clips: `a.y4m` with a cut, `b.y4m`, `damaged.y4m`, and files with other streams.
    private func inputs() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let pictures = try clip(6) + (0..<4).map { try GeneratedPicture.texture(seed: $0 / 4) }
        let y4m = try Y4M.encode(pictures)
        _ = try folder.write(y4m, to: "a.y4m")
        _ = try folder.write(y4m.dropLast(2000), to: "damaged.y4m")
        _ = try folder.write(Y4M.encode(clip(10, step: 2)), to: "b.y4m")
        let links = [
            "streams.mkv": fixture("all-streams.mkv"), "dog.mp4": fixture("dog.mp4"),
            "ten.mkv": fixture("Fuzz/media/hevc10.mkv"), "anim.gif": fixture("Fuzz/media/anim.gif"),
            "long.mkv": try LongClip.path(),
        ]
        for (name, target) in links {
            try FileManager.default.createSymbolicLink(atPath: folder.path(name), withDestinationPath: target)
        }
        return folder
    }

    /// Replaces what depends on the computer.
    private func masked(_ text: String) -> String {
        let decimals = /"(seconds|fps|eta_seconds|p50|p95|max|median_ms|p95_ms)": (?:[0-9]+\.[0-9]{3}(?![0-9])|null)/
        let fine = /"(score|rank)": -?[0-9]\.[0-9]{6}(?![0-9])/
        let whole = /"(peak_memory_kib|bytes|bytes_read|sampled_frames|peak|threads)": [0-9]+/
        return text.replacing(decimals) { "\"\($0.1)\": #" }.replacing(fine) { "\"\($0.1)\": #" }
            .replacing(whole) { "\"\($0.1)\": #" }
    }

    @Test(arguments: EventLines.all)
    func linesKeepTheirBytes(example: EventLines) throws {
        let folder = try inputs()
        var text = ""
        for command in example.commands {
            text += try vfx(command.split(separator: " ").map(String.init) + ["--json"], in: folder).outputText
        }
        // How often progress is printed depends on the speed of the computer.
        let lines = masked(text).replacing(folder.url.path + "/", with: "").split(separator: "\n")
            .filter { !$0.hasPrefix(#"{"type": "progress""#) }
        #expect(lines == example.lines.split(separator: "\n"))
    }

    @Test func progressIsOneLine() throws {
        let run = try vfx("slomo", "a.y4m", "-o", "out.y4m", "--factor", "2", "--json", in: inputs())
        let line = run.outputText.split(separator: "\n").last { $0.hasPrefix(#"{"type": "progress""#) }
        #expect(
            masked(String(line ?? "none"))
                == #"{"type": "progress", "frames_read": 10, "frames_written": 19, "expected_frames": 19, "#
                + #""seconds": #, "fps": #, "eta_seconds": #}"#)
    }

    @Test(.enabled(if: FaultyLibrary.compiler != nil, "a C compiler makes the stop"))
    func aResumedRunSaysWhereItBegins() throws {
        let folder = try TemporaryFolder()
        let arguments = ["blur", try LongClip.path(), "-o", "out.mkv", "--codec", "ffv1"]
        try StoppedRun(arguments + ["--quiet"], after: "manifest.json:2", in: folder).kill()
        let lines = try vfx(arguments + ["--resume", "--json"], in: folder).outputText.split(separator: "\n")
        #expect(
            lines.first { $0.contains("resume") }
                == #"{"type": "resume", "segments": 1, "frames_written": 240, "first_frame_read": 232}"#)
    }
}
