import Foundation
import TestSupport
import Testing

/// With 1 GiB of address space (`ulimit -v`), every command works at 1080p and states its need if more is required.
@Suite(.serialized, .enabled(if: hasTools, "ffmpeg makes the clips")) struct MemoryLimitTests {
    private static let limit = 1 << 30

    private func limited(_ arguments: [String], in folder: TemporaryFolder) throws -> (status: Int32, said: String) {
        let process = Process(), errors = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments =
            ["-c", "ulimit -v \(Self.limit >> 10); exec \"$@\"", "sh", ProgramRun.locate("vfx").path] + arguments
        process.currentDirectoryURL = folder.url
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus, said)
    }

    private func makeClip(_ size: String, frames: Int, _ folder: TemporaryFolder) throws {
        _ = try tool(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=\(size):r=25", "-frames:v", String(frames), "-c:v",
                "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", folder.path("in.mp4"),
            ])
    }

    @Test(arguments: WholeFileCommand.allCases)
    func fullHighDefinitionFits(command: WholeFileCommand) throws {
        let folder = try TemporaryFolder()
        try makeClip("1920x1080", frames: 5, folder)
        let run = try limited(command.arguments + ["in.mp4", "-o", "out.mp4", "--threads", "2"], in: folder)
        #expect(run.status == 0, "\(run.said)")
        #expect(folder.contents == ["in.mp4", "out.mp4"])
    }

    /// By then every queue is full, and every encoder holds as many frames as it ever will.
    @Test(arguments: [("h264", "libx264"), ("hevc", "libx265")])
    func aLongerClipFitsToo(codec: String, encoder: String) throws {
        let folder = try TemporaryFolder()
        try makeClip("1920x1080", frames: 40, folder)
        let run = try limited(
            [
                "slomo", "in.mp4", "-o", "out.mp4", "--factor", "2", "--codec", codec, "--preset", "ultrafast",
                "--threads", "2",
            ],
            in: folder)
        #expect(run.status == 0, "\(run.said)")
        #expect(
            run.said.contains(
                "vfx: note: \(encoder) uses less lookahead than usual, since memory is limited to \(Self.limit) bytes\n"
            ), "\(run.said)")
        #expect(run.said.contains("79 frames from 40"), "\(run.said)")
        #expect(folder.contents == ["in.mp4", "out.mp4"])
    }

    @Test(arguments: [["slomo"], ["denoise"], ["flow"]])
    func whatNeedsMoreIsRefusedWithTheBytes(command: [String]) throws {
        let folder = try TemporaryFolder()
        try makeClip("7680x4320", frames: 2, folder)
        let run = try limited(command + ["in.mp4", "-o", "out.mp4"], in: folder)
        #expect(run.status == 71)
        let pattern = /vfx: error: in.mp4: 7680x4320 frames need at least ([0-9]+) bytes .* 1073741824 are allowed\n/
        let match = try #require(run.said.wholeMatch(of: pattern), "\(run.said)")
        #expect(try #require(Int(match.1)) > Self.limit)
        #expect(folder.contents == ["in.mp4"])
    }
}
