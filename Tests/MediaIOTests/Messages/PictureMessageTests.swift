import FrameCore
import MediaIO
import Testing

/// Data that rides with single frames and that libav's encoders do not write.
@Suite struct PictureMessageTests {
    private static let captionCode: Int32 = 1, activeFormatCode: Int32 = 7, hdr10PlusCode: Int32 = 17
    private static let userDataCode: Int32 = 20

    private static func entry(_ code: Int32, _ bytes: [UInt8], isOne: Bool = true) -> SideData.Entry {
        .init(kind: "side data \(code)", code: code, bytes: bytes, isOfThisPictureOnly: isOne)
    }

    /// A pair of bytes of line 21, which is never padding.
    private static func triplet(_ number: Int) -> [UInt8] {
        [0xFC, UInt8(0x20 + number / 90 % 90), UInt8(0x20 + number % 90)]
    }

    private static func bytes(_ code: Int32, in frame: Frame) -> [UInt8] {
        frame.sideData.entries.filter { $0.code == code }.flatMap(\.bytes)
    }

    private func options(_ codec: MediaWriterOptions.Codec) -> MediaWriterOptions {
        .init(
            codec: codec, preset: codec == .av1 ? "12" : ["h264", "hevc"].contains(codec.rawValue) ? "ultrafast" : nil)
    }

    /// Hundred frames have B-frames, or hidden ones in AV1, which are coded in another order than they are shown.
    @Test(arguments: [MediaWriterOptions.Codec.h264, .hevc, .av1], ["mkv", "mp4"])
    func captionsComeOutInOrder(codec: MediaWriterOptions.Codec, container: String) throws {
        let folder = try TemporaryFolder()
        var frames = try clip(.yuv420p8, 96, 80, ticks: Array(0..<100))
        for index in frames.indices where index % 3 != 1 {
            frames[index].sideData = SideData([Self.entry(Self.captionCode, Self.triplet(index))])
        }
        let path = folder("a.\(container)")
        let sink = try write(frames, to: path, options: options(codec))
        #expect(sink.notes.isEmpty)
        let found = try read(path).frames
        #expect(
            found.flatMap { Self.bytes(Self.captionCode, in: $0) }
                == frames.flatMap { Self.bytes(Self.captionCode, in: $0) })
        for (index, frame) in found.enumerated() {
            let triplets = Self.bytes(Self.captionCode, in: frame)
            if codec != .av1 { #expect(triplets == Self.bytes(Self.captionCode, in: frames[index])) }
            // With AV1, captions wait for the next picture that is not one decoded earlier.
            for start in stride(from: 0, to: triplets.count, by: 3) {
                let number = Int(triplets[start + 1] - 0x20) * 90 + Int(triplets[start + 2] - 0x20)
                #expect(index - number < 3)
            }
        }
    }

    /// A frame holds 31 triplets; padding goes first, and the rest follows with the next frames.
    @Test func tooManyCaptionsMoveOn() throws {
        let folder = try TemporaryFolder()
        var frames = try clip(ticks: Array(0..<4))
        let real = (0..<70).map(Self.triplet),
            padding = Array(repeating: [UInt8](arrayLiteral: 0xFC, 0x80, 0x80), count: 40)
        frames[0].sideData = SideData([Self.entry(Self.captionCode, (padding + real).flatMap(\.self))])
        try write(frames, to: folder("a.mp4"), options: options(.hevc))
        let found = try read(folder("a.mp4")).frames.map { Self.bytes(Self.captionCode, in: $0) }
        #expect(found.map { $0.count / 3 } == [31, 31, 8, 0])
        #expect(found.flatMap(\.self) == real.flatMap(\.self))
    }

    @Test func captionsWithoutRoomAreNoted() throws {
        let folder = try TemporaryFolder()
        var frames = try clip(ticks: [0, 1])
        for index in frames.indices {
            let own = (0..<40).flatMap { Self.triplet(40 * index + $0) }
            frames[index].sideData = SideData([Self.entry(Self.captionCode, own)])
        }
        let sink = try write(frames, to: folder("a.mp4"), options: options(.h264))
        #expect(sink.notes.map(\.code) == ["captions-dropped"])
        #expect(sink.notes.first?.sentence.hasPrefix("18 byte pairs") == true)
    }

    @Test(arguments: [MediaWriterOptions.Codec.ffv1, .vp9])
    func codecsWithoutMessagesLeaveANote(codec: MediaWriterOptions.Codec) throws {
        let folder = try TemporaryFolder()
        var frames = try clip(ticks: [0, 1])
        frames[1].sideData = SideData([
            Self.entry(Self.captionCode, Self.triplet(1)), Self.entry(Self.hdr10PlusCode, Self.hdr10Plus, isOne: false),
        ])
        let sink = try write(frames, to: folder("a.mkv"), options: options(codec))
        #expect(sink.notes.map(\.code) == ["captions-dropped", "hdr10-plus-dropped"])
        #expect(sink.notes.map(\.isLoss) == [true, true])
    }

    /// A message with one window, from a real file.
    static let hdr10Plus: [UInt8] = [
        0xB5, 0x00, 0x3C, 0x00, 0x01, 0x04, 0x01, 0x40, 0x00, 0x00, 0x00, 0x8B, 0x4C, 0x41, 0xFF, 0x1B, 0xD6, 0x01,
        0x03, 0x64, 0x08, 0x00, 0x0C, 0x28, 0xDB, 0x20, 0x50, 0x00, 0xAC, 0xC8, 0x00, 0xE1, 0x90, 0x03, 0x6E, 0x58,
        0x10, 0x32, 0xD0, 0x2A, 0x6A, 0xF8, 0x48, 0xF3, 0x18, 0xE1, 0xB4, 0x00, 0x00,
    ]

    /// Emulation prevention bytes, reordering and the conversion from and to libav's structure leave the bytes alone.
    @Test(arguments: [MediaWriterOptions.Codec.h264, .hevc, .av1])
    func dynamicHDRMetadataIsCarried(codec: MediaWriterOptions.Codec) throws {
        let folder = try TemporaryFolder()
        let pq = ColorDescription(
            matrix: .bt2020NonConstantLuminance, primaries: .bt2020, transfer: .pq, range: .limited,
            chromaLocation: .left)
        var frames = try clip(
            PixelFormat(subsampling: .yuv420, bitDepth: 10), 96, 80, ticks: Array(0..<12), color: pq)
        for index in frames.indices {
            var message = Self.hdr10Plus
            // The largest red value of the frame.
            message[14] = UInt8(index * 8)
            frames[index].sideData = SideData([Self.entry(Self.hdr10PlusCode, message, isOne: false)])
        }
        try write(frames, to: folder("a.mkv"), options: options(codec))
        let reading = try read(folder("a.mkv"))
        for (found, frame) in zip(reading.frames, frames) {
            #expect(Self.bytes(Self.hdr10PlusCode, in: found) == Self.bytes(Self.hdr10PlusCode, in: frame))
        }
        #expect(reading.reader.info.streams.first?.video?.dynamicRange.hasHDR10Plus == true)
    }

    @Test(arguments: [MediaWriterOptions.Codec.h264, .hevc])
    func activeFormatAndUserDataAreCarried(codec: MediaWriterOptions.Codec) throws {
        let folder = try TemporaryFolder()
        var frames = try clip(ticks: Array(0..<10))
        let user = Array(0..<16) + Array("time stamp".utf8)
        for index in frames.indices {
            frames[index].sideData.entries.append(Self.entry(Self.activeFormatCode, [10], isOne: false))
        }
        frames[4].sideData.entries.append(Self.entry(Self.userDataCode, user))
        try write(frames, to: folder("a.mp4"), options: options(codec))
        let found = try read(folder("a.mp4")).frames
        // The decoder of HEVC does not tell the active format.
        if codec == .h264 { #expect(found.allSatisfy { Self.bytes(Self.activeFormatCode, in: $0) == [10] }) }
        #expect(Self.bytes(Self.userDataCode, in: found[4]).elementsEqual(user))
    }

    /// The rule: what is neither kept nor known to be superfluous leaves a note that names it.
    @Test(arguments: ["a.mp4", "a.mkv", "a.webm", "a.y4m", "a.avi", "a_%03d.png"])
    func unknownSideDataLeavesANote(name: String) throws {
        let folder = try TemporaryFolder()
        var frames = try clip(ticks: [0, 1, 2])
        frames[1].sideData = SideData([.init(kind: "smell of the scene", code: 999, bytes: [1])])
        let sink = try write(frames, to: folder(name))
        let note = try #require(sink.notes.first { $0.code == "side-data-dropped" })
        #expect(note.isLoss && note.sentence.contains("smell of the scene"))
    }

    @Test func lossesAreErrorsOnRequest() throws {
        let folder = try TemporaryFolder()
        var frames = try clip(ticks: [0, 1, 2])
        for index in frames.indices {
            frames[index].sideData = SideData([Self.entry(Self.captionCode, Self.triplet(index))])
        }
        var wanted = options(.ffv1)
        wanted.failsOnLoss = true
        let error = try refusal { try write(frames, to: folder("a.mkv"), options: wanted) }
        #expect(error.message.contains("closed captions"))
        #expect(folder.contents.isEmpty)
        wanted.codec = .h264
        try write(frames, to: folder("a.mkv"), options: wanted)
        // Known before the first frame.
        wanted.codec = .ffv1
        let reader = try MediaReader(folder("a.mkv"))
        let early = try refusal {
            _ = try openSink(
                folder("b.mkv"), stream: reader.stream, source: reader.sourceDescription, options: wanted)
        }
        #expect(early.message.contains("closed captions") && folder.contents == ["a.mkv"])
    }
}
