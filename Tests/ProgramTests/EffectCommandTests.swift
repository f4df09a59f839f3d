import FrameCore
import Foundation
import TestSupport
import Testing

/// `vfx blur` and `vfx denoise`: rules that hold regardless of their engines.
@Suite struct EffectCommandTests {
    private static let kinds: [ChromaSubsampling] = [.yuv420, .yuv422, .yuv444, .monochrome]

    @Test(arguments: kinds, [8, 10, 12])
    func strengthZeroIsBitExact(subsampling: ChromaSubsampling, depth: Int) throws {
        let format = try PixelFormat(subsampling: subsampling, bitDepth: depth)
        let pictures = try (0..<4).map { try GeneratedPicture.texture(format, width: 53, height: 37, seed: $0) }
        let run = try vfx(
            "denoise", "-", "-o", "-", "--format", "yuv4mpegpipe", "--strength", "0", input: Y4M.encode(pictures))
        #expect(run.status == 0, "\(run.standardError)")
        #expect(Y4M.decode(run.standardOutput)?.frames == pictures.map(Y4M.payload))
    }

    @Test(arguments: kinds, [8, 10])
    func everyFormatKeepsItsFrames(subsampling: ChromaSubsampling, depth: Int) throws {
        let format = try PixelFormat(subsampling: subsampling, bitDepth: depth)
        let input = try Y4M.encode(
            (0..<4).map { try GeneratedPicture.waves(format, width: 53, height: 37, dx: 4 * $0) },
            rate: Rational(24000, 1001))
        for command in [["blur"], ["denoise"], ["denoise", "--quality", "high"], ["blur", "--linear-light"]] {
            let run = try vfx(command + ["-", "-o", "-", "--format", "yuv4mpegpipe"], input: input)
            #expect(run.status == 0, "\(command): \(run.standardError)")
            let (header, frames) = try #require(Y4M.decode(run.standardOutput))
            #expect(frames.count == 4)
            #expect(header.contains(" W53 H37 F24000:1001 "))
        }
    }

    @Test func oneFrameGoesThrough() throws {
        let picture = try GeneratedPicture.texture(width: 64, height: 48)
        for command in [["blur"], ["blur", "--strength", "100"], ["denoise"], ["denoise", "--future", "0"]] {
            let run = try vfx(command + ["-", "-o", "-", "--format", "yuv4mpegpipe"], input: Y4M.encode([picture]))
            #expect(run.status == 0, "\(command): \(run.standardError)")
            #expect(Y4M.decode(run.standardOutput)?.frames == [Y4M.payload(picture)])
        }
    }

    /// A size that an engine refuses is a fault of the input, and its file is named.
    @Test func tooSmallFramesAreRefused() throws {
        let folder = try TemporaryFolder()
        let pictures = try (0..<3).map { try GeneratedPicture.texture(width: 8, height: 8, seed: $0) }
        _ = try folder.write(Y4M.encode(pictures), to: "in.y4m")
        let run = try vfx("denoise", "in.y4m", "-o", "out.y4m", in: folder)
        #expect(run.status == 65)
        #expect(
            run.errorLines == ["vfx: error: in.y4m: 8x8 is not supported; frames must be 16x16 to 8192x8192"])
        #expect(!folder.contents.contains("out.y4m"))
        // Interpolation and blur have no lower limit.
        for command in [["slomo", "--phases", "0.5"], ["blur"]] {
            #expect(try vfx(command + ["in.y4m", "-o", "\(command[0]).y4m"], in: folder).status == 0)
        }
    }

    @Test func stillsAreRefusedWithAdvice() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Y4M.encode(clip(3)), to: "in.y4m")
        for type in ["png", "jpg"] {
            let made = try vfx("rate", "in.y4m", "-o", "s_%05d.\(type)", "--fps", "25", "--overwrite", in: folder)
            #expect(made.status == 0, "\(made.standardError)")
            let name = try #require(folder.contents.first { $0.hasSuffix(".\(type)") })
            let still = try vfx("denoise", name, "-o", "out.mp4", in: folder)
            #expect(still.status == 65)
            #expect(
                still.errorLines == [
                    "vfx: error: \(name): this is a single image without neighbours to compare it with; give a video or numbered images such as in_%05d.png, or use a spatial filter"
                ])
            #expect(!folder.contents.contains("out.mp4"))
            // Numbered images count as a video.
            let sequence = try vfx("denoise", "s_%05d.\(type)", "-o", "\(type).y4m", in: folder)
            #expect(sequence.status == 0, "\(sequence.standardError)")
            #expect(Y4M.decode(try folder.data("\(type).y4m"))?.frames.count == 3)
        }
    }

    @Test func statisticsTellLatency() throws {
        let input = try Y4M.encode(clip(8))
        for command in ["blur", "denoise"] {
            let run = try vfx(command, "-", "-o", "x", "--format", "null", "--stats", input: input)
            #expect(run.status == 0)
            #expect(run.errorLines.contains("frames in: 8") && run.errorLines.contains("frames out: 8"))
            for name in ["latency per frame: p50 ", "work per frame: p50 "] {
                let line = try #require(run.errorLines.first { $0.hasPrefix(name) })
                #expect(line.contains(" ms, p95 ") && line.contains(" ms, max ") && line.hasSuffix(" ms"))
            }
            #expect(run.errorLines.contains { $0.hasPrefix("noise sigma: ") } == (command == "denoise"))
            #expect(!run.errorLines.contains { $0.hasPrefix("cells ") })
            let json = try vfx(command, "-", "-o", "x", "--format", "null", "--json", input: input)
            let end = try #require(try events(json.outputText).last)
            let latency = try #require(end["latency"] as? [String: [String: Double]])
            #expect(latency["total"]?.keys.sorted() == ["max", "p50", "p95"])
            #expect(latency["work"]?["max"] != nil)
            #expect(end["frames_written"] as? Int == 8)
        }
    }
}
