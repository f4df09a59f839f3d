import FrameCore
import Foundation
import MediaIO
import Testing

@Suite struct SeekTests {
    /// 60 frames with a keyframe every 12 frames and B-frames between.
    private func makeClip(_ folder: TemporaryFolder, _ name: String) throws -> String {
        let source = folder("source.mkv"), path = folder(name)
        let frames = try clip(ticks: Array(0..<60))
        try write(frames, to: source, options: MediaWriterOptions(codec: .ffv1))
        try run(
            "ffmpeg", "-v", "error", "-y", "-i", source, "-c:v", "libx264", "-g", "12", "-bf", "2", "-sc_threshold",
            "0",
            path)
        return path
    }

    private func run(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test(arguments: ["a.mp4", "a.mkv", "a.ts"])
    func framesAfterSeekingAreThoseOfReading(name: String) throws {
        let folder = try TemporaryFolder()
        let path = try makeClip(folder, name)
        let all = try read(path).frames
        #expect(all.count == 60)
        let reader = try MediaReader(path, options: MediaReaderOptions(keepsOtherStreams: false))
        #expect(reader.isSeekable)
        for target in [40, 3, 25, 59, 0, 36] {
            try reader.seek(to: all[target].presentationTime)
            var found: Frame?, isFirst = true
            while let frame = try reader.nextFrame() {
                if isFirst { #expect(frame.presentationTime <= all[target].presentationTime) }
                isFirst = false
                if frame.presentationTime >= all[target].presentationTime {
                    found = frame
                    break
                }
            }
            let frame = try #require(found)
            let position = try #require(all.firstIndex { $0.presentationTime == frame.presentationTime })
            #expect(frame.buffer.hasSameSamples(as: all[position].buffer))
            #expect(position == target)
        }
        #expect(reader.damage.isEmpty)
    }

    @Test(arguments: ["a.mp4", "a.mkv", "a.ts"])
    func keyFramesAloneAreTheSamePictures(name: String) throws {
        let folder = try TemporaryFolder()
        let path = try makeClip(folder, name)
        let all = try read(path).frames
        let keys = try read(path, MediaReaderOptions(keyFramesOnly: true)).frames
        #expect(keys.count == 5)
        for (index, key) in keys.enumerated() {
            #expect(key.presentationTime == all[12 * index].presentationTime)
            #expect(key.buffer.hasSameSamples(as: all[12 * index].buffer))
        }
    }

    @Test func streamsWithoutTimesAreReadWhole() throws {
        let folder = try TemporaryFolder()
        let path = try makeClip(folder, "a.264")
        let reading = try read(path, MediaReaderOptions(keyFramesOnly: true))
        #expect(reading.frames.count == 60)
        #expect(!reading.reader.isSeekable)
        #expect(try refusal { try reading.reader.seek(to: MediaTime.zero) }.code == .input)
    }
}
