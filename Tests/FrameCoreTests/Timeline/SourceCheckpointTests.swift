import FrameCore
import Foundation
import Testing

@Suite struct SourceCheckpointTests {
    private static func checkpoint(_ search: [UInt8]) -> SourceCheckpoint {
        let position = SourcePosition(
            key: .init(offset: 9000, size: 120, presentationTime: 200, decodeTime: 199), stamp: 232, offset: 9999,
            clock: .init(last: 231, lastStep: 1, shift: 0), previousStep: nil, reorderDelay: 1, notes: [], spans: [])
        return SourceCheckpoint(
            frame: 232, time: MediaTime(value: 232, timescale: 25), firstTime: .zero, position: position,
            cuts: [.init(frame: 7, time: MediaTime(value: 7, timescale: 25))], duplicates: 3, search: search)
    }

    @Test(arguments: [[], [0], Array(UInt8.min...UInt8.max)] as [[UInt8]])
    func whatIsWrittenIsRead(search: [UInt8]) throws {
        let checkpoint = Self.checkpoint(search)
        let data = try JSONEncoder().encode(checkpoint)
        let read = try JSONDecoder().decode(SourceCheckpoint.self, from: data)
        #expect(read == checkpoint && read.search == search)
    }

    /// Numbers that no video has are refused before anything is computed from them.
    @Test func numbersHaveARange() throws {
        #expect(Self.checkpoint([]).isPlausible)
        for change in [
            { $0.frame = .max }, { $0.frame = 0 }, { $0.duplicates = -1 }, { $0.cuts[0].frame = .min },
        ] as [(inout SourceCheckpoint) -> Void] {
            var checkpoint = Self.checkpoint([])
            change(&checkpoint)
            #expect(!checkpoint.isPlausible)
        }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(MediaTime.self, from: Data(#"{"value":1,"timescale":0}"#.utf8))
        }
    }

    @Test(arguments: ["0", "0g", "+1", "é"])
    func otherTextIsRefused(text: String) throws {
        let data = try JSONEncoder().encode(Self.checkpoint([0xAB]))
        let damaged = String(decoding: data, as: UTF8.self).replacingOccurrences(of: "\"ab\"", with: "\"\(text)\"")
        #expect(damaged.contains("\"\(text)\""))
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(SourceCheckpoint.self, from: Data(damaged.utf8))
        }
    }
}
