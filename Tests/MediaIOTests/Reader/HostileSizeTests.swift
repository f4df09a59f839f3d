import FrameCore
import Foundation
import MediaIO
import Testing

/// Inputs whose headers or samples are out of range.
@Suite struct HostileSizeTests {
    /// A 10-bit y4m file in which all samples have the given value.
    private func tenBits(_ word: UInt16, _ folder: TemporaryFolder) throws -> String {
        let head = Array("YUV4MPEG2 W16 H16 F25:1 Ip C420p10 XYSCSS=420P10\nFRAME\n".utf8)
        let samples = (0..<16 * 16 * 3 / 2).flatMap { _ in [UInt8(word & 255), UInt8(word >> 8)] }
        return try folder.write(head + samples, to: "deep.y4m")
    }

    @Test(arguments: [(UInt16(1024), 1023), (65535, 1023), (1023, 1023), (0, 0)])
    func samplesStayWithinTheirDepth(word: UInt16, expected: Int) throws {
        let folder = try TemporaryFolder()
        let reading = try read(tenBits(word, folder))
        let frame = try #require(reading.frames.first)
        frame.buffer.withPlanes { planes in
            for plane in 0..<planes.count {
                for y in 0..<planes[plane].height {
                    let row = planes[plane].row(y).assumingMemoryBound(to: UInt16.self)
                    #expect((0..<planes[plane].width).allSatisfy { Int(row[$0]) == expected })
                }
            }
        }
        #expect(reading.reader.notes.contains { $0.contains("samples of more than 10 bits") } == (Int(word) > 1023))
    }

    /// A PNG file of 64x48.
    private func png() throws -> [UInt8] {
        let frame = try #require(clip(ticks: [0]).first)
        return try StillCodec().encode(StillPicture(frame: frame), as: .png, options: StillOptions()).bytes
    }

    @Test func largerPicturesThanAllowedAreNotDecoded() throws {
        let folder = try TemporaryFolder()
        try write(clip(ticks: [0]), to: folder("a.mkv"))
        let picture = try png()
        _ = try folder.write(picture, to: "a.png")
        for name in ["a.mkv", "a.png"] {
            #expect(try read(folder(name), MediaReaderOptions(maximumPixels: 64 * 48)).frames.count == 1)
            #expect(throws: FrameError.self) {
                try MediaReader(folder(name), options: .init(maximumPixels: 64 * 48 - 1))
            }
        }
        #expect(throws: Never.self) { try StillCodec(maximumPixels: 64 * 48).decode(picture) }
        #expect(throws: FrameError.self) { try StillCodec(maximumPixels: 64 * 48 - 1).decode(picture) }
    }

    /// Sizes larger than libavcodec supports are rejected before memory is allocated.
    @Test func aPictureBeyondAllBoundsIsRefused() throws {
        let folder = try TemporaryFolder()
        var all = try png()
        for place in [16, 20] { all.replaceSubrange(place..<place + 4, with: [0, 0, 0xEA, 0x60]) }
        // By default the decoder does not verify the checksum of the header.
        let path = try folder.write(all, to: "huge.png")
        #expect(throws: FrameError.self) { try MediaReader(path) }
        #expect(throws: FrameError.self) { try StillCodec().decode(all) }
    }

    /// Sizes that libavcodec supports are checked against the limits of this module.
    @Test func largeSizesAreRefusedByTheirBounds() throws {
        let folder = try TemporaryFolder()
        let large = try folder.write("YUV4MPEG2 W12000 H12000 F25:1 Ip C420jpeg\nFRAME\n".utf8, to: "large.y4m")
        let tooLarge = try refusal { _ = try MediaReader(large, options: .init(maximumPixels: 8192 * 8192)) }
        #expect(
            tooLarge.message == "the image size 12000x12000 is not supported; the limit is 67108864 pixels"
                && tooLarge.code == .unsupportedSize)
        let head = Array("YUV4MPEG2 W65538 H16 F25:1 Ip C420jpeg\nFRAME\n".utf8)
        let wide = try folder.write(head + [UInt8](repeating: 128, count: 65538 * 16 * 3 / 2), to: "wide.y4m")
        let tooWide = try refusal { _ = try read(wide) }
        #expect(
            tooWide.message == "the image size 65538x16 is not supported; each side must be 1 to 65535 pixels"
                && tooWide.code == .unsupportedSize)
    }
}
