import FrameCore
import Testing

@Suite struct PixelFormatTests {
    @Test(arguments: ChromaSubsampling.allCases, [8, 9, 10, 12, 16])
    func samplesAndPlanes(subsampling: ChromaSubsampling, depth: Int) throws {
        let format = try PixelFormat(subsampling: subsampling, bitDepth: depth)
        #expect(format.bytesPerSample == (depth == 8 ? 1 : 2))
        #expect(format.planeCount == (subsampling == .monochrome ? 1 : 3))
        #expect(format.maximumValue == (1 << depth) - 1)
    }

    /// Odd sizes round up, and the smallest plane has one sample.
    @Test(arguments: [
        (ChromaSubsampling.monochrome, 0, 7, 5), (.yuv420, 0, 7, 5), (.yuv420, 1, 4, 3), (.yuv420, 2, 4, 3),
        (.yuv422, 1, 4, 5), (.yuv444, 2, 7, 5),
    ])
    func oddSizes(subsampling: ChromaSubsampling, plane: Int, width: Int, height: Int) throws {
        let format = try PixelFormat(subsampling: subsampling, bitDepth: 8)
        #expect(format.planeWidth(plane, width: 7) == width && format.planeHeight(plane, height: 5) == height)
        #expect(format.planeWidth(plane, width: 1) == 1 && format.planeHeight(plane, height: 1) == 1)
    }

    @Test(arguments: [-1, 0, 7, 17, 1 << 40]) func otherDepthsAreRefused(depth: Int) {
        let error = #expect(throws: FrameError.self) { try PixelFormat(subsampling: .yuv420, bitDepth: depth) }
        #expect(error?.code == .unsupportedFormat)
        #expect(error?.message == "bit depth \(depth) is not supported; allowed are 8 to 16 bits")
    }

    @Test func names() throws {
        #expect(PixelFormat.yuv420p8.description == "yuv420p")
        #expect(try PixelFormat(subsampling: .yuv422, bitDepth: 10).description == "yuv422p10")
        #expect(try PixelFormat(subsampling: .monochrome, bitDepth: 12).description == "gray12")
        #expect(try PixelFormat(subsampling: .monochrome, bitDepth: 8).description == "gray")
    }
}
