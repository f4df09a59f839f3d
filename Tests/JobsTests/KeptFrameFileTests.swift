import Foundation
import FrameCore
import Jobs
import TestSupport
import Testing

@Suite struct KeptFrameFileTests {
    private let path = FileManager.default.temporaryDirectory.appendingPathComponent("k-\(UUID().uuidString)").path

    private func frame(_ index: Int) throws -> Frame {
        var metadata = Frame.Metadata.complete
        metadata.presentationTime = MediaTime(value: Int64(index), timescale: 25)
        return Frame(buffer: try GeneratedPicture.waves(width: 83, height: 45, dx: index), metadata: metadata)
    }

    @Test func framesComeBackAsTheyWere() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let frames = try (0..<3).map(frame), writer = try KeptFrameWriter(path)
        try writer.append(frames[0], description: [1, 2, 3])
        // Samples come in any order.
        try writer.append(samplesOf: frames[2])
        try writer.append(frames[1], description: [])
        try writer.append(samplesOf: frames[0])
        try writer.finish()
        let bytes = try #require(FileManager.default.contents(atPath: path))
        #expect(bytes.count == writer.byteCount && CRC32.of(bytes) == writer.checksum)

        let reader = try KeptFrameReader(path), places = try reader.places()
        #expect(places.map(\.time) == [frames[2], frames[0]].map(\.presentationTime))
        let first = try #require(try reader.next())
        #expect(first.description == [1, 2, 3] && first.head.fits(frames[0].buffer))
        for (place, original) in zip(places, [frames[2], frames[0]]) {
            let back = try reader.frame(at: place.offset)
            #expect(back.buffer.hasSameSamples(as: original.buffer) && back.metadata == original.metadata)
        }
        let second = try #require(try reader.next())
        #expect(second.head.time == frames[1].presentationTime && second.description.isEmpty)
        #expect(second.head.frame(frames[1].buffer).metadata == frames[1].metadata)
        #expect(try reader.next() == nil)
    }

    @Test func damageIsAnError() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let writer = try KeptFrameWriter(path)
        try writer.append(frame(0), description: [1, 2, 3])
        try writer.append(samplesOf: frame(0))
        try writer.finish()
        let bytes = try #require(FileManager.default.contents(atPath: path))
        func read(_ bytes: Data) throws {
            try bytes.write(to: URL(fileURLWithPath: path))
            let reader = try KeptFrameReader(path)
            for place in try reader.places() { _ = try reader.frame(at: place.offset) }
            while try reader.next() != nil {}
        }
        try read(bytes)
        for count in [0, 7, 12, 30, 400, bytes.count / 2, bytes.count - 1] {
            #expect(throws: FrameError.self) { try read(bytes.prefix(count)) }
        }
        for place in [0, 8, 9, 12, 20] {
            var changed = bytes
            changed[place] ^= 0x80
            #expect(throws: FrameError.self) { try read(changed) }
        }
        #expect(throws: FrameError.self) { _ = try KeptFrameReader("/nowhere") }
        var old = bytes
        old[7] = 1
        let error = #expect(throws: FrameError.self) { try read(old) }
        #expect(error?.description.contains("version 1; this program reads version 2") == true)
    }
}
