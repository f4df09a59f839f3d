import Foundation
import FrameCore
import MediaIO
import TestSupport
import Testing

/// `vfx still` and `vfx storyboard`, from command line to files.
@Suite struct StillTests {
    private func makeClip(_ folder: TemporaryFolder, _ count: Int = 50) throws {
        _ = try folder.write(Y4M.encode(clip(count, width: 128, height: 96)), to: "in.y4m")
        #expect(try vfx("rate", "in.y4m", "-o", "in.mp4", "--fps", "25", in: folder).status == 0)
    }

    @Test(arguments: ["a.jpg", "a.jpeg", "a.png", "a.webp", "a.avif", "a.jxl"])
    func stillsOfEveryFormat(name: String) throws {
        let folder = try TemporaryFolder()
        try makeClip(folder, 6)
        let run = try vfx(
            "still", "in.mp4", "--at", "0.1", "-o", name, "--max-size", "64x64", "--embed-thumbnail", "32x32", "--json",
            in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        let event = try #require(try events(run.outputText).first)
        #expect(event["width"] as? Int == 64)
        #expect(event["height"] as? Int == 48)
        #expect(event["thumbnail_width"] as? Int == 32)
        let time = try #require(event["actual_time"] as? [String: Int])
        #expect(time["value"].map { 25 * $0 } == time["timescale"].map { 2 * $0 })
        let file = [UInt8](try folder.data(name))
        #expect(StillFormat(bytes: file) == StillFormat(fileName: name))
        #expect(try StillCodec().decode(file).frame.buffer.width == 64)
        #expect(folder.contents == ["in.mp4", "in.y4m", name].sorted())
    }

    /// Reading on from a keyframe finds the same frame as reading from the start.
    @Test func theExactFrameIsTaken() throws {
        let folder = try TemporaryFolder()
        try makeClip(folder)
        let frames = try {
            let reader = try MediaReader(folder.path("in.mp4"))
            var all: [Frame] = []
            while let frame = try reader.nextFrame() { all.append(frame) }
            return all
        }()
        for (time, index) in [("1.2", 30), ("0.79", 19), ("1.96", 49), ("0", 0)] {
            #expect(try vfx("still", "in.mp4", "--at", time, "-o", "a.png", "--overwrite", in: folder).status == 0)
            #expect(
                try vfx("still", "in.mp4", "--at", time, "-o", "b.png", "--overwrite", "--keyframe", in: folder).status
                    == 0)
            let exact = try StillCodec().read(folder.path("a.png")).picture.frame.buffer
            // Full range and 4:4:4 via RGB; luma identifies the frames, which move by three samples each.
            func distance(_ frame: Frame) -> Double {
                let a = exact.samples(ofPlane: 0), b = frame.buffer.samples(ofPlane: 0)
                var sum = 0.0
                for (full, limited) in zip(a, b) {
                    let expected = (Double(limited) - 16) * 255 / 219
                    sum += abs(Double(full) - expected)
                }
                return sum / Double(a.count)
            }
            let nearest = try #require(frames.indices.min { distance(frames[$0]) < distance(frames[$1]) })
            #expect(nearest == index || distance(frames[nearest]) == distance(frames[index]))
            #expect(distance(frames[index]) < 3)
        }
    }

    @Test func stillsThatCannotBe() throws {
        let folder = try TemporaryFolder()
        try makeClip(folder, 6)
        _ = try folder.write(Data([1]), to: "there.jpg")
        func refused(_ status: Int32, _ arguments: String...) throws {
            let before = folder.contents
            let run = try vfx(["still"] + arguments, in: folder)
            #expect(run.status == status, "\(arguments): \(run.standardError)")
            #expect(run.errorLines.count == 1)
            #expect(folder.contents == before)
        }
        try refused(64, "in.mp4", "-o", "a.jpg", "--at", "9")
        try refused(64, "in.mp4", "-o", "a.jpg", "--at", "-1")
        try refused(64, "in.mp4", "-o", "a.jpg", "--at", "x")
        try refused(64, "in.mp4", "-o", "a.gif")
        try refused(64, "in.mp4", "-o", "a.jpg", "--max-size", "64")
        try refused(64, "in.mp4", "-o", "a.jpg", "--quality", "0")
        try refused(64, "in.mp4", "-o", "a.jpg", "--embed-thumbnail", "1x1")
        try refused(64, "in.mp4", "-o", "a.jpg", "--hdr")
        try refused(64, "in.mp4", "-o", "a.jpg", "--lossless")
        try refused(64, "in.mp4", "-o", "a.jpg", "--keyframe", "--tolerance", "1")
        try refused(66, "none.mp4", "-o", "a.jpg")
        try refused(73, "in.mp4", "-o", "there.jpg")
        try refused(73, "in.mp4", "-o", "no/a.jpg")
        _ = try folder.write(Data("no video".utf8), to: "text.mp4")
        try refused(65, "text.mp4", "-o", "a.jpg")
    }

    @Test func storyboardsAreWrittenAndLookedUp() throws {
        let folder = try TemporaryFolder()
        try makeClip(folder)
        let run = try vfx(
            "storyboard", "in.mp4", "-o", "board/", "--interval", "0.5", "--grid", "3x2", "--width", "64", "--json",
            in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        let event = try #require(try events(run.outputText).first)
        #expect(event["tiles"] as? Int == 4)
        #expect(folder.contents == ["board", "in.mp4", "in.y4m"])
        for track in [
            "board/storyboard.vtt", "board/storyboard-bare.vtt", "board/storyboard-grid.json",
            "board/roku/storyboard-hd.bif",
        ] {
            let found = try vfx(
                "storyboard", "--lookup", track, "--at", "1.2", "-o", "tile.png", "--overwrite", in: folder)
            #expect(found.status == 0, "\(found.standardError)")
            let tile = try StillCodec().read(folder.path("tile.png")).picture.frame.buffer
            #expect(tile.width == 64 && tile.height == 48)
        }
        let missed = try vfx("storyboard", "--lookup", "board/storyboard.vtt", "--at", "99", "-o", "t.jpg", in: folder)
        #expect(missed.status == 64)
        #expect(try vfx("storyboard", "in.mp4", "-o", "board", in: folder).status == 73)
        _ = try folder.write(Data([7]), to: "board/mine.txt")
        let again = try vfx("storyboard", "in.mp4", "-o", "board", "--single", "--keyframes", "--overwrite", in: folder)
        #expect(again.status == 0, "\(again.standardError)")
        #expect(try folder.data("board/mine.txt") == Data([7]))
        #expect(!FileManager.default.fileExists(atPath: folder.path("board/storyboard-bare.vtt")))
        #expect(folder.contents == ["board", "in.mp4", "in.y4m", "tile.png"])
    }

    @Test func storyboardsThatCannotBe() throws {
        let folder = try TemporaryFolder()
        try makeClip(folder, 6)
        func refused(_ status: Int32, _ arguments: String...) throws {
            let before = folder.contents
            let run = try vfx(["storyboard"] + arguments, in: folder)
            #expect(run.status == status, "\(arguments): \(run.standardError)")
            #expect(run.errorLines.count == 1)
            #expect(folder.contents == before)
        }
        try refused(64, "in.mp4", "-o", "b", "--grid", "0x3")
        try refused(64, "in.mp4", "-o", "b", "--grid", "3")
        try refused(64, "in.mp4", "-o", "b", "--interval", "0")
        try refused(64, "in.mp4", "-o", "b", "--interval", "1/3")
        try refused(64, "in.mp4", "-o", "b", "--width", "63")
        try refused(64, "in.mp4", "-o", "b", "--at", "1")
        try refused(64, "-o", "b")
        try refused(64, "in.mp4", "--lookup", "a.vtt", "--at", "1", "-o", "a.jpg")
        try refused(64, "--lookup", "a.vtt", "-o", "a.jpg")
        try refused(64, "--lookup", "a.vtt", "--at", "1", "-o", "a.jpg", "--quality", "5")
        try refused(66, "--lookup", "a.vtt", "--at", "1", "-o", "a.jpg")
        try refused(66, "none.mp4", "-o", "b")
        try refused(73, "in.mp4", "-o", "in.mp4")
        _ = try folder.write(Data("WEBVTT\n\n00:00:00.000 --> 00:00:09.000\n../in.mp4\n".utf8), to: "evil.vtt")
        try refused(65, "--lookup", "evil.vtt", "--at", "1", "-o", "a.jpg")
        _ = try folder.write(
            Data("WEBVTT\n\n00:00:00.000 --> 00:00:09.000\nnone.jpg#xywh=0,0,1,1\n".utf8), to: "gone.vtt")
        try refused(65, "--lookup", "gone.vtt", "--at", "1", "-o", "a.jpg")
    }
}
