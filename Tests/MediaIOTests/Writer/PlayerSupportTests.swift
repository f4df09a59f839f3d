import FrameCore
import MediaIO
import TestSupport
import Testing

/// Files that ordinary players can show, and notes about those that they cannot.
@Suite struct PlayerSupportTests {
    private func frames(_ subsampling: ChromaSubsampling, _ depth: Int = 8, width: Int = 64) throws -> [Frame] {
        try clip(try PixelFormat(subsampling: subsampling, bitDepth: depth), width, 48, ticks: [0, 1])
    }

    @Test(arguments: [
        (ChromaSubsampling.yuv444, 8, MediaWriterOptions.Codec.h264, "--pixel-format yuv420p"),
        (.yuv444, 8, .hevc, "--pixel-format yuv420p"), (.yuv422, 10, .hevc, "--pixel-format yuv420p10le"),
        (.yuv422, 10, .h264, "--pixel-format yuv420p"), (.yuv420, 10, .h264, "--codec hevc"),
    ])
    func whatPlayersCannotShowIsSaid(
        subsampling: ChromaSubsampling, depth: Int, codec: MediaWriterOptions.Codec, option: String
    ) throws {
        let folder = try TemporaryFolder()
        let options = MediaWriterOptions(codec: codec, preset: "ultrafast")
        let note = try #require(
            try write(try frames(subsampling, depth), to: folder("a.mp4"), options: options).notes.first {
                $0.contains("players cannot show")
            })
        #expect(note.contains(option), "\(note)")
        // Matroska files are for players that can.
        #expect(try write(try frames(subsampling, depth), to: folder("a.mkv"), options: options).notes.isEmpty)
    }

    @Test func whatPlayersCanShowNeedsNoWords() throws {
        let folder = try TemporaryFolder()
        #expect(try write(try frames(.yuv420), to: folder("a.mp4")).notes.isEmpty)
        #expect(try write(try frames(.yuv420, 10), to: folder("b.mp4"), options: .init(codec: .hevc)).notes.isEmpty)
        let odd = try write(try frames(.yuv444, width: 63), to: folder("c.mp4"), options: .init(codec: .h264))
        #expect(odd.notes.contains { $0.contains("--codec vp9") })
    }

    @Test(
        .enabled(if: hasMaker), arguments: [("gif", "rgb24"), ("png", "rgb24"), ("mkv", "gbrp"), ("mkv", "gbrp10le")])
    func rgbBecomesPlayable(ending: String, format: String) throws {
        let folder = try TemporaryFolder()
        let input = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=0.3,format=\(format)"]
        switch ending {
        case "gif": try make(folder("a.gif"), input)
        case "png": try make(folder("a%d.png"), input)
        default: try make(folder("a.mkv"), input + ["-c:v", "ffv1", "-pix_fmt", format])
        }
        let source = folder(ending == "png" ? "a%d.png" : "a.\(ending)")
        let sink = try carry(source, to: folder("out.mp4"))
        let found = try #require(try read(folder("out.mp4")).reader.info.streams.first?.video)
        #expect(found.subsampling == "4:2:0")
        #expect(found.color.primaries == .bt709 && found.color.transfer == .sRGB)
        #expect(sink.notes.contains { $0.contains("--pixel-format yuv444p") })
        #expect(!sink.notes.contains { $0.contains("cannot show") })
        // The option overrides it, and Matroska keeps all chroma.
        try carry(source, to: folder("forced.mp4"), options: .init(pixelFormat: "yuv444p"))
        #expect(try read(folder("forced.mp4")).reader.info.streams.first?.video?.subsampling == "4:4:4")
        try carry(source, to: folder("out.mkv"))
        #expect(try read(folder("out.mkv")).reader.info.streams.first?.video?.subsampling == "4:4:4")
    }

    @Test(.enabled(if: hasMaker)) func flacInMP4IsSaid() throws {
        let folder = try TemporaryFolder()
        let source = try make(folder("a.mkv"), pictureAndTone(0.2) + quickVideo + ["-c:a", "flac"])
        let note = try carry(source, to: folder("b.mp4")).notes.first { $0.contains("flac") }
        #expect(note?.contains(".mkv") == true)
        #expect(try carry(source, to: folder("b.mkv")).notes.isEmpty)
    }
}
