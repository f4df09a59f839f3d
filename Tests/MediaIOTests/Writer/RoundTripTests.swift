import FrameCore
import MediaIO
import Testing

@Suite struct RoundTripTests {
    static let formats: [PixelFormat] = ChromaSubsampling.allCases.flatMap { subsampling in
        [8, 10, 12, 16].compactMap { try? PixelFormat(subsampling: subsampling, bitDepth: $0) }
    }

    private func expectSame(_ frames: [Frame], _ reading: Reading) throws {
        try #require(reading.frames.count == frames.count)
        for (mine, theirs) in zip(frames, reading.frames) { #expect(mine.buffer.hasSameSamples(as: theirs.buffer)) }
    }

    @Test(arguments: formats, [(64, 48), (35, 23)])
    func losslessCodecKeepsEverySample(format: PixelFormat, size: (Int, Int)) throws {
        let folder = try TemporaryFolder()
        let frames = try clip(format, size.0, size.1, ticks: [0, 1, 2])
        let sink = try write(frames, to: folder("a.mkv"), options: .init(codec: .ffv1))
        #expect(sink.notes.isEmpty)
        #expect(sink.encoderName == "ffv1")
        try expectSame(frames, try read(folder("a.mkv")))
    }

    @Test(arguments: formats, [(64, 48), (35, 23)])
    func y4mKeepsEverySample(format: PixelFormat, size: (Int, Int)) throws {
        let folder = try TemporaryFolder()
        let frames = try clip(format, size.0, size.1, ticks: [0, 1, 2])
        try write(frames, to: folder("a.y4m"))
        let reading = try read(folder("a.y4m"))
        try expectSame(frames, reading)
        #expect(reading.times == frames.map(\.presentationTime))
    }

    /// Encoders that reorder know their delay only after some frames. Shorter clips must still have valid timestamps.
    @Test(arguments: [MediaWriterOptions.Codec.h264, .hevc, .av1, .vp9], ["a.mp4", "a.mkv"])
    func theShortestClipsKeepTheirTimes(codec: MediaWriterOptions.Codec, name: String) throws {
        for count in [1, 2, 2, 2, 2, 3, 4] {
            let folder = try TemporaryFolder()
            let frames = try clip(ticks: Array(0..<Int64(count)))
            try write(frames, to: folder(name), options: .init(codec: codec))
            #expect(try read(folder(name)).times == frames.map(\.presentationTime), "\(count)")
        }
    }

    /// SVT-AV1 encoders must not be opened and closed by two threads at once. 48 lines are fewer than it takes, so these
    /// opens fail and libaom follows; 80 lines succeed.
    @Test(arguments: [48, 80]) func manyThreadsWriteAV1(height: Int) throws {
        let folder = try TemporaryFolder()
        let frames = try clip(PixelFormat(subsampling: .yuv420, bitDepth: 8), 96, height, ticks: [0, 1])
        let failures = Lock<[String]>([])
        parallelFor(64, threads: 8) { index in
            do {
                try write(frames, to: folder("\(index).mkv"), options: .init(codec: .av1, preset: "8"))
            } catch {
                failures.withLock { $0.append("\(index): \(error)") }
            }
        }
        #expect(failures.withLock { $0 } == [])
    }

    @Test func y4mThroughAPipeIsTheSame() throws {
        let folder = try TemporaryFolder()
        let frames = try clip(ticks: Array(0..<40))
        try write(frames, to: folder("a.y4m"))
        try expectSame(frames, try read(try pipe(try bytes(of: folder("a.y4m")), in: folder)))
    }

    @Test func y4mHeaderStatesRateAspectRangeAndSiting() throws {
        let folder = try TemporaryFolder()
        var color = ColorDescription(range: .full, chromaLocation: .center)
        let base = Rational(1001, 30000)
        var frames = try clip(ticks: [0, 1], base: base, color: color)
        for index in frames.indices { frames[index].sampleAspectRatio = Rational(4, 3) }
        try write(frames, to: folder("a.y4m"), base: base, rate: Rational(30000, 1001))
        let header = String(decoding: try bytes(of: folder("a.y4m")).prefix { $0 != 10 }, as: UTF8.self)
        #expect(header == "YUV4MPEG2 W64 H48 F30000:1001 Ip A4:3 C420jpeg XYSCSS=420JPEG XCOLORRANGE=FULL")
        color.range = .limited
        color.chromaLocation = .left
        try write(try clip(ticks: [0, 1], color: color), to: folder("b.y4m"))
        let other = String(decoding: try bytes(of: folder("b.y4m")).prefix { $0 != 10 }, as: UTF8.self)
        #expect(other.contains(" C420mpeg2 ") && other.contains("XCOLORRANGE=LIMITED"))
    }

    /// The default codec of each container for each pixel format: encoder, and format read back.
    @Test(arguments: [
        ("a.mp4", "yuv420", 8, "libx264", "yuv420p"), ("a.mp4", "yuv422", 10, "libx264", "yuv422p10"),
        ("a.mov", "yuv444", 8, "libx264", "yuv444p"), ("a.mkv", "yuv422", 12, "libx265", "yuv422p12"),
        ("a.mp4", "yuv420", 12, "libx265", "yuv420p12"), ("a.mkv", "yuv444", 16, "ffv1", "yuv444p16"),
        ("a.webm", "yuv420", 10, "libvpx-vp9", "yuv420p10"), ("a.webm", "yuv444", 16, "libvpx-vp9", "yuv444p12"),
    ])
    func defaultCodecKeepsDepthAndSubsampling(
        name: String, subsampling: String, depth: Int, encoder: String, kept: String
    ) throws {
        let folder = try TemporaryFolder()
        let format = try PixelFormat(
            subsampling: try #require(ChromaSubsampling(rawValue: subsampling)), bitDepth: depth)
        let sink = try write(try clip(format, ticks: [0, 1, 2]), to: folder(name))
        #expect(sink.encoderName == encoder)
        #expect(sink.notes.contains { $0.contains("instead of") } == (kept != format.description))
        #expect(try read(folder(name)).reader.stream.format.description == kept)
    }

    @Test func oddSizesGoToACodecThatTakesThem() throws {
        let folder = try TemporaryFolder()
        let frames = try clip(.yuv420p8, 161, 121, ticks: [0, 1])
        let sink = try write(frames, to: folder("a.mp4"))
        #expect(sink.encoderName == "libvpx-vp9")
        let stream = try read(folder("a.mp4")).reader.stream
        #expect((stream.width, stream.height) == (161, 121))
    }

    @Test(arguments: MediaWriterOptions.Codec.allCases)
    func everyCodecWritesAndReadsBack(codec: MediaWriterOptions.Codec) throws {
        let folder = try TemporaryFolder()
        let frames = try clip(.yuv420p8, 96, 80, ticks: Array(0..<6))
        try write(frames, to: folder("a.mkv"), options: .init(codec: codec))
        #expect(try read(folder("a.mkv")).times == frames.map(\.presentationTime))
    }

    @Test func h264WithoutLossIsBitExact() throws {
        let folder = try TemporaryFolder()
        let frames = try clip(ticks: Array(0..<12))
        try write(frames, to: folder("a.mp4"), options: .init(crf: 0, preset: "ultrafast"))
        try expectSame(frames, try read(folder("a.mp4")))
    }

    @Test func pictureSequenceComesWithItsTimes() throws {
        let folder = try TemporaryFolder()
        let frames = try clip(ticks: [0, 2, 3], lastTicks: 4)
        try write(frames, to: folder("p_%03d.png"))
        #expect(folder.contents == ["p_001.png", "p_002.png", "p_003.png", "times.json"])
        let times = String(decoding: try bytes(of: folder("times.json")), as: UTF8.self)
        #expect(
            times.contains(
                #"{"file": "p_002.png", "time": {"value": 2, "timescale": 25}, "duration": {"value": 1, "timescale": 25}}"#
            ))
        let reading = try read(folder("p_%03d.png"), .init(inputFrameRate: Rational(50, 1)))
        #expect(reading.frames.count == 3)
        #expect(reading.reader.pictures == (1...3).map { folder("p_00\($0).png") })
        #expect(reading.times[2] == MediaTime(value: 2, timescale: 50))
        #expect(reading.reader.stream.format.description == "yuv444p")
        try write(
            try clip(try PixelFormat(subsampling: .monochrome, bitDepth: 8), ticks: [0]), to: folder("g_%d.png"),
            options: .init(overwrites: true))
        #expect(try read(folder("g_%d.png")).reader.stream.format.subsampling == .monochrome)
    }

    @Test(arguments: ["jpg", "tiff", "bmp", "webp"])
    func otherPicturesAreWritten(ending: String) throws {
        let folder = try TemporaryFolder()
        try write(try clip(ticks: [0, 1]), to: folder("p_%d.\(ending)"))
        #expect(try read(folder("p_%d.\(ending)")).frames.count == 2)
    }

    @Test func semiPlanarAndRGBInputIsReadWithoutLoss() throws {
        let folder = try TemporaryFolder()
        let frames = try clip(ticks: [0, 1])
        for format in ["nv12", "nv21"] {
            try write(
                frames, to: folder("\(format).nut"),
                options: .init(format: "nut", codec: .rawvideo, pixelFormat: format))
            let reading = try read(folder("\(format).nut"))
            try expectSame(frames, reading)
        }
        try write(frames, to: folder("rgb.nut"), options: .init(format: "nut", codec: .rawvideo, pixelFormat: "rgb24"))
        let rgb = try read(folder("rgb.nut"))
        #expect(rgb.reader.stream.format.description == "yuv444p")
        // sRGB as YCbCr: IEC 61966-2-1.
        let color = rgb.reader.stream.color
        #expect(color.range == .full && color.matrix == .bt470BG)
        #expect(color.primaries == .bt709 && color.transfer == .sRGB)
        #expect(rgb.reader.notes.count == 1)
    }
}
