import Foundation
import TestSupport
import Testing

/// Stretched audio keeps its pitch and loudness.
@Suite(.enabled(if: hasTools, "ffmpeg makes the clips and measures them")) struct PitchTests {
    @Test(arguments: [("mp4", "aac"), ("mkv", "flac"), ("webm", "libopus"), ("mov", "pcm_s16le")], ["2", "4"])
    func aToneIsTheSameTone(kind: (container: String, codec: String), factor: String) throws {
        let folder = try TemporaryFolder()
        let (input, output) = (folder.path("in." + kind.container), folder.path("out." + kind.container))
        _ = try tool(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=2", "-f", "lavfi", "-i",
                "sine=440:r=48000:d=2", "-c:a", kind.codec, input,
            ])
        let run = try vfx(["slomo", "--factor", factor, input, "-o", output], in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        let (before, after) = (try Tone(input), try Tone(output))
        let stretch = try #require(Double(factor))
        #expect(abs(before.pitch / 440 - 1) < 0.01, "\(before)")
        #expect(abs(after.pitch / 440 - 1) < 0.03, "\(after)")
        #expect(abs(after.level - before.level) < 2, "\(before) became \(after)")
        #expect(abs(after.seconds - before.seconds * stretch) < 0.1, "\(before) became \(after)")
    }
}

/// What FFmpeg measures in the first audio stream of a file.
private struct Tone {
    var pitch: Double
    /// The level in dB.
    var level: Double
    var seconds: Double

    init(_ path: String) throws {
        let rate = 48_000.0
        let text = try tool(
            "ffmpeg",
            [
                "-v", "error", "-i", path, "-map", "0:a:0", "-af",
                "aresample=48000,astats=metadata=1,ametadata=mode=print:file=-", "-f", "null", "-",
            ])
        let lines = text.split(separator: "\n")
        // Each line covers all samples up to that point, so the last one counts.
        func last(_ name: String) throws -> Double {
            let line = try #require(lines.last { $0.hasPrefix("lavfi.astats.\(name)=") })
            return try #require(Double(line.drop { $0 != "=" }.dropFirst()))
        }
        let crossings = try last("1.Zero_crossings"), samples = try last("Overall.Number_of_samples")
        (seconds, level) = (samples / rate, try last("Overall.RMS_level"))
        pitch = crossings / 2 / seconds
    }
}
