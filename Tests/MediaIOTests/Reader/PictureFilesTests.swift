import FrameCore
import MediaIO
import TestSupport
import Testing

/// Image sequences by pattern, by wildcards and as a folder.
@Suite struct PictureFilesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes images whose brightness is a multiple of their place in the list.
    private func make(_ names: [String]) throws {
        for (place, name) in names.enumerated() {
            let buffer = try GeneratedPicture.flat(20 + 8 * place, width: 32, height: 32)
            try SingleFile.write(Frame(buffer: buffer, presentationTime: .zero), to: folder(name))
        }
    }

    /// Returns the places in the list of the images that are read.
    private func places(_ input: String, _ options: MediaReaderOptions = .init()) throws -> [Int] {
        try read(folder(input), options).frames.map { frame in
            // Images are read as full range.
            let luma = Double(frame.buffer.samples(ofPlane: 0)[40]) * 219 / 255 + 16
            return Int(((luma - 20) / 8).rounded())
        }
    }

    @Test(arguments: ["img.%04d.png", "img.%d.png", "img.*.png", "*.png", "img.10?[0-9].png", ""])
    func sequencesBeginAnywhere(input: String) throws {
        try make((1001...1006).map { "img.\($0).png" })
        #expect(try places(input) == Array(0..<6))
        let reader = try MediaReader(folder(input))
        #expect(reader.pictures.map { $0.split(separator: "/").last } == (1001...1006).map { "img.\($0).png" })
        #expect(!reader.readsOtherFiles && reader.notes.allSatisfy { !$0.contains("missing") })
        #expect(try reader.nextFrame()?.duration == MediaTime(value: 1, timescale: 25))
        let fast = try read(folder(input), .init(inputFrameRate: Rational(60, 1))).frames
        #expect(fast[5].presentationTime == MediaTime(value: 5, timescale: 60))
    }

    @Test func theFirstNumberMayBeChosen() throws {
        try make((7...12).map { "a%_\($0).png" } + (7...12).map { "b_\($0).png" })
        #expect(try places("b_%d.png", .init(startNumber: 9)) == Array(8..<12))
        #expect(try places("a%%_%d.png") == Array(0..<6))
        let error = try refusal { _ = try MediaReader(folder("b_%d.png"), options: .init(startNumber: 40)) }
        #expect(error.message == "there is no image number 40; the lowest number is 7")
        for name in ["b_*.png", "b_7.png"] {
            let error = try refusal { _ = try MediaReader(folder(name), options: .init(startNumber: 8)) }
            #expect(error.message == "--start-number applies to numbered images such as in_%04d.png")
        }
    }

    /// Numbers decide about the order, not letters.
    @Test(arguments: ["*.png", ""]) func numbersNeedNoLeadingZeros(input: String) throws {
        try make((8...12).map { "f\($0).png" })
        #expect(try places(input) == Array(0..<5))
    }

    /// Names without numbers, or with gaps, are taken in the order of their letters.
    @Test func otherNamesAreInOrder() throws {
        try make(["autumn.png", "spring.png", "summer.png"])
        #expect(try places("") == [0, 1, 2])
        #expect(try places("s*.png") == [1, 2])
    }

    @Test func missingNumbersAreNamed() throws {
        try make([1, 2, 3, 5, 6].map { "f_0\($0).png" })
        let reading = try read(folder("f_%02d.png"))
        #expect(reading.frames.count == 3)
        #expect(
            reading.reader.notes.contains(
                "image number 4 is missing, so the sequence ends before it and 2 later images are left out"))
        #expect(try places("") == Array(0..<5) && places("f_*.png") == Array(0..<5))
    }

    @Test func whatIsUnclearIsRefused() throws {
        try make(["f8.png", "f9.png", "f11.png", "f12.png"])
        #expect(try refusal { _ = try MediaReader(folder("")) }.message.contains("order of the images is unclear"))
        try make(["x.bmp"])
        #expect(
            try refusal { _ = try MediaReader(folder("")) }.message.contains(
                "the folder holds images of several kinds (bmp, png)"))
        #expect(try refusal { _ = try MediaReader(folder("*.jpg")) }.message == "no file matches this pattern")
    }

    /// Wildcards in the name of a folder are no wildcards.
    @Test func foldersMayHaveAnyName() throws {
        try LocalFile.makeDirectory(folder("a[1]*{x} 50%"))
        try make(["a[1]*{x} 50%/one.png", "a[1]*{x} 50%/two.png"])
        #expect(try places("a[1]*{x} 50%") == [0, 1])
    }
}
