import FrameCore
import MediaIO
import Testing

/// Times are those of a player: a clip begins at zero, and so does what is written, whatever the container states.
@Suite(.enabled(if: hasMaker && hasProbe, "ffmpeg makes the files and ffprobe is the witness"))
struct ClipTimesTests {
    private func recording(_ folder: TemporaryFolder, _ name: String, offset: [String]) throws -> String {
        try make(folder(name), pictureAndTone(2) + quickVideo + ["-g", "10", "-c:a", "aac"] + offset)
    }

    private static let moved = [
        ("a.ts", ["-output_ts_offset", "50000"]), ("a.mkv", ["-output_ts_offset", "700"]),
        ("a.nut", ["-output_ts_offset", "3"]),
    ]

    @Test(arguments: moved) func theFirstFrameIsAtZero(name: String, offset: [String]) throws {
        let folder = try TemporaryFolder(), path = try recording(folder, name, offset: offset)
        let reading = try read(path)
        let stated = try #require(reading.reader.info.startTime)
        #expect(stated > MediaTime(value: 2, timescale: 1))
        #expect(reading.reader.start == .zero)
        #expect(reading.times == (0..<50).map { MediaTime(value: $0, timescale: 25) })
        try reading.reader.seek(to: MediaTime(value: 1, timescale: 1))
        let found = try #require(try reading.reader.nextFrame())
        #expect(found.presentationTime <= MediaTime(value: 1, timescale: 1))
        let part = try MediaReader(path).restrict(
            to: ClipPart(start: .time(MediaTime(value: 1, timescale: 1)), end: nil))
        #expect(part.start == MediaTime(value: 1, timescale: 1) && part.firstFrame == 25)
    }

    /// - Returns: the first times of the pictures and of the sound.
    private func starts(_ path: String) throws -> (pictures: Double, sound: Double?) {
        let pictures = try #require(try packetTimes(path, "v").min())
        return (pictures, try packetTimes(path, "a").filter { $0 >= 0 }.min())
    }

    @Test(arguments: moved, ["out.mkv", "out.mp4"])
    func theEarliestStreamStartsAtZero(source: (name: String, offset: [String]), output: String) throws {
        let folder = try TemporaryFolder(), path = try recording(folder, source.name, offset: source.offset)
        let before = try starts(path), offset = before.pictures - (before.sound ?? 0)
        for factor in [1, 4] as [Int32] {
            try carry(path, to: folder(output), factor: factor, options: .init(overwrites: true))
            let after = try starts(folder(output))
            #expect(abs(min(after.pictures, after.sound ?? 0)) < 0.0015, "\(factor)")
            #expect(abs(after.pictures - max(0, offset) * Double(factor)) < 0.0015, "\(factor)")
            let last = try #require(try packetTimes(folder(output), "v").max())
            #expect(abs(last - after.pictures - 49 * 0.04 * Double(factor)) < 0.0015)
        }
        try carry(path, to: folder(output), options: .init(overwrites: true, audio: .drop))
        #expect(try starts(folder(output)).pictures == 0)
    }

    @Test func theStartIsKeptIfWanted() throws {
        let folder = try TemporaryFolder()
        let path = try recording(folder, "a.mkv", offset: ["-output_ts_offset", "700"])
        for factor in [1, 2] as [Int32] {
            try carry(path, to: folder("out.mkv"), factor: factor, options: .init(overwrites: true, keepsStart: true))
            let after = try starts(folder("out.mkv"))
            let sound = try #require(after.sound)
            #expect(abs(min(after.pictures, sound) - 700) < 0.06)
        }
    }

    /// A player's clock shows 0:05 when these pictures begin, so times count from the sound.
    @Test func latePicturesStayLate() throws {
        let folder = try TemporaryFolder()
        let whole = try make(folder("v.mp4"), ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=2"] + quickVideo)
        let path = try make(
            folder("late.mp4"),
            ["-itsoffset", "5", "-i", whole, "-f", "lavfi", "-i", "sine=d=7", "-map", "0:v", "-map", "1:a"]
                + ["-c:v", "copy", "-c:a", "aac"])
        let reader = try MediaReader(path), five = MediaTime(value: 5, timescale: 1)
        #expect(reader.start == five && reader.pictureDelay == five)
        let length = try #require(reader.playingTime), first = try #require(try reader.nextFrame())
        #expect(length.seconds > 6.9 && first.presentationTime == five)
        try carry(path, to: folder("out.mp4"), factor: 2)
        let after = try starts(folder("out.mp4"))
        let sound = try #require(after.sound)
        #expect(abs(after.pictures - 10) < 0.001 && abs(sound) < 0.03)
        try carry(path, to: folder("silent.mp4"), options: .init(audio: .drop))
        #expect(try starts(folder("silent.mp4")).pictures == 0)
    }

    @Test func chaptersFollow() throws {
        let folder = try TemporaryFolder()
        let list = ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=700500\nEND=701500\ntitle=a\n"
        let chapters = try folder.write(Array(list.utf8), to: "chapters.txt")
        let moved = try recording(folder, "a.mkv", offset: ["-output_ts_offset", "700"])
        let path = try make(
            folder("b.mkv"),
            ["-copyts", "-i", moved, "-i", chapters, "-map", "0", "-map_chapters", "1", "-c", "copy"])
        let read = try #require(try MediaReader(path).info.chapters.first)
        #expect(abs(read.start.seconds - 0.5) < 0.03)
        for factor in [1, 2] as [Int32] {
            try carry(path, to: folder("out.mkv"), factor: factor, options: .init(overwrites: true))
            let chapter = try #require(try MediaReader(folder("out.mkv")).info.chapters.first)
            #expect(abs(chapter.start.seconds - 0.5 * Double(factor)) < 0.05, "\(factor)")
            #expect(abs(chapter.end.seconds - 1.5 * Double(factor)) < 0.05, "\(factor)")
        }
    }

    @Test func aJumpOfTheTimesIsNoDamage() throws {
        let folder = try TemporaryFolder()
        let reading = try read(makeClip("joined.ts", in: folder))
        #expect(reading.frames.count == 250)
        #expect(reading.reader.damage.isEmpty && reading.reader.damage.repairs.count == 1)
        #expect(reading.reader.notes.contains { $0.contains("jump") })
    }
}
