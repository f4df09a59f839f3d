import FrameCore
import Foundation
import MediaIO
import TestSupport
import Testing

/// `vfx upscale` and `vfx smooth` on video.
@Suite struct UpscaleTests {
    private func size(_ data: Data) throws -> String {
        let (header, _) = try #require(Y4M.decode(data))
        return header.split(separator: " ").filter { $0.hasPrefix("W") || $0.hasPrefix("H") }.joined(separator: " ")
    }

    @Test(arguments: [ChromaSubsampling.yuv420, .yuv422, .yuv444, .monochrome], [8, 10, 12])
    func everyFormatGrows(subsampling: ChromaSubsampling, depth: Int) throws {
        let format = try PixelFormat(subsampling: subsampling, bitDepth: depth)
        let input = try Y4M.encode(
            (0..<3).map { try GeneratedPicture.waves(format, width: 37, height: 53, dx: 2 * $0) })
        for (words, wanted) in [
            (["--scale", "2"], "W74 H106"), (["--scale", "1.5"], "W56 H80"),
            (["--scale", "3", "--quality", "high"], "W111 H159"),
            (["--size", "40x100"], "W40 H100"), (["--scale", "2", "--low-latency"], "W74 H106"),
        ] {
            let run = try vfx(["upscale", "-", "-o", "-", "--format", "yuv4mpegpipe"] + words, input: input)
            #expect(run.status == 0, "\(run.standardError)")
            #expect(try size(run.standardOutput) == wanted)
            #expect(Y4M.decode(run.standardOutput)?.frames.count == 3)
        }
    }

    @Test func theShapeOfAPixelMakesUpForAnotherShape() throws {
        let run = try vfx(
            "upscale", "-", "-o", "-", "--format", "yuv4mpegpipe", "--size", "128x192", input: Y4M.encode(clip(2)))
        #expect(try #require(Y4M.decode(run.standardOutput)).header.contains(" A2:1 "))
    }

    @Test func smoothingMultipliesTheRate() throws {
        let input = try Y4M.encode(clip(4))
        let run = try vfx("smooth", "-", "-o", "-", "--format", "yuv4mpegpipe", "--depth", "2", input: input)
        #expect(run.status == 0, "\(run.standardError)")
        let (header, frames) = try #require(Y4M.decode(run.standardOutput))
        #expect(frames.count == 13 && header.contains(" F100:1 "))
        let larger = try vfx("smooth", "-", "-o", "-", "--format", "yuv4mpegpipe", "--scale", "2", input: input)
        #expect(Y4M.decode(larger.standardOutput)?.frames.count == 7)
        #expect(try size(larger.standardOutput) == "W128 H96")
    }

    @Test func statisticsTellLatency() throws {
        let input = try Y4M.encode(clip(5))
        for command in [["upscale", "--scale", "2"], ["upscale", "--scale", "2", "--low-latency"], ["smooth"]] {
            let run = try vfx(
                [command[0], "-", "-o", "x", "--format", "null", "--stats"] + command.dropFirst(), input: input)
            #expect(run.status == 0, "\(run.standardError)")
            for name in ["latency per frame: p50 ", "work per frame: p50 "] {
                let line = try #require(run.errorLines.first { $0.hasPrefix(name) })
                #expect(line.contains(" ms, p95 ") && line.contains(" ms, max ") && line.hasSuffix(" ms"))
            }
        }
    }
}

/// All other streams and metadata in a file are kept.
@Suite(.enabled(if: hasTools, "ffmpeg makes the clip and ffprobe is the witness")) struct UpscaleStreamTests {
    private let allStreams = fixture("all-streams.mkv")

    private func times(_ path: String) throws -> [MediaTime] {
        let reader = try MediaReader(path)
        var times: [MediaTime] = []
        while let frame = try reader.nextFrame() { times.append(frame.presentationTime) }
        return times
    }

    @Test(arguments: [["upscale", "--scale", "2"], ["upscale", "--scale", "2", "--low-latency"]])
    func allStreamsRideAlong(command: [String]) throws {
        let folder = try TemporaryFolder()
        let run = try vfx([command[0], allStreams, "-o", "out.mkv"] + command.dropFirst(), in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        #expect(try times(folder.path("out.mkv")) == times(allStreams))
        let (before, after) = (try MediaReader(allStreams), try MediaReader(folder.path("out.mkv")))
        #expect(after.stream.width == 2 * before.stream.width && after.stream.height == 2 * before.stream.height)
        #expect(after.stream.color == before.stream.color)
        #expect(after.info.streams.count == before.info.streams.count)
        #expect(after.info.chapters.map(\.title) == ["One", "Two"])
        #expect(after.info.metadata["title"] == "Passengers")
    }

    /// For a video with a rotation, sizes are given as displayed.
    @Test func sizesAreThoseShown() throws {
        let folder = try TemporaryFolder()
        _ = try tool(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=96x64:r=10:d=0.4", "-pix_fmt", "yuv420p", "-c:v",
                "libx264", folder.path("flat.mp4"),
            ])
        try turnForDisplay(folder.path("flat.mp4"), to: folder.path("in.mp4"))
        let matrix = try #require(try MediaReader(folder.path("in.mp4")).stream.displayMatrix)
        let run = try vfx("upscale", "in.mp4", "-o", "out.mp4", "--size", "128x192", in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        let out = try MediaReader(folder.path("out.mp4")).stream
        #expect(out.width == 192 && out.height == 128)
        #expect(out.displayMatrix.map { Array($0.prefix(6)) } == Array(matrix.prefix(6)))
    }
}
