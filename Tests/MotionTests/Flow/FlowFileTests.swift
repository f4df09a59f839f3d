import FrameCore
import Motion
import Testing

/// Flow files decode to what was encoded; any other data is refused.
@Suite struct FlowFileTests {
    private static let flow = Result { try TwoLayers(front: [20, -6], ground: [-8, 3]).flow(quick) }

    @Test func encodedFlowComesBackWhole() throws {
        let flow = try Self.flow.get(), bytes = flow.encoded()
        #expect(bytes.count == 28 + 2 * 10 * flow.forward.columns * flow.forward.rows)
        let back = try OpticalFlow(decoding: bytes)
        #expect(back == flow)
        #expect(back.encoded() == bytes)
        #expect(back.backward.dense() == flow.backward.dense())
        // A slice of a longer buffer, whose indices do not start at zero.
        #expect(try OpticalFlow(decoding: ([1, 2, 3] + bytes).dropFirst(3)) == flow)
    }

    /// The layout is a promise: this test writes a file by hand.
    @Test func theLayoutIsTheDocumentedOne() throws {
        var bytes = Array("VFXFLOW\0".utf8)
        for number: UInt32 in [1, 16, 19, 0] { bytes.append(contentsOf: withUnsafeBytes(of: number) { Array($0) }) }
        // 4×5 cells, both directions.
        for index in 0..<40 {
            let x = Int16(index), y = Int16(-index), cost = UInt16(100 + index)
            for number in [UInt16(bitPattern: x), UInt16(bitPattern: y), cost, UInt16(60000 + index)] {
                bytes.append(contentsOf: [UInt8(number & 255), UInt8(number >> 8)])
            }
            bytes.append(contentsOf: [UInt8(index), UInt8(255 - index)])
        }
        bytes.append(contentsOf: withUnsafeBytes(of: Self.checksum(bytes)) { Array($0) })
        let flow = try OpticalFlow(decoding: bytes)
        #expect(flow.width == 16 && flow.height == 19)
        #expect(flow.forward.vector(column: 1, row: 2) == [9.0 / 32, -9.0 / 32])
        #expect(flow.backward.vector(column: 3, row: 4) == [39.0 / 32, -39.0 / 32])
        #expect(flow.forward.confidence(column: 1, row: 0) == 1.0 / 255)
        #expect(flow.forward.occlusion(column: 1, row: 0) == 254.0 / 255)
        #expect(flow.encoded() == bytes)
    }

    /// CRC-32, computed bit by bit.
    private static func checksum(_ data: [UInt8]) -> UInt32 {
        var sum: UInt32 = .max
        for byte in data {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }

    /// Replaces bytes and corrects the checksum.
    private static func forged(_ bytes: [UInt8], at offset: Int, with new: [UInt8]) -> [UInt8] {
        var data = Array(bytes.dropLast(4))
        data.replaceSubrange(offset..<offset + new.count, with: new)
        data.append(contentsOf: withUnsafeBytes(of: checksum(data)) { Array($0) })
        return data
    }

    @Test func damagedFilesAreRefused() throws {
        let bytes = try Self.flow.get().encoded()
        func message(_ data: some Collection<UInt8>) -> String {
            do {
                _ = try OpticalFlow(decoding: data)
                return "read"
            } catch { return error.message }
        }
        for count in [0, 7, 8, 11, 23, 24, 27, 28, 500, bytes.count - 1] {
            #expect(message(bytes.prefix(count)) != "read")
        }
        #expect(message(bytes + [0]).contains("needs \(bytes.count)"))
        var flipped = bytes
        flipped[1000] ^= 4
        #expect(message(flipped).contains("checksum"))
        #expect(message(Self.forged(bytes, at: 0, with: [0x77])).contains("VFXFLOW"))
        #expect(message(Self.forged(bytes, at: 8, with: [2])).contains("version 2"))
        #expect(message(Self.forged(bytes, at: 12, with: [15, 0, 0, 0])).contains("15x300"))
        #expect(message(Self.forged(bytes, at: 12, with: [255, 255, 255, 255])).contains("4294967295x300"))
        #expect(message(Self.forged(bytes, at: 20, with: [5])).contains("levels 0 to 4"))
        #expect(message(Self.forged(bytes, at: 24, with: [0, 0x80])).contains("motion -32768"))
        #expect(message(Self.forged(bytes, at: 28, with: [0xC1, 0x3F])).contains("difference 16321"))
        #expect(message(Self.forged(bytes, at: 28, with: [0xC0, 0x3F])) == "read")
    }

    @Test func floFiles() throws {
        let vectors = (0..<35).map { SIMD2(Float($0) * 0.3 - 2, -Float($0)) }
        let flow = try DenseFlow(width: 7, height: 5, vectors: vectors)
        let bytes = flow.flo()
        #expect(Array(bytes.prefix(12)) == Array("PIEH".utf8) + [7, 0, 0, 0, 5, 0, 0, 0])
        #expect(bytes.count == 12 + 35 * 8)
        #expect(try DenseFlow(flo: bytes) == flow)
        for count in [0, 3, 4, 8, 11, 12, bytes.count - 1] {
            #expect(throws: FrameError.self) { try DenseFlow(flo: bytes.prefix(count)) }
        }
        for (offset, value) in [(0, UInt8(1)), (4, 8), (7, 0x80), (8, 0), (10, 1)] {
            var data = bytes
            data[offset] = value
            #expect(throws: FrameError.self) { try DenseFlow(flo: data) }
        }
        var notANumber = bytes
        notANumber.replaceSubrange(12..<16, with: withUnsafeBytes(of: Float.nan.bitPattern) { Array($0) })
        #expect(throws: FrameError.self) { try DenseFlow(flo: notANumber) }
    }

    @Test func halfPrecision() throws {
        let vectors: [SIMD2<Float>] = [[1.5, -0.25], [1008, -1007.5], [0.1, 1e-3], [1e10, -1e10]]
        let half = try DenseFlow(width: 2, height: 2, vectors: vectors).halfPrecision()
        #expect(half[0] == [1.5, -0.25] && half[1] == [1008, -1007.5] && half[3] == [65504, -65504])
        let back = try DenseFlow(width: 2, height: 2, halfPrecision: half)
        #expect(back.vectors[0] == vectors[0] && abs(back.vectors[2].x - 0.1) < 0.0001)
        #expect(throws: FrameError.self) {
            try DenseFlow(width: 2, height: 2, halfPrecision: [[.nan, 0], .zero, .zero, .zero])
        }
        #expect(throws: FrameError.self) { try DenseFlow(width: 3, height: 2, halfPrecision: half) }
    }

    @Test(arguments: [(0, 4), (4, 0), (-1, -4), (65536, 1), (Int.max, 2)]) func sizes(_ size: (Int, Int)) {
        #expect(throws: FrameError.self) {
            try DenseFlow(width: size.0, height: size.1, vectors: .init(repeating: .zero, count: 4))
        }
    }
}
