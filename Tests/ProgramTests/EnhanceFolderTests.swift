import FrameCore
import Foundation
import MediaIO
import TestSupport
import Testing

/// The folders that `vfx enhance` fills in addition to writing its video.
@Suite struct EnhanceFolderTests {
    private func files(_ folder: TemporaryFolder, _ name: String) throws -> [String: Data] {
        let root = folder.path(name)
        var files: [String: Data] = [:]
        for file in try FileManager.default.subpathsOfDirectory(atPath: root) {
            files[file] = FileManager.default.contents(atPath: "\(root)/\(file)")
        }
        return files
    }

    /// The folders hold the same as those made from the written file, which is lossless.
    @Test func foldersAreThoseOfTheResult() throws {
        let folder = try TemporaryFolder()
        // Two scenes of a second each. Matroska stores times in milliseconds, which suits 25 frames per second.
        let scenes = [MovingScene.translation(1.5, 0.5, seed: 3), MovingScene.translation(-1, 0.5, seed: 4)]
        let pictures = try (0..<50).map { try scenes[$0 / 25].picture(Float($0), width: 160, height: 96) }
        _ = try folder.write(Y4M.encode(pictures), to: "in.y4m")
        let run = try vfx(
            "enhance", "in.y4m", "-o", "out.mkv", "--codec", "ffv1", "--slomo", "0.5", "--blur", "20", "--thumbnails",
            "best/", "--thumbnail-count", "2", "--storyboard", "board/", "--storyboard-interval", "0.5", in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        #expect(folder.contents == ["best", "board", "in.y4m", "out.mkv"])
        #expect(try vfx("storyboard", "out.mkv", "-o", "board2", "--interval", "0.5", in: folder).status == 0)
        #expect(try files(folder, "board") == files(folder, "board2"))
        #expect(try files(folder, "board").count > 10)
        #expect(try vfx("thumbnails", "out.mkv", "-o", "best2", "--count", "2", in: folder).status == 0)
        let (a, b) = (try files(folder, "best"), try files(folder, "best2"))
        #expect(a.count >= 4 && Set(a.keys) == Set(b.keys))
        for (name, bytes) in a where name != "scores.json" { #expect(bytes == b[name], "\(name)") }
        // Equal times may be written as different fractions.
        func scores(_ files: [String: Data]) -> String {
            String(decoding: files["scores.json"] ?? Data(), as: UTF8.self)
                .replacing(#/"exact_time": \{[^}]*\}, /#, with: "")
        }
        #expect(scores(a) == scores(b) && scores(a).contains("\"time\": "))
    }

    @Test func nothingIsLeftWhenTheRunFails() throws {
        let folder = try TemporaryFolder()
        // A frame size that changes in the middle fails while frames are being made.
        var data = try Y4M.encode(clip(40))
        data.removeLast(1000)
        data += Data("RUBBISH".utf8)
        _ = try folder.write(data, to: "in.y4m")
        let run = try vfx(
            "enhance", "in.y4m", "-o", "out.mkv", "--strict", "--blur", "20", "--thumbnails", "best", "--storyboard",
            "board", in: folder)
        #expect(run.status == 65, "\(run.standardError)")
        #expect(folder.contents == ["in.y4m"])
    }

    @Test func anOutputThatCannotBeOpenedLeavesNothing() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Y4M.encode(clip(4)), to: "in.y4m")
        let run = try vfx(
            "enhance", "in.y4m", "-o", "nowhere/out.mkv", "--blur", "20", "--thumbnails", "best", "--storyboard",
            "board", in: folder)
        #expect(run.status == 73)
        #expect(folder.contents == ["in.y4m"])
    }

    @Test func foldersInUseAreRefused() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Y4M.encode(clip(4)), to: "in.y4m")
        try FileManager.default.createDirectory(atPath: folder.path("used"), withIntermediateDirectories: false)
        _ = try folder.write(Data("mine".utf8), to: "used/own.txt")
        for option in ["--thumbnails", "--storyboard"] {
            let run = try vfx("enhance", "in.y4m", "-o", "out.mkv", "--blur", "20", option, "used", in: folder)
            #expect(run.status == 73, "\(run.standardError)")
        }
        let same = try vfx(
            "enhance", "in.y4m", "-o", "out.mkv", "--blur", "20", "--thumbnails", "x", "--storyboard", "x/", in: folder)
        #expect(same.status == 73)
        #expect(same.standardError.contains("the folder of --storyboard would be inside that of --thumbnails"))
        // Empty folders are accepted, but a folder inside another would prevent it from being published.
        try FileManager.default.createDirectory(atPath: folder.path("x"), withIntermediateDirectories: false)
        for (arguments, words) in [
            (["-o", "x/out.mkv", "--thumbnails", "x"], "the video would be inside the folder of --thumbnails"),
            (
                ["-o", "out.mkv", "--thumbnails", "x/y", "--storyboard", "x"],
                "--thumbnails would be inside that of --storyboard"
            ),
        ] {
            let run = try vfx(["enhance", "in.y4m", "--blur", "20"] + arguments, in: folder)
            #expect(run.status == 73 && run.standardError.contains(words), "\(run.standardError)")
        }
        #expect(try files(folder, "x").isEmpty)
        try FileManager.default.removeItem(atPath: folder.path("x"))
        #expect(folder.contents == ["in.y4m", "used"])
        #expect(try files(folder, "used").keys.sorted() == ["own.txt"])
    }

    /// The video is dropped, too, if a user's file is found where an image must go.
    @Test func aFileInTheWayIsFoundBeforeAnythingIsPublished() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Y4M.encode(clip(4)), to: "in.y4m")
        try FileManager.default.createDirectory(atPath: folder.path("best"), withIntermediateDirectories: false)
        _ = try folder.write(Data("mine".utf8), to: "best/1.jpg")
        let run = try vfx(
            "enhance", "in.y4m", "-o", "out.mkv", "--blur", "20", "--thumbnails", "best", "--overwrite", in: folder)
        #expect(run.status == 74 && run.standardError.contains("best/1.jpg: this file was not written by vfx"))
        #expect(folder.contents == ["best", "in.y4m"])
        #expect(try folder.data("best/1.jpg") == Data("mine".utf8))
    }

    @Test func foldersAreOverwrittenWhereAllowed() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Y4M.encode(clip(4)), to: "in.y4m")
        for _ in 0..<2 {
            let run = try vfx(
                "enhance", "in.y4m", "-o", "out.mkv", "--blur", "20", "--thumbnails", "best", "--storyboard", "board",
                "--overwrite", in: folder)
            #expect(run.status == 0, "\(run.standardError)")
        }
        #expect(try files(folder, "best").keys.contains("1.jpg"))
    }
}
