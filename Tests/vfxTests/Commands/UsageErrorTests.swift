import TestSupport
import Testing
import vfx

/// Invalid command lines: each gives one sentence before any file is touched.
@Suite struct UsageErrorTests {
    @Test(arguments: [
        (
            ["slomo", "./in.y4m", "-o", "./out.y4m", "--phases", "0.5", "--factor", "2"],
            "--phases and --factor are mutually exclusive; give only one of them"
        ),
        (
            ["slomo", "./in.y4m", "-o", "./out.y4m", "--phases", "0,0.5"],
            "phase 0 is not allowed; a phase must be strictly between 0 and 1"
        ),
        (
            ["slomo", "./in.y4m", "-o", "./out.y4m", "--phases", "-0.5"],
            "phase -0.5 is not allowed; a phase must be strictly between 0 and 1"
        ),
        (
            ["slomo", "./in.y4m", "-o", "./out.y4m", "--phases", "0.5,0.2"],
            "phase 0.2 comes after phase 0.5; phases must ascend, each given once"
        ),
        (
            ["slomo", "./in.y4m", "-o", "./out.y4m", "--phases", "a"],
            "phase 'a' is not a number; give decimals such as 0.25 (at most 9 decimal places) or fractions such as 1/3"
        ),
        (
            ["slomo", "./in.y4m", "-o", "./out.y4m", "--factor", "1"],
            "factor 1 is not allowed; it is a whole number from 2 to 256"
        ),
        (
            ["slomo", "./in.y4m", "-o", "./out.y4m", "--factor", "two"],
            "--factor 'two' is not a number above 1 and at most 256, such as 4, 1.5 or 5/2"
        ),
        (
            ["slomo", "./in.y4m", "-o", "./out.y4m", "--factor", "0.5"],
            "factor 1/2 is not allowed; it is a number above 1 and at most 256"
        ),
        (
            ["slomo", "./in.y4m", "-o", "./out.y4m", "--phases", "0.2,0.7"],
            "y4m has no timestamps, so it cannot hold the uneven times of these phases; use evenly spaced ones (--factor, or slomo=x3 in a chain) or a container such as .mkv"
        ),
        (
            ["slomo", "./in.y4m", "-o", "-", "--format", "yuv4mpegpipe", "--phases", "0.2"],
            "y4m has no timestamps, so it cannot hold the uneven times of these phases; use evenly spaced ones (--factor, or slomo=x3 in a chain) or a container such as .mkv"
        ),
        (
            ["slomo", "./in.y4m", "-o", "./out.y4m", "--factor", "2", "--threads", "0"],
            "--threads '0' is not a whole number from 1 to 256"
        ),
        (
            ["slomo", "./in.y4m", "-o", "./out.mp4", "--factor", "2", "--crf", "good"],
            "--crf 'good' is not a number from 0 to 100"
        ),
        (
            ["slomo", "./in.y4m", "-o", "./out.y4m", "--factor", "2", "--quiet", "--verbose"],
            "--quiet and --verbose are mutually exclusive; give only one of them"
        ),
        (
            ["slomo", "./in.y4m", "-o", "./out.y4m", "--factor", "2", "--quality", "best"],
            "the value 'best' is invalid for '--quality <quality>'. Please provide one of 'normal' and 'high'."
        ),
        (
            ["denoise", "./in.y4m", "-o", "./out.mkv", "--grain", "drop"],
            "--grain 'drop' is not keep, add=STRENGTH with a strength from 0 to 32, or add=FILE with a grain table"
        ),
        (
            ["denoise", "./in.y4m", "-o", "./out.mkv", "--grain", "add=33"],
            "the grain strength 33.0 is not allowed; it is a number from 0 to 32"
        ),
        (
            ["denoise", "./in.y4m", "-o", "./out.mkv", "--grain", "add=./missing.tbl"],
            "./missing.tbl: the grain table cannot be read"
        ),
        (
            ["denoise", "./in.y4m", "-o", "./out.mkv", "--grain", "keep", "--codec", "hevc"],
            "./out.mkv: only AV1 video stores film grain, and the codec is hevc; use --codec av1 in .mkv, .mp4 or .webm, or --grain add=STRENGTH, which works with every codec"
        ),
        (
            ["denoise", "./in.y4m", "-o", "./out.y4m", "--grain", "keep"],
            "./out.y4m: only AV1 video stores film grain, and yuv4mpegpipe cannot hold it; use --codec av1 in .mkv, .mp4 or .webm, or --grain add=STRENGTH, which works with every codec"
        ),
        (["slomo", "./in.y4m", "--factor", "2"], "missing expected argument '--output <file>'"),
        (
            ["slomo", "-dash.mp4", "-o", "./out.mp4"],
            "'-dash.mp4' begins like an option; write ./-dash.mp4 for a file of this name"
        ),
        (
            ["slomo", "./in.mp4", "-o", "-h.mp4"],
            "'-h.mp4' begins like an option; write ./-h.mp4 for a file of this name"
        ),
        (
            ["info", "--there.mp4"],
            "'--there.mp4' begins like an option; write ./--there.mp4 for a file of this name"
        ),
        (
            ["slomo", "./in.y4m", "-o", "./out.y4m", "--encoder-threads", "0"],
            "--encoder-threads '0' is not a whole number from 1 to 64"
        ),
        (["slomo", "./in.y4m", "-o", "./out.y4m", "--bogus-option"], "unknown option '--bogus-option'"),
        (["rate", "./in.y4m", "-o", "./out.y4m"], "missing expected argument '--fps <rate>'"),
        (["rate", "./in.y4m", "-o", "./out.y4m", "--fps", "0"], "--fps 0 is not allowed; a frame rate is 1 to 1000"),
        (
            ["rate", "./in.y4m", "-o", "./out.y4m", "--fps", "fast"],
            "--fps 'fast' is not a frame rate; give a number such as 60 or 23.976 or a fraction such as 24000/1001"
        ),
        (
            ["rate", "./in.y4m", "-o", "./out.y4m", "--fps", "50", "--input-fps", "-3"],
            "--input-fps '-3' is not a frame rate; give a number such as 60 or 23.976 or a fraction such as 24000/1001"
        ),
        (
            ["blur", "./in.y4m", "-o", "./out.y4m", "--strength", "0"],
            "--strength '0' is not a whole number from 1 to 100"
        ),
        (
            ["blur", "./in.y4m", "-o", "./out.y4m", "--strength", "101"],
            "--strength '101' is not a whole number from 1 to 100"
        ),
        (
            ["blur", "./in.y4m", "-o", "./out.y4m", "--strength", "-1"],
            "--strength '-1' is not a whole number from 1 to 100"
        ),
        (
            ["blur", "./in.y4m", "-o", "./out.y4m", "--strength", "1.5"],
            "--strength '1.5' is not a whole number from 1 to 100"
        ),
        (
            ["blur", "./in.y4m", "-o", "./out.y4m", "--strength", "nan"],
            "--strength 'nan' is not a whole number from 1 to 100"
        ),
        (
            ["blur", "./in.y4m", "-o", "./out.y4m", "--strength", ""],
            "--strength '' is not a whole number from 1 to 100"
        ),
        (
            ["denoise", "./in.y4m", "-o", "./out.y4m", "--strength", "-0.1"],
            "--strength '-0.1' is not 'auto' or a number from 0 to 1"
        ),
        (
            ["denoise", "./in.y4m", "-o", "./out.y4m", "--strength", "1.5"],
            "--strength '1.5' is not 'auto' or a number from 0 to 1"
        ),
        (
            ["denoise", "./in.y4m", "-o", "./out.y4m", "--strength", "nan"],
            "--strength 'nan' is not 'auto' or a number from 0 to 1"
        ),
        (
            ["denoise", "./in.y4m", "-o", "./out.y4m", "--strength", "inf"],
            "--strength 'inf' is not 'auto' or a number from 0 to 1"
        ),
        (
            ["denoise", "./in.y4m", "-o", "./out.y4m", "--strength", "much"],
            "--strength 'much' is not 'auto' or a number from 0 to 1"
        ),
        (["denoise", "./in.y4m", "-o", "./out.y4m", "--sigma", "-1"], "--sigma '-1' is not a number from 0 to 255"),
        (
            ["denoise", "./in.y4m", "-o", "./out.y4m", "--sigma", "1", "--noise-model", "a"],
            "--sigma and --noise-model are mutually exclusive; give only one of them"
        ),
        (
            ["info", "./in.y4m", "--write-noise", "a", "--fast"],
            "--write-noise needs every frame and --fast decodes only one; give only one of them"
        ),
        (["denoise", "./in.y4m", "-o", "./out.y4m", "--sigma", "300"], "--sigma '300' is not a number from 0 to 255"),
        (["denoise", "./in.y4m", "-o", "./out.y4m", "--sigma", "nan"], "--sigma 'nan' is not a number from 0 to 255"),
        (
            ["denoise", "./in.y4m", "-o", "./out.y4m", "--sigma", "auto"],
            "--sigma 'auto' is not a number from 0 to 255"
        ),
        (
            ["denoise", "./in.y4m", "-o", "./out.y4m", "--strength", "2", "--sigma", "12"],
            "--strength '2' is not 'auto' or a number from 0 to 1"
        ),
        (
            ["denoise", "./in.y4m", "-o", "./out.y4m", "--past", "4"],
            "--past '4' is not a whole number from 0 to 3 (8 with --quality high)"
        ),
        (
            ["denoise", "./in.y4m", "-o", "./out.y4m", "--future", "-1"],
            "--future '-1' is not a whole number from 0 to 3 (8 with --quality high)"
        ),
        (
            ["denoise", "./in.y4m", "-o", "./out.y4m", "--future", "9", "--quality", "high"],
            "--future '9' is not a whole number from 0 to 8"
        ),
        (
            ["denoise", "./in.y4m", "-o", "./out.y4m", "--past", "0", "--future", "0"],
            "--past 0 and --future 0 leave nothing to compare a frame with; at least one of them must be above 0"
        ),
        (["denoise", "./in.y4m", "-o", "./out.y4m", "--at-cut", "blend"], "unknown option '--at-cut'"),
        (["teleport"], "unexpected argument 'teleport'"),
    ])
    func wrongCommandLine(arguments: [String], sentence: String) throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(clip(3), to: "in.y4m")
        #expect(ending(arguments, in: folder) == refusal(sentence))
        #expect(folder.contents == ["in.y4m"])
    }

    @Test(arguments: [
        ([], "no effect is given; use --denoise, --upscale, --slomo or --blur, or --chain, or --recipe"),
        (["--chain", ""], "a chain needs at least one effect"),
        (
            ["--chain", "glow=2"],
            "'glow' is not an effect; the effects are deinterlace, denoise, upscale, slomo, rate, blur, grain, smooth, flow"
        ),
        (
            ["--chain", "blur=3", "--slomo", "0.5"],
            "--recipe, --chain and the effects' own options (--denoise, --upscale, --slomo, --blur) are mutually exclusive; use only one kind"
        ),
        (["--denoise", "3"], "strength 3.0 is not allowed; it must be a number from 0 to 1"),
        (["--blur", "x"], "--blur 'x' is not a whole number from 1 to 100"),
        (["--blur", "9", "--thumbnail-count", "2"], "--thumbnail-count requires --thumbnails"),
        (["--blur", "9", "--storyboard-interval", "2"], "--storyboard-interval requires --storyboard"),
        (["--recipe", "./none.json"], "./none.json: the recipe cannot be read"),
    ])
    func wrongChain(words: [String], sentence: String) throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(clip(3), to: "in.y4m")
        #expect(ending(["enhance", "./in.y4m", "-o", "./out.mkv"] + words, in: folder) == refusal(sentence))
        #expect(folder.contents == ["in.y4m"])
    }

    @Test(arguments: [
        (["--scale", "0"], "--scale '0' is not a number of 1 to 16, such as 2, 1.5 or 4/3"),
        (["--scale", "-1"], "--scale '-1' is not a number of 1 to 16, such as 2, 1.5 or 4/3"),
        (["--scale", "0.99"], "--scale '0.99' is not a number of 1 to 16, such as 2, 1.5 or 4/3"),
        (["--scale", "17"], "--scale '17' is not a number of 1 to 16, such as 2, 1.5 or 4/3"),
        (["--scale", "nan"], "--scale 'nan' is not a number of 1 to 16, such as 2, 1.5 or 4/3"),
        (["--scale", "2", "--size", "128x96"], "--scale and --size are mutually exclusive; give only one of them"),
        ([], "no output size is given; use --scale or --size, such as --scale 2 or --size 1920x1080"),
        (
            ["--size", "48x48"],
            "48x48 is not allowed as the output size of 64x48; it must be larger in at least one direction and smaller in neither"
        ),
        (
            ["--size", "64x48"],
            "64x48 is not allowed as the output size of 64x48; it must be larger in at least one direction and smaller in neither"
        ),
        (
            ["--size", "2000x96"],
            "2000x96 is not allowed as the output size of 64x48; a side can grow at most 16 times"
        ),
        (["--size", "8193x96"], "--size '8193x96' is not a size such as 1920x1080 with sides of 16 to 8192 pixels"),
        (["--size", "wide"], "--size 'wide' is not a size such as 1920x1080 with sides of 16 to 8192 pixels"),
        (
            ["--scale", "2", "--low-latency", "--quality", "high"],
            "--low-latency has only one quality; leave out --quality high or --low-latency"
        ),
    ])
    func wrongTargets(words: [String], sentence: String) throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(clip(2), to: "in.y4m")
        #expect(ending(["upscale", "./in.y4m", "-o", "./out.y4m"] + words, in: folder) == refusal(sentence))
        #expect(folder.contents == ["in.y4m"])
    }

    @Test(arguments: [
        (["--depth", "0"], "--depth '0' is not a whole number from 1 to 4"),
        (["--depth", "5"], "--depth '5' is not a whole number from 1 to 4"),
        (["--scale", "3"], "--scale '3' is not a whole number from 1 to 2"),
        (
            ["--depth", "2", "--scale", "2"],
            "--scale 2 requires --depth 1; leave out --scale or use that depth"
        ),
    ])
    func wrongSmoothing(words: [String], sentence: String) throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(clip(2), to: "in.y4m")
        #expect(ending(["smooth", "./in.y4m", "-o", "./out.y4m"] + words, in: folder) == refusal(sentence))
        #expect(folder.contents == ["in.y4m"])
    }

    @Test(arguments: [
        (["--count", "0"], "--count '0' is not a whole number from 1 to 100"),
        (["--count", "x"], "--count 'x'"), (["--candidates", "5"], "10 to 2000"),
        (["--format", "gif"], "--format 'gif' is not one of"),
    ])
    func wrongSelection(words: [String], sentence: String) throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(clip(2), to: "in.y4m")
        guard case .failure(let failure) = ending(["thumbnails", "./in.y4m", "-o", "./best"] + words, in: folder) else {
            Issue.record("it is not refused")
            return
        }
        #expect(failure.code == .usage && failure.message.contains(sentence), "\(failure.message)")
        #expect(folder.contents == ["in.y4m"])
    }
}
