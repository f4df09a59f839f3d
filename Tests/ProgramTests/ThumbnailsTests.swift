import FrameCore
import Foundation
import MediaIO
import TestSupport
import Testing

/// `vfx thumbnails` from end to end.
@Suite struct ThumbnailsTests {
    private static let dog = fixture("dog.mp4")

    private func scores(_ folder: TemporaryFolder, _ name: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: folder.data("\(name)/scores.json")) as? [String: Any])
    }

    private func names(_ folder: TemporaryFolder, _ name: String) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder.url.appendingPathComponent(name).path))
    }

    @Test func aFolderIsWrittenAndOverwrittenWithoutTouchingOtherFiles() throws {
        let folder = try TemporaryFolder()
        let run = try vfx("thumbnails", Self.dog, "-o", "best/", "--count", "2", in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        let found = try scores(folder, "best")
        let picks = try #require(found["picks"] as? [[String: Any]])
        #expect((1...2).contains(picks.count))
        for (index, pick) in picks.enumerated() {
            let time = try #require(pick["time"] as? Double), score = try #require(pick["score"] as? Double)
            #expect(time >= 0 && time < 4 && score > -1 && score <= 1)
            #expect(pick["file"] as? String == "\(index + 1).jpg")
            #expect(try folder.data("best/\(index + 1).jpg").prefix(2) == Data([0xFF, 0xD8]))
        }
        let expected = Set((0..<picks.count).map { "\($0 + 1).jpg" })
            .union(["scores.json", "contact-sheet.jpg", "report.html", ".vfx-files"])
        #expect(try names(folder, "best") == expected)
        let page = String(decoding: try folder.data("best/report.html"), as: UTF8.self)
        // The page requests nothing outside itself.
        #expect(page.contains("<svg") && page.contains("data:image/jpeg;base64,"))
        #expect(!page.contains("http:") && !page.contains("https:") && !page.contains("src=\"best"))

        let again = try vfx("thumbnails", Self.dog, "-o", "best", in: folder)
        #expect(again.status == 73 && again.standardError.contains("--overwrite"))
        _ = try folder.write(Data("mine".utf8), to: "best/notes.txt")
        let replaced = try vfx(
            "thumbnails", Self.dog, "-o", "best", "--count", "1", "--format", "png", "--overwrite", in: folder)
        #expect(replaced.status == 0, "\(replaced.standardError)")
        #expect(
            try names(folder, "best")
                == ["1.png", "notes.txt", "scores.json", "contact-sheet.jpg", "report.html", ".vfx-files"])
        #expect(folder.contents == ["best"])
    }

    @Test func aFileThatVfxDidNotWriteIsNotReplaced() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("best"), withIntermediateDirectories: true)
        _ = try folder.write(Data("mine".utf8), to: "best/1.jpg")
        let run = try vfx("thumbnails", Self.dog, "-o", "best", "--overwrite", in: folder)
        #expect(run.status == 74 && run.standardError.contains("not written by vfx"), "\(run.standardError)")
        #expect(try folder.data("best/1.jpg") == Data("mine".utf8))
        #expect(try names(folder, "best") == ["1.jpg"])
    }

    @Test func aListThatNamesOtherPlacesIsNotFollowed() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("best"), withIntermediateDirectories: true)
        _ = try folder.write(Data("mine".utf8), to: "keep.txt")
        _ = try folder.write(
            Data("../keep.txt\n/etc/hostname\nscores.json\n".utf8), to: "best/.vfx-files")
        _ = try folder.write(Data("{}".utf8), to: "best/scores.json")
        let run = try vfx("thumbnails", Self.dog, "-o", "best", "--overwrite", in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        #expect(try folder.data("keep.txt") == Data("mine".utf8))
    }

    /// Stored as 64x96, displayed as 128x96.
    @Test func picksHaveSquarePixels() throws {
        let folder = try TemporaryFolder()
        let input = try Y4M.encode(clip(12, width: 64, height: 96), extra: " A2:1")
        _ = try folder.write(input, to: "in.y4m")
        #expect(try vfx("thumbnails", "in.y4m", "-o", "p", "--format", "png", in: folder).status == 0)
        let picture = try StillCodec().read(folder.path("p/1.png")).picture.frame
        #expect(picture.buffer.width == 128 && picture.buffer.height == 96)
        #expect(picture.sampleAspectRatio.map { $0.numerator == $0.denominator } ?? true)
        let sheet = try StillCodec().read(folder.path("p/contact-sheet.jpg")).picture.frame.buffer
        #expect(sheet.width > sheet.height)
    }

    @Test func damageInTheMiddleIsTold() throws {
        let folder = try TemporaryFolder()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: Self.dog))
        let middle = bytes.count * 4 / 10..<bytes.count * 5 / 10
        bytes.replaceSubrange(middle, with: middle.map { UInt8(truncatingIfNeeded: $0 &* 167 ^ ($0 >> 3)) })
        _ = try folder.write(bytes, to: "in.mp4")
        for arguments in [["thumbnails", "in.mp4", "-o", "best"], ["storyboard", "in.mp4", "-o", "board"]] {
            let run = try vfx(arguments, in: folder)
            #expect(run.status == 3 && run.standardError.contains("warning"), "\(run.standardError)")
        }
        #expect(try names(folder, "best").contains("1.jpg"))
        #expect(try names(folder, "board").contains("storyboard.vtt"))
        let picks = try #require(try scores(folder, "best")["picks"] as? [[String: Any]])
        for pick in picks { #expect((pick["reasons"] as? [String])?.contains("damaged") == false) }
        let strict = try vfx("thumbnails", "in.mp4", "-o", "strict", "--strict", in: folder)
        #expect(strict.status == 65)
        #expect(folder.contents == ["best", "board", "in.mp4"])
    }

    @Test func aPipeIsPickedFromToo() throws {
        let folder = try TemporaryFolder()
        let input = try Y4M.encode(clip(30, width: 160, height: 96))
        let run = try vfx("thumbnails", "-", "-o", "p", "--json", input: input, in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        let lines = try events(run.outputText)
        #expect(lines.contains { $0["type"] as? String == "pick" })
        #expect(lines.last?["type"] as? String == "finished")
        #expect(try names(folder, "p").contains("1.jpg"))
    }

    @Test func oneFrameAndAllBlackGiveOnePictureAndSaySo() throws {
        let folder = try TemporaryFolder()
        let one = try vfx(
            "thumbnails", "-", "-o", "one", input: Y4M.encode(clip(1, width: 160, height: 96)), in: folder)
        #expect(one.status == 0 && one.standardError.contains("1 of 3 frames picked"), "\(one.standardError)")
        let black = try (0..<30).map { _ in try GeneratedPicture.flat(16, width: 64, height: 48) }
        let run = try vfx("thumbnails", "-", "-o", "black", input: Y4M.encode(black), in: folder)
        #expect(run.status == 0 && run.standardError.contains("nothing but black"), "\(run.standardError)")
        #expect((try scores(folder, "black")["picks"] as? [[String: Any]])?.first?["is_utility"] as? Bool == true)
    }
}
