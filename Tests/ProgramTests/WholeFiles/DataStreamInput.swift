import Foundation
import TestSupport
import Testing

/// Files with a data stream. FFmpeg has no encoder for these, so it writes a stream of another kind, which is then
/// relabelled.
enum DataStreamInput {
    private static let video = ["-f", "lavfi", "-i", "testsrc2=s=48x34:r=25:d=0.48"]
    private static let sound = ["-f", "lavfi", "-i", "sine=440:r=48000:d=0.6"]
    private static let coding = ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-c:a:0", "aac"]

    /// Creates a transport stream whose third stream is KLV metadata.
    static func makeKLV(in folder: TemporaryFolder) throws -> String {
        _ = try tool(
            "ffmpeg",
            ["-v", "error"] + video + sound + ["-map", "0", "-map", "1", "-map", "1"] + coding
                + ["-c:a:1", "ac3", "-b:a:1", "64k", "-pes_payload_size", "0", folder.path("sound.ts")])
        return try folder.write(try renamed(try folder.data("sound.ts")), to: "klv.ts")
    }

    /// Creates a movie whose third track is telemetry as written by cameras.
    static func makeTelemetry(in folder: TemporaryFolder) throws -> String {
        let subtitles = "1\n00:00:00,100 --> 00:00:00,200\nHello\n\n2\n00:00:00,240 --> 00:00:00,400\nworld, two\n"
        let path = try folder.write(Data(subtitles.utf8), to: "s.srt")
        _ = try tool(
            "ffmpeg",
            ["-v", "error"] + video + sound + ["-i", path, "-map", "0", "-map", "1", "-map", "2"] + coding
                + ["-c:s", "mov_text", folder.path("subtitles.mp4")])
        var movie = try folder.data("subtitles.mp4")
        for (old, new) in [("tx3g", "gpmd"), ("sbtl", "meta")] {
            let range = try #require(movie.range(of: Data(old.utf8)))
            movie.replaceSubrange(range, with: Data(new.utf8))
        }
        return try folder.write(movie, to: "telemetry.mp4")
    }

    /// Returns the transport stream with its AC-3 stream relabelled as KLV in each program map.
    private static func renamed(_ stream: Data) throws -> Data {
        let packet = 188, mapID: UInt8 = 0x10, ac3: UInt8 = 0x81, privateData: UInt8 = 0x06
        var bytes = [UInt8](stream), found = 0
        for start in stride(from: 0, to: bytes.count, by: packet) where bytes[start + 1] & 0x1F == mapID {
            guard bytes[start + 2] == 0 else { continue }
            let section = start + 5
            let end = section + 3 + Int(bytes[section + 1] & 0x0F) << 8 + Int(bytes[section + 2])
            let name = try #require((section..<end - 4).first { bytes[$0..<$0 + 4].elementsEqual("AC-3".utf8) })
            // The name is preceded by the descriptor's tag and length, the descriptors' length and the stream number.
            try #require(bytes[name - 7] == ac3)
            bytes[name - 7] = privateData
            bytes.replaceSubrange(name..<name + 4, with: "KLVA".utf8)
            let sum = checksum(bytes[section..<end - 4])
            bytes.replaceSubrange(end - 4..<end, with: withUnsafeBytes(of: sum.bigEndian) { Array($0) })
            found += 1
        }
        try #require(found > 0)
        return Data(bytes)
    }

    /// The CRC-32 of MPEG-2 Systems.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(0xFFFF_FFFF) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in
                sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7
            }
        }
    }
}
