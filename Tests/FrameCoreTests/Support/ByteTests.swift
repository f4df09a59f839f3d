import FrameCore
import Testing

@Suite struct ByteWriterTests {
    @Test func fieldsFollowOneAnother() {
        var writer = ByteWriter()
        writer.big(UInt16(0x1234))
        writer.little(UInt32(0xDEAD_BEEF))
        writer.big(Int16(-2))
        writer.text("Öl")
        writer.zeros(2)
        writer.zeros(-1)
        writer.raw([7])
        #expect(
            writer.bytes == [0x12, 0x34, 0xEF, 0xBE, 0xAD, 0xDE, 0xFF, 0xFE, 0xC3, 0x96, 0x6C, 0, 0, 7])
        #expect(writer.count == 14)
    }

    @Test(arguments: [0, 1, -1, .max, .min, 0x0123_4567_89AB_CDEF] as [Int64])
    func whatIsWrittenIsRead(value: Int64) {
        var writer = ByteWriter()
        writer.big(value)
        writer.little(value)
        let reader = ByteReader(writer.bytes)
        #expect(reader.big(0, as: Int64.self) == value && reader.little(8, as: Int64.self) == value)
        #expect(reader.big(0, as: UInt64.self) == UInt64(bitPattern: value))
    }
}

@Suite struct ByteReaderTests {
    private let bytes: [UInt8] = [0, 1, 2, 3, 0x80, 0xFF]

    /// Offsets into a slice are relative to its start.
    @Test func offsetsAreOfTheSlice() {
        let reader = ByteReader(bytes[2...])
        #expect(reader.count == 4)
        #expect(reader.big(0, as: UInt16.self) == 0x0203 && reader.little(0, as: UInt16.self) == 0x0302)
        #expect(reader.big(2, as: Int16.self) == -32_513 && reader.little(2, as: Int16.self) == -128)
        #expect(reader.slice(1, 2) == [3, 0x80])
        #expect(reader.big(3, as: Int8.self) == -1)
    }

    @Test func whatIsOutsideIsNil() {
        let reader = ByteReader(bytes)
        for (offset, count) in [(-1, 1), (0, 7), (6, 1), (7, 0), (3, 4), (0, -1), (.max, 1), (1, .max), (.min, 0)] {
            #expect(reader.slice(offset, count) == nil, "\(offset), \(count)")
        }
        #expect(reader.slice(6, 0)?.isEmpty == true && reader.slice(0, 6)?.count == 6)
        for offset in [-1, 3, 5, 6, .max, .min] {
            #expect(reader.big(offset, as: UInt32.self) == nil && reader.little(offset, as: UInt32.self) == nil)
        }
        #expect(reader.big(2, as: UInt32.self) == 0x0203_80FF)
        #expect(ByteReader([]).big(0, as: UInt8.self) == nil)
    }

    @Test func textsAreCompared() {
        let reader = ByteReader(Array("RIFF....WEBP".utf8))
        #expect(reader.hasText("RIFF", at: 0) && reader.hasText("WEBP", at: 8) && reader.hasText("", at: 12))
        #expect(!reader.hasText("RIFX", at: 0) && !reader.hasText("WEBPX", at: 8) && !reader.hasText("R", at: -1))
    }
}
