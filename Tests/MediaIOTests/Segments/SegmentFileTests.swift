import FrameCore
import Foundation
import MediaIO
import TestSupport
import Testing

/// Segment files, valid and invalid.
@Suite struct SegmentFileTests {
    private let packets = [
        SegmentPacket(presentationTime: 40, duration: 10, flags: 1, bytes: [1, 2, 3]),
        SegmentPacket(presentationTime: 20, duration: 10, flags: 0, bytes: []),
        SegmentPacket(presentationTime: -30, duration: 0, flags: 0, bytes: [9]),
    ]

    private func write(_ path: String) throws -> SegmentFileWriter {
        let writer = try SegmentFileWriter(path, header: [7, 8])
        for packet in packets {
            try packet.bytes.withUnsafeBytes {
                try writer.append(
                    presentationTime: packet.presentationTime, duration: packet.duration, flags: packet.flags, bytes: $0
                )
            }
        }
        try writer.finish()
        return writer
    }

    private func read(_ path: String) throws -> (times: [Int64], packets: [SegmentPacket]) {
        let reader = try SegmentFileReader(path)
        #expect(reader.header == [7, 8])
        let times = try reader.presentationTimes()
        var packets: [SegmentPacket] = []
        while let packet = try reader.next() { packets.append(packet) }
        return (times, packets)
    }

    @Test func whatWasWrittenComesBack() throws {
        let folder = try TestSupport.TemporaryFolder(), path = folder.path("a.seg")
        let writer = try write(path)
        let found = try read(path)
        #expect(found.times == [-30, 20, 40])
        #expect(found.packets == packets)
        let bytes = try Array(folder.data("a.seg"))
        #expect(writer.byteCount == bytes.count && writer.checksum == CRC32.of(bytes))
    }

    @Test func everyTruncationIsRefused() throws {
        let folder = try TestSupport.TemporaryFolder()
        _ = try write(folder.path("a.seg"))
        let bytes = try folder.data("a.seg")
        for count in 0..<bytes.count {
            let path = try folder.write(bytes.prefix(count), to: "b.seg")
            #expect(throws: FrameError.self) { try read(path) }
        }
        #expect(throws: FrameError.self) { try read(folder.write(bytes + Data([0]), to: "b.seg")) }
    }

    @Test func lengthsThatLieAreRefused() throws {
        let folder = try TestSupport.TemporaryFolder()
        _ = try write(folder.path("a.seg"))
        let bytes = try folder.data("a.seg")
        // The length of the header, then that of the first packet.
        for place in [8, 14] {
            for value in [UInt8(0x7F), 0xFF] {
                var wrong = bytes
                wrong.replaceSubrange(place..<place + 4, with: [value, 0xFF, 0xFF, value])
                #expect(throws: FrameError.self) { try read(folder.write(wrong, to: "b.seg")) }
            }
        }
    }
}
