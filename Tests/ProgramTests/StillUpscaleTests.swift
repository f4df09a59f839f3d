import FrameCore
import Foundation
import MediaIO
import TestSupport
import Testing

/// `vfx upscale photo.jpg -o photo-x4.png`.
@Suite(.enabled(if: hasTools, "ffmpeg makes some of the pictures")) struct StillUpscaleTests {
    private func picture(
        _ format: PixelFormat = .yuv420p8, alpha: Bool = false, orientation: PictureOrientation = .up
    ) throws -> StillPicture {
        let frame = Frame(
            buffer: try GeneratedPicture.waves(format, width: 48, height: 40), presentationTime: .zero,
            color: ColorDescription(
                matrix: .smpte170M, primaries: .bt709, transfer: .sRGB, range: .full, chromaLocation: .center))
        let plane = try GeneratedPicture.draw(
            PixelFormat(subsampling: .monochrome, bitDepth: format.bitDepth), width: 48, height: 40
        ) { _, x, _ in x < 24 ? 255 : 40 }
        return StillPicture(frame: frame, alpha: alpha ? plane : nil, orientation: orientation)
    }

    private func write(_ still: StillPicture, _ name: String, _ format: StillFormat, in folder: TemporaryFolder) throws
    {
        _ = try folder.write(
            Data(try StillCodec().encode(still, as: format, options: StillOptions(quality: 95)).bytes), to: name)
    }

    @Test(arguments: [("png", StillFormat.png), ("webp", .webp)])
    func transparencyGrowsToo(_ name: String, _ format: StillFormat) throws {
        let folder = try TemporaryFolder()
        try write(
            picture(PixelFormat(subsampling: .yuv444, bitDepth: 8), alpha: true), "in.\(name)", format, in: folder)
        let run = try vfx("upscale", "in.\(name)", "-o", "out.png", "--scale", "4", in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        let (still, _) = try StillCodec().read(folder.path("out.png"))
        #expect(still.frame.buffer.width == 192 && still.frame.buffer.height == 160)
        let alpha = try #require(still.alpha).samples(ofPlane: 0)
        #expect(alpha[80 * 192 + 20] == 255 && alpha[80 * 192 + 170] == 40)
        // In a format without transparency it is dropped with a note.
        let flat = try vfx("upscale", "in.\(name)", "-o", "out.jpg", "--scale", "2", in: folder)
        #expect(flat.status == 0 && flat.standardError.contains("JPEG does not support transparency; it is left out"))
    }

    @Test func sixteenBitsAreKept() throws {
        let folder = try TemporaryFolder()
        try write(picture(PixelFormat(subsampling: .yuv444, bitDepth: 16)), "in.png", .png, in: folder)
        let run = try vfx("upscale", "in.png", "-o", "out.png", "--scale", "2", in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        let (still, _) = try StillCodec().read(folder.path("out.png"))
        #expect(still.frame.buffer.format.bitDepth == 16 && still.frame.buffer.width == 96)
        // More than 8 bits can hold.
        #expect(Set(still.frame.buffer.samples(ofPlane: 0)).count > 400)
    }

    @Test(arguments: [PictureOrientation.right, .down, .leftMirrored])
    func theTurnIsKept(_ orientation: PictureOrientation) throws {
        let folder = try TemporaryFolder()
        try write(picture(orientation: orientation), "in.jpg", .jpeg, in: folder)
        for name in ["out.jpg", "out.png", "out.webp"] {
            let run = try vfx("upscale", "in.jpg", "-o", name, "--scale", "2", in: folder)
            #expect(run.status == 0, "\(run.standardError)")
            let (still, _) = try StillCodec().read(folder.path(name))
            #expect(still.orientation == orientation && still.frame.buffer.width == 96)
        }
        // As displayed, the sides of a rotated image are swapped.
        let size = orientation.swapsSides ? "80x96" : "96x80"
        let run = try vfx("upscale", "in.jpg", "-o", "sized.jpg", "--size", size, in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        #expect(try StillCodec().read(folder.path("sized.jpg")).picture.frame.buffer.width == 96)
        let plain = try vfx("upscale", "in.jpg", "-o", "out.bmp", "--scale", "2", in: folder)
        #expect(plain.status == 64 && plain.standardError.contains("cannot store the orientation of the image"))
        #expect(!folder.contents.contains("out.bmp"))
    }

    /// The mean over four rotations does not depend on how a picture is turned; that over two, as for video, does.
    @Test(arguments: ["out.png", "out_%d.png"])
    func atHighQualityATurnedPictureGivesATurnedResult(_ output: String) throws {
        let folder = try TemporaryFolder(), grey = try PixelFormat(subsampling: .monochrome, bitDepth: 8)
        let upright = try GeneratedPicture.texture(grey, width: 48, height: 40).samples(ofPlane: 0)
        func larger(_ name: String, width: Int, height: Int, _ value: (_ x: Int, _ y: Int) -> UInt16) throws -> [UInt16]
        {
            let buffer = try GeneratedPicture.draw(grey, width: width, height: height) { _, x, y in Int(value(x, y)) }
            let still = StillPicture(frame: Frame(buffer: buffer, presentationTime: .zero))
            try write(still, "\(name).png", .png, in: folder)
            let words = ["--scale", "2", "--quality", "high", "--input-type", "image", "--overwrite"]
            let run = try vfx(["upscale", "\(name).png", "-o", output] + words, in: folder)
            #expect(run.status == 0, "\(run.standardError)")
            let path = folder.path(output.replacingOccurrences(of: "%d", with: "1"))
            return try StillCodec().read(path).picture.frame.buffer.samples(ofPlane: 0)
        }
        let plain = try larger("plain", width: 48, height: 40) { upright[$1 * 48 + $0] }
        let turned = try larger("turned", width: 40, height: 48) { upright[(39 - $0) * 48 + $1] }
        #expect(plain.count == 4 * upright.count && Set(plain).count > 20)
        for y in 0..<96 {
            for x in 0..<80 { #expect(turned[y * 80 + x] == plain[(79 - x) * 96 + y], "\(x), \(y)") }
        }
    }

    /// JPEG at a low quality; the same picture as PNG shows no compression.
    @Test(arguments: ["normal", "high"]) func blockingIsReduced(_ quality: String) throws {
        let folder = try TemporaryFolder()
        let scene = MovingScene.translation(1.7, -0.6)
        let buffer = try scene.picture(0, .yuv420p8, width: 240, height: 176)
        let color = ColorDescription(
            matrix: .smpte170M, primaries: .bt709, transfer: .sRGB, range: .full, chromaLocation: .center)
        let still = StillPicture(frame: Frame(buffer: buffer, presentationTime: .zero, color: color))
        try write(still, "clean.png", .png, in: folder)
        let jpeg = try StillCodec().encode(still, as: .jpeg, options: StillOptions(quality: 15)).bytes
        _ = try folder.write(Data(jpeg), to: "coded.jpg")
        func larger(_ name: String, _ deblock: [String], tells: Bool = false) throws -> [UInt16] {
            let words = ["--scale", "2", "--quality", quality, "--overwrite", "--stats"] + deblock
            let run = try vfx(["upscale", name, "-o", "out.png"] + words, in: folder)
            #expect(run.status == 0, "\(run.standardError)")
            #expect(run.standardError.contains("compression: ") == tells, "\(name) \(deblock)")
            return try StillCodec().read(folder.path("out.png")).picture.frame.buffer.samples(ofPlane: 0)
        }
        #expect(try larger("clean.png", []) == larger("clean.png", ["--deblock", "off"]))
        let reduced = try larger("coded.jpg", [], tells: true)
        #expect(try reduced != larger("coded.jpg", ["--deblock", "off"]))
        #expect(try reduced == larger("coded.jpg", ["--deblock", "auto"], tells: true))
        let estimate = try vfx("upscale", "coded.jpg", "-o", "low.png", "--scale", "2", "--estimate", in: folder)
        #expect(estimate.status == 64 && estimate.standardError.contains("--estimate applies to videos"))
        let lowLatency = try vfx(
            "upscale", "coded.jpg", "-o", "low.png", "--scale", "2", "--low-latency", "--stats", in: folder)
        #expect(lowLatency.status == 0 && !lowLatency.standardError.contains("compression: "))
    }

    /// A photograph that was halved and saved as JPEG is closer to the truth if the network knows how it was compressed, and
    /// closer than with the network for compressed clips, which low latency uses. As PNG, the picture shows it, too.
    @Test(arguments: [30, 75]) func whatAFileStatesHelps(_ quality: Int) throws {
        let folder = try TemporaryFolder()
        func convert(_ input: String, _ filter: String, _ name: String) throws {
            let words = ["-frames:v", "1", "-vf", filter, "-pix_fmt", "rgb24", folder.path(name)]
            _ = try tool("ffmpeg", ["-v", "error", "-y", "-i", input] + words)
        }
        try convert(fixture("dog.mp4"), "crop=iw/4*4:ih/4*4,format=gray", "truth.png")
        try convert(folder.path("truth.png"), "scale=iw/2:ih/2:flags=area", "half.png")
        let half = try StillCodec().read(folder.path("half.png")).picture
        let jpeg = try StillCodec().encode(half, as: .jpeg, options: StillOptions(quality: quality)).bytes
        _ = try folder.write(Data(jpeg), to: "coded.jpg")
        try write(StillCodec().decode(jpeg), "coded.png", .png, in: folder)
        let truth = try StillCodec().read(folder.path("truth.png")).picture.frame.buffer
        func psnr(_ name: String, _ words: [String]) throws -> Double {
            let run = try vfx(["upscale", name, "-o", "out.png", "--scale", "2", "--overwrite"] + words, in: folder)
            #expect(run.status == 0, "\(run.standardError)")
            return try PictureDifference(StillCodec().read(folder.path("out.png")).picture.frame.buffer, truth).psnr
        }
        let told = try psnr("coded.jpg", []), shown = try psnr("coded.png", [])
        let untold = try psnr("coded.jpg", ["--deblock", "off"]), clip = try psnr("coded.jpg", ["--low-latency"])
        #expect(told > untold + 0.1 && told > clip + 0.05, "\(told), \(untold), \(clip)")
        #expect(shown > untold + 0.05 && shown > clip + 0.03, "\(shown)")
    }

    @Test func aPictureKeepsItsColors() throws {
        let folder = try TemporaryFolder()
        let source = try GeneratedPicture.draw(.yuv420p8, width: 48, height: 40) { plane, _, _ in [150, 90, 180][plane]
        }
        let color = ColorDescription(
            matrix: .smpte170M, primaries: .bt709, transfer: .sRGB, range: .full, chromaLocation: .center)
        try write(
            StillPicture(frame: Frame(buffer: source, presentationTime: .zero, color: color)), "in.jpg", .jpeg,
            in: folder)
        _ = try vfx("upscale", "in.jpg", "-o", "out.png", "--scale", "3", in: folder)
        func mean(_ file: String) throws -> [Int] {
            let raw = folder.path(file + ".rgb")
            _ = try tool(
                "ffmpeg",
                [
                    "-v", "error", "-i", folder.path(file), "-vf", "scale=1:1", "-f", "rawvideo", "-pix_fmt", "rgb24",
                    raw,
                ])
            return try Data(contentsOf: URL(fileURLWithPath: raw)).prefix(3).map { Int($0) }
        }
        for (a, b) in zip(try mean("in.jpg"), try mean("out.png")) { #expect(abs(a - b) <= 2) }
    }

    @Test func moreThanOnePictureIsRefused() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Y4M.encode(clip(3)), to: "in.y4m")
        _ = try tool("ffmpeg", ["-v", "error", "-i", folder.path("in.y4m"), folder.path("in.gif")])
        _ = try tool("ffmpeg", ["-v", "error", "-i", folder.path("in.y4m"), "-f", "apng", folder.path("in.png")])
        for name in ["in.y4m", "in.gif", "in.png"] {
            let run = try vfx("upscale", name, "-o", "out.png", "--scale", "2", in: folder)
            #expect(run.status == 64, "\(run.standardError)")
            #expect(run.standardError.contains("\(name): this holds more than one frame and 'out.png' only one"))
        }
        #expect(!folder.contents.contains("out.png"))
        // Animated images are videos.
        let moving = try vfx("upscale", "in.gif", "-o", "out.webp", "--scale", "2", in: folder)
        #expect(moving.status == 0, "\(moving.standardError)")
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: folder.path("out.webp"))).dropFirst(12).starts(with: "VP8X".utf8))
        let divided = try vfx("upscale", "in.gif", "-o", "out.apng", "--scale", "2", "--plan", "job", in: folder)
        #expect(divided.standardError.contains("animated images are not encoded in segments"))
        // Numbered images count as a video.
        let many = try vfx("upscale", "in.gif", "-o", "p_%02d.png", "--scale", "2", in: folder)
        #expect(many.status == 0 && folder.contents.contains("p_03.png"))
    }

    @Test func lossesAreErrorsIfWanted() throws {
        let folder = try TemporaryFolder()
        try write(
            picture(PixelFormat(subsampling: .yuv444, bitDepth: 8), alpha: true), "in.png", .png, in: folder)
        for name in ["out.jpg", "out.bmp"] {
            let arguments = ["upscale", "in.png", "-o", name, "--scale", "2"]
            let refused = try vfx(arguments + ["--fail-on-loss"], in: folder)
            #expect(refused.status == 73 && refused.errorLines.count == 1, "\(refused.standardError)")
            #expect(refused.standardError.contains("--fail-on-loss") && folder.contents == ["in.png"])
        }
        let kept = try vfx("upscale", "in.png", "-o", "out.webp", "--scale", "2", "--fail-on-loss", in: folder)
        #expect(kept.status == 0, "\(kept.standardError)")
        // Notes have codes.
        let run = try vfx("upscale", "in.png", "-o", "out.jpg", "--scale", "2", "--json", in: folder)
        let note = try #require(try events(run.outputText).first { $0["code"] as? String == "alpha-dropped" })
        #expect(note["type"] as? String == "note" && note["loss"] as? Bool == true)
    }

    @Test func damageIsToldAndRefusedIfWanted() throws {
        let folder = try TemporaryFolder()
        // A second image begins, and the file ends inside it.
        _ = try folder.write(Y4M.encode(clip(2)).dropLast(1000), to: "in.y4m")
        let run = try vfx("upscale", "in.y4m", "-o", "out.png", "--scale", "2", in: folder)
        #expect(run.status == 3, "\(run.standardError)")
        #expect(run.standardError.contains("vfx: warning: ") && folder.contents.contains("out.png"))
        let strict = try vfx("upscale", "in.y4m", "-o", "strict.png", "--scale", "2", "--strict", in: folder)
        #expect(strict.status == 65 && strict.errorLines.count == 1, "\(strict.standardError)")
        #expect(folder.contents == ["in.y4m", "out.png"])
    }

    @Test(arguments: [
        ["--codec", "h264"], ["--crf", "20"], ["--preset", "fast"], ["--resume"], ["--plan-by-decoding"],
    ])
    func whatIsForVideosIsRefused(words: [String]) throws {
        let folder = try TemporaryFolder()
        try write(picture(), "in.jpg", .jpeg, in: folder)
        let run = try vfx(["upscale", "in.jpg", "-o", "out.png", "--scale", "2"] + words, in: folder)
        #expect(run.status == 64 && run.errorLines.count == 1 && run.standardError.contains(words[0]))
        #expect(folder.contents == ["in.jpg"])
    }

    @Test(arguments: [
        ["--scale", "0"], ["--scale", "nan"], ["--size", "10x10"], ["--size", "20x40"], ["--scale", "17"],
    ])
    func wrongTargets(words: [String]) throws {
        let folder = try TemporaryFolder()
        try write(picture(), "in.jpg", .jpeg, in: folder)
        let run = try vfx(["upscale", "in.jpg", "-o", "out.png"] + words, in: folder)
        #expect(run.status == 64 && run.errorLines.count == 1)
        #expect(folder.contents == ["in.jpg"])
    }
}
