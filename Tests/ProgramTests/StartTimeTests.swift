import Foundation
import TestSupport
import Testing

/// Options for a time count from the first frame, and outputs start at zero, whatever the container states.
@Suite(.enabled(if: hasTools, "ffmpeg makes the clips and ffprobe is the witness")) struct StartTimeTests {
    /// A recording of 4 s that begins after almost 14 hours.
    private func recording(_ folder: TemporaryFolder) throws {
        _ = try tool(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=4", "-f", "lavfi", "-i",
                "sine=440:r=48000:d=4", "-c:v", "libx264", "-g", "25", "-c:a", "aac", "-output_ts_offset", "50000",
                folder.path("in.ts"),
            ])
    }

    private func values(_ path: String, _ entries: String) throws -> [Double] {
        try tool("ffprobe", ["-v", "error", "-show_entries", entries, "-of", "csv=p=0", path])
            .split(whereSeparator: { ",\n".contains($0) }).compactMap { Double($0) }
    }

    @Test func aRecordingIsSlowedDownFromZero() throws {
        let folder = try TemporaryFolder()
        try recording(folder)
        let run = try vfx("slomo", "in.ts", "-o", "out.mp4", "--factor", "4", in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        let times = try values(folder.path("out.mp4"), "format=start_time,duration")
        #expect(times.count == 2 && times[0] == 0 && abs(times[1] - 16.1) < 0.1, "\(times)")
        let kept = try vfx("denoise", "in.ts", "-o", "kept.mkv", "--keep-start", in: folder)
        #expect(kept.status == 0, "\(kept.standardError)")
        #expect(try values(folder.path("kept.mkv"), "format=start_time").allSatisfy { abs($0 - 50001.4) < 0.1 })
    }

    @Test(arguments: [(["--from", "1"], 75), (["--preview", "1"], 50), (["--from", "10f", "--to", "1"], 15)])
    func partsCountFromTheFirstFrame(options: [String], count: Int) throws {
        let folder = try TemporaryFolder()
        try recording(folder)
        let run = try vfx(["denoise", "in.ts", "-o", "out.mkv", "--codec", "ffv1"] + options, in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        let frames = try tool(
            "ffprobe",
            ["-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of", "csv=p=0"]
                + [folder.path("out.mkv")]
        ).split(separator: "\n")
        #expect(frames.count == count)
        #expect(Double(frames[0].prefix { $0 != "," }) == 0)
    }

    @Test func stillsCountFromTheFirstFrame() throws {
        let folder = try TemporaryFolder()
        try recording(folder)
        let run = try vfx("still", "in.ts", "-o", "out.png", "--at", "2", in: folder)
        #expect(run.status == 0 && run.standardError.contains("the frame at 2.000000 s"), "\(run.standardError)")
    }

    @Test func timeCodesFollowPartsAndRates() throws {
        let folder = try TemporaryFolder()
        for (name, rate, code) in [("a.mov", "25", "10:00:00:00"), ("b.mov", "30000/1001", "01:00:59;20")] {
            _ = try tool(
                "ffmpeg",
                [
                    "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=\(rate):d=3", "-c:v", "libx264",
                    "-timecode", code, folder.path(name),
                ])
        }
        let part = try vfx("denoise", "a.mov", "-o", "part.mov", "--from", "2", in: folder)
        let fast = try vfx("rate", "b.mov", "-o", "fast.mov", "--fps", "59.94", in: folder)
        #expect(part.status == 0 && fast.status == 0)
        for (name, expected) in [("part.mov", "10:00:02:00"), ("fast.mov", "01:00:59;40")] {
            let found = try tool(
                "ffprobe",
                ["-v", "error", "-select_streams", "v", "-show_entries", "stream_tags=timecode", "-of", "csv=p=0"]
                    + [folder.path(name)])
            #expect(found.contains(expected), "\(found)")
        }
    }

    /// The source's clock has 600 ticks per second.
    @Test func formatsThatCountFramesHaveTheRate() throws {
        let folder = try TemporaryFolder()
        for name in ["out.avi", "out.h264"] {
            let run = try vfx("denoise", fixture("dog.mp4"), "-o", name, "--to", "10f", in: folder)
            #expect(run.status == 0, "\(run.standardError)")
            let rate = try tool(
                "ffprobe",
                ["-v", "error", "-select_streams", "v", "-show_entries", "stream=r_frame_rate", "-of", "csv=p=0"]
                    + [folder.path(name)])
            #expect(rate.hasPrefix("30/1"), "\(name): \(rate)")
        }
    }
}
