import Foundation
import TestSupport
import Testing

/// A clip long enough to be encoded in segments: 630 frames in 63 s, which make three segments.
enum LongClip {
    static let frames = 630

    private static let made: Result<(folder: TemporaryFolder, path: String), any Error> = Result {
        let folder = try TemporaryFolder()
        let source =
            "testsrc2=s=64x48:r=10:d=63,setsar=8:9[out0];sine=440:sample_rate=16000:duration=63[out1]"
        _ = try tool(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", source, "-c:v", "libx264", "-preset", "veryfast", "-c:a", "flac",
                "-metadata", "title=long", folder.path("in.mkv"),
            ])
        return (folder, folder.path("in.mkv"))
    }

    static func path() throws -> String { try made.get().path }

    /// What ffmpeg finds in a file made from the clip: every packet of every stream with its times, and every decoded
    /// frame.
    static func contents(_ path: String) throws -> String {
        var text = ""
        for options in [["-map", "0", "-c", "copy"], ["-map", "0:v"]] {
            text += try tool("ffmpeg", ["-v", "error", "-i", path] + options + ["-f", "framemd5", "-"])
        }
        #expect(text.count > 1000)
        return text
    }

    /// Checksums of the decoded frames.
    static func pictures(_ path: String) throws -> [Substring] {
        try tool(
            "ffmpeg", ["-v", "error", "-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5", "-"]
        )
        .split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: " ").last }
    }
}
