import FrameCore
import Foundation
import TestSupport
import Testing

/// `vfx denoise --deblock` on the output of a real encoder.
@Suite(.enabled(if: hasTools, "ffmpeg encodes the clip")) struct DeblockingTests {
    private static let frameCount = 9

    private func clip() throws -> [PixelBuffer] {
        let level = MovingScene.translation(1.7, -0.6).level, fine = NoiseTexture(seed: 9, finest: 1.3)
        let scene = MovingScene { plane, x, y, t in
            level(plane, x, y, t) + (plane == 0 ? (fine.value(x - 1.7 * t, y + 0.6 * t) - 128) / 5 : 0)
        }
        return try (0..<Self.frameCount).map { try scene.picture(Float($0), width: 320, height: 240) }
    }

    /// Returns the mean of luma's squared error over all frames, and how many frames were deblocked.
    private func result(
        _ folder: TemporaryFolder, _ arguments: [String], _ clean: [PixelBuffer]
    ) throws -> (error: Double, deblocked: Double) {
        let run = try vfx(
            ["denoise", "coded.mkv", "-o", "out.y4m", "--overwrite", "--stats"] + arguments, in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        let frames = try #require(Y4M.decode(Data(contentsOf: URL(filePath: folder.path("out.y4m"))))).frames
        #expect(frames.count == clean.count)
        var sum = 0.0
        for (frame, clean) in zip(frames, clean) {
            for (a, b) in zip(frame, clean.samples(ofPlane: 0)) { sum += Double((Int(a) - Int(b)) * (Int(a) - Int(b))) }
        }
        let line = run.standardError.split(separator: "\n").first { $0.hasPrefix("deblocked frames: ") }
        return (sum, line.flatMap { Double($0.dropFirst("deblocked frames: ".count)) } ?? 0)
    }

    @Test(arguments: [["libx264", "-crf", "32"], ["mpeg2video", "-q:v", "12"]])
    func strongCompression(_ codec: [String]) throws {
        let folder = try TemporaryFolder(), clean = try clip()
        _ = try folder.write(Y4M.encode(clean), to: "clean.y4m")
        _ = try tool(
            "ffmpeg",
            ["-v", "error", "-i", folder.path("clean.y4m"), "-threads", "1", "-c:v"] + codec
                + [folder.path("coded.mkv")])
        let off = try result(folder, ["--deblock", "off"], clean)
        #expect(off.deblocked == 0)
        for arguments in [[], ["--deblock", "auto", "--quality", "high"]] {
            let auto = try result(folder, arguments, clean)
            #expect(auto.deblocked == Double(Self.frameCount))
            #expect(auto.error < 0.99 * off.error, "\(arguments): \(auto.error), off \(off.error)")
        }
        // With a stated noise level only on request.
        #expect(try result(folder, ["--sigma", "2"], clean).deblocked == 0)
        #expect(try result(folder, ["--sigma", "2", "--deblock", "auto"], clean).deblocked > 0)
    }

    @Test func fineCompressionStays() throws {
        let folder = try TemporaryFolder(), clean = try clip()
        _ = try folder.write(Y4M.encode(clean), to: "clean.y4m")
        _ = try tool(
            "ffmpeg",
            ["-v", "error", "-i", folder.path("clean.y4m"), "-threads", "1", "-c:v", "libx264", "-crf", "14"]
                + [folder.path("coded.mkv")])
        let off = try result(folder, ["--deblock", "off"], clean), auto = try result(folder, [], clean)
        #expect(auto.deblocked == 0 && auto.error == off.error)
    }
}
