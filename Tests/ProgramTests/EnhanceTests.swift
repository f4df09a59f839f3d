import FrameCore
import Foundation
import MediaIO
import TestSupport
import Testing

/// `vfx enhance` gives the same result as the single commands.
@Suite struct EnhanceTests {
    private static let single: [(flags: [String], command: [String])] = [
        (["--denoise", "auto"], ["denoise"]), (["--denoise", "0.4"], ["denoise", "--strength", "0.4"]),
        (["--chain", "denoise=sigma=9"], ["denoise", "--sigma", "9"]),
        (["--chain", "denoise=sigma=9/0.5"], ["denoise", "--sigma", "9", "--strength", "0.5"]),
        (["--upscale", "1.5"], ["upscale", "--scale", "1.5"]),
        (["--upscale", "120x90"], ["upscale", "--size", "120x90"]),
        (["--slomo", "0.25,0.5,0.75"], ["slomo", "--phases", "0.25,0.5,0.75"]),
        (["--blur", "70"], ["blur", "--strength", "70"]), (["--chain", "rate=40"], ["rate", "--fps", "40"]),
    ]

    private func pictures(_ count: Int, _ depth: Int) throws -> [PixelBuffer] {
        let format = try PixelFormat(subsampling: depth == 8 ? .yuv420 : .yuv444, bitDepth: depth)
        return try (0..<count).map {
            // Long clips have a cut in the middle.
            $0 < 8
                ? try GeneratedPicture.waves(format, width: 85, height: 59, dx: 4 * $0, dy: $0)
                : try GeneratedPicture.texture(format, width: 85, height: 59, seed: 3)
        }
    }

    private func y4m(_ arguments: [String], _ input: Data) throws -> [Data] {
        let run = try vfx(arguments + ["-", "-o", "-", "--format", "yuv4mpegpipe"], input: input)
        #expect(run.status == 0, "\(arguments): \(run.standardError)")
        return try #require(Y4M.decode(run.standardOutput)).frames
    }

    @Test(arguments: single, [8, 10])
    func aChainOfOneIsTheCommand(pair: (flags: [String], command: [String]), depth: Int) throws {
        let input = try Y4M.encode(pictures(5, depth))
        #expect(try y4m(["enhance"] + pair.flags, input) == y4m(pair.command, input))
    }

    /// The same result through lossless intermediate files, with a cut in the clip.
    @Test(arguments: [8, 10], [1, 2, 14])
    func flagsRunInTheirOrder(depth: Int, count: Int) throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Y4M.encode(pictures(count, depth)), to: "in.y4m")
        let run = try vfx(
            "enhance", "in.y4m", "-o", "chain.mkv", "--own-motion", "--codec", "ffv1", "--blur", "60", "--slomo", "0.5",
            "--upscale",
            "3/2", "--denoise", "0.3", in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        let steps = [
            ["denoise", "in.y4m", "-o", "1.mkv", "--strength", "0.3"],
            ["upscale", "1.mkv", "-o", "2.mkv", "--scale", "3/2"],
            ["slomo", "2.mkv", "-o", "3.mkv", "--phases", "0.5"], ["blur", "3.mkv", "-o", "4.mkv", "--strength", "60"],
        ]
        for step in steps {
            let run = try vfx(step + ["--codec", "ffv1"], in: folder)
            #expect(run.status == 0, "\(run.standardError)")
        }
        try expectSameFrames(folder.path("chain.mkv"), folder.path("4.mkv"), count: 2 * count - 1)
    }

    @Test func anyOtherOrderIsAChain() throws {
        let input = try Y4M.encode(pictures(6, 8))
        let first = try y4m(["enhance", "--chain", "slomo=0.5,denoise=sigma=8/0.3,denoise=sigma=8/0.3"], input)
        let other = try y4m(["enhance", "--chain", "denoise=sigma=8/0.3,slomo=0.5"], input)
        #expect(first.count == 11 && other.count == 11 && first != other)
        let slow = try vfx("slomo", "-", "-o", "-", "--format", "yuv4mpegpipe", input: input).standardOutput
        let noise = ["--sigma", "8", "--strength", "0.3"]
        let once = try vfx(["denoise", "-", "-o", "-", "--format", "yuv4mpegpipe"] + noise, input: slow)
        #expect(try y4m(["denoise"] + noise, once.standardOutput) == first)
    }

    @Test func recipesSayWhatFlagsMean() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Y4M.encode(pictures(5, 8)), to: "in.y4m")
        let flags = ["--denoise", "auto", "--upscale", "2", "--slomo", "0.25,0.5", "--blur", "30"]
        let printed = try vfx(["enhance", "missing.mp4", "-o", "x.mp4", "--print-recipe"] + flags, in: folder)
        #expect(printed.status == 0 && printed.standardError == "")
        _ = try folder.write(printed.standardOutput, to: "recipe.json")
        let again = try vfx("enhance", "a", "-o", "b", "--recipe", "recipe.json", "--print-recipe", in: folder)
        #expect(again.standardOutput == printed.standardOutput)
        let chain = try vfx(
            "enhance", "a", "-o", "b", "--chain", "denoise,upscale=2,slomo=0.25/0.5,blur=30", "--print-recipe")
        #expect(chain.standardOutput == printed.standardOutput)
        for (name, more) in [("flags.mkv", flags), ("recipe.mkv", ["--recipe", "recipe.json"])] {
            let run = try vfx(["enhance", "in.y4m", "-o", name, "--codec", "ffv1"] + more, in: folder)
            #expect(run.status == 0, "\(run.standardError)")
        }
        try expectSameFrames(folder.path("flags.mkv"), folder.path("recipe.mkv"), count: 13)
    }

    @Test func evenPhasesHaveAShortName() throws {
        func recipe(_ options: [String]) throws -> ProgramRun {
            try vfx(["enhance", "in.mkv", "-o", "out.mkv", "--print-recipe"] + options)
        }
        let written = try recipe(["--slomo", "0.25,0.5,0.75"])
        #expect(written.status == 0)
        for option in [["--slomo", "x4"], ["--chain", "slomo=x4"]] {
            let run = try recipe(option)
            #expect(run.status == 0 && run.standardOutput == written.standardOutput)
        }
        let slow = try recipe(["--slomo", "x257"])
        #expect(slow.status == 64 && slow.standardError.contains("a whole number from 2 to 256"))
    }

    @Test func aStillIsReferredElsewhere() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Y4M.encode(clip(1)), to: "in.y4m")
        #expect(try vfx("upscale", "in.y4m", "-o", "in.png", "--scale", "2", in: folder).status == 0)
        let run = try vfx("enhance", "in.png", "-o", "out.mkv", "--denoise", "auto", in: folder)
        #expect(run.status == 65 && run.standardError.contains("vfx upscale"), "\(run.standardError)")
    }

    @Test func unevenTimesNeedTimes() throws {
        let run = try vfx("enhance", "-", "-o", "x.y4m", "--chain", "slomo=0.3,denoise", input: Y4M.encode(clip(3)))
        #expect(run.status == 64)
    }

    @Test func statisticsTellTheBound() throws {
        let run = try vfx(
            "enhance", "-", "-o", "x", "--format", "null", "--denoise", "auto", "--slomo", "0.5", "--stats",
            input: Y4M.encode(clip(12)))
        #expect(run.status == 0)
        for name in [
            "frames in: 12", "frames out: 23", "peak memory: ", "frames alive: at most ", "frames of read alive: ",
            "frames of denoise alive: ", "frames of slomo alive: ", "denoise: 12 frames in, 12 out",
            "denoise noise sigma: ", "slomo: 12 frames in, 23 out",
        ] {
            #expect(run.errorLines.contains { $0.hasPrefix(name) }, "\(name)")
        }
        let json = try vfx(
            "enhance", "-", "-o", "x", "--format", "null", "--denoise", "auto", "--slomo", "0.5", "--json",
            input: Y4M.encode(clip(12)))
        let end = try #require(try events(json.outputText).last)
        let effects = try #require(end["effects"] as? [[String: Any]])
        #expect(effects.map { $0["effect"] as? String } == ["denoise", "repeats", "slomo"])
        let alive = try #require(end["frames_alive"] as? [[String: Any]])
        for part in alive {
            let peak = try #require(part["peak"] as? Int), bound = try #require(part["bound"] as? Int)
            #expect(peak > 0 && peak <= bound)
        }
    }

    private func expectSameFrames(_ first: String, _ second: String, count: Int) throws {
        let (a, b) = (try MediaReader(first), try MediaReader(second))
        var found = 0
        while let frame = try a.nextFrame() {
            let other = try #require(try b.nextFrame())
            #expect(frame.buffer.hasSameSamples(as: other.buffer), "frame \(found)")
            #expect(frame.presentationTime == other.presentationTime)
            found += 1
        }
        #expect(try b.nextFrame() == nil)
        #expect(found == count)
    }
}
