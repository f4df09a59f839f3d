import FrameCore
import Pipeline
import TestSupport
import Testing

/// What the comparison of two pictures in blocks shows.
@Suite struct BlockDifferencesTests {
    @Test(
        arguments: [(ChromaSubsampling.yuv420, 8), (.yuv422, 10), (.yuv444, 16), (.monochrome, 12)],
        [(64, 48), (67, 35), (16, 16), (8, 120)])
    func aConstantDifferenceIsFoundInEveryBlock(kind: (ChromaSubsampling, Int), size: (Int, Int)) throws {
        let format = try PixelFormat(subsampling: kind.0, bitDepth: kind.1)
        let a = try GeneratedPicture.flat(90, format, width: size.0, height: size.1)
        let b = try GeneratedPicture.flat(97, format, width: size.0, height: size.1)
        let found = BlockDifferences(a, b)
        #expect(found.values.allSatisfy { abs($0 - 7) < 0.1 })
        #expect(found.values.count % found.columns == 0)
        #expect(BlockDifferences(b, a).values == found.values)
        #expect(BlockDifferences(a, a).largest == 0)
    }

    /// A mouth of a few pixels is as clear as a picture that moves as a whole, and noise is not.
    @Test func aSmallChangeStandsOut() throws {
        let a = try GeneratedPicture.waves(width: 640, height: 352)
        var mouth = a
        try mouth.withMutablePlanes { planes in
            for y in 200..<206 {
                for x in 304..<314 { planes[0].row(y).storeBytes(of: 250, toByteOffset: x, as: UInt8.self) }
            }
        }
        let found = BlockDifferences(a, mouth)
        #expect(found.largest > 40)
        #expect(found.mean < 0.2)
        #expect(found.values.count { $0 > 0 } <= 6)
    }

    @Test func chromaCounts() throws {
        let a = try GeneratedPicture.flat(90, width: 64, height: 48)
        var red = a
        try red.withMutablePlanes { planes in
            for y in 8..<12 {
                for x in 8..<12 { planes[2].row(y).storeBytes(of: 200, toByteOffset: x, as: UInt8.self) }
            }
        }
        #expect(BlockDifferences(a, red).largest == 72)
    }

    @Test func unlikePicturesDifferStrongly() throws {
        let a = try GeneratedPicture.flat(90, width: 64, height: 48)
        let b = try GeneratedPicture.flat(90, width: 64, height: 50)
        #expect(BlockDifferences(a, b).largest == 255)
    }
}
