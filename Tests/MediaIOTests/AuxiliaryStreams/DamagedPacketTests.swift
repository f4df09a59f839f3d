import FrameCore
import Foundation
import MediaIO
import TestSupport
import Testing

/// Unusable packets of auxiliary streams: they are left out, and the job succeeds.
@Suite(.enabled(if: hasMaker && hasProbe, "ffmpeg makes the files and ffprobe is the witness"))
struct DamagedPacketTests {
    /// A transport stream with one damaged audio packet, which has no header.
    private func spoilt(_ folder: TemporaryFolder) throws -> String {
        try make(folder("a.ts"), pictureAndTone(4) + quickVideo + ["-c:a", "aac"])
        var data = try bytes(of: folder("a.ts"))
        var seen = 0
        for start in stride(from: 0, to: data.count, by: 188)
        where data[start + 1] & 0x5F == 0x01 && data[start + 2] == 0x01 {
            seen += 1
            if seen == 20 { for index in start + 30..<start + 180 { data[index] ^= 0x5A } }
        }
        #expect(seen > 20)
        return try folder.write(data, to: "bad.ts")
    }

    @Test(arguments: ["out.mkv", "out.mp4", "out.mov"]) func aDamagedPacketIsLeftOut(name: String) throws {
        let folder = try TemporaryFolder()
        let sink = try carry(spoilt(folder), to: folder(name))
        #expect(sink.notes.contains { $0.contains("of stream 1 could not be written and are left out") })
        #expect(try packetTimes(folder(name), "v").count == 100)
        let whole = try packetTimes(folder("a.ts"), "a").count, kept = try packetTimes(folder(name), "a").count
        #expect(kept < whole && kept > whole - 30)
        #expect(try abs(#require(packetTimes(folder(name), "a").last) - 4) < 1.6)
    }

    /// Empty samples in an mp4 file, which extend the duration of the previous frame.
    @Test func emptyPacketsAreNoDamage() throws {
        let folder = try TemporaryFolder()
        try make(folder("a.mov"), ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1", "-c:v", "mjpeg"])
        var data = try bytes(of: folder("a.mov"))
        let table = try #require(data.indices.first { data[$0...].starts(with: Array("stsz".utf8)) })
        for sample in [5, 6, 12] { for byte in 0..<4 { data[table + 16 + 4 * sample + byte] = 0 } }
        let reading = try read(try folder.write(data, to: "empty.mov"), .init(isStrict: true))
        #expect(reading.frames.count == 22)
        #expect(reading.reader.damage.isEmpty)
    }

    /// Small packets take far more memory than their data.
    @Test func manyTinyPacketsDoNotFillMemory() throws {
        let folder = try TemporaryFolder()
        try make(
            folder("a.mkv"),
            [
                "-f", "lavfi", "-i", "color=s=16x16:r=1:d=70", "-f", "lavfi", "-i", "sine=r=8000:d=70", "-af",
                "asetnsamples=1", "-c:v", "ffv1", "-c:a", "pcm_u8",
            ])
        let reader = try MediaReader(try pipe(bytes(of: folder("a.mkv")), in: folder))
        // The audio packets are not read before the end.
        var frames: [Frame] = []
        while let frame = try reader.nextFrame() { frames.append(frame) }
        let sink = try openSink(folder("out.mkv"), stream: reader.stream, source: reader.sourceDescription)
        for frame in frames { try sink.write(frame) }
        try sink.finish()
        #expect(sink.notes.contains { $0.contains("came too early to keep in memory") }, "\(sink.notes)")
    }

    /// A server without support for range requests may be sending a live stream.
    @Test func whatCannotBeOpenedTwiceIsReadOnce() throws {
        let folder = try TemporaryFolder()
        try make(folder("a.mkv"), pictureAndTone(1) + quickVideo + ["-c:a", "aac"])
        let whole = try LocalServer(URL(fileURLWithPath: folder.path))
        #expect(try MediaReader(whole.address + "a.mkv").isReopenable)
        let live = try LocalServer(URL(fileURLWithPath: folder.path), givesRanges: false)
        #expect(try !MediaReader(live.address + "a.mkv").isReopenable)
        #expect(live.requests == 1)
        try carry(live.address + "a.mkv", to: folder("out.mkv"))
        #expect(live.requests == 2)
        #expect(try packetTimes(folder("out.mkv"), "a").count == packetTimes(folder("a.mkv"), "a").count)
    }

    /// The file name and media type of cover art match its image format.
    @Test func coversAreNamedByTheirKind() throws {
        let folder = try TemporaryFolder()
        try make(folder("c.bmp"), ["-f", "lavfi", "-i", "color=red:s=16x16", "-frames:v", "1"])
        try make(
            folder("a.mp4"),
            ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.4", "-i", folder("c.bmp"), "-map", "0", "-map", "1"]
                + ["-c:v:0", "libx264", "-c:v:1", "bmp", "-disposition:v:1", "attached_pic"])
        try carry(folder("a.mp4"), to: folder("out.mkv"))
        let tags = try probe(folder("out.mkv"), "1", "stream_tags=filename,mimetype").joined(separator: ",")
        #expect(tags.contains("cover.bmp") && tags.contains("image/bmp"), "\(tags)")
    }
}
