import FrameCore
import Foundation
import MediaIO
import Testing

@Suite struct BadInputTests {
    private func refused(_ path: String, _ says: String, _ options: MediaReaderOptions = .init()) throws {
        let error = try refusal { _ = try MediaReader(path, options: options) }
        #expect(error.description.contains(says))
        #expect(error.location.file == path)
        #expect(!error.message.contains("\n") && !error.message.hasSuffix("."))
    }

    @Test func whatIsNoVideoIsNamed() throws {
        let folder = try TemporaryFolder()
        try refused(folder("missing.mp4"), "no such file")
        try refused(folder.path, "directory")
        try refused(try folder.write([], to: "empty.mp4"), "empty")
        try refused(try folder.write("This is a text and no video at all.".utf8, to: "text.mp4"), "not a video")
        try refused(
            try folder.write((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 37) }, to: "noise.bin"), "not a video")
        try refused(try folder.write("YUV4MPEG2 W64 H48 F25:1 Ip C420jpeg\n".utf8, to: "head.y4m"), "no frames")
    }

    /// libavcodec never returns when it decodes such a file.
    @Test func cutBoxesOfJPEGXLAreRefused() throws {
        let folder = try TemporaryFolder()
        let head: [UInt8] =
            [0, 0, 0, 12] + Array("JXL ".utf8) + [13, 10, 0x87, 10, 0, 0, 0, 20] + Array("ftypjxl ".utf8)
            + [0, 0, 0, 0] + Array("jxl ".utf8)
        try refused(try folder.write(head[..<8] + [0, 14], to: "a.jxl"), "ends inside one of its boxes")
        for rest: [UInt8] in [
            [0, 0, 0], [0, 0, 0, 14, 0, 0], [0, 0, 0, 7] + Array("jxlc".utf8), [0, 0, 0, 1, 0, 0, 0, 0, 9],
        ] {
            try refused(try folder.write(head + rest, to: "a.jxl"), "ends inside one of its boxes")
        }
    }

    /// Image sequences and playlists must not bypass the check either.
    @Test(.timeLimit(.minutes(30))) func unseenJPEGXLIsRefused() throws {
        let folder = try TemporaryFolder()
        let head: [UInt8] = [0, 0, 0, 12] + Array("JXL ".utf8) + [13, 10, 0x87, 10]
        _ = try folder.write(head + [0, 0, 0], to: "p_001.jxl")
        let error = try refusal { _ = try MediaReader(folder("p_%03d.jxl")) }
        #expect(error.message.contains("ends inside one of its boxes") && error.location.file == folder("p_001.jxl"))
        let list = try folder.write("ffconcat version 1.0\nfile 'p_001.jxl'\nduration 1\n".utf8, to: "a.ffconcat")
        #expect(throws: FrameError.self) { try MediaReader(list) }
        _ = try folder.write(
            StillCodec().encode(
                StillPicture(frame: clip(ticks: [0])[0]), as: .jpegXL, options: StillOptions()
            ).bytes, to: "p_001.jxl")
        #expect(try read(folder("p_%03d.jxl")).frames.count == 1)
        #expect(throws: FrameError.self) { try MediaReader(list) }
    }

    @Test func soundAloneIsNamed() throws {
        let folder = try TemporaryFolder()
        // A WAV file of silence: header and 16000 bytes of samples.
        var wav = Array("RIFF".utf8) + [0xA4, 0x3E, 0, 0] + Array("WAVEfmt ".utf8)
        wav += [16, 0, 0, 0, 1, 0, 1, 0, 0x40, 0x1F, 0, 0, 0x80, 0x3E, 0, 0, 2, 0, 16, 0] + Array("data".utf8)
        wav += [0x80, 0x3E, 0, 0] + [UInt8](repeating: 0, count: 16000)
        try refused(try folder.write(wav, to: "a.wav"), "there is no video stream; the file contains audio (pcm_s16le)")
    }

    @Test func emptyPipeIsNamed() throws {
        let folder = try TemporaryFolder()
        try refused(try pipe([], in: folder), "not a video")
    }

    @Test func truncatedFilesGiveWhatDecodes() throws {
        let folder = try TemporaryFolder()
        try write(try clip(ticks: Array(0..<50)), to: folder("a.mkv"), options: .init(crf: 10))
        try write(try clip(ticks: Array(0..<50)), to: folder("a.y4m"))
        for name in ["a.mkv", "a.y4m"] {
            let whole = try bytes(of: folder(name))
            let cut = try folder.write(whole.prefix(whole.count * 2 / 3 + 11), to: "cut-" + name)
            let reading = try read(cut)
            #expect((10..<50).contains(reading.frames.count))
            #expect(!reading.reader.damage.isEmpty)
            let strict = try MediaReader(cut, options: .init(isStrict: true))
            #expect(throws: FrameError.self) { while try strict.nextFrame() != nil {} }
        }
        // The index of this mp4 file is at the end; without it nothing can be read.
        try write(try clip(ticks: Array(0..<50)), to: folder("a.mp4"))
        try refused(
            try folder.write(try bytes(of: folder("a.mp4")).dropLast(3000), to: "cut.mp4"), "has no index (moov)")
    }

    @Test func wholeFilesAreNotCalledDamaged() throws {
        let folder = try TemporaryFolder()
        for name in ["a.mkv", "a.mp4", "a.y4m", "a.webm", "a.mov"] {
            try write(try clip(ticks: Array(0..<30)), to: folder(name))
            #expect(try read(folder(name), .init(isStrict: true)).frames.count == 30)
        }
    }

    @Test func damagedPacketsAreCountedAndPassedOver() throws {
        let folder = try TemporaryFolder()
        let frames = try clip(ticks: Array(0..<60))
        try write(frames, to: folder("a.mp4"), options: .init(crf: 5))
        var data = try bytes(of: folder("a.mp4"))
        for index in stride(from: data.count / 3, to: data.count / 2, by: 7) { data[index] ^= 0x5A }
        let bad = try folder.write(data, to: "bad.mp4")
        let reading = try read(bad)
        #expect(reading.frames.count > 20)
        #expect(!reading.reader.damage.isEmpty)
        #expect(zip(reading.times, reading.times.dropFirst()).allSatisfy { $0 < $1 })
        #expect(throws: FrameError.self) {
            let strict = try MediaReader(bad, options: .init(isStrict: true))
            while try strict.nextFrame() != nil {}
        }
    }

    @Test func aChangeOfSizeEndsTheStream() throws {
        let folder = try TemporaryFolder()
        try write(try clip(ticks: Array(0..<5)), to: folder("a.h264"), options: .init(format: "h264"))
        try write(
            try clip(.yuv420p8, 96, 80, ticks: Array(0..<5)), to: folder("b.h264"), options: .init(format: "h264"))
        let joined = try folder.write(try bytes(of: folder("a.h264")) + bytes(of: folder("b.h264")), to: "ab.h264")
        let reading = try read(joined)
        #expect(reading.frames.count == 5)
        #expect(reading.reader.damage.notes.contains { $0.contains("64x48") && $0.contains("96x80") })
        let strict = try MediaReader(joined, options: .init(isStrict: true))
        let error = try refusal { while try strict.nextFrame() != nil {} }
        #expect(error.code == .input && error.message.contains("96x80"))
    }

    @Test func oneFrameIsAVideo() throws {
        let folder = try TemporaryFolder()
        try write(try clip(ticks: [7], lastTicks: 2), to: folder("a.mp4"))
        let reading = try read(folder("a.mp4"))
        #expect(reading.times == [.zero])
        #expect(reading.durations == [MediaTime(value: 2, timescale: 25)])
    }

    @Test func coverArtIsNotTheVideo() throws {
        let reader = try MediaReader(fixture("all-streams.mkv"))
        #expect(reader.info.videoStream == 0)
        #expect(reader.info.streams.contains { $0.kind == .coverArt })
        let error = try refusal { _ = try MediaReader(fixture("all-streams.mkv"), options: .init(videoStream: 5)) }
        #expect(error.code == .invalidArgument && error.message.contains("allowed are: 0"))
    }

    @Test func unknownInputFormatIsNamed() throws {
        try refused(fixture("all-streams.mkv"), "not an input format", .init(inputFormat: "xyz"))
    }
}
