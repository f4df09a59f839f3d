import FrameCore
import Foundation
import MediaIO
import TestSupport
import Testing

/// `vfx upscale --scale 1`, which reduces blocking and ringing.
@Suite(.enabled(if: hasTools, "ffmpeg makes the clips")) struct RestorationTests {
    private func psnr(_ one: [UInt16], _ other: [UInt16]) -> Double {
        let sum = zip(one, other).reduce(0.0) { $0 + pow(Double($1.0) - Double($1.1), 2) }
        return 10 * log10(255 * 255 * Double(one.count) / max(sum, 1e-9))
    }

    private func luma(_ name: String, in folder: TemporaryFolder) throws -> [UInt16] {
        try StillCodec().read(folder.path(name)).picture.frame.buffer.samples(ofPlane: 0)
    }

    private func photograph(in folder: TemporaryFolder) throws {
        let words = ["-frames:v", "1", "-vf", "scale=-2:241:flags=area,format=gray", folder.path("truth.png")]
        _ = try tool("ffmpeg", ["-v", "error", "-y", "-i", fixture("dog.mp4")] + words)
    }

    /// Compressed images come closer to the truth; more so in four rotations.
    @Test(arguments: [("jpg", StillFormat.jpeg, 10, 0.2), ("jpg", .jpeg, 30, 0.02), ("webp", .webp, 10, 0)])
    func imagesAreCleaned(name: String, format: StillFormat, quality: Int, gain: Double) throws {
        let folder = try TemporaryFolder()
        try photograph(in: folder)
        let still = try StillCodec().read(folder.path("truth.png")).picture
        let bytes = try StillCodec().encode(still, as: format, options: StillOptions(quality: quality)).bytes
        _ = try folder.write(Data(bytes), to: "coded.\(name)")
        let truth = try luma("truth.png", in: folder)
        let before = try psnr(luma("coded.\(name)", in: folder), truth)
        for (quality, more) in [("normal", 0), ("high", 0.01)] {
            let words = ["--scale", "1", "--quality", quality, "--overwrite", "--stats"]
            let run = try vfx(["upscale", "coded.\(name)", "-o", "out.png"] + words, in: folder)
            #expect(run.status == 0, "\(run.standardError)")
            let after = try psnr(luma("out.png", in: folder), truth)
            #expect(after > before + gain + more, "\(quality): \(before), \(after)")
        }
    }

    /// Images that show no compression keep their samples, transparency and metadata, and a note says so.
    @Test func cleanImagesStay() throws {
        let folder = try TemporaryFolder()
        let format = try PixelFormat(subsampling: .monochrome, bitDepth: 8)
        let frame = Frame(
            buffer: try GeneratedPicture.waves(format, width: 49, height: 41), presentationTime: .zero,
            color: ColorDescription(
                matrix: .smpte170M, primaries: .bt709, transfer: .sRGB, range: .full, chromaLocation: .center))
        let alpha = try GeneratedPicture.flat(
            77, PixelFormat(subsampling: .monochrome, bitDepth: 8), width: 49, height: 41)
        let still = StillPicture(frame: frame, alpha: alpha)
        let bytes = try StillCodec().encode(still, as: .png, options: StillOptions()).bytes
        _ = try folder.write(Data(bytes), to: "in.png")
        let run = try vfx("upscale", "in.png", "-o", "out.png", "--scale", "1", in: folder)
        #expect(run.status == 0 && run.standardError.contains("no compression could be measured in the image"))
        let before = try StillCodec().read(folder.path("in.png")).picture
        let after = try StillCodec().read(folder.path("out.png")).picture
        #expect(after.frame.buffer.hasSameSamples(as: before.frame.buffer))
        #expect(after.alpha?.samples(ofPlane: 0) == before.alpha?.samples(ofPlane: 0))
    }

    /// A clip that was compressed strongly comes closer to the truth in each plane, and keeps its size and times; parts have
    /// the frames of the whole.
    @Test(arguments: [["-c:v", "mpeg2video", "-q:v", "20"], ["-c:v", "libx264", "-crf", "36"]])
    func clipsAreCleaned(codec: [String]) throws {
        let folder = try TemporaryFolder()
        func convert(_ input: String, _ words: [String], _ name: String) throws {
            _ = try tool("ffmpeg", ["-v", "error", "-i", input] + words + [folder.path(name)])
        }
        try convert(fixture("dog.mp4"), ["-frames:v", "8", "-an", "-vf", "scale=242:178:flags=area"], "in.y4m")
        try convert(folder.path("in.y4m"), codec, "coded.mkv")
        try convert(folder.path("coded.mkv"), ["-pix_fmt", "yuv420p"], "coded.y4m")
        let run = try vfx("upscale", "coded.mkv", "-o", "-", "--format", "yuv4mpegpipe", "--scale", "1", in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        func contents(_ name: String) throws -> [Data] {
            let bytes = try #require(FileManager.default.contents(atPath: folder.path(name)))
            return try #require(Y4M.decode(bytes)).frames
        }
        let (truth, coded) = try (contents("in.y4m"), contents("coded.y4m"))
        let made = try #require(Y4M.decode(run.standardOutput)).frames, count = 242 * 178
        #expect(made.count == 8)
        func luma(_ frame: Data) -> [UInt16] { frame.prefix(count).map(UInt16.init) }
        for index in made.indices {
            let before = psnr(luma(coded[index]), luma(truth[index]))
            let after = psnr(luma(made[index]), luma(truth[index]))
            #expect(after > before, "frame \(index): \(before), \(after)")
            #expect(made[index].count == truth[index].count && made[index] != coded[index])
        }
        let part = try vfx(
            "upscale", "coded.mkv", "-o", "-", "--format", "yuv4mpegpipe", "--scale", "1", "--from", "5f", in: folder)
        #expect(Y4M.decode(part.standardOutput)?.frames == Array(made.suffix(3)))
    }

    /// A raw clip is passed through untouched, with a note.
    @Test func cleanClipsStay() throws {
        let folder = try TemporaryFolder(), scene = MovingScene.translation(1.7, -0.6)
        let frames = try (0..<3).map { try scene.picture(Float($0), .yuv420p8, width: 242, height: 178) }
        let clip = try Y4M.encode(frames)
        _ = try folder.write(clip, to: "in.y4m")
        let run = try vfx("upscale", "in.y4m", "-o", "-", "--format", "yuv4mpegpipe", "--scale", "1", in: folder)
        #expect(run.status == 0 && run.standardError.contains("no compression could be measured in the source"))
        #expect(Y4M.decode(run.standardOutput)?.frames == Y4M.decode(clip)?.frames)
    }

    @Test func optionsOfEnlargingAreRefused() throws {
        let folder = try TemporaryFolder()
        for (words, sentence) in [
            (["--low-latency"], "--low-latency enlarges frames"),
            (["--deblock", "off"], "--deblock leaves nothing to do"),
            (["--input-type", "video"], "--input-type takes detail from neighbouring frames"),
        ] {
            let run = try vfx(
                ["upscale", fixture("dog.mp4"), "-o", "out.mp4", "--scale", "1"] + words, in: folder)
            #expect(run.status == 64 && run.standardError.contains(sentence), "\(run.standardError)")
        }
        #expect(folder.contents.isEmpty)
    }
}
