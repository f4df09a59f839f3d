import FrameCore
import Foundation
import MediaIO
import Testing

/// Timestamp discontinuities: the times of the auxiliary streams jump together with the video's.
@Suite(.enabled(if: hasMaker && hasProbe, "ffmpeg makes the files and ffprobe is the witness"))
struct DiscontinuityTests {
    private static let first = 6.0
    private static let second = 4.0

    /// Makes a file of two recordings, joined as by `cat`.
    ///
    /// - Parameter offset: start time of the second recording in seconds.
    private func joined(_ folder: TemporaryFolder, offset: Double) throws -> [UInt8] {
        let codecs = quickVideo + ["-c:a", "aac"]
        try make(folder("a.ts"), pictureAndTone(Self.first) + codecs)
        try make(folder("b.ts"), pictureAndTone(Self.second) + codecs + ["-output_ts_offset", "\(offset)"])
        return try bytes(of: folder("a.ts")) + bytes(of: folder("b.ts"))
    }

    /// Checks that audio and video end at the same time, and that the audio has neither gaps nor overlaps.
    private func expectSoundBesidePictures(_ path: String, factor: Double, _ note: Comment) throws {
        let pictures = try packetTimes(path, "v").sorted(), sound = try packetTimes(path, "a")
        #expect(pictures.count == 250, note)
        let begin = try #require(sound.first), end = try #require(sound.last)
        let firstPicture = try #require(pictures.first), lastPicture = try #require(pictures.last)
        #expect(abs((end - begin) - factor * (Self.first + Self.second)) < 0.15, note)
        #expect(abs(end - lastPicture - 0.04 * factor) < 0.1 + 0.04 * factor, note)
        #expect(abs(begin - firstPicture) < 0.1 * factor, note)
        let steps = zip(sound, sound.dropFirst()).map { $1 - $0 }
        #expect(steps.allSatisfy { $0 < 0.15 }, note)
        // An AAC frame lasts 21 ms. Only at the discontinuity may frames be closer together.
        #expect(steps.count { $0 < 0.02 } < 12, note)
    }

    @Test(arguments: [0, 1000], [1, 2] as [Int32])
    func soundFollowsTheVideoOverADiscontinuity(offset: Double, factor: Int32) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(joined(folder, offset: offset), to: "j.ts")
        for name in ["out.mkv", "out.mp4"] {
            try carry(path, to: folder(name), factor: factor)
            try expectSoundBesidePictures(folder(name), factor: Double(factor), "\(name)")
        }
    }

    @Test(arguments: [0.0, 1000]) func fromAPipeToo(offset: Double) throws {
        let folder = try TemporaryFolder()
        try carry(try pipe(joined(folder, offset: offset), in: folder), to: folder("out.mkv"))
        try expectSoundBesidePictures(folder("out.mkv"), factor: 1, "a pipe")
    }

    /// Audio times that jump although the video's do not are corrected as before, and no packet waits forever.
    @Test func soundThatJumpsAloneDoesNotHoldUpTheRest() throws {
        let folder = try TemporaryFolder()
        try make(folder("v.ts"), ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=10"] + quickVideo)
        try make(folder("a.ts"), ["-f", "lavfi", "-i", "sine=440:r=48000:d=5", "-c:a", "aac"])
        let sound = try bytes(of: folder("a.ts"))
        let path = try folder.write(sound + sound, to: "aa.ts")
        try make(
            folder("in.mkv"),
            [
                "-i", folder("v.ts"), "-fflags", "+igndts", "-i", path, "-map", "0:v", "-map", "1:a", "-c", "copy",
            ])
        try carry(folder("in.mkv"), to: folder("out.mkv"))
        #expect(try packetTimes(folder("out.mkv"), "v").count == 250)
        #expect(try packetTimes(folder("out.mkv"), "a").count == packetTimes(folder("in.mkv"), "a").count)
    }

    @Test func whatRunsBackwardsIsNamedByTheSourcesNumber() throws {
        let folder = try TemporaryFolder()
        let input = pictureAndTone(0.6) + ["-map", "0:v", "-map", "1:a", "-map", "0:v"]
        try make(folder("a.ts"), input + quickVideo + ["-c:a", "aac"])
        let one = try bytes(of: folder("a.ts"))
        let path = try folder.write(one + one, to: "j.ts")
        let sink = try carry(path, to: folder("out.mkv"), options: .init(audio: .drop))
        #expect(sink.notes.contains { $0.contains("packets of stream 2 ran backwards") }, "\(sink.notes)")
    }
}
