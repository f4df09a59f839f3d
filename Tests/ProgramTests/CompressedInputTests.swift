import FrameCore
import Foundation
import MediaIO
import TestSupport
import Testing

/// `vfx upscale` on files that were compressed strongly.
@Suite(.enabled(if: hasTools, "ffmpeg makes the clips")) struct CompressedInputTests {
    /// Makes a clip with ffmpeg.
    private func make(
        _ name: String, frames: Int = 8, width: Int = 240, height: Int = 176, _ words: [String],
        in folder: TemporaryFolder
    ) throws {
        let scene = MovingScene.translation(1.7, -0.6)
        let frames = try (0..<frames).map { try scene.picture(Float($0), .yuv420p8, width: width, height: height) }
        _ = try folder.write(Y4M.encode(frames), to: "in.y4m")
        _ = try tool("ffmpeg", ["-v", "error", "-y", "-i", folder.path("in.y4m")] + words + [folder.path(name)])
    }

    private static let coarse = ["-c:v", "mjpeg", "-q:v", "31"]

    /// Returns the frames of `vfx upscale`, and whether it tells of compression.
    private func output(
        _ name: String, _ words: [String] = [], in folder: TemporaryFolder
    ) throws -> (data: Data, told: Bool) {
        let all = ["upscale", name, "-o", "-", "--format", "yuv4mpegpipe", "--scale", "2", "--stats"] + words
        let run = try vfx(all, in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        return (run.standardOutput, run.standardError.contains("compression: "))
    }

    @Test func keyFramesTell() throws {
        let folder = try TemporaryFolder()
        try make("coarse.mkv", Self.coarse, in: folder)
        try make("fine.mkv", ["-c:v", "mjpeg", "-q:v", "2"], in: folder)
        let coarse = try output("coarse.mkv", in: folder)
        let off = try output("coarse.mkv", ["--deblock", "off"], in: folder)
        #expect(coarse.told && !off.told && coarse.data != off.data)
        // A part is treated as the whole clip is.
        let part = try output("coarse.mkv", ["--from", "4f"], in: folder)
        #expect(part.told && Y4M.decode(part.data)?.frames == Y4M.decode(coarse.data)?.frames.suffix(4))
        let fine = try output("fine.mkv", in: folder), same = try output("fine.mkv", ["--deblock", "off"], in: folder)
        #expect(!fine.told && fine.data == same.data)
        let wrong = try vfx(
            "upscale", "coarse.mkv", "-o", "x.mkv", "--scale", "2", "--low-latency", "--deblock", "off", in: folder)
        #expect(wrong.status == 64 && wrong.standardError.contains("--low-latency always reduces blocking"))
    }

    /// A pipe can be read only once, and the rows of interlaced frames are not neighbours.
    @Test func someInputsAreNotMeasured() throws {
        let folder = try TemporaryFolder()
        try make("coarse.mkv", Self.coarse, in: folder)
        let off = try output("coarse.mkv", ["--deblock", "off"], in: folder)
        let bytes = try #require(FileManager.default.contents(atPath: folder.path("coarse.mkv")))
        let pipe = try vfx(
            ["upscale", "-", "-o", "-", "--format", "yuv4mpegpipe", "--scale", "2", "--stats"], input: bytes)
        #expect(pipe.status == 0 && !pipe.standardError.contains("compression: "), "\(pipe.standardError)")
        #expect(Y4M.decode(pipe.standardOutput)?.frames == Y4M.decode(off.data)?.frames)
        try make(
            "fields.mkv", ["-vf", "setfield=tff", "-c:v", "mpeg2video", "-q:v", "31", "-flags", "+ildct", "-g", "1"],
            in: folder)
        let fields = try output("fields.mkv", ["--fields", "off"], in: folder)
        #expect(!fields.told)
        try make("whole.mkv", ["-c:v", "mpeg2video", "-q:v", "31", "-g", "1"], in: folder)
        #expect(try output("whole.mkv", in: folder).told)
    }

    /// A sequence of JPEG images is a clip of keyframes.
    @Test func numberedImages() throws {
        let folder = try TemporaryFolder()
        try make("%03d.jpg", Self.coarse, in: folder)
        #expect(try output("%03d.jpg", in: folder).told)
    }

    /// Times that begin late do not hide the later keyframes: the first 20 of 32 frames are black.
    @Test(arguments: ["late.ts", "late.mkv"]) func lateTimes(_ name: String) throws {
        let folder = try TemporaryFolder()
        let black = "drawbox=c=black:t=fill:enable='lt(n,20)'"
        let codec = name.hasSuffix("ts") ? ["-c:v", "mpeg2video", "-q:v", "31", "-g", "4"] : Self.coarse
        try make(name, frames: 32, ["-vf", black] + codec + ["-output_ts_offset", "3600"], in: folder)
        #expect(try output(name, in: folder).told)
    }

    /// The only keyframe of a transport stream is found, although it has no index and seeking leads past it.
    @Test func oneKeyFrame() throws {
        let folder = try TemporaryFolder()
        try make("one.ts", frames: 40, ["-c:v", "libx264", "-crf", "38", "-bf", "3"], in: folder)
        #expect(try output("one.ts", in: folder).told)
    }

    /// What is left of a truncated file, or of a sequence with an image that cannot be read, is measured.
    @Test func damagedInputs() throws {
        let folder = try TemporaryFolder()
        try make("whole.avi", frames: 32, Self.coarse, in: folder)
        let bytes = try #require(FileManager.default.contents(atPath: folder.path("whole.avi")))
        _ = try folder.write(bytes.prefix(bytes.count / 2), to: "part.avi")
        try make("%03d.jpg", Self.coarse, in: folder)
        try FileManager.default.removeItem(atPath: folder.path("005.jpg"))
        try FileManager.default.createDirectory(atPath: folder.path("005.jpg"), withIntermediateDirectories: false)
        for name in ["part.avi", "%03d.jpg"] {
            func run(_ words: [String]) throws -> (status: Int32, message: String) {
                let run = try vfx(
                    ["upscale", name, "-o", "x", "--format", "null", "--scale", "2", "--stats"] + words, in: folder)
                return (run.status, run.standardError)
            }
            let auto = try run([]), off = try run(["--deblock", "off"])
            #expect(auto.message.contains("compression: "), "\(auto.message)")
            #expect(auto.status == off.status, "\(name): \(auto.message)")
        }
    }

    /// Keyframes of interlaced video outside the part do not matter.
    @Test func otherPartsMayBeInterlaced() throws {
        let folder = try TemporaryFolder(), codec = ["-c:v", "mpeg2video", "-q:v", "31", "-g", "1"]
        try make("first.ts", frames: 50, codec, in: folder)
        try make(
            "second.ts", ["-vf", "setfield=tff"] + codec + ["-flags", "+ildct", "-output_ts_offset", "2"], in: folder
        )
        let joined = try ["first.ts", "second.ts"].map {
            try #require(FileManager.default.contents(atPath: folder.path($0)))
        }
        _ = try folder.write(joined[0] + joined[1], to: "both.ts")
        #expect(try output("both.ts", ["--duration", "0.2"], in: folder).told)
    }

    @Test func dividedJobsAreTreatedAsOne() throws {
        let folder = try TemporaryFolder()
        let repeated = ["-vf", "loop=loop=9:size=32,setpts=4*PTS", "-r", "6.25"]
        try make("long.mkv", frames: 32, width: 176, height: 144, repeated + Self.coarse, in: folder)
        let words = ["upscale", "long.mkv", "--scale", "2", "--codec", "ffv1", "--threads", "2"]
        let whole = try vfx(words + ["-o", "whole.mkv", "--stats"], in: folder)
        #expect(whole.status == 0 && whole.standardError.contains("compression: "), "\(whole.standardError)")
        #expect(try vfx(words + ["-o", "out.mkv", "--plan", "job", "--quiet"], in: folder).status == 0)
        for segment in [1, 0] {
            let run = try vfx("work", "job", "--segment", "\(segment)", "--quiet", in: folder)
            #expect(run.status == 0, "\(run.standardError)")
        }
        #expect(try vfx("join", "job", "--quiet", in: folder).status == 0)
        #expect(try LongClip.contents(folder.path("out.mkv")) == LongClip.contents(folder.path("whole.mkv")))
    }
}
