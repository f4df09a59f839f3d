import FrameCore
import Foundation
import MediaIO
import TestSupport
import Testing

/// Verification of finished files.
@Suite struct OutputVerifierTests {
    private func file(_ name: String, frames: Int = 12, in folder: TestSupport.TemporaryFolder) throws -> String {
        let pictures = try (0..<frames).map { try GeneratedPicture.waves(dx: 2 * $0) }
        let stream = VideoStreamDescription(
            format: .yuv420p8, width: pictures[0].width, height: pictures[0].height, timeBase: Rational(1, 25),
            nominalFrameRate: Rational(25, 1))
        let sink = try openSink(folder.path(name), stream: stream, source: nil)
        for (index, picture) in pictures.enumerated() {
            try sink.write(Frame(buffer: picture, presentationTime: MediaTime(value: Int64(index), timescale: 25)))
        }
        try sink.finish()
        return folder.path(name)
    }

    private func sentence(_ path: String, packets: Int, last: Int64, audio: Int = 0) -> String {
        var written = MuxedStream()
        for index in 0..<packets {
            written.add(index == packets - 1 ? last : Int64(index))
        }
        let sound = [OutputVerifier.Planned](repeating: (.audio, MuxedStream()), count: audio)
        do {
            try OutputVerifier(path: path, output: "out")
                .check([(.video, written)] + sound, video: (0, written), clock: Rational(1, 25))
            return "as planned"
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: ["a.mp4", "a.mov", "a.mkv", "a.webm", "a.nut"])
    func whatIsMissingIsNamed(name: String) throws {
        let folder = try TestSupport.TemporaryFolder()
        let path = try file(name, in: folder)
        #expect(sentence(path, packets: 12, last: 11) == "as planned")
        #expect(sentence(path, packets: 13, last: 11).contains("12 of 13 frames"))
        #expect(sentence(path, packets: 12, last: 12).contains("shows its frames over"))
        #expect(sentence(path, packets: 12, last: 11, audio: 1).contains("0 of 1 audio streams"))
    }

    @Test func aBrokenFileIsRefused() throws {
        let folder = try TestSupport.TemporaryFolder()
        _ = try file("a.mp4", in: folder)
        let path = try folder.write(folder.data("a.mp4").prefix(600), to: "b.mp4")
        #expect(sentence(path, packets: 12, last: 11).contains("was not kept"))
    }
}
