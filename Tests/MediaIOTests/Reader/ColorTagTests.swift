import FrameCore
import MediaIO
import Testing

@Suite struct ColorTagTests {
    private static let hlg = ColorDescription(
        matrix: .bt2020NonConstantLuminance, primaries: .bt2020, transfer: .hlg, range: .limited,
        chromaLocation: .topLeft)

    @Test(arguments: [("a.mp4", MediaWriterOptions.Codec.h264), ("a.mp4", .hevc), ("a.mkv", .h264), ("a.mkv", .ffv1)])
    func tagsAreReadBack(name: String, codec: MediaWriterOptions.Codec) throws {
        let folder = try TemporaryFolder()
        let format = try PixelFormat(subsampling: .yuv420, bitDepth: 10)
        try write(try clip(format, ticks: [0, 1, 2], color: Self.hlg), to: folder(name), options: .init(codec: codec))
        var read = try read(folder(name)).frames[1].color
        // FFV1 does not store the chroma location.
        if codec == .ffv1 { read.chromaLocation = .topLeft }
        #expect(read == Self.hlg)
    }

    @Test(arguments: [ColorDescription.Range.full, .limited])
    func rangeIsKept(range: ColorDescription.Range) throws {
        let folder = try TemporaryFolder()
        let color = ColorDescription(
            matrix: .bt709, primaries: .bt709, transfer: .bt709, range: range, chromaLocation: .left)
        for name in ["a.mp4", "a.webm"] {
            try write(try clip(ticks: [0, 1], color: color), to: folder(name))
            let found = try read(folder(name)).frames[0].color
            #expect(found.range == range && found.matrix == .bt709)
        }
    }

    @Test(arguments: ["a.mp4", "a.mov", "a.mkv", "a.webm", "a.y4m"])
    func sampleAspectRatioIsKept(name: String) throws {
        let folder = try TemporaryFolder()
        var frames = try clip(ticks: [0, 1])
        for index in frames.indices { frames[index].sampleAspectRatio = Rational(3, 2) }
        try write(frames, to: folder(name))
        let reading = try read(folder(name))
        #expect(reading.reader.stream.sampleAspectRatio == Rational(3, 2))
        #expect(reading.frames[1].sampleAspectRatio == Rational(3, 2))
    }

    @Test func rotationIsKeptOrItsLossNoted() throws {
        let folder = try TemporaryFolder()
        let matrix: [Int32] = [0, 65536, 0, -65536, 0, 0, 48 << 16, 0, 1 << 30]
        for name in ["a.mp4", "a.mov"] {
            try write(try clip(ticks: [0, 1]), to: folder(name)) { $0.displayMatrix = matrix }
            #expect(try read(folder(name)).reader.stream.displayMatrix == matrix)
        }
        let sink = try write(try clip(ticks: [0, 1]), to: folder("a.mkv")) { $0.displayMatrix = matrix }
        #expect(sink.notes.contains { $0.contains("rotation") })
    }

    /// libav's structures: primaries and white point in 1/50000, luminances in 1/10000 cd/m², then two flags.
    static var hdr: SideData {
        let numbers: [Int32] =
            [34000, 16000, 13250, 34500, 7500, 3000].flatMap { [$0, 50000] }
            + [15635, 50000, 16450, 50000, 50, 10000, 10_000_000, 10000, 1, 1]
        let light: [UInt32] = [1000, 400]
        return SideData([
            .init(kind: "Mastering display metadata", code: 20, bytes: numbers.withUnsafeBytes { Array($0) }),
            .init(kind: "Content light level metadata", code: 22, bytes: light.withUnsafeBytes { Array($0) }),
        ])
    }

    @Test(arguments: [
        ("a.mp4", MediaWriterOptions.Codec.h264), ("a.mp4", .hevc), ("a.mkv", .hevc), ("a.mkv", .av1), ("a.webm", .vp9),
    ])
    func hdrMetadataIsCarried(name: String, codec: MediaWriterOptions.Codec) throws {
        let folder = try TemporaryFolder()
        let pq = ColorDescription(
            matrix: .bt2020NonConstantLuminance, primaries: .bt2020, transfer: .pq, range: .limited,
            chromaLocation: .left)
        let frames = try clip(try PixelFormat(subsampling: .yuv420, bitDepth: 10), 96, 80, ticks: [0, 1], color: pq)
        try write(frames, to: folder(name), options: .init(codec: codec)) { $0.sideData = Self.hdr }
        let found = try read(folder(name)).reader.stream.sideData
        #expect(found.entries.map(\.code) == [20, 22])
        #expect(found.entries.last?.bytes == Self.hdr.entries.last?.bytes)
        #expect(Self.values(found.entries.first) == Self.values(Self.hdr.entries.first))
    }

    /// x265 also writes the metadata into the video stream, where players of raw streams look for it.
    @Test func hdrMetadataIsInTheHEVCStreamItself() throws {
        let folder = try TemporaryFolder()
        let frames = try clip(try PixelFormat(subsampling: .yuv420, bitDepth: 10), ticks: [0, 1])
        try write(frames, to: folder("a.hevc"), options: .init(codec: .hevc)) { $0.sideData = Self.hdr }
        let kinds = try read(folder("a.hevc")).frames[0].sideData.entries.map(\.kind)
        #expect(kinds.contains("Mastering display metadata") && kinds.contains("Content light level metadata"))
    }

    /// Captions belong to a single frame; an interpolated frame must not repeat them.
    @Test func captionsAreOfTheirPictureOnly() throws {
        let folder = try TemporaryFolder()
        let captions = SideData.Entry(kind: "ATSC A53 Part 4 Closed Captions", code: 1, bytes: [0xFC, 0x94, 0x20])
        var frames = try clip(ticks: [0, 1])
        for index in frames.indices { frames[index].sideData = SideData([captions]) }
        try write(frames, to: folder("a.mp4"), options: .init(codec: .h264))
        let found = try read(folder("a.mp4")).frames[0].sideData
        #expect(found.entries.contains { $0.code == 1 && $0.isOfThisPictureOnly })
        #expect(!found.forMadeFrames.entries.contains { $0.code == 1 })
        #expect(Self.hdr.forMadeFrames == Self.hdr)
    }

    /// The fractions as decimal numbers, since containers choose their own denominators.
    private static func values(_ entry: SideData.Entry?) -> [Int] {
        guard let bytes = entry?.bytes, bytes.count == 88 else { return [] }
        return bytes.withUnsafeBytes { raw in
            (0..<10).map { index in
                let n = raw.loadUnaligned(fromByteOffset: index * 8, as: Int32.self)
                let d = raw.loadUnaligned(fromByteOffset: index * 8 + 4, as: Int32.self)
                return Int((Double(n) / Double(max(1, d)) * 10000).rounded())
            }
        }
    }
}
