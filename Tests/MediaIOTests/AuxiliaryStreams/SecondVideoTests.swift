import FrameCore
import MediaIO
import Testing

/// A second video is copied with its frames in their order, even from Matroska, which stores no decoding times.
@Suite(.enabled(if: hasMaker && hasProbe, "ffmpeg makes the files and ffprobe is the witness"))
struct SecondVideoTests {
    @Test(arguments: ["in.mkv", "in.mp4"], ["out.mp4", "out.mkv"])
    func reorderedFramesKeepTheirTimes(source: String, output: String) throws {
        let folder = try TemporaryFolder()
        let second = ["-f", "lavfi", "-i", "testsrc=s=64x48:r=30:d=2"]
        try make(
            folder(source), pictureAndTone(2) + second + ["-map", "0", "-map", "2", "-map", "1"] + reorderedVideo)
        let pictures = try packetTimes(folder(source), "v:1").sorted()
        let start = try #require(try MediaReader(folder(source)).info.startTime).seconds
        for factor in [1, 2] as [Int32] {
            let sink = try carry(folder(source), to: folder(output), factor: factor, options: .init(overwrites: true))
            #expect(!sink.notes.contains { $0.contains("backwards") })
            let shown = try probe(folder(output), "v:1", "frame=pts_time").compactMap {
                Double($0.prefix { $0 != "," })
            }
            #expect(shown.count == 60)
            #expect(zip(shown, pictures).allSatisfy { abs($0 - ($1 - start) * Double(factor)) < 0.002 })
        }
    }
}
