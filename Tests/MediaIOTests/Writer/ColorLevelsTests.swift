import FrameCore
import MediaIO
import TestSupport
import Testing

/// What containers and codecs cannot say about the colors of a video.
@Suite struct ColorLevelsTests {
    typealias Codec = MediaWriterOptions.Codec

    private static let containers = ["avi", "ivf", "mkv", "mov", "mp4", "nut", "webm", "wmv", "y4m"]
    /// Pairs of a container and a codec in which full range is lost, though both support each other.
    private static let withoutRange: Set<String> = [
        "avi ffv1", "avi rawvideo", "mkv prores", "mov prores", "mov rawvideo", "nut ffv1", "nut rawvideo", "wmv ffv1",
        "wmv rawvideo",
    ]

    /// Frames whose luma rises from the lowest to the highest code.
    private func ramp(_ color: ColorDescription, depth: Int = 8) throws -> [Frame] {
        let most = (1 << depth) - 1
        let buffer = try GeneratedPicture.drawCodes(
            PixelFormat(subsampling: .yuv420, bitDepth: depth), width: 64, height: 64
        ) { plane, x, _ in plane == 0 ? x / 4 * most / 15 : 1 << (depth - 1) }
        return [0, 1].map { index in
            Frame(
                buffer: buffer, presentationTime: MediaTime(value: index, timescale: 25),
                duration: MediaTime(value: 1, timescale: 25), color: color)
        }
    }

    /// The brightness of the first row, from 0 for black to 1 for white.
    private func brightness(_ frame: Frame) -> [Double] {
        let depth = frame.buffer.format.bitDepth, unit = Double(1 << (depth - 8))
        let isFull = frame.color.resolved(height: frame.buffer.height).range == .full
        let (black, span) = isFull ? (0, Double((1 << depth) - 1)) : (16 * unit, 219 * unit)
        return frame.buffer.samples(ofPlane: 0).prefix(frame.buffer.width).map { (Double($0) - black) / span }
    }

    private func expectSameBrightness(_ a: Frame, _ b: Frame, within limit: Double, _ comment: Comment) {
        let most = zip(brightness(a), brightness(b)).map { abs($0 - min(1, max(0, $1))) }.max() ?? 1
        #expect(most <= limit, comment)
    }

    /// Every pair of container and codec either says that the samples have full range, or gets converted ones and a
    /// note.
    @Test(arguments: Codec.allCases) func fullRangeKeepsItsBrightness(codec: Codec) throws {
        let folder = try TemporaryFolder()
        let frames = try ramp(ColorDescription(matrix: .smpte170M, range: .full))
        var tried = 0
        for container in Self.containers {
            let path = folder("a.\(container)"), pair = "\(container) \(codec.rawValue)"
            let sink: any MediaSink
            do { sink = try write(frames, to: path, options: .init(codec: codec)) } catch is FrameError { continue }
            tried += 1
            let found = try read(path).frames
            #expect(found.count == 2)
            let isLossless = codec == .ffv1 || codec == .rawvideo
            expectSameBrightness(frames[0], found[1], within: isLossless ? 0.003 : 0.02, "\(pair)")
            let isConverted = found[1].color.range != .full
            #expect(isConverted == Self.withoutRange.contains(pair), "\(pair)")
            #expect(sink.notes.contains { $0.contains("video range") } == isConverted, "\(pair): \(sink.notes)")
        }
        #expect(tried > 0)
    }

    @Test(arguments: [8, 10, 12, 16]) func deepSamplesAreConvertedAtTheirDepth(depth: Int) throws {
        let folder = try TemporaryFolder()
        let frames = try ramp(ColorDescription(range: .full), depth: depth)
        try write(frames, to: folder("a.nut"), options: .init(codec: .ffv1))
        let found = try read(folder("a.nut")).frames[0]
        #expect(found.buffer.format.bitDepth == depth)
        expectSameBrightness(frames[0], found, within: 0.6 / Double(219 << (depth - 8)), "\(depth) bits")
    }

    /// Some readers take gray without a stated range as full range, others as video range.
    @Test func grayWithoutRangeStays() throws {
        let folder = try TemporaryFolder()
        let gray = try PixelFormat(subsampling: .monochrome, bitDepth: 8)
        let frames = try clip(gray, ticks: [0, 1], color: ColorDescription(range: .full))
        let sink = try write(frames, to: folder("a.nut"), options: .init(codec: .ffv1))
        #expect(!sink.notes.contains { $0.contains("range") })
        #expect(try read(folder("a.nut")).frames[1].buffer.hasSameSamples(as: frames[1].buffer))
    }

    @Test func videoRangeIsWrittenAsItIs() throws {
        let folder = try TemporaryFolder()
        let frames = try clip(ticks: [0, 1], color: ColorDescription(range: .limited))
        for name in ["a.avi", "a.mov", "a.nut"] {
            let sink = try write(frames, to: folder(name), options: .init(codec: .rawvideo))
            #expect(sink.notes.isEmpty)
            #expect(try read(folder(name)).frames[0].buffer.hasSameSamples(as: frames[0].buffer))
        }
    }

    /// The deprecated full-range pixel formats demand samples in full range.
    @Test func videoRangeIsConvertedForFormatsOfFullRange() throws {
        let folder = try TemporaryFolder()
        let frames = try ramp(ColorDescription(matrix: .smpte170M, range: .limited))
        try write(frames, to: folder("a.mp4"), options: .init(codec: .h264, crf: 1, pixelFormat: "yuvj420p"))
        let found = try read(folder("a.mp4")).frames[0]
        #expect(found.color.range == .full)
        expectSameBrightness(found, frames[0], within: 0.012, "yuvj420p")
    }

    /// Image files have one meaning only: every reader takes JPEG and WebP files as BT.601.
    @Test(arguments: ["jpg", "webp", "png", "tiff", "bmp"], [ColorDescription.Range.limited, .full])
    func imagesOfVideoHaveItsColors(ending: String, range: ColorDescription.Range) throws {
        let folder = try TemporaryFolder()
        // An orange in BT.709: R 230, G 120, B 40.
        let codes = range == .full ? [138, 75, 188] : [134, 82, 180]
        let buffer = try GeneratedPicture.drawCodes(.yuv420p8, width: 64, height: 48) { plane, _, _ in codes[plane] }
        let color = ColorDescription(matrix: .bt709, primaries: .bt709, transfer: .bt709, range: range)
        try write(
            [Frame(buffer: buffer, presentationTime: .zero, duration: nil, color: color)], to: folder("p_%d.\(ending)"))
        let picture = try StillCodec().read(folder("p_1.\(ending)")).picture.frame
        let known = picture.color.resolved(height: 48)
        let middle = try (0..<3).map { plane in
            let samples = picture.buffer.samples(ofPlane: plane)
            return Double(try #require(samples.dropFirst(samples.count / 2).first))
        }
        let isFull = known.range == .full
        let y = (middle[0] - (isFull ? 0 : 16)) * (isFull ? 1 : 255.0 / 219)
        let (cb, cr) = ((middle[1] - 128) * (isFull ? 1 : 255.0 / 224), (middle[2] - 128) * (isFull ? 1 : 255.0 / 224))
        #expect(known.matrix == .bt470BG)
        let rgb = [y + 1.402 * cr, y - 0.344136 * cb - 0.714136 * cr, y + 1.772 * cb]
        for (found, wanted) in zip(rgb, [230.0, 120, 40]) { #expect(abs(found - wanted) <= 5, "\(rgb)") }
    }

    @Test func grayImagesHaveFullRange() throws {
        let folder = try TemporaryFolder()
        let gray = try GeneratedPicture.drawCodes(
            PixelFormat(subsampling: .monochrome, bitDepth: 8), width: 32, height: 32
        ) { _, x, _ in x < 16 ? 16 : 235 }
        let frame = Frame(
            buffer: gray, presentationTime: .zero, duration: nil, color: ColorDescription(range: .limited))
        try write([frame], to: folder("p_%d.png"))
        let row = try StillCodec().read(folder("p_1.png")).picture.frame.buffer.samples(ofPlane: 0)
        #expect(row.first == 0 && row.prefix(32).last == 255)
    }

    @Test func tagsThatPlayersWouldGetWrongAreNamed() throws {
        let folder = try TemporaryFolder()
        let hdr = ColorDescription(
            matrix: .bt2020NonConstantLuminance, primaries: .bt2020, transfer: .pq, range: .limited)
        let frames = try clip(try PixelFormat(subsampling: .yuv420, bitDepth: 10), ticks: [0, 1], color: hdr)
        let sink = try write(frames, to: folder("a.avi"), options: .init(codec: .ffv1))
        let note = try #require(sink.notes.first { $0.contains("color tags") })
        for word in ["ffv1", "avi", "bt2020nc", "primaries bt2020", "smpte2084", "smpte170m"] {
            #expect(note.contains(word))
        }
        #expect(try write(frames, to: folder("a.mkv"), options: .init(codec: .ffv1)).notes.isEmpty)
        // What players guess right needs no words.
        let usual = ColorDescription(matrix: .smpte170M, primaries: .smpte170M, transfer: .smpte170M, range: .limited)
        let plain = try clip(ticks: [0, 1], color: usual)
        #expect(try write(plain, to: folder("b.avi"), options: .init(codec: .ffv1)).notes.isEmpty)
        #expect(try write(plain, to: folder("b.y4m")).notes.isEmpty)
    }
}

/// Uncompressed frames in containers that have names for some pixel formats only.
@Suite struct RawVideoTests {
    private static let formats = [
        "gray", "gray10le", "gray16le", "yuv420p", "yuv422p", "yuv444p", "yuv420p10le", "yuv422p10le", "yuv444p10le",
        "yuv420p12le", "yuv444p16le", "nv12", "uyvy422", "rgb24", "gbrp", "p010le",
    ]

    @Test(arguments: ["avi", "mov", "nut", "mkv", "y4m"])
    func everyPixelFormatIsReadBackOrRefused(container: String) throws {
        let folder = try TemporaryFolder()
        var kept = 0
        for name in Self.formats {
            let path = folder("a.\(container)")
            let deep = try PixelFormat(subsampling: .yuv420, bitDepth: name.contains("10") ? 10 : 8)
            let frames = try clip(deep, ticks: [0, 1], color: ColorDescription(range: .limited))
            do {
                try write(frames, to: path, options: .init(codec: .rawvideo, pixelFormat: name, overwrites: true))
            } catch let error as FrameError {
                #expect(error.message.contains("cannot hold rawvideo frames in \(name)"), "\(error)")
                continue
            }
            kept += 1
            let reading = try read(path)
            let found = try #require(reading.reader.info.streams.first?.video?.pixelFormat)
            #expect(found == name, "\(container)")
            if name == deep.description || name == "\(deep.description)le" {
                #expect(reading.frames[1].buffer.hasSameSamples(as: frames[1].buffer), "\(container) \(name)")
            }
        }
        #expect(kept >= 2)
    }

    @Test func whatAviCannotHoldIsRefusedBeforeTheWork() throws {
        let folder = try TemporaryFolder()
        let frames = try clip(try PixelFormat(subsampling: .yuv420, bitDepth: 10), ticks: [0])
        let error = try refusal {
            _ = try openSink(
                folder("a.avi"), stream: try description(of: frames), source: nil, options: .init(codec: .rawvideo))
        }
        #expect(error.code == .unsupportedFormat && error.location.file == folder("a.avi"))
        for word in ["avi", "rawvideo", "yuv420p10le", "--pixel-format", "yuv420p,", "yuv422p"] {
            #expect(error.message.contains(word), "\(error.message)")
        }
        #expect(folder.contents.isEmpty)
    }
}
