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

    /// Film frames that are shown for three fields and for two in turn.
    @Test(arguments: [0, 1], [Rational(1, 1000), Rational(1, 90_000)])
    func softTelecineIsEvenlySpaced(phase: Int, base: Rational) throws {
        func stamp(_ frame: Int) -> Int64 {
            let fields = (frame + phase) / 2 * 5 + (frame + phase) % 2 * 3 - phase * 3
            return Int64((Double(fields) * 1001 / 60000 * Double(base.denominator)).rounded())
        }
        let folder = try TemporaryFolder(), name = base.denominator == 1000 ? "a.mkv" : "a.ts"
        let film = try clip(ticks: (0..<150).map(stamp), base: base, lastTicks: stamp(2) - stamp(1))
        try write(film, to: folder(name), base: base, rate: nil)
        let reading = try read(folder(name))
        #expect(reading.times == (0..<150).map { MediaTime(value: $0 * 1001, timescale: 24000) })
        #expect(reading.reader.stream.nominalFrameRate == Rational(24000, 1001))
        #expect(reading.reader.notes.contains { $0.code == "soft-telecine" })
        let reader = try MediaReader(folder(name))
        try reader.seek(to: reading.times[101])
        var found = try #require(try reader.nextFrame())
        while found.presentationTime < reading.times[101] { found = try #require(try reader.nextFrame()) }
        #expect(found.presentationTime == reading.times[101])
        // Video after the film has its own times, and so has video in which frames take no turns.
        let fields = stamp(2 + phase) - stamp(1 + phase)
        let mixed = (0..<130).map(stamp) + (1...40).map { stamp(129) + $0 * fields }
        try write(try clip(ticks: mixed, base: base, lastTicks: fields), to: folder("b" + name), base: base, rate: nil)
        let times = try read(folder("b" + name)).times
        #expect(times[..<130] == reading.times[..<130])
        #expect(times[135...] == mixed[135...].map { MediaTime(ticks: $0, base: base) }[...])
        let turns: [Int] = [0, 3, 6, 8]
        let other = (0..<100).map { (frame: Int) -> Int64 in Int64(frame / 4 * 10 + turns[frame % 4]) * fields / 2 }
        try write(try clip(ticks: other, base: base, lastTicks: fields), to: folder("c" + name), base: base, rate: nil)
        #expect(try read(folder("c" + name)).reader.notes.isEmpty)
    }

    /// MPEG-2 film whose frames are shown for three fields and for two, as an elementary stream.
    private func softTelecine(_ count: Int, from first: Int = 0, every interval: Int = 2) throws -> Data {
        let folder = try TemporaryFolder()
        let codec = ["-frames:v", "\(count)", "-c:v", "mpeg2video", "-bf", "2"]
        try make(folder("film.m2v"), ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=24000/1001"] + codec)
        let film = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder("film.m2v"))))
        return Data(MPEG2Pulldown.added(to: film, every: interval, from: first))
    }

    /// The last of the packets that are looked at may be shown after some that are not, and program streams leave timestamps
    /// out.
    @Test(.enabled(if: hasMaker, "ffmpeg makes the files"), arguments: ["mkv", "ts", "vob"], [0, 1])
    func reorderedSoftTelecineIsEvenlySpaced(ending: String, first: Int) throws {
        let folder = try TemporaryFolder(), name = folder("soft." + ending)
        try softTelecine(300, from: first).write(to: URL(fileURLWithPath: folder("soft.m2v")))
        try make(name, ["-fflags", "+genpts", "-i", folder("soft.m2v"), "-c", "copy"])
        let reading = try read(name)
        #expect(reading.reader.stream.nominalFrameRate == Rational(24000, 1001))
        let steps = zip(reading.times.dropFirst(2), reading.times.dropFirst()).map { $0 - $1 }
        #expect(steps.dropLast(3).allSatisfy { $0 == MediaTime(value: 1001, timescale: 24000) })
    }

    /// Elementary streams say it by flags.
    @Test(.enabled(if: hasMaker, "ffmpeg makes the file"), arguments: [40, 17, 130], [0, 1])
    func softTelecineWithoutTimestamps(count: Int, first: Int) throws {
        let folder = try TemporaryFolder()
        try softTelecine(count, from: first).write(to: URL(fileURLWithPath: folder("soft.m2v")))
        let reading = try read(folder("soft.m2v"))
        #expect(reading.times == (0..<Int64(count)).map { MediaTime(value: $0 * 1001, timescale: 24000) })
        #expect(reading.reader.stream.nominalFrameRate == Rational(24000, 1001))
        var options = MediaReaderOptions()
        options.inputFrameRate = Rational(30, 1)
        #expect(try MediaReader(folder("soft.m2v"), options: options).stream.nominalFrameRate == Rational(30, 1))
        try softTelecine(40, every: 8).write(to: URL(fileURLWithPath: folder("rare.m2v")))
        #expect(try MediaReader(folder("rare.m2v")).stream.nominalFrameRate == Rational(30000, 1001))
    }

    /// 23.976 for three hours stays within a hundredth of a tick of where it should be.
    @Test func nothingDrifts() throws {
        let folder = try TemporaryFolder(), rate = Rational(24000, 1001)
        let far = Array(0..<130) + [258_740, 258_741] as [Int64]
        let frames = try written(far, rate, to: folder("a.mkv"), stated: rate)
        #expect(try read(folder("a.mkv")).times == frames.map(\.presentationTime))
    }
}
