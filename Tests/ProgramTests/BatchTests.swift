import FrameCore
import Foundation
import TestSupport
import Testing

/// Several inputs of one command.
@Suite struct BatchTests {
    /// A folder with clips `a.y4m`, `b.y4m`, `more/c.y4m`, a damaged file and a text.
    private func inputs() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for path in ["in/more", "in/empty"] {
            try FileManager.default.createDirectory(atPath: folder.path(path), withIntermediateDirectories: true)
        }
        for (index, name) in ["in/a.y4m", "in/b.y4m", "in/more/c.y4m"].enumerated() {
            _ = try folder.write(Y4M.encode(clip(3 + index)), to: name)
        }
        _ = try folder.write(Data("no video".utf8), to: "in/bad.y4m")
        _ = try folder.write(Data("no video".utf8), to: "in/readme.txt")
        return folder
    }

    private func names(_ folder: TemporaryFolder, _ path: String) -> [String] {
        ((try? FileManager.default.subpathsOfDirectory(atPath: folder.path(path))) ?? []).sorted()
    }

    @Test func eachFileGivesWhatItGivesAlone() throws {
        let folder = try inputs()
        let run = try vfx("slomo", "in/a.y4m", "in/more/c.y4m", "-o", "out", in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        #expect(run.standardError.hasSuffix("2 files: 2 done\n"))
        #expect(names(folder, "out") == ["a.y4m", "c.y4m"])
        #expect(try vfx("slomo", "in/more/c.y4m", "-o", "alone.y4m", in: folder).status == 0)
        #expect(try folder.data("out/c.y4m") == folder.data("alone.y4m"))
    }

    @Test func aBadFileDoesNotStopTheOthers() throws {
        let folder = try inputs()
        let run = try vfx("blur", "in/a.y4m", "in/bad.y4m", "no.mp4", "in/b.y4m", "-o", "out/", in: folder)
        #expect(run.status == 65)
        #expect(run.standardError.hasSuffix("4 files: 2 done, 2 failed: in/bad.y4m, no.mp4\n"))
        #expect(names(folder, "out") == ["a.y4m", "b.y4m"])
        let later = try vfx("blur", "no.mp4", "in/bad.y4m", "-o", "out/", in: folder)
        #expect(later.status == 66, "the code is that of the first file that fails")
    }

    @Test func foldersAreSearched() throws {
        let folder = try inputs()
        try FileManager.default.removeItem(atPath: folder.path("in/bad.y4m"))
        #expect(try vfx("slomo", "in", "-o", "flat", in: folder).status == 0)
        #expect(names(folder, "flat") == ["a.y4m", "b.y4m"])
        let run = try vfx("slomo", "in/", "-o", "deep", "--recursive", "--suffix", "-slow.mkv", in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        #expect(names(folder, "deep") == ["a-slow.mkv", "b-slow.mkv", "more", "more/c-slow.mkv"])
    }

    @Test func resumeSkipsWhatIsDone() throws {
        let folder = try inputs()
        let files = ["in/a.y4m", "in/b.y4m"]
        #expect(try vfx(["slomo"] + files + ["-o", "out"], in: folder).status == 0)
        let again = try vfx(["slomo"] + files + ["-o", "out"], in: folder)
        #expect(again.status == 73)
        #expect(
            again.standardError
                == "vfx: error: out/a.y4m: the output exists; use --resume to skip files that are done or --overwrite to replace them; 1 other output exists, too\n"
        )
        try FileManager.default.removeItem(atPath: folder.path("out/b.y4m"))
        let resumed = try vfx(["slomo"] + files + ["-o", "out", "--resume"], in: folder)
        #expect(resumed.standardError.hasSuffix("2 files: 1 done, 1 already complete\n"))
        #expect(names(folder, "out") == ["a.y4m", "b.y4m"])
        // An input that has changed since is converted again.
        try FileManager.default.setAttributes(
            [.modificationDate: Date().addingTimeInterval(60)], ofItemAtPath: folder.path("in/a.y4m"))
        let changed = try vfx(["slomo"] + files + ["-o", "out", "--resume"], in: folder)
        #expect(changed.standardError.hasSuffix("2 files: 1 done, 1 already complete\n"))
    }

    /// Thumbnails and storyboards of several inputs get a folder each; a bad file does not stop the others.
    @Test(arguments: [("thumbnails", "scores.json"), ("storyboard", "storyboard.vtt")])
    func foldersOfFolders(command: String, file: String) throws {
        let folder = try inputs()
        let run = try vfx(command, "in", "-o", "out", "--recursive", in: folder)
        #expect(run.status == 65)
        #expect(run.standardError.hasSuffix("4 files: 3 done, 1 failed: in/bad.y4m\n"), "\(run.standardError)")
        for path in ["a.y4m", "b.y4m", "more/c.y4m"] { #expect(names(folder, "out/\(path)").contains(file)) }
        #expect(!names(folder, "out").contains("bad.y4m"))
        let again = try vfx(command, "in/a.y4m", "in/b.y4m", "-o", "out", in: folder)
        #expect(again.status == 73 && again.standardError.contains("out/a.y4m: the output exists"))
        try FileManager.default.removeItem(atPath: folder.path("out/b.y4m"))
        let resumed = try vfx(command, "in/a.y4m", "in/b.y4m", "-o", "out", "--resume", in: folder)
        #expect(resumed.standardError.hasSuffix("2 files: 1 done, 1 already complete\n"), "\(resumed.standardError)")
        #expect(names(folder, "out/b.y4m").contains(file))
        // A single input fills the folder itself.
        #expect(try vfx(command, "in/a.y4m", "-o", "one", in: folder).status == 0)
        #expect(names(folder, "one").contains(file))
        let done = try vfx(command, "in/a.y4m", "-o", "one", "--resume", in: folder)
        #expect(done.status == 0 && done.standardError == "one: already complete\n")
        let inside = try vfx(command, "in", "-o", "in/out", in: folder)
        #expect(inside.status == 64 && inside.standardError.contains("the output folder is inside 'in'"))
    }

    @Test func severalFilesAreDescribed() throws {
        let folder = try inputs()
        let run = try vfx("info", "in", "--recursive", "--json", in: folder)
        #expect(run.status == 65)
        let lines = try events(run.outputText)
        let described = lines.filter { $0["type"] as? String == "info" }
        #expect(described.map { $0["file"] as? String } == ["in/a.y4m", "in/b.y4m", "in/more/c.y4m"])
        #expect(lines.last?["failed"] as? [String] == ["in/bad.y4m"])
        let text = try vfx("info", "in/a.y4m", "in/b.y4m", in: folder)
        #expect(text.status == 0 && text.outputText.contains("file: in/b.y4m"))
        let cuts = try vfx("info", "in/a.y4m", "in/b.y4m", "--write-cuts", "c.txt", in: folder)
        #expect(cuts.status == 64 && cuts.standardError.contains("give only one input"))
    }

    @Test func eventsNameTheirFile() throws {
        let folder = try inputs()
        let run = try vfx("slomo", "in/a.y4m", "in/bad.y4m", "-o", "out", "--json", in: folder)
        let lines = try events(String(decoding: run.standardOutput, as: UTF8.self))
        #expect(
            lines.dropLast().allSatisfy {
                $0["file"] as? String == ($0["type"] as? String == "error" ? "in/bad.y4m" : "in/a.y4m")
            })
        #expect(lines.contains { $0["type"] as? String == "error" && $0["exit_code"] as? Int == 65 })
        let summary: [String: Any] = try #require(lines.last)
        #expect(summary["type"] as? String == "summary")
        #expect(summary["done"] as? Int == 1 && summary["failed"] as? [String] == ["in/bad.y4m"])
    }

    @Test(arguments: [
        (
            ["in/a.y4m", "in/more/../a.y4m", "-o", "out"], 64,
            "out/a.y4m: 'in/a.y4m' and 'in/more/../a.y4m' would both be written to this file; give them different names or run them separately"
        ),
        (
            ["in", "-o", "in/out"], 64,
            "in/out: the output folder is inside 'in', which is searched for videos; choose one outside of it"
        ),
        (
            ["in/a.y4m", "in/b.y4m", "-o", "in"], 64,
            "in/a.y4m: the output would replace the input 'in/a.y4m'; use --suffix or another folder"
        ),
        (["in/a.y4m", "in/b.y4m", "-o", "-"], 64, "a folder or several inputs need an output folder, not '-'"),
        (
            ["in/a.y4m", "in/b.y4m", "-o", "out.mkv"], 64,
            "out.mkv: a folder or several inputs need an output folder, and this looks like a file; add a slash for a folder of that name"
        ),
        (
            ["in/a.y4m", "in/b.y4m", "-o", "in/readme.txt"], 64,
            "in/readme.txt: a folder or several inputs need an output folder, and this is a file"
        ),
        (["-", "in/b.y4m", "-o", "out"], 64, "standard input has no name for its output; convert it separately"),
        (
            ["in/empty", "-o", "out"], 64,
            "in/empty: the folder contains no video; --recursive searches its subfolders, too"
        ),
        (
            ["in/a.y4m", "in/b.y4m", "-o", "out", "--suffix", "a/b"], 64,
            "--suffix 'a/b' is not allowed; it is text such as -clean, -clean.mkv or .mkv, without slashes"
        ),
        (
            ["in/a.y4m", "in/b.y4m", "-o", "out", "--plan", "job"], 64,
            "--plan divides one job; plan each input separately"
        ),
    ])
    func whatCannotBeDoneIsRefusedBeforeAnyWork(arguments: [String], status: Int32, message: String) throws {
        let folder = try inputs()
        let run = try vfx(["slomo"] + arguments, in: folder)
        #expect(run.status == status)
        #expect(run.standardError == "vfx: error: \(message)\n")
        #expect(names(folder, "") == names(try inputs(), ""), "nothing is written")
    }

    @Test func namesWithLineBreaksStayOnOneLine() throws {
        let folder = try inputs()
        let name = "in/new\nline.y4m"
        _ = try folder.write(folder.data("in/a.y4m"), to: name)
        let run = try vfx("slomo", name, "in/no\tsuch.y4m", "-o", "out", in: folder)
        #expect(run.standardError.contains("out/new\\nline.y4m: 5 frames"))
        #expect(run.standardError.contains("in/no\\tsuch.y4m: there is no such file\n"))
        #expect(names(folder, "out") == ["new\nline.y4m"])
    }

    @Test func foldersOfEachFileAreKeptApart() throws {
        let folder = try inputs()
        let run = try vfx(
            "enhance", "in/a.y4m", "in/b.y4m", "-o", "out", "--blur", "20", "--thumbnails", "best", in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        #expect(
            names(folder, "best").filter { $0.hasSuffix("report.html") } == ["a.y4m/report.html", "b.y4m/report.html"])
    }
}
