import FrameCore
import Foundation
import MediaIO
import TestSupport
import Testing

/// Times of a constant frame rate that a container has rounded are those of the rate again.
struct RateGridTests {
    private static let rates = [Rational(30000, 1001), Rational(24000, 1001), Rational(60000, 1001), Rational(15, 1)]

    private func written(
        _ ticks: [Int64], _ rate: Rational, to path: String, stated: Rational?
    ) throws -> [Frame] {
        let base = Rational(rate.denominator, rate.numerator)
        let frames = try clip(ticks: ticks, base: base)
        try write(frames, to: path, base: base, rate: stated)
        return frames
    }

    @Test(arguments: rates) func roundedTimesAreThoseOfTheRate(rate: Rational) throws {
        let folder = try TemporaryFolder()
        let frames = try written(Array(0..<150), rate, to: folder("a.mkv"), stated: rate)
        let reading = try read(folder("a.mkv"))
        #expect(reading.times == frames.map(\.presentationTime))
        #expect(reading.durations == frames.map(\.duration))
        #expect(reading.reader.stream.nominalFrameRate == rate)
        // Frames may be missing.
        let gaps = try written([0, 1, 2, 4, 5, 9, 10, 11, 12, 30], rate, to: folder("b.mkv"), stated: rate)
        #expect(try read(folder("b.mkv")).times == gaps.map(\.presentationTime))
    }

    /// Nothing but the first frame of a live input is known when its clock begins.
    @Test(arguments: rates) func aLivePipeHasTheTimesOfTheStatedRate(rate: Rational) throws {
        let folder = try TemporaryFolder()
        let frames = try written(Array(0..<20), rate, to: folder("a.mkv"), stated: rate)
        let pipe = Pipe()
        Thread.detachNewThread { [path = folder("a.mkv")] in
            pipe.fileHandleForWriting.feed((try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data())
            try? pipe.fileHandleForWriting.close()
        }
        var options = MediaReaderOptions()
        options.lowLatency = true
        let reader = try MediaReader("pipe:\(pipe.fileHandleForReading.fileDescriptor)", options: options)
        var times: [MediaTime] = [], durations: [MediaTime?] = []
        while let frame = try reader.nextFrame() {
            times.append(frame.presentationTime)
            durations.append(frame.duration)
        }
        #expect(times == frames.map(\.presentationTime))
        #expect(durations == frames.map(\.duration))
        #expect(reader.damage.isEmpty)
        #expect(try reader.nextFrame() == nil)
    }

    @Test(.enabled(if: hasMaker, "ffmpeg makes the files"), arguments: ["a.ts", "a.flv", "a.mkv", "a.webm"])
    func inAllContainersWithCoarseTicks(name: String) throws {
        let folder = try TemporaryFolder()
        let codec = name.hasSuffix("webm") ? ["-c:v", "libvpx", "-deadline", "realtime"] : reorderedVideo
        let input = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=24000/1001:d=8", "-f", "lavfi", "-i", "sine=r=48000:d=8"]
        let sound = name.hasSuffix("webm") ? ["-c:a", "libopus"] : ["-c:a", "aac"]
        try make(folder(name), input + codec + sound)
        let times = try read(folder(name)).times
        #expect(times.count > 190)
        #expect(times == times.indices.map { MediaTime(value: Int64($0) * 1001, timescale: 24000) })
        // A part has the times of the whole clip.
        let part = try PartReader(MediaReader(folder(name)), part: ClipPart(start: .frame(100), end: nil))
        #expect(try part.nextFrame()?.presentationTime == times[100])
        // So has a seek.
        let reader = try MediaReader(folder(name))
        try reader.seek(to: times[150])
        var found = try #require(try reader.nextFrame())
        #expect(found.presentationTime <= times[150])
        while found.presentationTime < times[150] { found = try #require(try reader.nextFrame()) }
        #expect(found.presentationTime == times[150])
    }

    @Test func otherTimesStay() throws {
        let folder = try TemporaryFolder(), base = Rational(1, 1000)
        // One frame is 3 ms late.
        let late = try clip(
            ticks: (0..<40).map { ($0 * 1001 + 15) / 30 + ($0 == 20 ? 3 : 0) }, base: base, lastTicks: 33)
        try write(late, to: folder("a.mkv"), base: base, rate: Rational(30000, 1001))
        #expect(try read(folder("a.mkv")).times == late.map(\.presentationTime))
        // Frames change their rate after those that are looked at.
        let even = (0..<200).map { Int64($0 * 1001 + 15) / 30 }, rest = (1...50).map { even[199] + Int64($0) * 45 }
        let changed = try clip(ticks: even + rest, base: base, lastTicks: 45)
        try write(changed, to: folder("b.mkv"), base: base, rate: Rational(30000, 1001))
        let times = try read(folder("b.mkv")).times
        #expect(times[..<200] == (0..<200).map { MediaTime(value: $0 * 1001, timescale: 30000) }[...])
        #expect(times[202...] == changed.map(\.presentationTime)[202...])
        let part = try PartReader(MediaReader(folder("b.mkv")), part: ClipPart(start: .frame(230), end: nil))
        #expect(try part.nextFrame()?.presentationTime == times[230])
    }

    /// 23.976 for three hours stays within a hundredth of a tick of where it should be.
    @Test func nothingDrifts() throws {
        let folder = try TemporaryFolder(), rate = Rational(24000, 1001)
        let far = Array(0..<130) + [258_740, 258_741] as [Int64]
        let frames = try written(far, rate, to: folder("a.mkv"), stated: rate)
        #expect(try read(folder("a.mkv")).times == frames.map(\.presentationTime))
    }
}
