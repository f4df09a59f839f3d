import FrameCore
import Foundation
import MediaIO
import TestSupport
import Testing

/// Parts of clips: `--from`, `--to` and `--duration`.
@Suite struct PartTests {
    /// A clip of 300 frames at 25 frames/s with a cut at frame 250, in Matroska.
    private static let made: Result<TemporaryFolder, any Error> = Result {
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

    /// A folder of its own with the clip.
    private func inputs() throws -> TemporaryFolder {
        let clip = try Self.made.get(), folder = try TemporaryFolder()
        for name in clip.contents {
            try FileManager.default.linkItem(atPath: clip.path(name), toPath: folder.path(name))
        }
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
        // The video starts at 0.064 s of the file, and the part with its ninth frame, at 0.384 s.
        let millisecond = { (value: Int64) in MediaTime(value: value, timescale: 1000) }
        #expect(chapters == [[.zero, millisecond(16)], [millisecond(16), millisecond(480)]])
        #expect(info.chapters.map(\.title) == ["One", "Two"])
        let duration = try #require(info.duration)
        #expect(duration > millisecond(470) && duration < millisecond(600))
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

    /// The frames of motion of a part equal those of the whole clip.
    @Test func partsOfFlow() throws {
        let folder = try inputs()
        func run(_ output: String, _ options: String...) throws -> [Frame] {
            let run = try vfx(
                ["flow", "in.mkv", "-o", output, "--codec", "ffv1", "--max-motion", "8"] + options, in: folder)
            #expect(run.status == 0, "\(run.standardError)")
            return try frames(folder, output)
        }
        let whole = try run("whole.mkv"), part = try run("part.mkv", "--from", "240f", "--to", "252f")
        #expect(part.count == 12)
        for (a, b) in zip(part, whole[240...]) { #expect(a.buffer.hasSameSamples(as: b.buffer)) }
        let pair = try vfx("flow", "in.mkv", "-o", "a.png", "--at", "2", "--from", "1", in: folder)
        #expect(pair.status == 64)
        #expect(pair.standardError.contains("--from, --to and --duration apply to a whole clip"))
    }

    /// The survey is that of the part; times and numbers of frames are those of the clip.
    @Test func partsOfInfo() throws {
        let folder = try inputs()
        let run = try vfx(
            "info", "in.mkv", "--from", "9", "--to", "11", "--write-cuts", "cuts.txt", "--json", in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        let event = try #require(try JSONSerialization.jsonObject(with: run.standardOutput) as? [String: Any])
        let part = try #require(event["part"] as? [String: Any]),
            survey = try #require(event["survey"] as? [String: Any])
        #expect(part["first_frame"] as? Int == 225)
        #expect(survey["frames"] as? Int == 50)
        let cuts = try #require((survey["cuts"] as? [String: Any])?["at"] as? [[String: Any]])
        #expect(cuts.map { $0["frame"] as? Int } == [250])
        #expect(try String(decoding: folder.data("cuts.txt"), as: UTF8.self) == "250f  # 10.000000 s\n")
        // The numbers of the frames of a pipe are unknown.
        let piped = try vfx(
            ["info", "-", "--from", "9", "--to", "11", "--write-cuts", "-"], input: folder.data("in.y4m"), in: folder)
        #expect(String(decoding: piped.standardOutput, as: UTF8.self) == "10.000000\n")
    }

    /// A second clip that was made from the whole of the first one is compared from the part's first frame on, and one
    /// that was made from the part from its own first frame on.
    @Test func partsOfComparisons() throws {
        let folder = try inputs()
        let part = ["--from", "100f", "--to", "150f"]
        for (name, options) in [
            ("whole.mkv", []), ("part.mkv", part), ("slow.mkv", ["--factor", "2"]),
            ("slowpart.mkv", ["--factor", "2"] + part),
        ] {
            let effect = options.contains("--factor") ? "slomo" : "denoise"
            let more = effect == "denoise" ? ["--sigma", "2"] : []
            let run = try vfx([effect, "in.mkv", "-o", name, "--codec", "ffv1"] + options + more, in: folder)
            #expect(run.status == 0, "\(run.standardError)")
        }
        func compare(_ name: String, _ options: String...) throws -> [String: Any] {
            let run = try vfx(["compare", "in.mkv", name, "--json"] + part + options, in: folder)
            #expect(run.status == 0, "\(run.standardError)")
            return try #require(try JSONSerialization.jsonObject(with: run.standardOutput) as? [String: Any])
        }
        let whole = try compare("whole.mkv"), alone = try compare("part.mkv")
        #expect(whole["pairs"] as? Int == 50 && alone["pairs"] as? Int == 50)
        // Not equal, but as unlike the source in one as in the other.
        #expect(whole["equal"] as? Int == 0)
        #expect(whole["psnr"] as? [Double] == alone["psnr"] as? [Double])
        // Every other frame of slow motion is a frame of the source.
        for (name, options) in [("slow.mkv", []), ("slowpart.mkv", ["--stretch", "2"]), ("slowpart.mkv", [])] {
            let slow = try vfx(["compare", "in.mkv", name, "--json"] + part + options, in: folder)
            let event = try #require(try JSONSerialization.jsonObject(with: slow.standardOutput) as? [String: Any])
            #expect(event["pairs"] as? Int == 50 && event["equal"] as? Int == 50, "\(name)")
            #expect(event["only_after"] as? Int == 50, "\(name)")
        }
    }

    /// A half made twice as slow is as long as the whole; the pictures tell which it is.
    @Test func aHalfMadeTwiceAsSlowIsRecognized() throws {
        let folder = try inputs()
        let half = ["--from", "150f"]
        for (name, options) in [
            ("slow.mkv", ["slomo", "--factor", "2"] + half), ("same.mkv", ["rate", "--fps", "25"]),
        ] {
            let run = try vfx([options[0], "in.mkv", "-o", name, "--codec", "ffv1"] + options.dropFirst(), in: folder)
            #expect(run.status == 0, "\(run.standardError)")
            let compared = try vfx(["compare", "in.mkv", name, "--json"] + half, in: folder)
            #expect(compared.status == 0, "\(compared.standardError)")
            let event = try #require(try JSONSerialization.jsonObject(with: compared.standardOutput) as? [String: Any])
            #expect(event["equal"] as? Int == 150 && event["pairs"] as? Int == 150, "\(name)")
            #expect(event["stretch"] as? Int == (name == "slow.mkv" ? 2 : 1), "\(name)")
        }
    }

    /// Every option for a time takes the number of a frame.
    @Test func framesAreNamedByTheirNumber() throws {
        let folder = try inputs()
        for (number, time) in [("255f", "0:10.2"), ("0f", "0")] {
            for (name, at) in [("a.png", number), ("b.png", time)] {
                let run = try vfx("still", "in.mkv", "-o", name, "--at", at, "--overwrite", "--no-metadata", in: folder)
                #expect(run.status == 0, "\(run.standardError)")
                let flow = try vfx("flow", "in.mkv", "-o", name + ".flo", "--at", at, "--overwrite", in: folder)
                #expect(flow.status == 0, "\(flow.standardError)")
            }
            #expect(try folder.data("a.png") == folder.data("b.png"))
            #expect(try folder.data("a.png.flo") == folder.data("b.png.flo"))
        }
        let still = try vfx("still", "in.mkv", "-o", "c.png", "--at", "300f", in: folder)
        #expect(still.status == 64)
        #expect(
            still.standardError
                == "vfx: error: in.mkv: frame 300 is after the clip's last frame; it has 300 frames, 0f to 299f, the last at 11.960000 s\n"
        )
        let flow = try vfx("flow", "in.mkv", "-o", "c.flo", "--at", "299f", in: folder)
        #expect(flow.status == 64 && flow.standardError.contains("a frame from 0f to 298f"), "\(flow.standardError)")
        let board = try vfx("storyboard", "in.mkv", "-o", "board", "--interval", "50f", "--json", in: folder)
        let event = try #require(try JSONSerialization.jsonObject(with: board.standardOutput) as? [String: Any])
        #expect(event["interval_ms"] as? Int == 2000 && event["tiles"] as? Int == 6)
        let lookup = try vfx(
            "storyboard", "--lookup", "board/storyboard.vtt", "--at", "3f", "-o", "d.png", in: folder)
        #expect(lookup.status == 64 && lookup.standardError.contains("a track holds none"), "\(lookup.standardError)")
    }

    /// With a threshold of 1, the cut is no longer found; a recipe can hold the threshold.
    @Test func cutsHaveAThreshold() throws {
        let folder = try inputs()
        func run(_ output: String, _ options: [String]) throws -> [Frame] {
            let run = try vfx(
                ["enhance", "in.mkv", "-o", output, "--codec", "ffv1", "--to", "256f"] + options, in: folder)
            #expect(run.status == 0, "\(run.standardError)")
            return try frames(folder, output)
        }
        let chain = ["--chain", "slomo=x2"]
        let found = try run("found.mkv", chain), ignored = try run("ignored.mkv", chain + ["--cut-threshold", "1"])
        #expect(found[499].buffer.hasSameSamples(as: found[498].buffer))
        #expect(!ignored[499].buffer.hasSameSamples(as: ignored[498].buffer))
        let recipe = try vfx(
            ["enhance", "in.mkv", "-o", "x.mkv", "--cut-threshold", "1", "--print-recipe"] + chain, in: folder)
        _ = try folder.write(recipe.standardOutput, to: "r.json")
        let again = try run("again.mkv", ["--recipe", "r.json"])
        for (a, b) in zip(again, ignored) { #expect(a.buffer.hasSameSamples(as: b.buffer)) }
        let smooth = try vfx("smooth", "in.mkv", "-o", "s.mkv", "--cut-threshold", "1", in: folder)
        #expect(smooth.status == 64 && smooth.standardError.contains("this one detects them in its own way"))
    }

    /// A later effect that samples the time begins in the middle of the clip, too.
    @Test func chainsThatEndInARateAreThoseOfTheWholeClip() throws {
        let folder = try inputs()
        func run(_ output: String, _ options: String...) throws -> [Frame] {
            let run = try vfx(
                ["enhance", "in.mkv", "-o", output, "--codec", "ffv1", "--chain", "denoise=sigma=2,rate=25"] + options,
                in: folder)
            #expect(run.status == 0, "\(run.standardError)")
            return try frames(folder, output)
        }
        let whole = try run("whole.mkv"), part = try run("part.mkv", "--from", "285f", "--to", "295f")
        #expect(part.count == 10)
        for (a, b) in zip(part, whole[285...]) { #expect(a.buffer.hasSameSamples(as: b.buffer)) }
    }

    /// Picks come from the part, and the tiles of a storyboard begin with it.
    @Test func partsOfThumbnailsAndStoryboards() throws {
        let folder = try inputs()
        let picks = try vfx(
            "thumbnails", "in.mkv", "-o", "best", "--from", "10.5", "--to", "11.5", "--count", "1", "--json", in: folder
        )
        #expect(picks.status == 0, "\(picks.standardError)")
        let events = try picks.standardOutput.split(separator: 10).map {
            try #require(try JSONSerialization.jsonObject(with: $0) as? [String: Any])
        }
        let pick = try #require(events.first { $0["type"] as? String == "pick" }?["time"] as? [String: Any])
        let time = try #require(pick["value"] as? Double) / #require(pick["timescale"] as? Double)
        #expect(time >= 10.5 && time < 11.5)
        let board = try vfx(
            "storyboard", "in.mkv", "-o", "board", "--from", "2", "--to", "4", "--interval", "0.5", "--json", in: folder
        )
        #expect(board.status == 0, "\(board.standardError)")
        let event = try #require(try JSONSerialization.jsonObject(with: board.standardOutput) as? [String: Any])
        #expect(event["tiles"] as? Int == 4 && event["duration_ms"] as? Int == 2000)
        let page = try String(decoding: folder.data("board/player.html"), as: UTF8.self)
        #expect(page.contains("start: 2000, length: 2000"))
    }

    /// A preview is a part of two seconds, and its page compares it with that part of the input.
    @Test func previews() throws {
        let folder = try inputs()
        let run = try vfx(
            "slomo", "in.mkv", "-o", "out.mkv", "--factor", "2", "--codec", "ffv1", "--preview", "50f",
            "--preview-report",
            "page.html", in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        let part = try vfx(
            "slomo", "in.mkv", "-o", "part.mkv", "--factor", "2", "--codec", "ffv1", "--from", "2", "--to", "4",
            in: folder)
        #expect(part.status == 0, "\(part.standardError)")
        let preview = try frames(folder, "out.mkv")
        #expect(preview.count == 100)
        for (a, b) in zip(preview, try frames(folder, "part.mkv")) { #expect(a.buffer.hasSameSamples(as: b.buffer)) }
        let page = try String(decoding: folder.data("page.html"), as: UTF8.self)
        #expect(page.contains("50 pairs") || page.contains(">50<"))
    }

    /// The estimate of a short job is what the job takes; nothing is written.
    @Test func estimates() throws {
        let folder = try inputs()
        let job = ["slomo", "in.mkv", "-o", "out.mkv", "--factor", "2", "--codec", "ffv1", "--json"]
        let run = try vfx(job + ["--estimate"], in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        #expect(folder.contents == ["in.mkv", "in.y4m"])
        let event = try #require(try JSONSerialization.jsonObject(with: run.standardOutput) as? [String: Any])
        #expect(event["type"] as? String == "estimate")
        #expect(abs(try #require(event["frames"] as? Int) - 599) <= 1)
        #expect(try #require(event["seconds"] as? Double) > 0)
        let made = try vfx(job, in: folder)
        #expect(made.status == 0, "\(made.standardError)")
        let bytes = try Double(#require(event["bytes"] as? Int)), size = try Double(folder.data("out.mkv").count)
        #expect(abs(bytes / size - 1) < 0.2, "\(bytes) of \(size)")
        let part = try vfx(job + ["--estimate", "--from", "100f", "--to", "150f"], in: folder)
        #expect(part.status == 0, "\(part.standardError)")
        #expect(part.outputText.contains("\"frames\": 100,"))
    }

    @Test func impossibleEstimatesAreRefused() throws {
        let folder = try inputs()
        let piped = try vfx(["blur", "-", "-o", "out.mkv", "--estimate"], input: folder.data("in.y4m"), in: folder)
        #expect(piped.status == 65)
        #expect(piped.standardError.contains("cannot be read twice; name a file"))
        let grain = try vfx("denoise", "in.mkv", "-o", "out.mkv", "--grain", "keep", "--estimate", in: folder)
        #expect(grain.status == 64)
        #expect(grain.standardError.contains("--estimate does not measure grain; leave out --grain keep"))
        #expect(folder.contents == ["in.mkv", "in.y4m"])
    }

    /// Motion needs memory, and here only the last places that are sampled have some.
    @Test(.enabled(if: hasTools)) func estimatesTellTheLargestMemoryOfAllPlaces() throws {
        let folder = try TemporaryFolder()
        _ = try tool(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "color=gray:s=640x360:r=25:d=13", "-f", "lavfi", "-i",
                "testsrc2=s=640x360:r=25:d=3", "-filter_complex", "[1]noise=alls=40:allf=t[n];[0][n]concat=n=2",
                "-pix_fmt", "yuv420p", "-c:v", "ffv1", folder.path("in.mkv"),
            ])
        let process = Process(), output = Pipe()
        process.executableURL = ProgramRun.locate("vfx")
        process.arguments = [
            "slomo", "in.mkv", "-o", "out.mkv", "--factor", "2", "--codec", "h264", "--threads", "2", "--estimate",
            "--json",
        ]
        process.currentDirectoryURL = folder.url
        process.environment = ProcessInfo.processInfo.environment.merging(["VFX_CPU": "c"]) { $1 }
        process.standardOutput = output
        try process.run()
        var peak = 0
        while process.isRunning {
            let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
            let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            peak = line.flatMap { Int($0.split(whereSeparator: \.isWhitespace)[1]) } ?? peak
            usleep(10_000)
        }
        #expect(process.terminationStatus == 0)
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let told = try #require(try events(text).last?["peak_memory_kib"] as? Int)
        #expect(peak > 0 && Double(told) >= 0.97 * Double(peak), "\(told) of \(peak) KiB")
    }

    /// A slow job is sampled however short the clip is.
    @Test func estimatesOfSlowJobsAreFasterThanTheJobs() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Y4M.encode(clip(48, width: 640, height: 360)), to: "in.y4m")
        let run = try vfx(
            "upscale", "in.y4m", "-o", "out.mkv", "--scale", "2", "--quality", "high", "--codec", "ffv1", "--threads",
            "1", "--estimate", "--json", environment: ["VFX_CPU": "c"], in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        let event = try #require(try events(run.outputText).last)
        #expect(event["frames"] as? Int == 48)
        let seconds = try #require(event["seconds"] as? Double)
        #expect(try #require(event["sampled_frames"] as? Int) <= 24, "a job of \(seconds) s")
    }

    /// A raw stream is a file already, so the advice to name one would lead nowhere.
    @Test(.enabled(if: hasTools)) func anEstimateOfARawStreamSaysToRemuxIt() throws {
        let folder = try TemporaryFolder()
        _ = try tool("ffmpeg", ["-v", "error", "-i", fixture("dog.mp4"), "-c", "copy", folder.path("in.264")])
        let run = try vfx("blur", "in.264", "-o", "out.mkv", "--estimate", in: folder)
        #expect(run.status == 65)
        #expect(
            run.standardError
                == "vfx: error: in.264: --estimate reads the input at several places, but raw streams are not seekable; remux the stream into a container such as .mkv first\n"
        )
        #expect(folder.contents == ["in.264"])
    }

    /// A higher threshold finds no more cuts, and the highest finds none.
    @Test func cutThreshold() throws {
        let folder = try inputs()
        func cuts(_ options: String...) throws -> Int {
            let run = try vfx(["info", "in.mkv", "--write-cuts", "-"] + options, in: folder)
            #expect(run.status == 0, "\(run.standardError)")
            return run.outputText.split(separator: "\n").count
        }
        #expect(try cuts() == 1)
        #expect(try cuts("--cut-threshold", "0.5") == 1)
        #expect(try cuts("--cut-threshold", "0") >= 1)
        #expect(try cuts("--cut-threshold", "1") == 0)
    }
}
