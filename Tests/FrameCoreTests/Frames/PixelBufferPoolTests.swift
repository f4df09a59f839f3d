import FrameCore
import TestSupport
import Testing

@Suite struct PixelBufferPoolTests {
    private func address(_ buffer: PixelBuffer) -> UnsafeRawPointer { buffer.withPlanes { $0[0].base } }

    @Test func memoryComesBackWithTheLastCopy() throws {
        let pool = try PixelBufferPool(format: .yuv420p8, width: 64, height: 48)
        var first: PixelBuffer? = try pool.makeBuffer()
        let place = first.map(address)
        var copy = first
        first = nil
        #expect(try address(pool.makeBuffer()) != place, "a copy still uses it")
        withExtendedLifetime(copy) {}
        copy = nil
        let again = try [pool.makeBuffer(), pool.makeBuffer()]
        #expect(again.contains { address($0) == place })
    }

    @Test func buffersInUseAreApart() throws {
        let pool = try PixelBufferPool(format: .yuv420p8, width: 37, height: 21)
        for _ in 0..<3 {
            let buffers = try (0..<12).map { value in
                var buffer = try pool.makeBuffer()
                let isOwned = buffer.isUniquelyOwned
                #expect(isOwned && buffer.width == 37 && buffer.height == 21)
                try buffer.withOverwrittenPlanes { planes in
                    for index in 0..<planes.count {
                        for y in 0..<planes[index].height {
                            let plane = planes[index]
                            plane.row(y).initializeMemory(
                                as: UInt8.self, repeating: UInt8(value), count: plane.width + PixelBuffer.rowPadding)
                        }
                    }
                }
                return buffer
            }
            for (value, buffer) in buffers.enumerated() {
                for plane in 0..<3 { #expect(Set(buffer.samples(ofPlane: plane)) == [UInt16(value)]) }
            }
        }
    }

    /// A pool with capacity 0 still returns buffers, and buffers outlive their pool.
    @Test(arguments: [-1, 0, 1]) func fewAreKept(keeping: Int) throws {
        var pool: PixelBufferPool? = try PixelBufferPool(format: .yuv420p8, width: 64, height: 48, keeping: keeping)
        var buffers = try (0..<4).map { _ in try pool?.makeBuffer() }
        buffers.removeAll()
        var last = try #require(try pool?.makeBuffer())
        pool = nil
        try last.withMutablePlanes { $0[0].row(47).storeBytes(of: 9, toByteOffset: 63, as: UInt8.self) }
        #expect(last.samples(ofPlane: 0).last == 9)
    }

    @Test func aSharedBufferOfAPoolIsCopiedToo() throws {
        let pool = try PixelBufferPool(format: .yuv420p8, width: 64, height: 48)
        var buffer = try pool.makeBuffer()
        try buffer.withMutablePlanes { $0[0].row(0).storeBytes(of: 1, as: UInt8.self) }
        let shared = buffer
        try buffer.withMutablePlanes { $0[0].row(0).storeBytes(of: 2, as: UInt8.self) }
        #expect(shared.samples(ofPlane: 0)[0] == 1 && buffer.samples(ofPlane: 0)[0] == 2)
    }

    @Test func threadsShareAPool() throws {
        let pool = try PixelBufferPool(format: .yuv420p8, width: 32, height: 16, keeping: 2)
        let wrong = Lock(0)
        parallelFor(200, threads: 4) { index in
            let isRight = try? Self.isWrittenAlone(pool.makeBuffer(), UInt8(index))
            if isRight != true { wrong.withLock { $0 += 1 } }
        }
        #expect(wrong.withLock { $0 } == 0)
    }

    private static func isWrittenAlone(_ fresh: PixelBuffer, _ value: UInt8) throws -> Bool {
        var buffer = fresh
        try buffer.withMutablePlanes { planes in
            for y in 0..<16 { planes[0].row(y).initializeMemory(as: UInt8.self, repeating: value, count: 32) }
        }
        return Set(buffer.samples(ofPlane: 0)) == [UInt16(value)]
    }

    @Test func otherSizesAreRefused() {
        let error = #expect(throws: FrameError.self) {
            try PixelBufferPool(format: .yuv420p8, width: 0, height: 20_000)
        }
        #expect(error?.code == .unsupportedSize)
        #expect(error?.message == "0x20000 is not a supported size; each side must be 1 to 65535 pixels")
    }
}
