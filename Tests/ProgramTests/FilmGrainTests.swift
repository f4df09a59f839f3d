import FrameCore
import FrameEffects
import Foundation
import MediaIO
import TestSupport
import Testing

/// Film grain in files, compared with what a decoder makes of it.
@Suite(.enabled(if: hasTools)) struct FilmGrainTests {
    /// Grain that uses most of the syntax, at the start and after a change.
    private static func table(isChromaScaledFromLuma: Bool) -> FilmGrainTable {
        let luma: [FilmGrain.ScalingPoint] = [(20, 40), (90, 120), (200, 80)].map { .init(value: $0, scaling: $1) }
        let chroma = isChromaScaledFromLuma ? [] : [FilmGrain.ScalingPoint(value: 60, scaling: 90)]
        let long = [
            2, -3, 4, 6, 1, -2, 0, 3, -5, 8, 12, -4, 2, 1, -6, 9, -12, 30, 7, -3, 2, 5, -14, 50,
        ]
        let first = FilmGrain(
            seed: 3000, lumaPoints: luma, lumaCoefficients: long,
            chroma: [
                .init(points: chroma, coefficients: long + [60], multiplier: 20, lumaMultiplier: 40, offset: 5),
                .init(points: chroma, coefficients: long.map { $0 / 2 } + [-30]),
            ], isChromaScaledFromLuma: isChromaScaledFromLuma, scalingShift: 10)
        let second = FilmGrain(
            seed: 1, lumaPoints: luma, lumaCoefficients: [10, 20, -10, 40],
            chroma: .init(repeating: .init(points: chroma, coefficients: [5, 10, 5, 10, 0]), count: 2), lag: 1,
            coefficientShift: 8, grainScaleShift: 1, scalingShift: 8, overlaps: false)
        let middle: Int64 = 1_000_000
        return FilmGrainTable([
            .init(start: 0, end: middle, grain: first),
            .init(start: middle, end: FilmGrainTable.forever, grain: second),
        ])
    }

    private func decoded(_ path: String, _ format: PixelFormat, _ size: (Int, Int), keepsGrainOut: Bool) throws
        -> [PixelBuffer]
    {
        let folder = try TemporaryFolder()
        let output = folder.path("raw")
        let export = keepsGrainOut ? ["-export_side_data", "film_grain"] : []
        _ = try tool(
            "ffmpeg", ["-v", "error"] + export + ["-i", path, "-vsync", "0", "-f", "rawvideo", output])
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: output)))[...]
        var pictures: [PixelBuffer] = []
        while !bytes.isEmpty {
            var picture = try PixelBuffer(format: format, width: size.0, height: size.1)
            try picture.withOverwrittenPlanes { planes in
                for index in 0..<planes.count {
                    for y in 0..<planes[index].height {
                        let count = planes[index].width * format.bytesPerSample
                        bytes.prefix(count).withUnsafeBytes {
                            guard let from = $0.baseAddress else { return }
                            planes[index].row(y).copyMemory(from: from, byteCount: count)
                        }
                        bytes = bytes.dropFirst(count)
                    }
                }
            }
            pictures.append(picture)
        }
        return pictures
    }

    /// The grain that is added here is, bit for bit, that of a decoder of AV1.
    @Test(
        arguments: [(ChromaSubsampling.yuv420, 8), (.yuv420, 10), (.yuv422, 10), (.yuv444, 8), (.monochrome, 8)],
        [false, true])
    func synthesisIsThatOfADecoder(layout: (ChromaSubsampling, Int), isChromaScaledFromLuma: Bool) throws {
        let format = try PixelFormat(subsampling: layout.0, bitDepth: layout.1), size = (151, 107)
        let folder = try TemporaryFolder(), path = folder.path("a.mkv")
        let stream = VideoStreamDescription(
            format: format, width: size.0, height: size.1, timeBase: Rational(1, 25), nominalFrameRate: Rational(25, 1))
        var options = MediaWriterOptions(codec: .av1)
        options.filmGrain = Self.table(isChromaScaledFromLuma: isChromaScaledFromLuma)
        let sink = try openSink(path, stream: stream, source: nil, options: options)
        for index in 0..<5 {
            let picture = try GeneratedPicture.waves(format, width: size.0, height: size.1, dx: index)
            try sink.write(Frame(buffer: picture, presentationTime: MediaTime(value: Int64(index), timescale: 25)))
        }
        try sink.finish()
        #expect(sink.encoderName == "libaom-av1")
        let stored = try #require(options.filmGrain).conforming(to: layout.0)
        try FilmGrainVerifier(path: path, output: "a.mkv", table: stored).check()
        var grains: [FilmGrain?] = []
        try FilmGrainReader(path).frames { grains.append($0.grain) }
        #expect(grains.compactMap { $0?.lag } == [3, 3, 3, 1, 1])
        let clean = try decoded(path, format, size, keepsGrainOut: true)
        let grainy = try decoded(path, format, size, keepsGrainOut: false)
        try #require(clean.count == 5 && grainy.count == 5 && grains.count == 5)
        let synthesizer = try FilmGrainSynthesizer(format: format, width: size.0, height: size.1)
        for index in 0..<5 {
            let mine = try synthesizer.adding(try #require(grains[index]), to: clean[index])
            #expect(!mine.hasSameSamples(as: clean[index]))
            #expect(mine.hasSameSamples(as: grainy[index]), "frame \(index)")
        }
        #expect(Set(grains.map { $0?.seed }).count == 5)
    }

    /// An encoder that ignores its table says nothing, so the file must tell.
    @Test func missingAndOtherGrainIsFound() throws {
        let folder = try TemporaryFolder()
        let stream = VideoStreamDescription(
            format: .yuv420p8, width: 64, height: 64, timeBase: Rational(1, 25), nominalFrameRate: Rational(25, 1))
        let table = Self.table(isChromaScaledFromLuma: false)
        var other = table
        other.entries[0].grain?.lumaPoints[1].scaling += 1
        for (name, written) in [("none.mkv", nil), ("some.mkv", table)] {
            var options = MediaWriterOptions(codec: .av1)
            options.filmGrain = written
            let sink = try openSink(folder.path(name), stream: stream, source: nil, options: options)
            try sink.write(Frame(buffer: try GeneratedPicture.texture(width: 64, height: 64), presentationTime: .zero))
            try sink.finish()
        }
        func check(_ name: String, _ table: FilmGrainTable) throws {
            try FilmGrainVerifier(path: folder.path(name), output: name, table: table).check()
        }
        try check("some.mkv", table)
        try check("none.mkv", FilmGrainTable([]))
        for (name, table) in [("none.mkv", table), ("some.mkv", other), ("some.mkv", FilmGrainTable([]))] {
            let error = #expect(throws: FrameError.self) { try check(name, table) }
            #expect(
                error?.message
                    == "the encoder has not stored the film grain that it was given, so the file was not kept")
        }
    }

    /// A flat clip with grain as raw frames.
    private func noisyClip(_ count: Int, strength: Float, width: Int = 192, height: Int = 128) throws -> Data {
        let flat = try GeneratedPicture.draw(.yuv420p8, width: width, height: height) { plane, x, _ in
            plane == 0 ? 60 + x / 2 : 128
        }
        let synthesizer = try FilmGrainSynthesizer(format: .yuv420p8, width: width, height: height)
        return try Y4M.encode(
            (0..<count).map { index in
                var grain = try FilmGrain.preset(strength: strength)
                grain.seed = UInt16(truncatingIfNeeded: 31 + 1009 * index)
                return try synthesizer.adding(grain, to: flat)
            })
    }

    @Test func grainIsKept() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(try noisyClip(12, strength: 6), to: "in.y4m")
        let run = try vfx(
            "denoise", "in.y4m", "-o", "out.mp4", "--grain", "keep", "--grain-table", "out.tbl", "--json", in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        #expect(try events(run.outputText).first?["encoder"] as? String == "libaom-av1")
        let text = String(decoding: try folder.data("out.tbl"), as: UTF8.self)
        let table = try FilmGrainTable(text: text)
        #expect(table.entries.count == 1)
        var grains: [FilmGrain?] = []
        try FilmGrainReader(folder.path("out.mp4")).frames { grains.append($0.grain) }
        #expect(grains.count == 12)
        #expect(grains.allSatisfy { $0?.lumaPoints == table.entries.first?.grain?.lumaPoints })
        // The table works as a source of grain, too.
        let added = try vfx("denoise", "in.y4m", "-o", "out.y4m", "--grain", "add=out.tbl", in: folder)
        #expect(added.status == 0, "\(added.standardError)")
        let frames = try #require(Y4M.decode(try folder.data("out.y4m"))).frames
        #expect(frames.count == 12 && frames[0] != frames[1])
    }

    /// The grain of a part is measured in the part and stored from its own beginning.
    @Test func grainOfAPartIsKept() throws {
        let folder = try TemporaryFolder()
        let clean = try (0..<9).map { _ in try GeneratedPicture.flat(90, width: 192, height: 128) }
        let noisy = try #require(Y4M.decode(try noisyClip(24, strength: 6))).frames
        let start = try Y4M.encode(clean)
        _ = try folder.write(noisy.reduce(into: start) { $0 += Data("FRAME\n".utf8) + $1 }, to: "in.y4m")
        for (part, count, hasGrain) in [(["--from", "12f", "--to", "30f"], 18, true), (["--to", "8f"], 8, false)] {
            let run = try vfx(
                ["denoise", "in.y4m", "-o", "out.mkv", "--grain", "keep", "--preset", "8", "--overwrite"] + part,
                in: folder)
            #expect(run.status == 0, "\(run.standardError)")
            var grains: [Bool] = []
            try FilmGrainReader(folder.path("out.mkv")).frames { grains.append($0.grain != nil) }
            #expect(grains == [Bool](repeating: hasGrain, count: count))
        }
    }

    @Test func withoutNoiseThereIsNoGrain() throws {
        let folder = try TemporaryFolder()
        for (name, data) in [
            ("black", try Y4M.encode((0..<8).map { _ in try GeneratedPicture.flat(16) })),
            ("one", try noisyClip(1, strength: 6)),
        ] {
            _ = try folder.write(data, to: "\(name).y4m")
            let run = try vfx(
                "denoise", "\(name).y4m", "-o", "\(name).mkv", "--grain", "keep", "--grain-table", "\(name).tbl",
                in: folder)
            #expect(run.status == 0, "\(run.standardError)")
            #expect(run.errorLines.contains("vfx: note: no noise was found, so no film grain is stored"))
            #expect(String(decoding: try folder.data("\(name).tbl"), as: UTF8.self) == "filmgrn1\n")
        }
    }

    /// Videos over 30 s are encoded in segments, each by its own encoder, which counts time from its own first frame.
    @Test func segmentsHaveTheGrainOfTheirScenes() throws {
        let folder = try TemporaryFolder()
        // The second segment begins at frame 240, and the scene without noise at frame 250.
        let noisy = try #require(Y4M.decode(try noisyClip(250, strength: 6))).frames
        let clean = Y4M.payload(
            try GeneratedPicture.draw(.yuv420p8, width: 192, height: 128) { plane, _, y in plane == 0 ? 40 + y : 90 })
        let header = Data("YUV4MPEG2 W192 H128 F8:1 Ip A1:1 C420jpeg\n".utf8)
        let frames = noisy + [Data](repeating: Data(clean), count: 30)
        _ = try folder.write(frames.reduce(into: header) { $0 += Data("FRAME\n".utf8) + $1 }, to: "in.y4m")
        let arguments = ["denoise", "in.y4m", "--grain", "keep", "--preset", "8", "--future", "0", "--quiet"]
        let run = try vfx(arguments + ["-o", "out.mkv"], in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        var hasGrain: [Bool] = []
        try FilmGrainReader(folder.path("out.mkv")).frames { hasGrain.append($0.grain != nil) }
        #expect(hasGrain == (0..<280).map { $0 < 250 })
        // A job that is killed after its first segment ends as if nothing had happened.
        guard FaultyLibrary.compiler != nil else { return }
        try StoppedRun(arguments + ["-o", "part.mkv"], after: "manifest.json:2", in: folder).kill()
        let rest = try vfx(arguments + ["-o", "part.mkv", "--resume"], in: folder)
        #expect(rest.status == 0, "\(rest.standardError)")
        #expect(try LongClip.contents(folder.path("part.mkv")) == LongClip.contents(folder.path("out.mkv")))
    }
}
