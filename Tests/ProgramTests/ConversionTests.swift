import FrameCore
import Foundation
import TestSupport
import Testing

@Suite struct ConversionTests {
    @Test(arguments: [1, 2, 6])
    func slowMotionKeepsSourceFrames(count: Int) throws {
        let folder = try TemporaryFolder()
        let pictures = try clip(count)
        let input = try folder.write(Y4M.encode(pictures), to: "in.y4m")
        let run = try vfx("slomo", input, "-o", folder.path("out.y4m"), "--phases", "0.25,0.5,0.75")
        #expect(run.status == 0)
        #expect(run.standardOutput.isEmpty)
        let (header, frames) = try #require(Y4M.decode(folder.data("out.y4m")))
        #expect(header.contains(" W64 H48 "))
        // The duration of a single frame follows from its stated frame rate.
        #expect(header.contains(count == 1 ? " F25:4 " : " F25:1 "))
        #expect(frames.count == (count - 1) * 4 + 1)
        for (index, picture) in pictures.enumerated() { #expect(frames[4 * index] == Y4M.payload(picture)) }
        #expect(folder.contents == ["in.y4m", "out.y4m"])
    }

    @Test func factorIsTheSameAsEvenPhases() throws {
        let input = try Y4M.encode(clip())
        let a = try vfx("slomo", "-", "-o", "-", "--format", "yuv4mpegpipe", "--phases", "0.25,0.5,0.75", input: input)
        let b = try vfx("slomo", "-", "-o", "-", "--format", "yuv4mpegpipe", "--factor", "4", input: input)
        #expect(a.status == 0)
        #expect(Y4M.decode(a.standardOutput)?.frames.count == 21)
        #expect(a.standardOutput == b.standardOutput)
    }

    @Test(arguments: [ChromaSubsampling.yuv420, .yuv422, .yuv444, .monochrome])
    func oddSizesAndSubsamplingsStay(subsampling: ChromaSubsampling) throws {
        let format = try PixelFormat(subsampling: subsampling, bitDepth: 8)
        let pictures = try (0..<3).map { try GeneratedPicture.waves(format, width: 53, height: 37, dx: 2 * $0) }
        let run = try vfx(
            "slomo", "-", "-o", "-", "--format", "yuv4mpegpipe", "--factor", "2", input: Y4M.encode(pictures))
        #expect(run.status == 0, "\(run.standardError)")
        let frames = try #require(Y4M.decode(run.standardOutput)?.frames)
        #expect(frames.count == 5)
        for (index, picture) in pictures.enumerated() { #expect(frames[2 * index] == Y4M.payload(picture)) }
    }

    @Test func rateConversionCountsAndKeepsCoincidingFrames() throws {
        let pictures = try clip(12)
        let input = try Y4M.encode(pictures, rate: Rational(24000, 1001))
        let run = try vfx("rate", "-", "-o", "-", "--format", "yuv4mpegpipe", "--fps", "60", input: input)
        #expect(run.status == 0, "\(run.standardError)")
        let (header, frames) = try #require(Y4M.decode(run.standardOutput))
        #expect(header.contains(" F60:1 "))
        // 12·1001/24000 s are 30.03 frames of 1/60 s.
        #expect(frames.count == 30)
        #expect(frames.first == Y4M.payload(pictures[0]))
        let down = try vfx("rate", "-", "-o", "-", "--format", "yuv4mpegpipe", "--fps", "12000/1001", input: input)
        let half = try #require(Y4M.decode(down.standardOutput)?.frames)
        #expect(half == (0..<6).map { Y4M.payload(pictures[2 * $0]) })
    }

    @Test func nullWritesNothing() throws {
        let folder = try TemporaryFolder()
        let input = try folder.write(Y4M.encode(clip(8)), to: "in.y4m")
        let run = try vfx("slomo", input, "-o", folder.path("never"), "--format", "null", "--factor", "2", "--stats")
        #expect(run.status == 0)
        #expect(folder.contents == ["in.y4m"])
        #expect(run.errorLines.contains("frames in: 8"))
        #expect(run.errorLines.contains("frames out: 15"))
        for name in [
            "seconds: ", "output frames per second: ", "peak memory: ", "cuts: ", "duplicate source frames: ", "cells ",
        ] {
            #expect(run.errorLines.contains { $0.hasPrefix(name) }, "\(name)")
        }
        #expect(!run.standardError.contains("peak memory: unknown"))
    }

    @Test func jsonLinesTellTheStory() throws {
        let folder = try TemporaryFolder()
        let input = try folder.write(Y4M.encode(clip(8)), to: "in \"quoted\".y4m")
        let run = try vfx("slomo", input, "-o", folder.path("out.y4m"), "--factor", "2", "--json")
        #expect(run.status == 0)
        #expect(run.standardError == "")
        let lines = try events(run.outputText)
        let start = try #require(lines.first)
        #expect(start["type"] as? String == "start")
        #expect(start["input"] as? String == input)
        #expect(start["width"] as? Int == 64)
        #expect(start["pixel_format"] as? String == "yuv420p")
        let progress = lines.filter { $0["type"] as? String == "progress" }
        #expect(progress.last?["frames_written"] as? Int == 15)
        let end = try #require(lines.last)
        #expect(end["type"] as? String == "finished")
        #expect(end["frames_read"] as? Int == 8)
        #expect(end["frames_written"] as? Int == 15)
        #expect(end["source_frames_shown"] as? Int == 8)
        #expect(end["exit_code"] as? Int == 0)
        #expect(end["fallbacks"] is [String: Any])
    }

    @Test func quietSaysNothing() throws {
        let run = try vfx(
            "slomo", "-", "-o", "x", "--format", "null", "--factor", "2", "--quiet", input: Y4M.encode(clip()))
        #expect(run.status == 0)
        #expect(run.standardError == "")
        #expect(run.standardOutput.isEmpty)
    }

    @Test func noCarriageReturnWhereNoTerminalIs() throws {
        let run = try vfx(
            "slomo", "-", "-o", "x", "--format", "null", "--factor", "200", "--verbose", input: Y4M.encode(clip(20)))
        #expect(run.status == 0)
        #expect(!run.standardError.utf8.contains(13))
        #expect(!run.standardError.utf8.contains(27))
        #expect(run.errorLines.last?.hasPrefix("x: 3801 frames from 20 in ") == true)
    }

    @Test func unevenTimesReachTheOutput() throws {
        let folder = try TemporaryFolder()
        let run = try vfx(
            "slomo", "-", "-o", folder.path("f_%03d.png"), "--phases", "0.2,0.7", input: Y4M.encode(clip(3)))
        #expect(run.status == 0, "\(run.standardError)")
        let text = String(decoding: try folder.data("times.json"), as: UTF8.self)
        #expect(folder.contents.count == 8)
        // Three times tᵢ + p·(tᵢ₊₁ − tᵢ), in units of 1/250 s.
        for (value, timescale) in [(3, 125), (21, 250), (3, 25), (18, 125), (51, 250), (6, 25)] {
            #expect(
                text.contains("\"time\": {\"value\": \(value), \"timescale\": \(timescale)}"), "\(value)/\(timescale)")
        }
        #expect(text.contains("\"duration\": {\"value\": 3, \"timescale\": 25}"))
    }

    @Test func mp4GoesThrough() throws {
        let folder = try TemporaryFolder()
        let input = try folder.write(Y4M.encode(clip(10)), to: "in.y4m")
        let run = try vfx("slomo", input, "-o", folder.path("out.mp4"), "--phases", "0.2,0.7")
        #expect(run.status == 0, "\(run.standardError)")
        #expect(folder.contents == ["in.y4m", "out.mp4"])
        let back = try vfx(
            "rate", folder.path("out.mp4"), "-o", folder.path("x"), "--format", "null", "--fps", "25", "--json")
        #expect(back.status == 0, "\(back.standardError)")
        #expect(try events(back.outputText).last?["frames_read"] as? Int == 28)
    }
}
