import FrameCore
import TestSupport
import Testing

/// The memory layout of a buffer.
@Suite struct PixelBufferTests {
    static let formats: [PixelFormat] = ChromaSubsampling.allCases.flatMap { subsampling in
        [8, 10, 16].compactMap { try? PixelFormat(subsampling: subsampling, bitDepth: $0) }
    }

    @Test(arguments: [(0, 4), (4, 0), (-1, 4), (65_536, 4), (4, 65_536), (.max, .max)])
    func otherSizesAreRefused(width: Int, height: Int) {
        let error = #expect(throws: FrameError.self) {
            try PixelBuffer(format: .yuv420p8, width: width, height: height)
        }
        #expect(error?.code == .unsupportedSize)
        #expect(
            error?.message
                == "\(width)x\(height) is not a supported size; each side must be 1 to 65535 pixels")
    }

    /// Rows are aligned, have padding after them, and are not a multiple of 4 KiB apart.
    @Test(arguments: formats, [(1, 1), (7, 5), (64, 3), (1984, 2), (4032, 2), (8065, 1)])
    func rowsAreAlignedAndPadded(format: PixelFormat, size: (width: Int, height: Int)) throws {
        let buffer = try PixelBuffer(format: format, width: size.width, height: size.height)
        buffer.withPlanes { planes in
            #expect(planes.count == format.planeCount && planes.format == format)
            for index in 0..<planes.count {
                let plane = planes[index]
                #expect(plane.width == format.planeWidth(index, width: size.width))
                #expect(plane.height == format.planeHeight(index, height: size.height))
                #expect(Int(bitPattern: plane.base) % PixelBuffer.alignment == 0)
                #expect(plane.stride % PixelBuffer.alignment == 0 && plane.stride % 4096 != 0)
                #expect(plane.stride >= plane.width * format.bytesPerSample + PixelBuffer.rowPadding)
                #expect(plane.row(plane.height - 1) - plane.base == (plane.height - 1) * plane.stride)
            }
        }
    }

    /// Writing every sample and all padding of a row changes no other row, in any plane.
    @Test(arguments: formats) func rowsDoNotOverlap(format: PixelFormat) throws {
        var buffer = try PixelBuffer(format: format, width: 7, height: 5)
        try buffer.withMutablePlanes { planes in
            for index in 0..<planes.count {
                for y in 0..<planes[index].height {
                    let bytes = planes[index].width * format.bytesPerSample + PixelBuffer.rowPadding
                    planes[index].row(y).initializeMemory(
                        as: UInt8.self, repeating: UInt8(16 * index + y), count: bytes)
                }
            }
        }
        for index in 0..<format.planeCount {
            let width = format.planeWidth(index, width: 7)
            let expected = (0..<format.planeHeight(index, height: 5)).flatMap { y in
                let byte = UInt16(16 * index + y)
                return [UInt16](repeating: format.bytesPerSample == 1 ? byte : byte << 8 | byte, count: width)
            }
            #expect(buffer.samples(ofPlane: index) == expected)
        }
    }

    @Test func equalityIsOfSamplesAlone() throws {
        let first = try GeneratedPicture.texture(width: 37, height: 21)
        var second = try GeneratedPicture.texture(width: 37, height: 21)
        try second.withMutablePlanes { planes in
            for index in 0..<planes.count {
                let plane = planes[index]
                plane.row(0).storeBytes(of: 0xA5, toByteOffset: plane.width, as: UInt8.self)
            }
        }
        #expect(first.hasSameSamples(as: second) && first.hasSameSamples(as: first))
        // A difference in only the last sample of a plane is found.
        for index in 0..<3 {
            var other = second
            try other.withMutablePlanes { planes in
                let plane = planes[index]
                let place = plane.row(plane.height - 1) + plane.width - 1
                place.storeBytes(of: place.load(as: UInt8.self) ^ 1, as: UInt8.self)
            }
            #expect(!first.hasSameSamples(as: other), "plane \(index)")
        }
        #expect(!first.hasSameSamples(as: try GeneratedPicture.texture(width: 36, height: 21)))
        #expect(
            !first.hasSameSamples(
                as: try GeneratedPicture.texture(PixelFormat(subsampling: .yuv444, bitDepth: 8), width: 37, height: 21))
        )
    }

    @Test(arguments: [9, 10, 12, 15]) func samplesBeyondTheDepthAreClipped(depth: Int) throws {
        let format = try PixelFormat(subsampling: .yuv420, bitDepth: depth)
        var buffer = try GeneratedPicture.flat(255, format, width: 17, height: 9)
        #expect(!buffer.exceedsDepth)
        let before = buffer
        try buffer.clipToDepth()
        #expect(buffer.hasSameSamples(as: before))
        // Only the last sample of the last plane exceeds the depth.
        try buffer.withMutablePlanes { planes in
            planes[2].row(4).storeBytes(of: UInt16(1 << depth), toByteOffset: 2 * 8, as: UInt16.self)
        }
        #expect(buffer.exceedsDepth && !before.exceedsDepth)
        try buffer.clipToDepth()
        #expect(!buffer.exceedsDepth)
        #expect(Int(buffer.samples(ofPlane: 2).last ?? 0) == format.maximumValue)
    }
}
