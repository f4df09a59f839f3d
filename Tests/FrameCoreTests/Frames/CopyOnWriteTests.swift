import FrameCore
import Synchronization
import TestSupport
import Testing

/// A shared buffer never changes while another owner reads it.
@Suite struct CopyOnWriteTests {
    private func address(_ buffer: PixelBuffer) -> UnsafeRawPointer { buffer.withPlanes { $0[0].base } }

    private func write(_ value: UInt8, _ buffer: inout PixelBuffer) throws {
        try buffer.withMutablePlanes { $0[0].row(0).storeBytes(of: value, as: UInt8.self) }
    }

    @Test func aBufferOfOnesOwnIsWrittenInPlace() throws {
        var buffer = try GeneratedPicture.flat(10)
        let place = address(buffer)
        let isOwned = buffer.isUniquelyOwned
        #expect(isOwned)
        try write(20, &buffer)
        #expect(address(buffer) == place && buffer.samples(ofPlane: 0)[0] == 20)
        try buffer.withOverwrittenPlanes { $0[0].row(0).storeBytes(of: 30, as: UInt8.self) }
        #expect(address(buffer) == place && buffer.samples(ofPlane: 0)[0] == 30)
    }

    @Test(arguments: PixelBufferTests.formats) func aSharedBufferIsCopiedFirst(format: PixelFormat) throws {
        let original = try GeneratedPicture.texture(format, width: 37, height: 21)
        let reference = try GeneratedPicture.texture(format, width: 37, height: 21)
        var copy = original
        let isShared = !copy.isUniquelyOwned
        #expect(isShared && address(copy) == address(original))
        try copy.withMutablePlanes { _ in }
        let isOwned = copy.isUniquelyOwned
        #expect(isOwned && address(copy) != address(original))
        #expect(copy.hasSameSamples(as: original))
        try write(~UInt8(truncatingIfNeeded: original.samples(ofPlane: 0)[0]), &copy)
        #expect(!copy.hasSameSamples(as: original) && original.hasSameSamples(as: reference))
    }

    @Test func overwritingASharedBufferLeavesTheOther() throws {
        let original = try GeneratedPicture.texture()
        var copy = original
        try copy.withOverwrittenPlanes { planes in
            for y in 0..<planes[0].height {
                planes[0].row(y).initializeMemory(as: UInt8.self, repeating: 7, count: planes[0].width)
            }
        }
        #expect(Set(copy.samples(ofPlane: 0)) == [7])
        #expect(original.hasSameSamples(as: try GeneratedPicture.texture()))
    }

    @Test func theLastOwnerWritesInPlaceAgain() throws {
        var buffer = try GeneratedPicture.flat(10)
        let place = address(buffer)
        do {
            let other = [buffer]
            let isShared = !buffer.isUniquelyOwned
            #expect(isShared && address(other[0]) == place)
        }
        let isOwned = buffer.isUniquelyOwned
        #expect(isOwned)
        try write(20, &buffer)
        #expect(address(buffer) == place)
    }

    @Test func errorsOfTheBodyComeOut() throws {
        var buffer = try GeneratedPicture.flat(10)
        let error = #expect(throws: FrameError.self) {
            try buffer.withMutablePlanes { _ throws(FrameError) in throw FrameError(.encode, "no") }
        }
        #expect(error?.code == .encode && buffer.samples(ofPlane: 0)[0] == 10)
    }
}

/// Buffers that borrow their memory.
@Suite struct BorrowedPlanesTests {
    /// Memory that reports when it is freed.
    private final class Owner: Sendable {
        private let gone: @Sendable () -> Void
        init(_ gone: @escaping @Sendable () -> Void) { self.gone = gone }
        deinit { gone() }
    }

    private let format = try? PixelFormat(subsampling: .monochrome, bitDepth: 8)

    /// Calls `body` with three rows of four samples, 0 to 11.
    private func withMemory(_ body: (UnsafeMutableRawPointer) throws -> Void) rethrows {
        var bytes = (0..<12).map { UInt8($0) }
        try bytes.withUnsafeMutableBytes { bytes in
            if let base = bytes.baseAddress { try body(base) }
        }
        #expect(bytes == (0..<12).map { UInt8($0) }, "borrowed samples were changed")
    }

    @Test func rowsMayGoUpwards() throws {
        let format = try #require(format)
        try withMemory { base in
            let down = try #require(
                PixelBuffer(format: format, width: 4, height: 3, borrowing: [(base, 4)], owner: Owner {}))
            let up = try #require(
                PixelBuffer(format: format, width: 4, height: 3, borrowing: [(base + 8, -4)], owner: Owner {}))
            #expect(down.samples(ofPlane: 0) == Array(0..<12))
            #expect(up.samples(ofPlane: 0) == [8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3])
            #expect(!up.hasSameSamples(as: down))
            var copy = up
            try copy.withMutablePlanes { _ in }
            #expect(copy.hasSameSamples(as: up) && copy.withPlanes { $0[0].stride } > 0)
        }
    }

    @Test func writingCopiesAndLetsTheOwnerGo() throws {
        let format = try #require(format)
        let flag = Flag()
        try withMemory { base in
            var buffer = try #require(
                PixelBuffer(format: format, width: 4, height: 3, borrowing: [(base, 4)], owner: Owner { flag.set() }))
            let isBorrowed = !buffer.isUniquelyOwned
            #expect(isBorrowed && !flag.isSet)
            let copy = buffer
            try buffer.withMutablePlanes { $0[0].row(1).storeBytes(of: 99, as: UInt8.self) }
            let isOwned = buffer.isUniquelyOwned
            #expect(isOwned && buffer.samples(ofPlane: 0) == [0, 1, 2, 3, 99, 5, 6, 7, 8, 9, 10, 11])
            #expect(copy.samples(ofPlane: 0) == Array(0..<12) && !flag.isSet)
            withExtendedLifetime(copy) {}
        }
        #expect(flag.isSet)
    }

    @Test func whatIsMissingIsRefused() throws {
        let format = try #require(format)
        withMemory { base in
            let owner = Owner {}
            #expect(PixelBuffer(format: .yuv420p8, width: 2, height: 2, borrowing: [(base, 4)], owner: owner) == nil)
            #expect(PixelBuffer(format: format, width: 0, height: 2, borrowing: [(base, 4)], owner: owner) == nil)
            #expect(PixelBuffer(format: format, width: 4, height: 65_536, borrowing: [(base, 0)], owner: owner) == nil)
            // Extra planes are ignored.
            #expect(
                PixelBuffer(format: format, width: 4, height: 1, borrowing: [(base, 4), (base, 4)], owner: owner) != nil
            )
        }
    }
}

private final class Flag: Sendable {
    private let value = Atomic<Bool>(false)
    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
}
