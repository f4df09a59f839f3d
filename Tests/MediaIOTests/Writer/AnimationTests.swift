import FrameCore
import Foundation
import Glibc
import MediaIO
import TestSupport
import Testing

/// Whether animated WebP can be read.
private let hasWebP = dlopen("libwebpdemux.so.2", RTLD_LAZY) != nil
private let readable = ["gif", "apng"] + (hasWebP ? ["webp"] : [])

/// Animated GIF, PNG and WebP images, as outputs and as inputs.
@Suite struct AnimationTests {
    /// Smooth pictures that move.
    private func frames(_ ticks: [Int64], base: Rational, last: Int64) throws -> [Frame] {
        let color = ColorDescription(matrix: .bt470BG, primaries: .bt709, transfer: .sRGB, range: .full)
        return try clip(ticks: ticks, base: base, lastTicks: last).enumerated().map { index, frame in
            var frame = frame
            frame.buffer = try GeneratedPicture.draw(.yuv420p8, width: 64, height: 48) { plane, x, y in
                plane == 0 ? 30 + 2 * x + y + 5 * index : plane == 1 ? 90 + x : 160 - y
            }
            frame.color = color
            return frame
        }
    }

    @Test(arguments: readable) func timesAndPicturesComeBack(ending: String) throws {
        let folder = try TemporaryFolder()
        let path = folder("a.\(ending)"), base = Rational(1, 100)
        let source = try frames([0, 4, 10, 13, 40], base: base, last: 7)
        let sink = try write(source, to: path, base: base, rate: nil)
        #expect(sink.containerName == ending)
        #expect(folder.contents == ["a.\(ending)"])
        let result = try read(path)
        #expect(result.times == source.map(\.presentationTime))
        #expect(result.durations == source.map(\.duration))
        #expect(result.reader.info.container == ending && result.reader.info.plays == 0)
        #expect(result.reader.damage.isEmpty)
        for (frame, original) in zip(result.frames, source) {
            let difference = PictureDifference(frame.buffer, original.buffer)
            #expect(difference.psnr > (ending == "gif" ? 28 : 38), "\(ending): \(difference.psnr) dB")
        }
    }

    /// 10 ms is the unit of GIF: the rounding of one delay is made good by the next.
    @Test func delaysKeepTheTotal() throws {
        let folder = try TemporaryFolder()
        let base = Rational(1001, 30000)
        let source = try frames(Array(0..<30), base: base, last: 1)
        try write(source, to: folder("a.gif"), base: base, rate: Rational(30000, 1001))
        let result = try read(folder("a.gif"))
        for (frame, original) in zip(result.frames, source) {
            let error = (frame.presentationTime - original.presentationTime).seconds
            #expect(abs(error) <= 0.005)
        }
        let length = try #require(result.frames.last?.duration) + (result.times.last ?? .zero)
        #expect(abs(length.seconds - 1.001) <= 0.005)
    }

    /// Browsers show frames of 10 ms for 100 ms, so none are written, even where frames come in pairs.
    @Test func noDelayIsTooShort() throws {
        let folder = try TemporaryFolder()
        let base = Rational(1, 1000)
        try write(
            try frames([0, 100, 104, 200, 300], base: base, last: 100), to: folder("a.gif"), base: base, rate: nil)
        let result = try read(folder("a.gif"))
        #expect(result.times == [0, 100, 120, 200, 300].map(milliseconds))
    }

    @Test(arguments: [("a.gif", 60, "50"), ("a.webp", 120, "90"), ("a.apng", 120, "90")])
    func ratesThatBrowsersDoNotShowAreRefused(name: String, rate: Int32, most: String) throws {
        let folder = try TemporaryFolder()
        let stream = try description(of: clip(ticks: [0]), rate: Rational(rate, 1))
        let error = try refusal { _ = try openSink(folder(name), stream: stream, source: nil) }
        #expect(error.message.contains("more than \(most) frames per second"))
        #expect(folder.contents.isEmpty)
    }

    @Test func aCodecIsRefused() throws {
        let folder = try TemporaryFolder()
        let stream = try description(of: clip(ticks: [0]))
        let error = try refusal {
            _ = try openSink(folder("a.gif"), stream: stream, source: nil, options: .init(codec: .h264))
        }
        #expect(error.message.contains("gif files cannot contain h264 video"))
    }

    /// GIF counts repetitions, the others how often the animation is played.
    @Test(.enabled(if: hasMaker), arguments: [(0, 0), (-1, 1), (1, 2), (4, 5)])
    func theNumberOfPlaysIsKept(repetitions: Int, plays: Int) throws {
        let folder = try TemporaryFolder()
        let input = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=0.3", "-loop", "\(repetitions)"]
        let source = try make(folder("in.gif"), input)
        #expect(try MediaReader(source).info.plays == plays)
        for ending in readable {
            try carry(source, to: folder("out.\(ending)"))
            #expect(try MediaReader(folder("out.\(ending)")).info.plays == plays)
        }
        // A video cannot say it.
        let sink = try carry(source, to: folder("out.mkv"))
        #expect(sink.notes.contains { $0.code == "loop-dropped" && !$0.isLoss } == (plays != 1))
    }

    @Test(.enabled(if: hasMaker && hasWebP)) func webPOfOthersIsComposited() throws {
        let folder = try TemporaryFolder()
        // The encoder stores only what changes, on a canvas that stays.
        let input = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=0.5"]
        let codec = ["-c:v", "libwebp_anim", "-lossless", "1", "-pix_fmt", "bgra", "-loop", "3"]
        let packed = try make(folder("a.webp"), input + codec)
        let plain = try make(folder("a.mkv"), input + ["-c:v", "ffv1", "-pix_fmt", "bgr0"])
        let found = try read(packed), wanted = try read(plain)
        #expect(found.times == wanted.times)
        #expect(found.reader.info.plays == 3 && found.reader.info.container == "webp")
        #expect(found.reader.info.streams.first?.codec == "webp")
        for (one, other) in zip(found.frames, wanted.frames) {
            for plane in 0..<3 {
                let difference = PictureDifference(one.buffer, other.buffer, plane: plane)
                #expect(difference.psnr > 45, "plane \(plane): \(difference.psnr) dB")
            }
        }
        // Frames are found again after a seek.
        let reader = try MediaReader(packed)
        try reader.seek(to: milliseconds(300))
        let frame = try #require(try reader.nextFrame())
        #expect(frame.presentationTime <= milliseconds(300))
        // A cut file is no animation.
        let cut = try folder.write(try bytes(of: packed).dropLast(100), to: "cut.webp")
        #expect(try refusal { _ = try MediaReader(cut) }.message.contains("damaged or incomplete"))
    }

    @Test(.enabled(if: hasMaker)) func onlyTransparencyThatIsThereIsNoted() throws {
        let folder = try TemporaryFolder()
        let input = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=0.3"]
        let opaque = try make(folder("a.gif"), input)
        #expect(try !MediaReader(opaque).notes.contains { $0.code == "alpha-dropped" })
        for (name, format) in [("a.apng", "rgba"), ("b.mkv", "bgra"), ("c.mkv", "yuva420p"), ("d.mkv", "gbrap12le")] {
            let codec = name.hasSuffix("mkv") ? ["-c:v", "ffv1"] : []
            let opaque = try make(folder(name), input + codec + ["-pix_fmt", format])
            #expect(try !MediaReader(opaque).notes.contains { $0.code == "alpha-dropped" }, "\(format)")
            let filter = ["-vf", "format=rgba,colorchannelmixer=aa=0.5"]
            let clear = try make(folder("clear-" + name), input + filter + codec + ["-pix_fmt", format])
            #expect(try MediaReader(clear).notes.contains { $0.code == "alpha-dropped" && $0.isLoss }, "\(format)")
        }
    }
}
