import Foundation
import FrameCore
import TestSupport
import Testing

@Suite struct FrameStoreTests {
    private func folder() throws -> URL {
        let url = FileManager.default.temporaryDirectory.appending(path: "vfx-store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url
    }

    private func frame(_ index: Int, _ format: PixelFormat? = nil) throws -> Frame {
        var buffer = try GeneratedPicture.waves(width: 83, height: 45, dx: index)
        if let format {
            buffer = try PixelBuffer(format: format, width: 83, height: 45)
            try buffer.withOverwrittenPlanes { planes throws(FrameError) in
                for plane in 0..<planes.count {
                    let plane = planes[plane]
                    for y in 0..<plane.height {
                        let row = plane.row(y).assumingMemoryBound(to: UInt16.self)
                        for x in 0..<plane.width { row[x] = UInt16((31 * x + 7 * y + 11 * index) % 1024) }
                    }
                }
            }
        }
        var metadata = Frame.Metadata.complete
        metadata.presentationTime = MediaTime(value: Int64(index), timescale: 25)
        return Frame(buffer: buffer, metadata: metadata)
    }

    @Test func framesBeyondTheBoundComeBackFromTheFileAsTheyWere() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        for format in [nil, try PixelFormat(subsampling: .yuv422, bitDepth: 10)] {
            let store = FrameStore(folder: folder.path, memoryBytes: 0)
            let frames = try (0..<9).map { try frame($0, format) }
            let kept = try frames.map { try store.keep($0) }
            #expect(store.fileFrameCount == 5)
            for (frame, kept) in zip(frames, kept) {
                let back = try kept.frame()
                #expect(back.buffer.hasSameSamples(as: frame.buffer) && back.metadata == frame.metadata)
            }
            // The file has no name.
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test func spaceOfReleasedFramesIsUsedAgainAndOthersAreUntouched() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = FrameStore(folder: folder.path, memoryBytes: 0)
        var kept: [Int: StoredFrame] = [:]
        for index in 0..<60 {
            kept[index] = try store.keep(try frame(index))
            if index % 3 != 0 { kept[index - 5] = nil }
        }
        for (index, stored) in kept {
            #expect(try stored.frame().buffer.hasSameSamples(as: frame(index).buffer), "frame \(index)")
        }
        kept = [:]
        #expect(store.fileFrameCount == 0)
    }

    @Test func memoryIsBounded() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        for (bytes, most) in [(0, 4), (80_000, 10)] {
            let living = LivingPictures()
            let store = FrameStore(folder: folder.path, memoryBytes: bytes)
            var kept: [StoredFrame] = []
            for index in 0..<40 {
                var frame = try frame(index)
                frame.buffer = living.counted(frame.buffer)
                kept.append(try store.keep(frame))
            }
            #expect(living.alive <= most && living.alive >= 4, "\(living.alive)")
            #expect(store.fileFrameCount == 40 - living.alive)
        }
    }

    @Test func aFolderThatCannotBeWrittenIsNamed() throws {
        let store = FrameStore(folder: "/nowhere/at/all", memoryBytes: 0)
        var kept = try (0..<4).map { try store.keep(try frame($0)) }
        let error = #expect(throws: FrameError.self) { kept.append(try store.keep(try frame(4))) }
        #expect(error?.code == .output && error?.location.file == "/nowhere/at/all")
        // Without a folder, everything stays in memory.
        let memory = FrameStore(folder: nil, memoryBytes: 0)
        kept = try (0..<9).map { try memory.keep(try frame($0)) }
        #expect(memory.fileFrameCount == 0)
    }
}
