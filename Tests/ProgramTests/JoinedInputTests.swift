import Foundation
import TestSupport
import Testing

/// In recordings joined by `cat`, whose timestamps start again, audio and video must still end together.
@Suite(.enabled(if: hasTools, "ffmpeg makes the clips and ffprobe is the witness")) struct JoinedInputTests {
    /// Two recordings, one after the other.
    private static let joined: Result<Data, any Error> = Result {
        let folder = try TemporaryFolder()
        var joined = Data()
        for (name, seconds) in [("a.ts", "5"), ("b.ts", "3")] {
            _ = try tool(
                "ffmpeg",
                [
                    "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=\(seconds)", "-f", "lavfi", "-i",
                    "sine=440:r=48000:d=\(seconds)", "-c:v", "libx264", "-c:a", "aac", folder.path(name),
                ])
            joined += try folder.data(name)
        }
        return joined
    }

    @Test(arguments: [["denoise"], ["slomo", "--factor", "2"]], ["out.mkv", "out.mp4"])
    func soundEndsWithThePictures(command: [String], output: String) throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Self.joined.get(), to: "j.ts")
        let run = try vfx(command + ["j.ts", "-o", output], in: folder)
        // Nothing is lost: the discontinuity is a note.
        #expect(run.status == 0 && run.standardError.contains("timestamps jump"), "\(run.standardError)")
        #expect(!run.standardError.contains("damaged"))
        let factor = command.contains("slomo") ? 2.0 : 1
        let pictures = try times(folder.path(output), "v"), sound = try times(folder.path(output), "a")
        let last = try #require(pictures.max()), end = try #require(sound.last), begin = try #require(sound.first)
        #expect(abs(end - last) < 0.1 * factor)
        #expect(abs(end - begin - 8 * factor) < 0.15)
        #expect(zip(sound, sound.dropFirst()).allSatisfy { $1 - $0 < 0.15 })
    }

    private func times(_ path: String, _ stream: String) throws -> [Double] {
        try tool(
            "ffprobe",
            ["-v", "error", "-select_streams", stream, "-show_entries", "packet=pts_time", "-of", "csv=p=0", path]
        ).split(separator: "\n").compactMap { Double($0.prefix { $0 != "," }) }
    }
}
