import FrameCore
import Foundation
import MediaIO
import Testing

/// Transcoding of audio that has gaps without packets.
@Suite(.enabled(if: hasMaker && hasProbe, "ffmpeg makes the files and ffprobe is the witness")) struct AudioGapTests {
    private func made(_ folder: TemporaryFolder, filter: String, seconds: Int, codec: String = "flac") throws -> String
    {
        try make(
            folder("in.mkv"),
            [
                "-f", "lavfi", "-i", "testsrc2=s=64x48:r=2:d=\(seconds)", "-f", "lavfi", "-i",
                "sine=440:r=48000:d=\(seconds)", "-af", filter,
            ] + quickVideo + ["-c:a", codec])
    }

    private func samples(_ path: String) throws -> Int {
        try probe(path, "a", "frame=nb_samples").compactMap { Int($0) }.reduce(0, +)
    }

    @Test(arguments: ["flac", "aac"], ["out.mkv", "out.mp4"])
    func aLongGapIsLeftToTheContainer(codec: String, name: String) throws {
        let folder = try TemporaryFolder()
        // A short gap is filled with silence, a long one is not.
        let filter = "aselect='lt(t,2)+between(t,4,6)+gt(t,30)'"
        try carry(try made(folder, filter: filter, seconds: 32, codec: codec), to: folder(name), factor: 2)
        let times = try packetTimes(folder(name), "a")
        let steps = zip(times, times.dropFirst()).map { (at: $0, length: $1 - $0) }
        let gap = try #require(steps.max { $0.length < $1.length })
        #expect(abs(gap.at - 12) < 0.2 && abs(gap.length - 48) < 0.3, "\(gap)")
        #expect(abs(try #require(times.last) - 64) < 0.3)
        #expect(steps.count { $0.length > 0.3 } == 1)
        #expect(abs(Double(try samples(folder(name))) / 48_000 - 16) < 0.4)
    }

    @Test func stampsThatClaimDaysAreLost() throws {
        let folder = try TemporaryFolder()
        let source = try made(folder, filter: "asetpts='PTS+gt(T,1)*200000/TB'", seconds: 3)
        let sink = try carry(source, to: folder("out.mkv"), factor: 2)
        #expect(sink.notes.contains { $0.contains("packets of stream 1") && $0.contains("could not be decoded") })
        #expect(try #require(packetTimes(folder("out.mkv"), "a").last) < 3)
    }

    /// Regression: when the number of channels changed, the audio in the filter graph was lost, and the job failed.
    @Test func aChangeOfChannelsIsFollowed() throws {
        let folder = try TemporaryFolder()
        for (name, channels) in [("a.ts", "1"), ("b.ts", "2")] {
            try make(
                folder(name),
                pictureAndTone(2) + quickVideo + ["-c:a", "mp2", "-ac", channels]
                    + (name == "b.ts" ? ["-output_ts_offset", "2"] : []))
        }
        let path = try folder.write(bytes(of: folder("a.ts")) + bytes(of: folder("b.ts")), to: "ab.ts")
        try carry(path, to: folder("out.mkv"), factor: 2)
        #expect(abs(Double(try samples(folder("out.mkv"))) / 48_000 - 8) < 0.3)
    }
}
