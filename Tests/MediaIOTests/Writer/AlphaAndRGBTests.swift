import Foundation
import FrameCore
import MediaIO
import TestSupport
import Testing

/// Frames of RGB and with alpha, from file to file.
@Suite struct AlphaAndRGBTests {
    /// Reads frames as they are.
    private static var all: MediaReaderOptions {
        var options = MediaReaderOptions()
        options.accepts = { _, _ in true }
        return options
    }

    private static func format(_ name: String) throws -> PixelFormat {
        let found = try [8, 9, 10, 12, 14, 16].flatMap { depth in
            let plain = try ChromaSubsampling.allCases.map { try PixelFormat(subsampling: $0, bitDepth: depth) }
            let color = plain + [try PixelFormat(rgbDepth: depth)]
            return color + color.map(\.withAlpha)
        }
        return try #require(found.first { $0.description == name }, "\(name)")
    }

    private func expectSame(_ frames: [Frame], _ reading: Reading) throws {
        try #require(reading.frames.count == frames.count)
        #expect(reading.reader.stream.format == frames[0].buffer.format)
        for (mine, theirs) in zip(frames, reading.frames) { #expect(mine.buffer.hasSameSamples(as: theirs.buffer)) }
    }

    /// Every order of samples: packed, planar, with and without unused bytes, both byte orders.
    @Test(
        arguments: [
            ("gbrp", "rgb24"), ("gbrp", "bgr24"), ("gbrp", "bgr0"), ("gbrp", "0rgb"), ("gbrp", "gbrp"),
            ("gbrap", "rgba"), ("gbrap", "bgra"), ("gbrap", "argb"), ("gbrap", "abgr"), ("gbrp10", "gbrp10le"),
            ("gbrp12", "gbrp12be"), ("gbrp16", "rgb48le"), ("gbrp16", "rgb48be"), ("gbrap16", "rgba64le"),
            ("gbrap16", "rgba64be"), ("gbrap", "gbrap"), ("gbrap12", "gbrap12le"), ("ya8", "ya8"),
            ("yuva420p", "yuva420p"), ("yuva422p10", "yuva422p10le"),
            ("yuva444p16", "yuva444p16be"),
        ], [(64, 48), (35, 23)])
    func everyOrderOfSamplesComesBack(names: (ours: String, stored: String), size: (Int, Int)) throws {
        let folder = try TemporaryFolder()
        let frames = try clip(Self.format(names.ours), size.0, size.1, ticks: [0, 1])
        try write(frames, to: folder("a.nut"), options: .init(codec: .rawvideo, pixelFormat: names.stored))
        try expectSame(frames, try read(folder("a.nut"), Self.all))
    }

    @Test(arguments: [
        "gbrp", "gbrap", "gbrp10", "gbrp12", "gbrp16", "gbrap12", "gbrap16", "yuva444p", "yuva420p10", "ya8",
    ])
    func ffv1KeepsEverySample(name: String) throws {
        let folder = try TemporaryFolder()
        let frames = try clip(Self.format(name), 35, 23, ticks: [0, 1, 2])
        let sink = try write(frames, to: folder("a.mkv"), options: .init(codec: .ffv1))
        #expect(sink.notes.isEmpty, "\(sink.notes)")
        let reading = try read(folder("a.mkv"), Self.all)
        try expectSame(frames, reading)
        #expect(!frames[0].buffer.format.isRGB || reading.frames[0].color.matrix == .identity)
        #expect(!frames[0].buffer.format.isRGB || reading.frames[0].color.range == .full)
    }

    @Test(arguments: ["png", "tiff", "bmp"], ["gbrp", "gbrap", "gbrp16", "gbrap16", "ya8"])
    func imagesKeepEverySample(ending: String, name: String) throws {
        guard ending != "bmp" || name == "gbrp", ending != "tiff" || name != "ya8" else { return }
        let folder = try TemporaryFolder()
        let frames = try clip(
            Self.format(name), 35, 23, ticks: [0, 1], color: ColorDescription(range: .full))
        let sink = try write(frames, to: folder("a_%d.\(ending)"))
        #expect(!sink.notes.contains { $0.sentence.hasPrefix("frames are converted") })
        try expectSame(frames, try read(folder("a_%d.\(ending)"), Self.all))
    }

    @Test(arguments: ["gbrp", "gbrap", "gbrap16"])
    func animatedPNGKeepsEverySample(name: String) throws {
        let folder = try TemporaryFolder()
        let frames = try clip(Self.format(name), 35, 23, ticks: [0, 1, 2])
        try write(frames, to: folder("a.apng"))
        try expectSame(frames, try read(folder("a.apng"), Self.all))
    }

    @Test func losslessWebPKeepsEverySample() throws {
        let folder = try TemporaryFolder()
        var frames = try clip(Self.format("gbrap"), 35, 23, ticks: [0, 1])
        // libwebp drops the colors of what is transparent.
        for index in frames.indices {
            try frames[index].buffer.withMutablePlanes { planes in
                for y in 0..<23 {
                    for x in 0..<35 {
                        let alpha = planes[3].row(y).advanced(by: x)
                        if alpha.load(as: UInt8.self) == 0 { alpha.storeBytes(of: 1, as: UInt8.self) }
                    }
                }
            }
        }
        try write(frames, to: folder("a.webp"), options: .init(crf: 0))
        try expectSame(frames, try read(folder("a.webp"), Self.all))
    }

    /// x264 without loss, at a size that chroma subsampling would not allow.
    @Test func h264HoldsRGB() throws {
        let folder = try TemporaryFolder()
        let frames = try clip(Self.format("gbrp"), 35, 23, ticks: [0, 1, 2])
        let sink = try write(frames, to: folder("a.mkv"), options: .init(crf: 0))
        #expect(sink.encoderName == "libx264rgb" && sink.notes.isEmpty)
        try expectSame(frames, try read(folder("a.mkv"), Self.all))
    }

    /// Which encoder and which format each container gets, if the user asks for none.
    @Test(arguments: [
        ("a.mkv", "gbrp", "libx264rgb", "gbrp"), ("a.mkv", "gbrap", "ffv1", "gbrap"),
        ("a.mkv", "gbrp10", "libx265", "gbrp10"), ("a.mkv", "gbrp16", "ffv1", "gbrp16"),
        ("a.mov", "yuva444p", "prores_ks", "yuva444p12"), ("a.mov", "gbrp", "libx264rgb", "gbrp"),
        ("a.webm", "yuva420p", "libvpx-vp9", "yuva420p"), ("a.webm", "gbrp", "libvpx-vp9", "gbrp"),
        ("a.mp4", "gbrp", "libx264", "yuv420p"), ("a.mp4", "yuva420p", "libx264", "yuv420p"),
    ])
    func defaults(name: String, format: String, encoder: String, kept: String) throws {
        let folder = try TemporaryFolder()
        let frames = try clip(Self.format(format), 64, 48, ticks: [0, 1, 2])
        let sink = try write(frames, to: folder(name))
        #expect(sink.encoderName == encoder)
        let losesAlpha = frames[0].buffer.format.hasAlpha && !kept.contains("a")
        #expect(sink.notes.contains { $0.code == "alpha-dropped" } == losesAlpha, "\(sink.notes)")
        let reading = try read(folder(name), Self.all)
        #expect(reading.reader.stream.format.description == kept && reading.frames.count == 3)
    }

    /// Opaque alpha that is added, or that gets another depth, is opaque.
    @Test(arguments: [
        ("gbrp10", "gbrap10le", "a.mkv"), ("gbrp12", "gbrap12le", "a.mkv"), ("yuva444p12", "yuva420p", "a.mkv"),
        ("yuva444p10", "rgba64be", "a_%d.png"), ("yuva420p", "yuva420p10le", "a.mkv"),
    ])
    func opaqueStaysOpaque(ours: String, stored: String, name: String) throws {
        let folder = try TemporaryFolder()
        let format = try Self.format(ours)
        var frames = try clip(format, 35, 23, ticks: [0])
        if let alpha = format.alphaPlane {
            frames[0].buffer = try GeneratedPicture.drawCodes(format, width: 35, height: 23) { plane, x, y in
                plane == alpha ? format.maximumValue : (x * 7 + y * 5) & 0xFF
            }
        }
        let codec: MediaWriterOptions.Codec? = name.hasSuffix("mkv") ? .ffv1 : nil
        try write(frames, to: folder(name), options: .init(codec: codec, pixelFormat: stored))
        let found = try read(folder(name), Self.all).frames[0].buffer
        let alpha = try #require(found.format.alphaPlane)
        #expect(Set(found.samples(ofPlane: alpha)) == [UInt16(found.format.maximumValue)])
        if format.isRGB {
            #expect((0..<3).allSatisfy { found.samples(ofPlane: $0) == frames[0].buffer.samples(ofPlane: $0) })
        }
    }

    /// A frame of VP9 whose alpha is missing is opaque, and none is lost.
    @Test(.enabled(if: hasMaker)) func missingAlphaOfVP9IsOpaque() throws {
        let folder = try TemporaryFolder()
        for (name, format) in [("clear", "yuva420p"), ("opaque", "yuv420p")] {
            try make(
                folder("\(name).webm"),
                [
                    "-f", "lavfi", "-i", "color=c=red@0.5:s=64x48:r=25:d=0.2,format=\(format)", "-c:v", "libvpx-vp9",
                    "-auto-alt-ref", "0", "-metadata:s:v:0", "alpha_mode=1", "-deadline", "realtime",
                ])
        }
        for order in [["clear", "opaque"], ["opaque", "clear"]] {
            let list = order.map { "file '\(folder("\($0).webm"))'\n" }.joined()
            try Data(list.utf8).write(to: URL(fileURLWithPath: folder("list.txt")))
            try make(
                folder("mixed.webm"),
                [
                    "-f", "concat", "-safe", "0", "-i", folder("list.txt"), "-c", "copy", "-metadata:s:v:0",
                    "alpha_mode=1",
                ])
            let frames = try read(folder("mixed.webm"), Self.all).frames
            #expect(frames.count == 10)
            for (index, frame) in frames.enumerated() {
                let isClear = (index < 5) == (order[0] == "clear")
                let alpha = frame.buffer.samples(ofPlane: 3)
                #expect(alpha.allSatisfy { isClear ? abs(Int($0) - 128) < 8 : $0 == 255 }, "\(index)")
            }
        }
    }

    /// VP9 in mp4 has no place for alpha, and y4m none that readers know.
    @Test(arguments: [("a.mp4", MediaWriterOptions.Codec.vp9), ("a.y4m", nil)])
    func alphaWithoutAPlaceIsNoted(name: String, codec: MediaWriterOptions.Codec?) throws {
        let folder = try TemporaryFolder()
        let frames = try clip(Self.format("yuva420p"), 64, 48, ticks: [0, 1, 2])
        for format in [nil, name.hasSuffix("mp4") ? "yuva420p" : nil] {
            let sink = try write(
                frames, to: folder(name), options: .init(codec: codec, pixelFormat: format, overwrites: true))
            #expect(sink.notes.contains { $0.code == "alpha-dropped" })
            #expect(try read(folder(name), Self.all).frames.count == 3)
        }
    }

    /// Alpha survives lossy codecs nearly as it was.
    @Test(arguments: [("a.mov", "yuva444p"), ("a.webm", "yuva420p"), ("a.webp", "yuva420p")])
    func lossyCodecsKeepAlpha(name: String, format: String) throws {
        let folder = try TemporaryFolder()
        let format = try Self.format(format)
        let buffer = try GeneratedPicture.draw(format, width: 64, height: 48) { plane, x, _ in
            plane == 3 ? 4 * x : 128
        }
        let frames = (0..<3).map {
            Frame(
                buffer: buffer, presentationTime: MediaTime(value: $0, timescale: 25),
                duration: MediaTime(value: 1, timescale: 25))
        }
        try write(frames, to: folder(name))
        let reading = try read(folder(name), Self.all)
        let found = try #require(reading.frames.last).buffer
        let alpha = try #require(found.format.alphaPlane), shift = found.format.bitDepth - 8
        let wanted = buffer.samples(ofPlane: 3), samples = found.samples(ofPlane: alpha)
        #expect(samples.count == wanted.count)
        #expect(zip(wanted, samples).allSatisfy { abs(Int($0) - Int($1) >> shift) <= 8 })
    }

    /// What is transparent does not color what is visible when chroma is subsampled.
    @Test func hiddenColorsDoNotSpread() throws {
        let folder = try TemporaryFolder()
        let buffer = try GeneratedPicture.draw(Self.format("yuva444p"), width: 64, height: 48) { plane, x, _ in
            let isVisible = x % 16 >= 5
            return plane == 3 ? (isVisible ? 255 : 0) : plane == 0 ? 128 : isVisible ? 128 : 240
        }
        let frame = Frame(buffer: buffer, presentationTime: .zero, duration: MediaTime(value: 1, timescale: 25))
        try write([frame], to: folder("a.mkv"), options: .init(codec: .ffv1, pixelFormat: "yuva420p"))
        let found = try read(folder("a.mkv"), Self.all).frames[0].buffer
        let cb = found.samples(ofPlane: 1)
        for x in 0..<32 where (2 * x..<2 * x + 2).contains(where: { $0 % 16 >= 5 }) {
            #expect(abs(Int(cb[32 * 10 + x]) - 128) <= 1, "\(x)")
        }
    }

    /// Without being asked, a reader returns YCbCr and says what it leaves out.
    @Test func readersReturnYCbCrByDefault() throws {
        let folder = try TemporaryFolder()
        try write(try clip(Self.format("gbrap"), 64, 48, ticks: [0, 1]), to: folder("a.mkv"))
        let reading = try read(folder("a.mkv"))
        #expect(reading.reader.stream.format.description == "yuv444p")
        #expect(reading.reader.notes.contains { $0.code == "alpha-dropped" })
    }

    @Test(arguments: [true, false]) func alphaInHalfOfASequence(begins: Bool) throws {
        let folder = try TemporaryFolder()
        for index in 0..<4 {
            let format = try Self.format((index < 2) == begins ? "gbrap" : "gbrp")
            try write(try clip(format, 64, 48, ticks: [0]), to: folder("b\(index)_%d.png"))
            try FileManager.default.moveItem(
                atPath: folder("b\(index)_1.png"), toPath: folder("a_\(index + 1).png"))
            try FileManager.default.removeItem(atPath: folder("times.json"))
        }
        let error = try refusal { _ = try read(folder("a_%d.png"), Self.all) }
        #expect(error.message.contains("give one to all of them or to none"))
        #expect(error.location.file == folder("a_3.png"))
    }

    /// All frames of GIF have alpha in libav; an opaque one is read without.
    @Test func opaqueGIFHasNoAlpha() throws {
        let folder = try TemporaryFolder()
        var frames = try clip(Self.format("gbrp"), 64, 48, ticks: [0, 4, 8])
        try write(frames, to: folder("a.gif"))
        #expect(try read(folder("a.gif"), Self.all).reader.stream.format.description == "gbrp")
        let clear = try GeneratedPicture.draw(Self.format("gbrap"), width: 64, height: 48) { plane, x, _ in
            plane == 3 ? (x < 30 ? 0 : 255) : 90
        }
        frames = try clip(Self.format("gbrap"), 64, 48, ticks: [0, 4])
        for index in frames.indices { frames[index].buffer = clear }
        try write(frames, to: folder("b.gif"))
        let reading = try read(folder("b.gif"), Self.all)
        #expect(reading.reader.stream.format.description == "gbrap")
        #expect(reading.frames[1].buffer.samples(ofPlane: 3) == clear.samples(ofPlane: 3))
    }

    /// Segments hold the alpha that VP9 stores beside its frames.
    @Test func segmentsKeepAdditions() throws {
        let folder = try TestSupport.TemporaryFolder(), path = folder.path("a.seg")
        let writer = try SegmentFileWriter(path, header: [7, 8])
        let bytes: [UInt8] = [1, 2, 3], addition: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1, 9, 9]
        for addition in [addition, []] {
            try bytes.withUnsafeBytes { bytes in
                try addition.withUnsafeBytes {
                    try writer.append(presentationTime: 40, duration: 10, flags: 1, bytes: bytes, addition: $0)
                }
            }
        }
        try writer.finish()
        let reader = try SegmentFileReader(path)
        #expect(
            try reader.next()
                == SegmentPacket(presentationTime: 40, duration: 10, flags: 1, bytes: bytes, addition: addition))
        #expect(try reader.next() == SegmentPacket(presentationTime: 40, duration: 10, flags: 1, bytes: bytes))
        #expect(try reader.next() == nil)
    }
}
