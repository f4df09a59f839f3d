import Foundation
import FrameCore
import MediaIO
import Testing

/// What the packets tell must be what the decoder finds.
@Suite(.enabled(if: hasMaker, "ffmpeg makes the files"))
struct PacketTableTests {
    private static let h264 = ["-c:v", "libx264", "-preset", "veryfast", "-bf", "3"]

    private func makeClip(_ name: String, in folder: TemporaryFolder) throws -> String {
        let input = pictureAndTone(5), path = folder(name)
        switch name {
        case "hevc.mp4":
            try make(
                path,
                input + ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params"]
                    + ["log-level=error:open-gop=1:keyint=25:bframes=4", "-c:a", "aac"])
        case "open.mkv":
            try make(path, input + Self.h264 + ["-x264-params", "open-gop=1:keyint=20", "-c:a", "flac"])
        case "a.webm":
            let codec = ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-g", "30"]
            try make(path, input + codec + ["-c:a", "libopus"])
        case "uneven.mp4":
            let rest = ["-vf", "select='not(eq(mod(n,7),3))'", "-vsync", "vfr", "-g", "25", "-c:a", "aac"]
            try make(path, input + Self.h264 + rest)
        case "edited.mp4":
            let whole = try make(folder("whole.mp4"), input + Self.h264 + ["-g", "25", "-c:a", "aac"])
            try make(path, ["-ss", "1.3", "-i", whole, "-c", "copy"])
        case "a.avi": try make(path, input + ["-c:v", "mpeg4", "-bf", "2", "-g", "12", "-c:a", "mp2"])
        default: try make(path, input + Self.h264 + ["-g", "25", "-c:a", "mp2"])
        }
        return path
    }

    @Test(arguments: ["a.mp4", "a.mkv", "a.webm", "hevc.mp4", "uneven.mp4", "edited.mp4", "open.mkv"])
    func packetsTellTheFrames(name: String) throws {
        let folder = try TemporaryFolder(), path = try makeClip(name, in: folder)
        let reader = try MediaReader(path)
        let table = try reader.packetTable(of: nil)
        var frames: [Frame] = []
        while let frame = try reader.nextFrame() { frames.append(frame) }
        #expect(table.count == frames.count)
        #expect((0..<table.count).map(table.time(of:)) == frames.map(\.presentationTime))
        for number in [30, 57, 90, table.count - 1] {
            let position = try #require(table.position(of: number)), next = try MediaReader(path)
            #expect(try next.resume(at: position), "\(number)")
            for expected in frames[number...].prefix(30) {
                let frame = try #require(try next.nextFrame())
                #expect(frame.buffer.hasSameSamples(as: expected.buffer) && frame.duration == expected.duration)
                #expect(frame.presentationTime == expected.presentationTime)
            }
        }
    }

    /// A part has the numbers of the whole clip.
    @Test func aPartEndsTheTable() throws {
        let folder = try TemporaryFolder(), path = try makeClip("a.mp4", in: folder)
        let reader = try MediaReader(path)
        let part = try reader.restrict(to: ClipPart(start: .frame(40), end: .position(.frame(70))))
        let table = try reader.packetTable(of: part)
        #expect(table.count == 70)
        #expect(table.time(of: 0) == .zero && table.time(of: 40) == part.start)
    }

    private func doubt(_ path: String) throws -> String? {
        let reader = try MediaReader(path)
        do throws(PacketTable.Doubt) {
            _ = try reader.packetTable(of: nil)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func whatCannotBeBelievedIsNamed() throws {
        let folder = try TemporaryFolder()
        #expect(try doubt(makeClip("a.avi", in: folder)) == "it is not an mp4 or Matroska file")
        #expect(try doubt(makeClip("a.ts", in: folder)) == "it is not an mp4 or Matroska file")
        // Only the first keyframe of an open GOP is an IDR picture. The clip is longer than a few of them.
        let open = folder("long.mkv")
        let parameters = ["-x264-params", "open-gop=1:keyint=20:scenecut=0", "-an"]
        try make(open, ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=30:d=12"] + Self.h264 + parameters)
        #expect(try doubt(open) == "frames after its keyframes may depend on frames before them")
        // The end of the file is missing.
        let whole = try makeClip("a.mkv", in: folder), data = try Data(contentsOf: URL(fileURLWithPath: whole))
        let cut = URL(fileURLWithPath: folder("cut.mkv"))
        try data.prefix(data.count * 3 / 4).write(to: cut)
        #expect(try doubt(cut.path) == "it is damaged")
    }
}
