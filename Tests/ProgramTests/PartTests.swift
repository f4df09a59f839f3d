import FrameCore
import Foundation
import MediaIO
import TestSupport
import Testing

/// Parts of clips: `--from`, `--to` and `--duration`.
@Suite struct PartTests {
    /// A clip of 300 frames at 25 frames/s with a cut at frame 250, in Matroska.
    private func inputs() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let frames = try (0..<300).map { index in
            try index < 250
                ? GeneratedPicture.waves(width: 64, height: 48, dx: 3 * index)
                : GeneratedPicture.texture(width: 64, height: 48, seed: 5)
        }
        _ = try folder.write(Y4M.encode(frames), to: "in.y4m")
        let made = try vfx("rate", "in.y4m", "-o", "in.mkv", "--fps", "25", "--codec", "ffv1", in: folder)
        try #require(made.status == 0, "\(made.standardError)")
        return folder
    }

    private func frames(_ folder: TemporaryFolder, _ name: String) throws -> [Frame] {
        let reader = try MediaReader(folder.path(name))
        var frames: [Frame] = []
        while let frame = try reader.nextFrame() { frames.append(frame) }
        return frames
    }

    /// Every frame equals the one in a run over the whole clip, and the first is at zero.
    @Test(arguments: [
        (["slomo", "--factor", "2"], 2), (["denoise", "--quality", "high"], 1),
        (["enhance", "--chain", "blur=30,slomo=x2"], 2),
    ])
    func framesAreThoseOfTheWholeClip(effect: [String], stretch: Int) throws {
        let folder = try inputs()
        func run(_ output: String, _ options: [String]) throws -> [Frame] {
            let run = try vfx(
                [effect[0], "in.mkv", "-o", output, "--codec", "ffv1"] + options + effect.dropFirst(), in: folder)
            #expect(run.status == 0, "\(run.standardError)")
            return try frames(folder, output)
        }
        let whole = try run("whole.mkv", [])
        for (name, options, range) in [
            ("a.mkv", ["--from", "245f", "--to", "256f"], 245..<256),
            ("b.mkv", ["--from", "0:10.2", "--duration", "0.4"], 255..<265),
            ("c.mkv", ["--to", "5f"], 0..<5), ("d.mkv", ["--from", "297f"], 297..<300),
        ] {
            let part = try run(name, options)
            let wanted =
                range.upperBound == 300
                ? Array(whole[(range.lowerBound * stretch)...])
                : Array(whole[range.lowerBound * stretch..<range.upperBound * stretch])
            #expect(part.count == wanted.count, "\(options)")
            for (a, b) in zip(part, wanted) {
                #expect(a.buffer.hasSameSamples(as: b.buffer), "\(options)")
                #expect(a.presentationTime == b.presentationTime - wanted[0].presentationTime, "\(options)")
            }
        }
    }

    @Test func aRateIsSampledFromThePartsFirstFrame() throws {
        let folder = try inputs()
        let run = try vfx(
            "rate", "in.mkv", "-o", "out.mkv", "--fps", "50", "--from", "101f", "--to", "105f", "--codec", "ffv1",
            in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        let part = try frames(folder, "out.mkv"), source = try frames(folder, "in.mkv")
        #expect(part.count == 8)
        for (index, frame) in part.enumerated() where index.isMultiple(of: 2) {
            #expect(frame.buffer.hasSameSamples(as: source[101 + index / 2].buffer))
        }
    }

    @Test func standardInputIsReadThrough() throws {
        let folder = try inputs()
        let options = ["--from", "2", "--to", "3", "--format", "yuv4mpegpipe", "-o", "-"]
        let piped = try vfx(["blur", "-"] + options, input: folder.data("in.y4m"), in: folder)
        #expect(piped.status == 0, "\(piped.standardError)")
        let read = try vfx(["blur", "in.mkv"] + options, in: folder)
        #expect(piped.standardOutput == read.standardOutput)
        #expect(piped.standardOutput.count > 25 * 64 * 48 * 3 / 2)
    }

    @Test func otherStreamsAreCut() throws {
        let folder = try TemporaryFolder()
        let run = try vfx(
            "blur", fixture("all-streams.mkv"), "-o", "out.mkv", "--from", "0.3", "--to", "0.8", in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        let info = try MediaReader(folder.path("out.mkv")).info
        let whole = try MediaReader(fixture("all-streams.mkv")).info
        #expect(info.streams.count == whole.streams.count)
        let chapters = info.chapters.map { [$0.start, $0.end] }
        // The first frame of the part is at 0.304 s.
        let millisecond = { (value: Int64) in MediaTime(value: value, timescale: 1000) }
        #expect(chapters == [[.zero, millisecond(96)], [millisecond(96), millisecond(496)]])
        #expect(info.chapters.map(\.title) == ["One", "Two"])
        let duration = try #require(info.duration)
        #expect(duration > millisecond(490) && duration < millisecond(600))
    }

    @Test(arguments: [
        (
            ["--from", "20"],
            "in.mkv: the part begins at 20.000000 s, but the clip has 300 frames, the last at 11.960000 s"
        ),
        (
            ["--from", "300f"],
            "in.mkv: the part begins at frame 300, but the clip has 300 frames, the last at 11.960000 s"
        ),
        (["--from", "5", "--to", "3"], "the part ends at 3.000000 s, which is not after its beginning at 5.000000 s"),
        (["--from", "5f", "--to", "5f"], "the part ends before frame 5, which is not after its first frame 5"),
        (["--duration", "0"], "a part of 0.000000 s has no frames; its duration must be above 0"),
        (["--to", "3", "--duration", "1"], "--to and --duration are mutually exclusive; give only one of them"),
        (
            ["--from", "2.001", "--to", "2.002"],
            "in.mkv: the part from 2.001000 s to 2.002000 s holds no frame; the next one is at 2.040000 s"
        ),
        (
            ["--from", "soon"],
            "--from 'soon' is no position in a clip; give seconds such as 3.2, a fraction such as 10/3, h:m:s such as 1:02:03.5, or the number of a frame such as 300f"
        ),
        (
            ["--from", "2", "--plan", "job"],
            "--plan divides whole clips; leave out --from, --to and --duration, or cut the part out"
        ),
    ])
    func impossiblePartsAreRefused(options: [String], message: String) throws {
        let folder = try inputs()
        let run = try vfx(["slomo", "in.mkv", "-o", "out.mkv"] + options, in: folder)
        #expect(run.status == 64)
        #expect(run.standardError == "vfx: error: \(message)\n")
        #expect(folder.contents == ["in.mkv", "in.y4m"])
    }

    /// A list with the cuts that are found changes nothing; another list moves the cut, in a part as in the whole.
    @Test func cutsAreTakenFromAList() throws {
        let folder = try inputs()
        let info = try vfx("info", "in.mkv", "--write-cuts", "cuts.txt", in: folder)
        #expect(info.status == 0, "\(info.standardError)")
        #expect(try String(decoding: folder.data("cuts.txt"), as: UTF8.self) == "250f  # 10.000000 s\n")
        _ = try folder.write(Data("# moved\n8\n".utf8), to: "moved.txt")
        func run(_ output: String, _ options: String...) throws -> [Frame] {
            let run = try vfx(["slomo", "in.mkv", "-o", output, "--codec", "ffv1"] + options, in: folder)
            #expect(run.status == 0, "\(run.standardError)")
            return try frames(folder, output)
        }
        let found = try run("found.mkv"), listed = try run("listed.mkv", "--cuts", "cuts.txt")
        #expect(found.count == 599 && found.count == listed.count)
        for (a, b) in zip(found, listed) { #expect(a.buffer.hasSameSamples(as: b.buffer)) }
        let moved = try run("moved.mkv", "--cuts", "moved.txt")
        // Nothing is interpolated across a cut: the frame before it is held.
        #expect(moved[399].buffer.hasSameSamples(as: moved[398].buffer))
        #expect(!found[399].buffer.hasSameSamples(as: found[398].buffer))
        #expect(!moved[499].buffer.hasSameSamples(as: moved[498].buffer))
        let part = try run("part.mkv", "--cuts", "moved.txt", "--from", "198f", "--to", "202f")
        for (a, b) in zip(part, moved[396...]) { #expect(a.buffer.hasSameSamples(as: b.buffer)) }
    }

    @Test(arguments: [
        ("700f\n", "cuts.txt", 65, "cuts.txt: line 1: the cut at frame 700 is after the last frame of in.mkv"),
        (
            "3\n60\n", "cuts.txt", 65,
            "cuts.txt: line 2: the cut at 60.000000 s is after the last frame of in.mkv"
        ),
        ("", "none.txt", 65, "none.txt: the list of cuts cannot be read"),
    ])
    func listsOfAnotherClipAreRefused(text: String, name: String, status: Int32, message: String) throws {
        let folder = try inputs()
        _ = try folder.write(Data(text.utf8), to: "cuts.txt")
        let run = try vfx("slomo", "in.mkv", "-o", "out.mkv", "--cuts", name, in: folder)
        #expect(run.status == status)
        #expect(run.standardError == "vfx: error: \(message)\n")
        #expect(folder.contents == ["cuts.txt", "in.mkv", "in.y4m"])
    }
}
