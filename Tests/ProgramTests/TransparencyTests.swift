import FrameCore
import Foundation
import MediaIO
import TestSupport
import Testing

/// Clips of RGB and with alpha, from file to file.
@Suite struct TransparencyTests {
    private static let width = 96, height = 64
    private static let accepting: MediaReaderOptions = {
        var options = MediaReaderOptions()
        options.accepts = { _, _ in true }
        return options
    }()

    /// A disc with a soft edge that moves 4 pixels to the right per frame. What is transparent is loud green.
    private func disc(at time: Double, alpha: Bool = true) throws -> PixelBuffer {
        let format = try PixelFormat(rgbDepth: 8, hasAlpha: alpha)
        return try GeneratedPicture.draw(format, width: Self.width, height: Self.height) { plane, x, y in
            let (u, v) = (Double(x) - 24 - 4 * time, Double(y) - 32)
            let share = min(1, max(0, (16 - (u * u + v * v).squareRoot()) / 4 + 0.5))
            if plane == 3 { return Int(255 * share + 0.5) }
            if share == 0 { return plane == 0 ? 255 : 0 }
            return Int(120 + 60 * sin(u / 3 + Double(plane)) * cos(v / 4))
        }
    }

    private func write(_ count: Int, to path: String, alpha: Bool = true, rate: Int32 = 25) throws {
        let format = try PixelFormat(rgbDepth: 8, hasAlpha: alpha)
        let stream = VideoStreamDescription(
            format: format, width: Self.width, height: Self.height, timeBase: Rational(1, rate),
            nominalFrameRate: Rational(rate, 1))
        let sink = try openSink(path, stream: stream, source: nil)
        for index in 0..<count {
            try sink.write(
                Frame(
                    buffer: try disc(at: Double(index), alpha: alpha),
                    presentationTime: MediaTime(value: Int64(index), timescale: rate),
                    duration: MediaTime(value: 1, timescale: rate)))
        }
        try sink.finish()
    }

    private func read(_ path: String) throws -> [PixelBuffer] {
        let reader = try MediaReader(path, options: Self.accepting)
        var frames: [PixelBuffer] = []
        while let frame = try reader.nextFrame() { frames.append(frame.buffer) }
        return frames
    }

    /// The mean difference of two pictures over a background, where either shows anything.
    private func difference(_ a: PixelBuffer, _ b: PixelBuffer, over background: [Int]) -> Double {
        let (p, q) = ((0..<4).map(a.samples(ofPlane:)), (0..<4).map(b.samples(ofPlane:)))
        var sum = 0.0, count = 0.0
        for index in p[0].indices where p[3][index] > 0 || q[3][index] > 0 {
            for plane in 0..<3 {
                func shown(_ planes: [[UInt16]]) -> Double {
                    let share = Double(planes[3][index]) / 255
                    return share * Double(planes[plane][index]) + (1 - share) * Double(background[plane])
                }
                sum += abs(shown(p) - shown(q))
            }
            count += 3
        }
        return sum / count
    }

    /// Source frames are preserved bit for bit, and no hidden color shows in interpolated frames.
    @Test(arguments: ["in_%02d.png", "in.apng", "in.mkv"], ["out_%02d.png", "out.mkv", "out.apng"])
    func slowMotionKeepsAlpha(input: String, output: String) throws {
        let folder = try TemporaryFolder()
        try write(8, to: folder.path(input))
        let run = try vfx("slomo", input, "-o", output, "--factor", "2", "--overwrite", in: folder)
        #expect(run.status == 0 && !run.standardError.contains("alpha"), "\(run.standardError)")
        let frames = try read(folder.path(output))
        try #require(frames.count == 15)
        for index in 0..<8 { #expect(frames[2 * index].hasSameSamples(as: try disc(at: Double(index)))) }
        for index in 1..<6 {
            let truth = try disc(at: Double(index) + 0.5)
            for background in [[0, 0, 0], [255, 255, 255], [0, 255, 255]] {
                let error = difference(frames[2 * index + 1], truth, over: background)
                #expect(error < 2, "\(error) over \(background)")
            }
        }
    }

    @Test(arguments: ["out_%02d.png", "out.mkv"]) func rgbComesBackBitForBit(output: String) throws {
        let folder = try TemporaryFolder()
        try write(5, to: folder.path("in_%d.png"), alpha: false)
        let codec = output.hasSuffix("mkv") ? ["--codec", "ffv1"] : []
        let run = try vfx(["slomo", "in_%d.png", "-o", output, "--factor", "2", "--overwrite"] + codec, in: folder)
        #expect(run.status == 0 && !run.standardError.contains("note"), "\(run.standardError)")
        let frames = try read(folder.path(output))
        try #require(frames.count == 9)
        for index in 0..<5 {
            #expect(frames[2 * index].hasSameSamples(as: try disc(at: Double(index), alpha: false)))
        }
    }

    /// Every effect keeps the channels.
    @Test(arguments: [
        ["slomo", "--factor", "2"], ["rate", "--fps", "30"], ["blur", "--strength", "40"], ["denoise"],
        ["upscale", "--scale", "2"], ["smooth"], ["enhance", "--chain", "denoise=0.5,upscale=1.5,slomo=0.5,blur=30"],
    ])
    func everyEffectKeepsTheChannels(command: [String]) throws {
        let folder = try TemporaryFolder()
        for (alpha, format) in [(true, "gbrap"), (false, "gbrp")] {
            try write(4, to: folder.path("in_%d.png"), alpha: alpha)
            let run = try vfx(
                command + ["in_%d.png", "-o", "out.mkv", "--codec", "ffv1", "--overwrite"], in: folder)
            #expect(run.status == 0 && !run.standardError.contains("note"), "\(run.standardError)")
            let frames = try read(folder.path("out.mkv"))
            #expect(frames.count > 3 && frames.allSatisfy { $0.format.description == format })
            for name in folder.contents where name.hasPrefix("in_") || name == "times.json" {
                try FileManager.default.removeItem(atPath: folder.path(name))
            }
        }
    }

    /// What cannot hold alpha says so, and can be told to fail.
    @Test func lossesAreTold() throws {
        let folder = try TemporaryFolder()
        try write(3, to: folder.path("in_%d.png"))
        let run = try vfx("slomo", "in_%d.png", "-o", "out.mp4", "--factor", "2", in: folder)
        #expect(run.status == 0 && run.standardError.contains("the alpha channel is left out"))
        let refused = try vfx(
            "slomo", "in_%d.png", "-o", "no.mp4", "--factor", "2", "--fail-on-loss", in: folder)
        #expect(refused.status != 0 && !folder.contents.contains("no.mp4"))
    }

    /// Thumbnails and storyboards are made of transparent clips, too, whole and in parts.
    @Test func extraOutputsShowThem() throws {
        let folder = try TemporaryFolder()
        try write(12, to: folder.path("in.mkv"))
        let run = try vfx(
            "enhance", "in.mkv", "-o", "out.mkv", "--chain", "slomo=0.5", "--storyboard", "board", "--thumbnails",
            "best", in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        #expect(folder.contents.contains("board") && folder.contents.contains("best"))
        #expect(try read(folder.path("out.mkv"))[0].format.hasAlpha)
    }

    /// VP9 stores alpha beside its frames, which parts and segments must keep.
    @Test func dividedJobsKeepAlpha() throws {
        let folder = try TemporaryFolder()
        try write(40, to: folder.path("in.webm"), rate: 1)
        let whole = try vfx("slomo", "in.webm", "-o", "whole.webm", "--factor", "2", in: folder)
        #expect(whole.status == 0, "\(whole.standardError)")
        #expect(try vfx("slomo", "in.webm", "-o", "out.webm", "--factor", "2", "--plan", "job", in: folder).status == 0)
        for segment in ["0", "1", "2", "3"] { _ = try vfx("work", "job", "--segment", segment, in: folder) }
        let join = try vfx("join", "job", in: folder)
        #expect(join.status == 0, "\(join.standardError)")
        #expect(try folder.data("out.webm") == folder.data("whole.webm"))
        let frames = try read(folder.path("out.webm"))
        #expect(frames.count == 79 && frames[20].format.description == "yuva420p")
        let alpha = frames[20].samples(ofPlane: 3)
        #expect(alpha.contains(0) && alpha.contains { $0 > 250 })
    }
}
