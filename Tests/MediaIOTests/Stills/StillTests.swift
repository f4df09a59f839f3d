import Foundation
import FrameCore
import MediaIO
import TestSupport
import Testing

@Suite struct StillTests {
    private let codec = StillCodec()

    private func smooth(
        _ format: PixelFormat = .yuv420p8, width: Int = 96, height: Int = 64, color: ColorDescription? = nil
    ) throws -> StillPicture {
        StillPicture(
            frame: Frame(
                buffer: try GeneratedPicture.waves(format, width: width, height: height), presentationTime: .zero,
                color: color ?? ColorDescription(matrix: .bt709, primaries: .bt709, transfer: .bt709, range: .limited)))
    }

    /// An alpha plane that changes from column to column.
    private func ramp(_ depth: Int, width: Int = 96, height: Int = 64) throws -> PixelBuffer {
        try GeneratedPicture.draw(
            PixelFormat(subsampling: .monochrome, bitDepth: depth), width: width, height: height
        ) { _, x, _ in 2 * x }
    }

    /// Mean red, green and blue of an image file, decoded by ffmpeg.
    private func meanColor(_ bytes: [UInt8], _ format: StillFormat) throws -> [Double] {
        let folder = try TemporaryFolder()
        let path = try folder.write(bytes, to: "picture." + format.fileExtensions[0])
        let raw = folder("raw")
        try tool("ffmpeg", "-v", "error", "-y", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", raw)
        let samples = try MediaIOTests.bytes(of: raw)
        return (0..<3).map { channel in
            let own = stride(from: channel, to: samples.count, by: 3).map { Double(samples[$0]) }
            return own.reduce(0, +) / Double(own.count)
        }
    }

    @discardableResult
    private func tool(_ name: String, _ arguments: String...) throws -> Data {
        let process = Process(), pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [name] + arguments
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(name) \(arguments)")
        return data
    }

    private static func has(_ name: String) -> Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/" + name) }

    @Test(arguments: StillFormat.allCases)
    func picturesComeBack(format: StillFormat) throws {
        let picture = try smooth()
        let file = try codec.encode(picture, as: format, options: StillOptions(quality: 95))
        #expect(StillFormat(bytes: file.bytes) == format)
        let back = try codec.decode(file.bytes)
        #expect(back.frame.buffer.width == 96)
        #expect(back.frame.buffer.height == 64)
        #expect(back.alpha == nil)
        #expect(back.orientation == .up)
        let color = back.frame.color.resolved(height: 64)
        let luma = back.frame.buffer.samples(ofPlane: 0).map(Double.init).reduce(0, +) / (96 * 64)
        let own = picture.frame.buffer.samples(ofPlane: 0).map(Double.init).reduce(0, +) / (96 * 64)
        let expected = color.range == .full ? (own - 16) * 255 / 219 : own
        // Luma is comparable only with the same matrix; with another one, only grey keeps its luma.
        if color.matrix == .bt709 { #expect(abs(luma - expected) < 3, "\(luma) \(expected)") }
    }

    /// A patch of BT.709 color must look the same in every format, regardless of the format's matrix and range.
    @Test func colorsAreTheSameInAllFormats() throws {
        let buffer = try GeneratedPicture.draw(.yuv420p8, width: 64, height: 64) { plane, _, _ in [90, 100, 190][plane]
        }
        let color = ColorDescription(matrix: .bt709, primaries: .bt709, transfer: .bt709, range: .limited)
        let picture = StillPicture(frame: Frame(buffer: buffer, presentationTime: .zero, color: color))
        // Computed with the equations of BT.709.
        let y = (90.0 - 16) / 219, b = (100.0 - 128) / 224, r = (190.0 - 128) / 224
        let red = y + 1.5748 * r, blue = y + 1.8556 * b
        let green = (y - 0.2126 * red - 0.0722 * blue) / 0.7152
        let expected = [red, green, blue].map { $0 * 255 }
        for format in [StillFormat.jpeg, .png, .webp, .jpegXL] {
            let file = try codec.encode(picture, as: format, options: StillOptions(quality: 98))
            for (found, wanted) in zip(try meanColor(file.bytes, format), expected) {
                #expect(abs(found - wanted) < 3.5, "\(format): \(found) for \(wanted)")
            }
        }
        // ffmpeg 5.1 ignores the matrix of AVIF when it converts to RGB, so the tags are checked instead.
        let avif = try codec.encode(picture, as: .avif, options: StillOptions())
        let back = try codec.decode(avif.bytes)
        #expect(back.frame.color.matrix == .bt709)
        #expect(back.frame.color.primaries == .bt709)
        #expect(back.frame.color.range == .limited)
        #expect(abs(Int(back.frame.buffer.samples(ofPlane: 2)[100]) - 190) <= 2)
    }

    @Test(arguments: [StillFormat.jpeg, .png, .webp, .avif])
    func orientationsComeBack(format: StillFormat) throws {
        for orientation in PictureOrientation.allCases {
            var picture = try smooth(width: 32, height: 16)
            picture.orientation = orientation
            let file = try codec.encode(picture, as: format, options: StillOptions())
            #expect(try codec.decode(file.bytes).orientation == orientation, "\(format) \(orientation)")
        }
    }

    @Test func jpegXLRefusesAnOrientation() throws {
        var picture = try smooth()
        picture.orientation = .right
        let error = try refusal { _ = try codec.encode(picture, as: .jpegXL, options: StillOptions()) }
        #expect(error.code == .unsupportedFormat)
        #expect(error.message.contains("orientation"))
    }

    @Test(arguments: [(StillFormat.png, 8), (.png, 16), (.webp, 8), (.jpegXL, 8), (.jpegXL, 16)])
    func opacityComesBack(format: StillFormat, depth: Int) throws {
        var picture = try smooth(PixelFormat(subsampling: .yuv444, bitDepth: depth))
        picture.alpha = try ramp(depth)
        let file = try codec.encode(picture, as: format, options: StillOptions(quality: 90, isLossless: true))
        let alpha = try #require(try codec.decode(file.bytes).alpha)
        #expect(alpha.format.bitDepth == depth)
        // WebP may change the color of fully transparent pixels, but never alpha.
        #expect(alpha.hasSameSamples(as: try ramp(depth)))
        #expect(
            try codec.encode(picture, as: .jpeg, options: StillOptions()).notes.contains { $0.contains("transparency") }
        )
    }

    @Test(.enabled(if: has("avifdec"))) func avifHoldsOpacity() throws {
        var picture = try smooth()
        picture.alpha = try ramp(8)
        let folder = try TemporaryFolder()
        let file = try codec.encode(picture, as: .avif, options: StillOptions(quality: 100))
        let path = try folder.write(file.bytes, to: "a.avif")
        try tool("avifdec", path, folder("a.png"))
        let back = try codec.read(folder("a.png")).picture
        let alpha = try #require(back.alpha).samples(ofPlane: 0), wanted = try ramp(8).samples(ofPlane: 0)
        #expect(zip(alpha, wanted).allSatisfy { abs(Int($0) - Int($1)) <= 6 })
        #expect(abs(Int(back.frame.buffer.samples(ofPlane: 0)[96 * 32 + 48]) - 128) < 128)
    }

    @Test func sixteenBitsSurvivePNG() throws {
        let deep = try PixelFormat(subsampling: .yuv444, bitDepth: 16)
        let buffer = try picture(deep, 64, 48, index: 3)
        // Chroma is so small that no color is outside the RGB cube.
        var tame = try PixelBuffer(format: deep, width: 64, height: 48)
        let luma = buffer.samples(ofPlane: 0)
        try tame.withOverwrittenPlanes { planes in
            for plane in 0..<3 {
                for y in 0..<48 {
                    for x in 0..<64 {
                        let code = plane == 0 ? 16384 + Int(luma[y * 64 + x]) / 2 : 32768 + (x - 32) * 97 + y
                        planes[plane].row(y).storeBytes(of: UInt16(code), toByteOffset: 2 * x, as: UInt16.self)
                    }
                }
            }
        }
        let still = StillPicture(
            frame: Frame(
                buffer: tame, presentationTime: .zero,
                color: ColorDescription(matrix: .smpte170M, primaries: .bt709, transfer: .sRGB, range: .full)))
        let file = try codec.encode(still, as: .png, options: StillOptions())
        let back = try codec.decode(file.bytes).frame.buffer
        #expect(back.format == deep)
        let difference = PictureDifference(back, tame)
        // The error of two 16-bit conversions; an 8-bit intermediate would cause errors of hundreds.
        #expect(difference.largest < 40, "\(difference.largest)")
    }

    @Test func whatCannotBeIsRefused() throws {
        let hdr = try smooth(
            PixelFormat(subsampling: .yuv420, bitDepth: 10),
            color: ColorDescription(
                matrix: .bt2020NonConstantLuminance, primaries: .bt2020, transfer: .pq, range: .limited))
        for format in [StillFormat.jpeg, .webp] {
            #expect(
                try refusal { _ = try codec.encode(hdr, as: format, options: StillOptions()) }.message.contains("range")
            )
        }
        for format in [StillFormat.avif, .png, .jpegXL] {
            let back = try codec.decode(try codec.encode(hdr, as: format, options: StillOptions()).bytes)
            #expect(back.frame.buffer.format.bitDepth >= 10)
            if format != .png { #expect(back.frame.color.transfer == .pq) }
        }
        let png = try codec.encode(hdr, as: .png, options: StillOptions()).bytes
        #expect(Data(png).range(of: Data([0, 0, 0, 4] + Array("cICP".utf8) + [9, 16, 0, 1])) != nil)
        let plain = try smooth()
        for quality in [0, 101] {
            #expect(
                try refusal { _ = try codec.encode(plain, as: .jpeg, options: StillOptions(quality: quality)) }.code
                    == .invalidArgument)
        }
        let large = StillOptions(thumbnail: [UInt8](repeating: 1, count: 60_001))
        #expect(try refusal { _ = try codec.encode(plain, as: .jpeg, options: large) }.message.contains("60000"))
        var wrong = plain
        wrong.alpha = try ramp(8, width: 8, height: 8)
        #expect(try refusal { _ = try codec.encode(wrong, as: .png, options: StillOptions()) }.message.contains("8x8"))
        for bytes in [[], [1, 2, 3], Array("Not a picture.".utf8), Array(png.prefix(60))] as [[UInt8]] {
            #expect(throws: FrameError.self) { try codec.decode(bytes) }
        }
    }

    @Test func anotherRunGivesTheSameBytes() throws {
        for format in StillFormat.allCases {
            let options = StillOptions(metadata: StillMetadata(source: "a"))
            let first = try codec.encode(try smooth(), as: format, options: options)
            #expect(try codec.encode(try smooth(), as: format, options: options).bytes == first.bytes)
            var threaded = options
            threaded.threads = 2
            if format != .avif {
                #expect(try codec.encode(try smooth(), as: format, options: threaded).bytes == first.bytes)
            }
        }
    }

    @Test(.enabled(if: has("exiftool") && has("exiv2")), arguments: StillFormat.allCases)
    func othersReadTheMetadata(format: StillFormat) throws {
        let folder = try TemporaryFolder()
        let small = try codec.encode(try smooth(width: 32, height: 24), as: .jpeg, options: StillOptions())
        let metadata = StillMetadata(
            timeStamp: MediaTime(value: 951_782_399_250, timescale: 1000), source: "clip.mp4 at 12.500000 s",
            software: "vfx test")
        let file = try codec.encode(
            try smooth(), as: format, options: StillOptions(metadata: metadata, thumbnail: small.bytes))
        let path = try folder.write(file.bytes, to: "a." + format.fileExtensions[0])
        let text = String(
            decoding: try tool(
                "exiftool", "-s", "-Software", "-ImageDescription", "-DateTimeOriginal", "-SubSecTimeOriginal",
                "-Warning", "-Error", path), as: UTF8.self)
        #expect(text.contains(": vfx test\n"))
        #expect(text.contains(": clip.mp4 at 12.500000 s\n"))
        #expect(text.contains(": 2000:02:28 23:59:59\n"), "\(text)")
        #expect(text.contains(": 250\n"))
        #expect(!text.contains("Warning") && !text.contains("Error"), "\(text)")
        #expect(try tool("exiftool", "-b", "-ThumbnailImage", path) == Data(small.bytes))
        if format == .jpeg || format == .webp || format == .png {
            let found = String(decoding: try tool("exiv2", "-Pkv", "-g", "Exif.Image.Software", path), as: UTF8.self)
            #expect(found.contains("vfx test"))
        }
    }
}
