import FrameCore
import Foundation
import MediaIO
import Testing

/// Files that are damaged in the middle.
@Suite struct DamageTests {
    /// 120 frames of noise, so that packets are large, with a keyframe every 12 frames.
    private func makeClip(_ folder: TemporaryFolder, _ name: String, codec: [String] = ["libx264", "-bf", "0"]) throws
        -> String
    {
        let source = folder("source.mkv"), path = folder(name)
        try write(clip(ticks: Array(0..<120)), to: source, options: MediaWriterOptions(codec: .ffv1))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["ffmpeg", "-v", "error", "-y", "-i", source, "-c:v"] + codec + ["-g", "12", "-sc_threshold", "0", path]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return path
    }

    /// Overwrites a part of a file.
    private func damage(_ path: String, _ part: Range<Double>) throws {
        var all = try bytes(of: path)
        let range = Int(Double(all.count) * part.lowerBound)..<Int(Double(all.count) * part.upperBound)
        for index in range { all[index] = UInt8(truncatingIfNeeded: index &* 167 ^ (index >> 3) ^ 0x5A) }
        try Data(all).write(to: URL(fileURLWithPath: path))
    }

    /// Damages a few bytes of one frame in a group of pictures: frames that reference it are marked as damaged.
    @Test func framesThatShowDamageSaySo() throws {
        let folder = try TemporaryFolder()
        var all = try bytes(of: fixture("dog.mp4"))
        for index in 110_000..<110_060 { all[index] = UInt8(truncatingIfNeeded: index &* 167 ^ (index >> 3) ^ 0x5A) }
        let path = try folder.write(all, to: "a.mp4")
        let whole = try read(fixture("dog.mp4")).frames
        #expect(whole.allSatisfy { !$0.isDamaged })
        let reading = try read(path, MediaReaderOptions(decoderThreads: 1))
        #expect(reading.frames.count == whole.count)
        let marked = reading.frames.map(\.isDamaged)
        let first = try #require(marked.firstIndex(of: true))
        #expect((45...55).contains(first) && marked[first...].allSatisfy { $0 })
        let changed = whole.indices.filter { !whole[$0].buffer.hasSameSamples(as: reading.frames[$0].buffer) }
        // A frame shown before the damaged one may reference it.
        #expect(changed.allSatisfy { $0 >= first - 2 } && changed.contains(first))
        // With several threads, a frame may be returned before its damage is found; it is reported at the end anyway.
        #expect(try !read(path, MediaReaderOptions(decoderThreads: 2)).reader.damage.isEmpty)
    }

    /// All that follows a change of the size is lost, and all of it is counted.
    @Test(arguments: [("mkv", 1), ("264", 1), ("264", 4)]) func aChangeOfTheSizeIsCounted(ending: String, threads: Int)
        throws
    {
        let folder = try TemporaryFolder()
        try write(
            clip(ticks: Array(0..<20)), to: folder("a.mkv"),
            options: MediaWriterOptions(codec: .h264, preset: "ultrafast"))
        try write(
            clip(.yuv420p8, 96, 64, ticks: Array(0..<30)), to: folder("b.mkv"),
            options: MediaWriterOptions(codec: .h264, preset: "ultrafast"))
        for name in ["a", "b"] {
            try ffmpeg(["-i", folder(name + ".mkv"), "-c", "copy", folder(name + ".264")])
        }
        var path = try folder.write(bytes(of: folder("a.264")) + bytes(of: folder("b.264")), to: "ab.264")
        if ending == "mkv" {
            try ffmpeg(["-fflags", "+genpts", "-f", "h264", "-r", "25", "-i", path, "-c", "copy", folder("ab.mkv")])
            path = folder("ab.mkv")
        }
        let reading = try read(path, MediaReaderOptions(decoderThreads: threads))
        #expect(reading.frames.count == 20)
        #expect(reading.reader.damage.lostUnits == 30, "\(reading.reader.damage)")
        #expect(reading.reader.damage.notes.first?.contains("changes from 64x48 yuv420p to 96x64 yuv420p") == true)
        // The same through a pipe.
        let piped = try read(pipe(bytes(of: path), in: folder), MediaReaderOptions(decoderThreads: threads))
        #expect(piped.frames.count == 20 && piped.reader.damage.lostUnits == 30)
    }

    private func ffmpeg(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["ffmpeg", "-v", "error", "-y"] + arguments
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    /// Another header in the middle of y4m.
    @Test(arguments: [(96, 64), (64, 48)], [true, false]) func anotherHeaderIsNamed(size: (Int, Int), isPiped: Bool)
        throws
    {
        let folder = try TemporaryFolder()
        try write(clip(ticks: Array(0..<5)), to: folder("a.y4m"))
        try write(clip(.yuv420p8, size.0, size.1, ticks: Array(0..<7)), to: folder("b.y4m"))
        let both = try bytes(of: folder("a.y4m")) + bytes(of: folder("b.y4m"))
        let reading = try read(isPiped ? pipe(both, in: folder) : folder.write(both, to: "ab.y4m"))
        #expect(reading.frames.count == 5)
        let damage = reading.reader.damage
        #expect(
            damage.notes == [
                "another y4m header follows, of \(size.0)x\(size.1) frames; what follows it is left out"
            ])
        #expect(damage.lostUnits == 7)
    }

    @Test func aKeyFrameEndsDamage() throws {
        let folder = try TemporaryFolder()
        let path = try makeClip(folder, "a.mp4")
        try damage(path, 0.45..<0.47)
        let reading = try read(path, MediaReaderOptions(decoderThreads: 1))
        let marked = reading.frames.filter(\.isDamaged)
        #expect(!reading.reader.damage.isEmpty && !marked.isEmpty && marked.count <= 24)
        #expect(reading.frames.first?.isDamaged == false && reading.frames.last?.isDamaged == false)
    }

    @Test func damagedKeyFramesAreTold() throws {
        let folder = try TemporaryFolder()
        let path = try makeClip(folder, "a.mp4")
        let options = MediaReaderOptions(keepsOtherStreams: false, keyFramesOnly: true)
        let whole = try read(path, options)
        #expect(whole.reader.damage.isEmpty && whole.frames.count == 10)
        // More than two groups of pictures.
        try damage(path, 0.4..<0.65)
        let reading = try read(path, options)
        #expect(reading.frames.count < 10 && reading.frames.count >= 6)
        #expect(!reading.reader.damage.isEmpty)
        let reader = try KeyFrameReader(path)
        #expect(reader.damage.isEmpty)
        for index in 0..<10 {
            _ = try? reader.keyFrame(at: MediaTime(value: Int64(12 * index), timescale: 25))
        }
        #expect(!reader.damage.isEmpty)
    }

    /// libavformat skips unreadable parts of a Matroska file without reporting an error.
    @Test func holesInMatroskaFilesAreTold() throws {
        let folder = try TemporaryFolder()
        let path = try makeClip(folder, "a.mkv")
        #expect(try read(path).reader.damage.isEmpty)
        try damage(path, 0.45..<0.55)
        #expect(try !read(path).reader.damage.isEmpty)
    }

    /// Keyframes represent the frames up to the next keyframe, for example in storyboards.
    @Test(arguments: ["a.mp4", "a.mkv", "a.ts", "a.avi", "pipe.webm"])
    func theLastKeyFrameStandsToTheEnd(name: String) throws {
        let folder = try TemporaryFolder()
        let codec = name.hasSuffix("webm") ? ["libvpx", "-b:v", "1M"] : ["libx264", "-bf", "0"]
        let path = try makeClip(folder, name, codec: codec)
        func end(_ options: MediaReaderOptions) throws -> Double {
            let last = try #require(try read(path, options).frames.last)
            return try #require(last.duration).seconds + last.presentationTime.seconds
        }
        let all = try end(MediaReaderOptions()), keys = try end(MediaReaderOptions(keyFramesOnly: true))
        #expect(abs(all - keys) < 0.05, "\(keys) for \(all)")
    }
}
