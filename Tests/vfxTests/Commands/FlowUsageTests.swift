import FrameCore
import Foundation
import MediaIO
import Jobs
import TestSupport
import Testing
import vfx

/// What `vfx flow` rejects, and with which messages.
@Suite struct FlowUsageTests {
    /// Images and clips shared by all cases, because none of them may write to the folder.
    private static let folder = Result {
        let folder = try TemporaryFolder()
        for (index, name) in ["a", "b"].enumerated() {
            for ending in ["png", "jpg"] {
                let format = try ending == "png" ? PixelFormat(subsampling: .yuv444, bitDepth: 8) : .yuv420p8
                let frame = Frame(
                    buffer: try GeneratedPicture.waves(format, width: 192, height: 128, dx: 4 * index),
                    presentationTime: .zero, color: ColorDescription(matrix: .smpte170M, range: .full))
                try SingleFile.write(frame, to: folder.path("\(name).\(ending)"))
            }
        }
        _ = try folder.write(clip(8, width: 192, height: 128), to: "in.y4m")
        _ = try folder.write(clip(1), to: "small.y4m")
        _ = try folder.write(clip(2, width: 8, height: 8), to: "tiny.y4m")
        return folder
    }

    @Test(arguments: [
        (["./a.png", "./nope.png", "-o", "./x.flo"], JobExitCode.noInput, "./nope.png: there is no such file"),
        (["./nope.png", "./b.png", "-o", "./x.flo"], .noInput, "./nope.png: there is no such file"),
        (
            ["./a.png", "./", "-o", "./x.flo"], .badInput,
            "./: the folder holds images of several kinds (jpg, png); name some of them, such as '*.jpg'"
        ),
        (
            ["./a.png", "./small.y4m", "-o", "./x.flo"], .badInput,
            "./a.png is 192x128, ./small.y4m is 64x48; both images must have the same size"
        ),
        (
            ["./tiny.y4m", "-o", "./x.mp4"], .badInput,
            "./tiny.y4m: 8x8 is not supported; pictures must be 16x16 to 8192x8192"
        ),
        (
            ["./in.y4m", "--at", "0.28", "-o", "./x.png"], .usage,
            "./in.y4m: --at 0.280000 s is outside the video; give a time from 0.000000 s to below 0.280000 s, or a frame from 0f to 6f"
        ),
        (
            ["./in.y4m", "--at", "-0.1", "-o", "./x.png"], .usage,
            "./in.y4m: --at -0.100000 s is outside the video; give a time from 0.000000 s to below 0.280000 s, or a frame from 0f to 6f"
        ),
        (["./a.png", "--at", "0", "-o", "./x.png"], .badInput, "./a.png: the video has 1 frame; flow needs two"),
        (
            ["./in.y4m", "--at", "soon", "-o", "./x.png"], .usage,
            "--at 'soon' is not a position in a clip; give seconds such as 3.2, a fraction such as 10/3, h:m:s such as 1:02:03.5, or the number of a frame such as 300f"
        ),
        (
            ["./a.png", "./b.png", "-o", "./x.foo"], .usage,
            "one pair's flow cannot be written as './x.foo'; the extension must be one of .flo, .vfxflow, .bmp, .jpeg, .jpg, .png, .tif, .tiff, .webp"
        ),
        (
            ["./a.png", "./b.png", "-o", "-"], .usage,
            "one pair's flow cannot be written as '-'; the extension must be one of .flo, .vfxflow, .bmp, .jpeg, .jpg, .png, .tif, .tiff, .webp"
        ),
        (["./a.png", "./b.png", "-o", "./no/x.png"], .cannotCreate, "./no/x.png: there is no directory ./no"),
        (
            ["./a.png", "./b.png", "-o", "./a.png", "--overwrite"], .cannotCreate,
            "./a.png: the output is the input itself; give it another name"
        ),
        (
            ["./a.png", "./b.png", "-o", "./b.png", "--overwrite"], .cannotCreate,
            "./b.png: the output is the input itself; give it another name"
        ),
        (
            ["./a.png", "./b.png", "-o", "./a.jpg"], .cannotCreate,
            "./a.jpg: the output already exists; --overwrite replaces it"
        ),
        (
            ["./a.png", "./b.png", "--at", "0", "-o", "./x.png"], .usage,
            "--at applies to a video; two images are already a pair"
        ),
        (
            ["./a.png", "./b.png", "-o", "./x.flo", "--occlusion"], .usage,
            "--arrows, --confidence, --occlusion, --holes and --weights draw images; ./x.flo holds vectors"
        ),
        (
            ["./a.png", "./b.png", "-o", "./x.png", "--occlusion", "--overlay"], .usage,
            "--arrows (--overlay), --confidence, --occlusion, --holes and --weights are mutually exclusive; give only one of them"
        ),
        (
            ["./a.png", "./b.png", "-o", "./x.png", "--phase", "0.5"], .usage,
            "--phase applies to --holes and --weights; give one of them"
        ),
        (
            ["./a.png", "./b.png", "-o", "./x.png", "--holes", "--phase", "1"], .usage,
            "phase 1 is not allowed; a phase must be strictly between 0 and 1"
        ),
        (
            ["./in.y4m", "-o", "./x.y4m", "--weights"], .usage,
            "--holes and --weights show one pair of frames; give a second image or --at"
        ),
        (
            ["./a.png", "./b.png", "-o", "./x.png", "--holes", "--backward"], .usage,
            "--backward has no meaning for --holes and --weights, which use both directions"
        ),
        (
            ["./in.y4m", "-o", "./x.png"], .usage,
            "./x.png holds only one pair; name a second image or use --at, or write the whole clip to a video or to numbered images such as flow_%05d.png"
        ),
        (
            ["./in.y4m", "-o", "./x.flo"], .usage,
            "./x.flo holds only one pair; name a second image or use --at, or write the whole clip to a video or to numbered images such as flow_%05d.png"
        ),
        (
            ["./a.png", "./b.png", "-o", "./x.png", "--codec", "h264"], .usage,
            "--codec, --crf and --preset apply to videos; one pair does not make a video"
        ),
        (
            ["./in.y4m", "--at", "0", "-o", "./x.flo", "--crf", "20"], .usage,
            "--codec, --crf and --preset apply to videos; one pair does not make a video"
        ),
        (
            ["./a.png", "./b.png", "-o", "./x.png", "--preset", "fast"], .usage,
            "--codec, --crf and --preset apply to videos; one pair does not make a video"
        ),
        (
            ["./a.png", "./b.png", "-o", "./x.flo", "--max-motion", "5"], .usage,
            "--max-motion, --legend, --no-legend and --pixel-format apply to images; ./x.flo holds vectors"
        ),
        (
            ["./a.png", "./b.png", "-o", "./x.vfxflow", "--no-legend"], .usage,
            "--max-motion, --legend, --no-legend and --pixel-format apply to images; ./x.vfxflow holds vectors"
        ),
        (
            ["./a.png", "./b.png", "-o", "./x.png", "--confidence", "--max-motion", "5"], .usage,
            "--max-motion, --legend and --no-legend apply to colors and arrows; --confidence, --occlusion, --holes and --weights draw neither"
        ),
        (
            ["./in.y4m", "-o", "./x.mp4", "--occlusion", "--legend"], .usage,
            "--max-motion, --legend and --no-legend apply to colors and arrows; --confidence, --occlusion, --holes and --weights draw neither"
        ),
        (
            ["./in.y4m", "./b.png", "-o", "./x.png"], .usage,
            "./in.y4m: this is a video; name two images, or one video and a time with --at"
        ),
        (
            ["./a.png", "./in.y4m", "-o", "./x.png"], .usage,
            "./in.y4m: this is a video; name two images, or one video and a time with --at"
        ),
        (
            ["./in.y4m", "--at", "0", "-o", "./zz%d.png"], .usage,
            "'./zz%d.png' names an image sequence; one pair makes one image such as flow.png"
        ),
        (
            ["./a.png", "./b.png", "-o", "./x.png", "--max-motion", "0"], .usage,
            "--max-motion '0' is not a number of pixels from 0.01 to 10000"
        ),
    ])
    func whatCannotBeIsNamed(arguments: [String], code: JobExitCode, sentence: String) throws {
        let folder = try Self.folder.get()
        #expect(ending(["flow"] + arguments, in: folder) == refusal(sentence, code))
        #expect(folder.contents == ["a.jpg", "a.png", "b.jpg", "b.png", "in.y4m", "small.y4m", "tiny.y4m"])
    }
}
