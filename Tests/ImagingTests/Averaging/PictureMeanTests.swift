import FrameCore
import Imaging
import TestSupport
import Testing

@Suite struct PictureMeanTests {
    @Test(arguments: [8, 10, 16], [ChromaSubsampling.monochrome, .yuv420, .yuv422, .yuv444])
    func eachSampleIsTheRoundedMean(depth: Int, subsampling: ChromaSubsampling) throws {
        let format = try PixelFormat(subsampling: subsampling, bitDepth: depth)
        func picture(_ seed: Int) throws -> PixelBuffer {
            var buffer = try PixelBuffer(format: format, width: 17, height: 19)
            try buffer.withMutablePlanes { planes in
                for plane in 0..<planes.count {
                    for y in 0..<planes[plane].height {
                        for x in 0..<planes[plane].width {
                            let value = (x * 31 + y * 57 + plane * 11 + seed * 101) * 977 & format.maximumValue
                            if depth > 8 {
                                planes[plane].row(y).assumingMemoryBound(to: UInt16.self)[x] = UInt16(value)
                            } else {
                                planes[plane].row(y).assumingMemoryBound(to: UInt8.self)[x] = UInt8(value)
                            }
                        }
                    }
                }
            }
            return buffer
        }
        let pictures = try (0..<5).map(picture)
        var mean = PictureMean(like: pictures[0])
        for picture in pictures { try mean.add(picture) }
        var result = try PixelBuffer(format: format, width: 17, height: 19)
        try mean.write(to: &result)
        func sample(_ buffer: PixelBuffer, _ plane: Int, _ x: Int, _ y: Int) -> Int {
            buffer.withPlanes { $0[plane].sample(x, y, bytes: format.bytesPerSample) }
        }
        for plane in 0..<format.planeCount {
            for y in 0..<format.planeHeight(plane, height: 19) {
                for x in 0..<format.planeWidth(plane, width: 17) {
                    let sum = pictures.reduce(0) { $0 + sample($1, plane, x, y) }
                    #expect(sample(result, plane, x, y) == (sum + 2) / 5)
                }
            }
        }
        let other = try PixelBuffer(format: format, width: 18, height: 19)
        #expect(throws: FrameError.self) { try mean.add(other) }
    }
}
