import Foundation
import FrameCore
import MediaIO
import TestSupport
import Testing

/// What image files hold besides their samples: ICC profile, EXIF, XMP, IPTC, text and orientation.
@Suite struct EmbeddedMetadataTests {
    private let codec = StillCodec()

    private func still(_ format: PixelFormat = .yuv420p8, profile: [UInt8]? = nil) throws -> StillPicture {
        var frame = Frame(
            buffer: try GeneratedPicture.waves(format, width: 96, height: 64), presentationTime: .zero,
            color: ColorDescription(
                matrix: .smpte170M, primaries: .unspecified, transfer: .unspecified, range: .full,
                chromaLocation: .center))
        frame.sideData.colorProfile = profile
        return StillPicture(frame: frame)
    }

    private func profile(_ space: String = "RGB ", bytes count: Int = 600) -> [UInt8] {
        ImageExamples.profile(space, bytes: count)
    }

    private func exif() -> [UInt8] { ImageExamples.exif() }
    private static let makerNote = ImageExamples.makerNote, thumbnail = ImageExamples.thumbnail

    private static let xmp =
        "<x:xmpmeta><rdf:Description tiff:Orientation=\"6\" dc:title=\"Sea\"><exif:PixelXDimension>4000</exif:PixelXDimension></rdf:Description></x:xmpmeta>"

    private func metadata(
        software: String? = nil, exif: [UInt8]? = nil, xmp: [UInt8]? = nil, iptc: [UInt8]? = nil
    ) -> StillMetadata {
        var metadata = StillMetadata(software: software)
        (metadata.exif, metadata.xmp, metadata.iptc) = (exif, xmp, iptc)
        return metadata
    }

    private func contains(_ bytes: [UInt8]?, _ part: [UInt8]) -> Bool {
        bytes.map { Data($0).range(of: Data(part)) != nil } ?? false
    }

    @Test(arguments: [StillFormat.jpeg, .png, .webp, .avif], [600, 200_000])
    func profilesAndMetadataComeBack(format: StillFormat, size: Int) throws {
        var picture = try still(profile: profile(bytes: size))
        picture.orientation = .right
        let metadata = self.metadata(software: "vfx", exif: exif(), xmp: Array(Self.xmp.utf8))
        let file = try codec.encode(picture, as: format, options: StillOptions(metadata: metadata))
        #expect(file.notes.isEmpty, "\(file.notes)")
        let back = try codec.decode(file.bytes)
        #expect(back.frame.sideData.colorProfile == profile(bytes: size))
        #expect(back.orientation == .right)
        let exif = try #require(back.metadata.exif)
        #expect(contains(exif, [0x01, 0x3B, 0, 2, 0, 0, 0, 4] + Array("Ann".utf8)))
        #expect(contains(exif, [0xA0, 0x02, 0, 4, 0, 0, 0, 1, 0, 0, 0, 96]))
        #expect(contains(exif, [0xA0, 0x03, 0, 3, 0, 0, 0, 1, 0, 64]))
        #expect(contains(exif, Array("vfx\0".utf8)))
        // Maker notes contain offsets, so they stay where they are. The thumbnail shows the picture as it was.
        #expect(Array(exif[152..<152 + Self.makerNote.count]) == Self.makerNote)
        #expect(!contains(exif, Self.thumbnail))
        let xmp = String(decoding: try #require(back.metadata.xmp), as: UTF8.self)
        #expect(xmp.contains("dc:title=\"Sea\"") && xmp.contains(">96<") && xmp.contains("tiff:Orientation=\"6\""))
    }

    @Test func aTurnedPictureIsNotTurnedTwice() throws {
        let metadata = self.metadata(exif: exif(), xmp: Array(Self.xmp.utf8))
        let file = try codec.encode(try still(), as: .jpeg, options: StillOptions(metadata: metadata))
        let back = try codec.decode(file.bytes)
        #expect(back.orientation == .up)
        #expect(String(decoding: back.metadata.xmp ?? [], as: UTF8.self).contains("tiff:Orientation=\"1\""))
    }

    @Test func aThumbnailIsRemade() throws {
        let small: [UInt8] = [0xFF, 0xD8, 1, 2, 3, 0xFF, 0xD9]
        let options = StillOptions(metadata: metadata(exif: exif()), thumbnail: small)
        let exif = try #require(
            try codec.decode(codec.encode(try still(), as: .jpeg, options: options).bytes).metadata.exif)
        #expect(contains(exif, small) && !contains(exif, Self.thumbnail))
    }

    @Test func profilesThatDoNotFitAreLeftOutWithANote() throws {
        for space in ["CMYK", "Lab ", "GRAY"] {
            let file = try codec.encode(try still(profile: profile(space)), as: .jpeg, options: StillOptions())
            #expect(file.notes.contains { $0.contains("ICC profile") }, "\(space)")
            #expect(try codec.decode(file.bytes).frame.sideData.colorProfile == nil)
        }
        let broken = try codec.encode(try still(profile: [1, 2, 3]), as: .png, options: StillOptions())
        #expect(broken.notes == ["the ICC profile is damaged and left out"])
        let unable = try codec.encode(try still(profile: profile()), as: .jpegXL, options: StillOptions())
        #expect(unable.notes.contains { $0.contains("JPEG XL files are written without an ICC profile") })
    }

    /// JPEG and WebP store gray as three components, which a profile for gray does not describe.
    @Test func aProfileForGrayIsKeptOrAdapted() throws {
        let gray = try PixelFormat(subsampling: .monochrome, bitDepth: 8)
        let curve: [UInt8] = Array("curv".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 1, 0xCD, 0, 0]
        var own = profile("GRAY", bytes: 160)
        own.replaceSubrange(128..<144, with: [0, 0, 0, 1] + Array("kTRC".utf8) + [0, 0, 0, 144, 0, 0, 0, 16])
        own.replaceSubrange(144..<160, with: curve)
        let png = try codec.encode(try still(gray, profile: own), as: .png, options: StillOptions())
        #expect(try codec.decode(png.bytes).frame.sideData.colorProfile == own)
        let jpeg = try codec.encode(try still(gray, profile: own), as: .jpeg, options: StillOptions())
        let adapted = try #require(try codec.decode(jpeg.bytes).frame.sideData.colorProfile)
        #expect(Array(adapted[16..<20]) == Array("RGB ".utf8) && contains(adapted, curve))
        #expect(adapted.count == Int(adapted[2]) << 8 | Int(adapted[3]) && jpeg.notes.isEmpty)
        // Conversely, a profile for RGB makes a gray PNG file an RGB one.
        let colored = try codec.encode(try still(gray, profile: profile()), as: .png, options: StillOptions())
        #expect(colored.bytes[25] == 2)
        #expect(try codec.decode(colored.bytes).frame.sideData.colorProfile == profile())
    }

    /// JPEG XL files are written without a profile. Gray stays neutral under any primaries, and linear light of 55 is 128
    /// in sRGB.
    @Test(arguments: [ChromaSubsampling.monochrome, .yuv444], [8, 16])
    func colorsAreConvertedWhereNoProfileFits(subsampling: ChromaSubsampling, depth: Int) throws {
        let format = try PixelFormat(subsampling: subsampling, bitDepth: depth), scale = depth == 8 ? 1 : 257
        let gray = subsampling == .monochrome
        let linear: [UInt8] = Array("curv".utf8) + Array(repeating: 0, count: 8)
        // The primaries of Display P3, adapted to D50.
        let primaries = [[0.51512, 0.2412, -0.00105], [0.29198, 0.69225, 0.04189], [0.1571, 0.06657, 0.78407]]
        let tags: [(name: String, data: [UInt8])] =
            gray
            ? [("kTRC", linear)]
            : zip(["rXYZ", "gXYZ", "bXYZ"], primaries).map { ($0, ImageExamples.profileXYZ($1)) }
                + ["rTRC", "gTRC", "bTRC"].map { ($0, linear) }
        var picture = try still(format, profile: ImageExamples.profile(gray ? "GRAY" : "RGB ", tags: tags))
        picture.frame.buffer = try GeneratedPicture.flat(55, format, width: 96, height: 64)
        let file = try codec.encode(picture, as: .jpegXL, options: StillOptions(isLossless: true))
        #expect(file.notes.map(\.code).contains("colors-converted"))
        let back = try codec.decode(file.bytes).frame
        #expect(back.sideData.colorProfile == nil)
        let luma = try #require(back.buffer.samples(ofPlane: 0).first)
        #expect(abs(Int(luma) / scale - 128) <= 1)
    }

    /// A PNG file with further chunks after its header.
    private func png(_ chunks: [(kind: String, data: [UInt8])]) throws -> [UInt8] {
        var file = try codec.encode(try still(), as: .png, options: StillOptions()).bytes
        // Without the chunks about color that the encoder writes.
        let reader = ByteReader(file)
        var position = 33, kept = Array(file[..<33])
        while let length = reader.big(position, as: UInt32.self).map({ Int($0) + 12 }) {
            let isColor = ["sRGB", "gAMA", "cHRM"].contains { reader.hasText($0, at: position + 4) }
            if !isColor { kept += file[position..<position + length] }
            position += length
        }
        file = kept
        var writer = ByteWriter()
        for chunk in chunks {
            writer.big(UInt32(chunk.data.count))
            let body = Array(chunk.kind.utf8) + chunk.data
            writer.raw(body)
            writer.big(CRC32.of(body))
        }
        file.insert(contentsOf: writer.bytes, at: 33)
        return file
    }

    private func words(_ values: [UInt32]) -> [UInt8] {
        var writer = ByteWriter()
        values.forEach { writer.big($0) }
        return writer.bytes
    }

    @Test func thePrimariesOfPNGFilesBecomeAProfile() throws {
        let adobe = words([31270, 32900, 64000, 33000, 21000, 71000, 15000, 6000])
        let wide = try codec.decode(try png([("gAMA", words([45455])), ("cHRM", adobe)]))
        let found = try #require(wide.frame.sideData.colorProfile)
        // The red column of Adobe RGB (1998) is 0.60974, 0.31111, 0.01947.
        let place = try #require(Data(found).range(of: Data("XYZ \0\0\0\0".utf8), in: 180..<found.count))
        let columns = stride(from: place.upperBound + 20, to: place.upperBound + 32, by: 4).map { offset in
            Double(Int32(bigEndian: found[offset..<offset + 4].withUnsafeBytes { $0.loadUnaligned(as: Int32.self) }))
                / 65_536
        }
        for (value, wanted) in zip(columns, [0.60974, 0.31111, 0.01947]) { #expect(abs(value - wanted) < 0.001) }
        let back = try codec.encode(wide, as: .jpeg, options: StillOptions())
        #expect(try codec.decode(back.bytes).frame.sideData.colorProfile == found)
        let plain = words([31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000])
        let same = try codec.decode(try png([("gAMA", words([45455])), ("cHRM", plain)]))
        #expect(same.frame.sideData.colorProfile == nil)
        #expect(try codec.decode(try png([("gAMA", words([100_000]))])).frame.sideData.colorProfile != nil)
    }

    @Test func theColorTagsOfPNGFilesComeBack() throws {
        let color = try codec.decode(try png([("cICP", [9, 16, 0, 1])])).frame.color
        #expect(color.primaries == .bt2020 && color.transfer == .pq)
    }

    @Test func textOfPNGFilesIsKeptOrNamed() throws {
        let text: [UInt8] = Array("parameters\0a boat, 20 steps".utf8)
        let picture = try codec.decode(try png([("tEXt", text)]))
        let options = StillOptions(metadata: picture.metadata)
        #expect(contains(try codec.encode(picture, as: .png, options: options).bytes, Array("tEXt".utf8) + text))
        #expect(try codec.encode(picture, as: .jpeg, options: options).notes.contains { $0.contains("text chunks") })
    }

    @Test func iptcRecordsComeBack() throws {
        let records: [UInt8] = [0x1C, 2, 90, 0, 4] + Array("Town".utf8)
        let options = StillOptions(metadata: metadata(iptc: records))
        let file = try codec.encode(try still(), as: .jpeg, options: options)
        #expect(try codec.decode(file.bytes).metadata.iptc == records)
        #expect(try codec.encode(try still(), as: .webp, options: options).notes.contains { $0.contains("IPTC") })
    }

    @Test func aGainMapIsNotPromised() throws {
        let xmp = Array("<x:xmpmeta><rdf:Description hdrgm:Version=\"1.0\"/></x:xmpmeta>".utf8)
        let file = try codec.encode(
            try still(), as: .jpeg, options: StillOptions(metadata: metadata(xmp: xmp)))
        let folder = try TemporaryFolder()
        let (picture, notes) = try codec.read(try folder.write(file.bytes, to: "a.jpg"))
        #expect(picture.metadata.xmp == nil && notes.contains { $0.contains("gain map") })
    }

    @Test func tiffFilesHoldAll() throws {
        let folder = try TemporaryFolder()
        var picture = try still(PixelFormat(subsampling: .yuv444, bitDepth: 8), profile: profile())
        picture.orientation = .left
        let metadata = self.metadata(exif: exif(), xmp: Array(Self.xmp.utf8), iptc: [0x1C, 2, 90, 0, 1, 65])
        let notes = try SingleFile.write(
            picture.frame, to: folder("a.tif"), orientation: picture.orientation, metadata: metadata)
        #expect(!notes.contains { $0.contains("left out") }, "\(notes)")
        let (back, _) = try codec.read(folder("a.tif"))
        #expect(back.frame.sideData.colorProfile == profile() && back.orientation == .left)
        #expect(back.metadata.iptc == metadata.iptc)
        #expect(contains(back.metadata.exif, Array("Ann\0".utf8)) && contains(back.metadata.exif, Self.makerNote))
        #expect(String(decoding: back.metadata.xmp ?? [], as: UTF8.self).contains("tiff:Orientation=\"8\""))
        // The samples are as without metadata.
        try SingleFile.write(picture.frame, to: folder("b.tif"))
        let plain = try codec.read(folder("b.tif")).picture.frame.buffer
        #expect(back.frame.buffer.hasSameSamples(as: plain))
        let lost = try SingleFile.write(picture.frame, to: folder("a.bmp"), metadata: metadata)
        #expect(lost.contains { $0.contains("EXIF") } && lost.contains { $0.contains("ICC profile") })
    }

    @Test func readersOfVideosTakeOverImages() throws {
        let folder = try TemporaryFolder()
        var picture = try still(profile: profile())
        picture.orientation = .right
        let file = try codec.encode(picture, as: .jpeg, options: StillOptions(metadata: metadata(exif: exif())))
        for number in 1...2 { _ = try folder.write(file.bytes, to: "in_\(number).jpg") }
        let reader = try MediaReader(folder("in_%d.jpg"))
        #expect(PictureOrientation(displayMatrix: reader.stream.displayMatrix) == .right)
        #expect(try reader.nextFrame()?.sideData.colorProfile == profile())
        let options = MediaWriterOptions()
        let video = try openSink(
            folder("out.mkv"), stream: reader.stream, source: try reader.sourceDescription, options: options)
        #expect(video.notes.contains { $0.contains("ICC profile is not kept") })
        #expect(video.notes.contains { $0.contains("EXIF and other metadata of images is not kept") })
        video.cancel()
        let images = try openSink(
            folder("out_%d.png"), stream: reader.stream, source: try reader.sourceDescription, options: options)
        while let frame = try reader.nextFrame() { try images.write(frame) }
        try images.finish()
        let back = try codec.read(folder("out_1.png")).picture
        #expect(back.orientation == .right && back.frame.sideData.colorProfile == profile())
    }

    @Test func orientationsBecomeDisplayMatrices() {
        for orientation in PictureOrientation.allCases {
            let matrix = orientation.displayMatrix(width: 40, height: 30)
            #expect(PictureOrientation(displayMatrix: matrix) == orientation)
            // The corners of the stored image are displayed at positions from 0 to the size.
            guard let m = matrix?.map(Int.init) else { continue }
            let corners = [(0, 0), (40, 0), (0, 30), (40, 30)].map { p, q in
                ((m[0] * p + m[3] * q + m[6]) >> 16, (m[1] * p + m[4] * q + m[7]) >> 16)
            }
            let size = orientation.swapsSides ? (30, 40) : (40, 30)
            #expect(corners.map(\.0).min() == 0 && corners.map(\.0).max() == size.0)
            #expect(corners.map(\.1).min() == 0 && corners.map(\.1).max() == size.1)
        }
    }

    /// Damaged files may be refused but never crash.
    @Test func partsOfFilesAreReadSafely() throws {
        var picture = try still(profile: profile())
        picture.orientation = .right
        let metadata = self.metadata(exif: exif(), xmp: Array(Self.xmp.utf8))
        for format in StillFormat.allCases where format != .jpegXL {
            let file = try codec.encode(picture, as: format, options: StillOptions(metadata: metadata)).bytes
            let head = min(file.count, 2500)
            for length in stride(from: 0, to: head, by: 7) { _ = StillCodec.orientation(Array(file.prefix(length))) }
            for place in stride(from: 0, to: head, by: 5) {
                var damaged = file
                for (offset, byte) in ([0xFF, 0x80, 0x7F] as [UInt8]).enumerated() where place + offset < damaged.count
                {
                    damaged[place + offset] = byte
                }
                _ = StillCodec.orientation(damaged)
            }
        }
    }
}
