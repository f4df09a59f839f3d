import Foundation
import TestSupport
import Testing

/// Clips that are played in a loop: the last frame leads to the first.
@Suite(.enabled(if: hasTools, "ffmpeg makes the clips and measures them")) struct LoopTests {
    /// Writes a disc that goes round once in 12 frames at 12 frames/s, so that the frame after the last is the first.
    private func disc(_ folder: TemporaryFolder) throws -> String {
        let x = "64+24*cos(2*PI*N/12)", y = "48+24*sin(2*PI*N/12)"
        _ = try tool(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "color=c=black:s=128x96:r=12:d=1", "-vf",
                "format=gray,geq=lum='40+3*mod(floor(X/6)*7+floor(Y/6)*5,13)+150*lt(hypot(X-(\(x)),Y-(\(y))),12)'",
                "-c:v", "ffv1", folder.path("in.mkv"),
            ])
        return folder.path("in.mkv")
    }

    /// Returns the frames of a file as rows of luma.
    private func frames(_ path: String) throws -> [[UInt8]] {
        let folder = try TemporaryFolder(), raw = folder.path("out.raw")
        _ = try tool("ffmpeg", ["-v", "error", "-i", path, "-pix_fmt", "gray", "-f", "rawvideo", raw])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw))), size = 128 * 96
        return stride(from: 0, to: bytes.count - size + 1, by: size).map { Array(bytes[$0..<($0 + size)]) }
    }

    private func distance(_ a: [UInt8], _ b: [UInt8]) -> Double {
        zip(a, b).reduce(0.0) { $0 + abs(Double($1.0) - Double($1.1)) } / Double(a.count)
    }

    @Test(arguments: [["slomo", "--factor", "4"], ["rate", "--fps", "48"]])
    func theEndLeadsToTheBeginning(command: [String]) throws {
        let folder = try TemporaryFolder(), input = try disc(folder)
        let run = try vfx(command + [input, "-o", "out.mkv", "--codec", "ffv1", "--loop"], in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        let frames = try frames(folder.path("out.mkv"))
        try #require(frames.count == 48)
        // From one frame to the next, and round the end, the disc moves alike.
        let steps = frames.indices.map { distance(frames[$0], frames[($0 + 1) % 48]) }
        let usual = steps.sorted()[24]
        for step in steps[44...] { #expect(step > usual / 2 && step < usual * 2, "\(steps)") }
        // Without a loop, the last frame stands still.
        let plain = try vfx(command + [input, "-o", "plain.mkv", "--codec", "ffv1"], in: folder)
        #expect(plain.status == 0)
        let others = try self.frames(folder.path("plain.mkv"))
        // Paths near the end bend toward the beginning.
        #expect(Array(others.prefix(33)) == Array(frames.prefix(33)))
    }

    /// A clip whose end is another scene than its beginning holds its last frame.
    @Test func anotherSceneIsNotLedTo() throws {
        let folder = try TemporaryFolder()
        _ = try tool(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=128x96:r=12:d=1", "-f", "lavfi", "-i",
                "mandelbrot=s=128x96:r=12:end_pts=12", "-filter_complex", "[1]trim=end=1[b];[0][b]concat,format=gray",
                "-c:v", "ffv1", folder.path("in.mkv"),
            ])
        let run = try vfx(["rate", "in.mkv", "-o", "out.mkv", "--fps", "48", "--codec", "ffv1", "--loop"], in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        let frames = try frames(folder.path("out.mkv"))
        try #require(frames.count == 96)
        #expect(Set(frames[92...]).count == 1)
    }

    @Test func aResumedRunIsTheSame() throws {
        let folder = try TemporaryFolder(), input = try disc(folder)
        for (name, option) in [("a.mkv", "--overwrite"), ("b.mkv", "--resume")] {
            let run = try vfx(["slomo", input, "-o", name, "--codec", "ffv1", "--loop", option], in: folder)
            #expect(run.status == 0, "\(run.standardError)")
        }
        #expect(try frames(folder.path("a.mkv")) == frames(folder.path("b.mkv")))
    }

    @Test(arguments: [
        (["slomo", "--from", "0.5"], "leave out --from"), (["slomo", "--preview", "0.1"], "leave out --from"),
    ])
    func whatCannotBeIsNamed(arguments: [String], part: String) throws {
        let folder = try TemporaryFolder(), input = try disc(folder)
        let run = try vfx(arguments + [input, "-o", "out.mkv", "--loop"], in: folder)
        #expect(run.status == 64 && run.standardError.contains(part), "\(run.standardError)")
    }
}
