import FrameCore
import Foundation
import MediaIO
import Testing

/// The bytes of a video do not depend on the machine.
@Suite struct EncoderThreadTests {
    /// Writes a video and returns its path.
    private func video(_ options: MediaWriterOptions, _ folder: TemporaryFolder) throws -> String {
        let path = folder(UUID().uuidString + ".mkv")
        try write(clip(.yuv420p8, 128, 96, ticks: Array(0..<12)), to: path, options: options)
        return path
    }

    /// Returns the hashes of the packets: Matroska files have random identifiers beside them.
    private func packets(_ options: MediaWriterOptions, _ folder: TemporaryFolder) throws -> [String] {
        try probe(video(options, folder), "v", "packet=data_hash", ["-show_data_hash", "md5"])
    }

    /// The usual number is the same as that number chosen, and encoders get no other.
    @Test(arguments: MediaWriterOptions.Codec.allCases) func theNumberIsFixed(codec: MediaWriterOptions.Codec) throws {
        let folder = try TemporaryFolder()
        let usual = MediaWriterOptions(codec: codec)
        let chosen = MediaWriterOptions(codec: codec, encoderThreads: MediaWriterOptions.usualEncoderThreads)
        let one = try packets(usual, folder)
        #expect(one.count == 12)
        #expect(try packets(usual, folder) == one && packets(chosen, folder) == one)
    }

    /// x265 would write the instruction set of the processor into the stream.
    @Test func theProcessorIsNotStated() throws {
        let folder = try TemporaryFolder()
        let hevc = try String(decoding: bytes(of: video(MediaWriterOptions(codec: .hevc), folder)), as: UTF8.self)
        #expect(!hevc.contains("cpuid"))
    }
}
