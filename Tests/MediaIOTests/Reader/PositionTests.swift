import FrameCore
import Foundation
import MediaIO
import Testing

/// A reader that continues at a recorded position must return what the reader before it would have returned.
@Suite(.enabled(if: hasMaker, "ffmpeg makes the files"))
struct PositionTests {
    @Test(arguments: ["a.mp4", "a.mkv", "a.ts", "a.webm", "hevc.mp4", "edited.mp4", "joined.ts"])
    func readingContinuesAtAPosition(name: String) throws {
        let folder = try TemporaryFolder(), path = try makeClip(name, in: folder)
        let reader = try MediaReader(path)
        var frames: [Frame] = [], positions: [Int: SourcePosition] = [:]
        while true {
            if frames.count % 13 == 5 { positions[frames.count] = reader.position }
            guard let frame = try reader.nextFrame() else { break }
            frames.append(frame)
        }
        #expect(positions.count >= 6 && positions.count == (frames.count + 7) / 13)
        for (index, position) in positions {
            let next = try MediaReader(path)
            let stored = try JSONDecoder().decode(SourcePosition.self, from: JSONEncoder().encode(position))
            #expect(try next.resume(at: stored), "\(index)")
            for (place, expected) in frames[index...].enumerated() {
                let frame = try #require(try next.nextFrame(), "\(index) + \(place)")
                #expect(frame.buffer.hasSameSamples(as: expected.buffer), "\(index) + \(place)")
                #expect(frame.presentationTime == expected.presentationTime && frame.duration == expected.duration)
            }
            #expect(try next.nextFrame() == nil)
            #expect(next.damage == reader.damage)
        }
    }

    /// A packet of a program stream may begin inside another, and avi stores no presentation times, so not every
    /// position can be found again.
    @Test(arguments: ["a.mpg", "a.avi"])
    func aPositionIsFoundExactlyOrNotAtAll(name: String) throws {
        let folder = try TemporaryFolder(), path = try makeClip(name, in: folder)
        let reader = try MediaReader(path)
        var found = 0
        for index in 0..<100 {
            let position = reader.position, next = try MediaReader(path)
            let expected = try #require(try reader.nextFrame())
            guard index % 5 == 2, let position, try next.resume(at: position) else { continue }
            found += 1
            let frame = try #require(try next.nextFrame())
            #expect(frame.buffer.hasSameSamples(as: expected.buffer), "\(index)")
            #expect(frame.presentationTime == expected.presentationTime)
        }
        #expect(found > 0)
    }

    @Test func aPositionInAnotherFileIsNotFound() throws {
        let folder = try TemporaryFolder(), path = try makeClip("a.mkv", in: folder)
        let reader = try MediaReader(path)
        for _ in 0..<60 { _ = try reader.nextFrame() }
        var position = try #require(reader.position)
        let other = try make(folder("b.mkv"), pictureAndTone(6) + reorderedVideo + ["-crf", "40"])
        #expect(try !MediaReader(other).resume(at: position))
        position.reorderDelay += 1
        #expect(try !MediaReader(path).resume(at: position))
    }

    /// What a decoder makes of the frames after a loss depends on what it has decoded before.
    @Test func thereIsNoPositionAfterALoss() throws {
        let folder = try TemporaryFolder(), path = try makeClip("a.mp4", in: folder)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let middle = bytes.count / 3
        for place in middle..<middle + 3000 { bytes[place] = 0 }
        try bytes.write(to: URL(fileURLWithPath: path))
        let reader = try MediaReader(path)
        #expect(reader.position != nil)
        while try reader.nextFrame() != nil { if !reader.damage.isEmpty { break } }
        try #require(!reader.damage.isEmpty)
        #expect(reader.position == nil)
    }
}
