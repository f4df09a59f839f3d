import Foundation
import FrameCore
import MediaIO
import Testing

/// What the packets tell must be what the decoder finds.
@Suite(.enabled(if: hasMaker, "ffmpeg makes the files"))
struct PacketTableTests {
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

    /// Such a part has been located by the packets before its beginning alone.
    @Test func aPartWithoutAnEndTakesTheWholeTable() throws {
        let folder = try TemporaryFolder(), path = try makeClip("a.mp4", in: folder)
        let whole = try MediaReader(path).packetTable(of: nil)
        let reader = try MediaReader(path)
        let table = try reader.packetTable(of: try reader.restrict(to: ClipPart(start: .frame(2), end: nil)))
        #expect(whole.count > 80 && table.count == whole.count)
        #expect(table.time(of: table.count - 1) == whole.time(of: whole.count - 1))
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
        try make(open, ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=30:d=12"] + reorderedVideo + parameters)
        #expect(try doubt(open) == "frames after its keyframes may depend on frames before them")
        // The end of the file is missing.
        let whole = try makeClip("a.mkv", in: folder), data = try Data(contentsOf: URL(fileURLWithPath: whole))
        let cut = URL(fileURLWithPath: folder("cut.mkv"))
        try data.prefix(data.count * 3 / 4).write(to: cut)
        #expect(try doubt(cut.path) == "it is damaged")
    }
}
