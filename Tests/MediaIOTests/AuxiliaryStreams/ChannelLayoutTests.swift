import FrameCore
import MediaIO
import Testing

/// Sound whose channel layout the encoder cannot state by a number gets one that it can.
@Suite(.enabled(if: hasMaker && hasProbe)) struct ChannelLayoutTests {
    /// The codec and layout of a source, the output, and the layout that players find in it.
    struct Case: Sendable {
        var source: String, layout: String, output: String, found: String
    }

    @Test(arguments: [
        Case(source: "ac3", layout: "5.1(side)", output: "o.mp4", found: "5.1"),
        Case(source: "eac3", layout: "5.1(side)", output: "o.mkv", found: "5.1"),
        Case(source: "dca", layout: "5.1(side)", output: "o.mp4", found: "5.1"),
        Case(source: "ac3", layout: "quad(side)", output: "o.mov", found: "5.0"),
        Case(source: "ac3", layout: "5.0(side)", output: "o.mp4", found: "5.0"),
        Case(source: "ac3", layout: "2.1", output: "o.mp4", found: "5.1"),
        Case(source: "ac3", layout: "stereo", output: "o.mp4", found: "stereo"),
        Case(source: "libopus", layout: "7.1", output: "o.mp4", found: "7.1"),
        Case(source: "libopus", layout: "6.1", output: "o.mp4", found: "7.1"),
        Case(source: "flac", layout: "5.1(side)", output: "o.mov", found: "5.1"),
        Case(source: "ac3", layout: "5.1(side)", output: "o.webm", found: "5.1"),
    ])
    func slowedSoundHasAStandardLayout(test: Case) throws {
        let folder = try TemporaryFolder()
        let input = [
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.4", "-f", "lavfi", "-i", "sine=440:r=48000:d=0.4", "-af",
            "aformat=channel_layouts=\(test.layout)",
        ]
        let source = try make(
            folder("a.mkv"),
            input + quickVideo
                + ["-c:a", test.source, "-mapping_family", "1", "-strict", "-2"].filter {
                    test.source == "libopus" || !["-mapping_family", "1"].contains($0)
                })
        try carry(source, to: folder(test.output), factor: 2)
        #expect(try probe(folder(test.output), "a", "stream=channel_layout") == [test.found])
    }

    /// Each channel is heard where it was: a tone in one channel of the source is in one of the result.
    @Test(arguments: [
        ("5.1(side)", "SL", "BL"), ("5.1(side)", "FC", "FC"), ("5.1(side)", "LFE", "LFE"), ("7.1", "SR", "SR"),
        ("7.1", "BL", "BL"), ("7.1", "FR", "FR"),
    ])
    func noChannelIsLostOrMoved(layout: String, from: String, to: String) throws {
        let folder = try TemporaryFolder()
        let input = [
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.5", "-f", "lavfi", "-i", "sine=60:r=48000:d=0.5", "-af",
            "pan=\(layout)|\(from)=c0",
        ]
        // Opus knows no sides beside 5.1, and E-AC-3 no 7.1.
        let codec = layout == "7.1" ? ["-c:a", "libopus", "-mapping_family", "1", "-b:a", "512k"] : ["-c:a", "ac3"]
        let source = try make(folder("a.mkv"), input + quickVideo + codec)
        try carry(source, to: folder("o.mp4"), factor: 2)
        let raw = try make(
            folder("channel.raw"), ["-i", folder("o.mp4"), "-af", "pan=mono|c0=\(to)", "-f", "s16le", "-map", "0:a"])
        let samples = try bytes(of: raw)
        var largest: Int16 = 0
        for index in stride(from: 0, to: samples.count - 1, by: 2) {
            let sample = Int16(bitPattern: UInt16(samples[index]) | UInt16(samples[index + 1]) << 8)
            largest = max(largest, sample == .min ? .max : abs(sample))
        }
        #expect(largest > 1500)
    }
}
