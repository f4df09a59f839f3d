import FrameCore
import Testing

/// The code that the articles of FrameCore show.
@Suite struct FrameCoreSnippets {
    @Test func buffers() throws {
        // snippet
        var buffer = try PixelBuffer(format: .yuv420p8, width: 641, height: 361)
        try buffer.withOverwrittenPlanes { planes in
            for index in 0..<planes.count {
                let plane = planes[index]  // 641x361, then twice 321x181
                for y in 0..<plane.height {
                    let row = plane.row(y).assumingMemoryBound(to: UInt8.self)
                    for x in 0..<plane.width { row[x] = index == 0 ? UInt8(truncatingIfNeeded: x + y) : 128 }
                }
            }
        }
        // end
        // snippet
        let mean = buffer.withPlanes { planes in
            let luma = planes[0]
            var sum = 0
            for y in 0..<luma.height {
                let row = luma.row(y).assumingMemoryBound(to: UInt8.self)
                for x in 0..<luma.width { sum += Int(row[x]) }
            }
            return sum / (luma.width * luma.height)
        }
        // end
        #expect((120...135).contains(mean))
        // snippet
        var copy = buffer  // shares its samples
        try copy.withMutablePlanes { planes in
            planes[0].row(0).storeBytes(of: 255, as: UInt8.self)  // copied first, so `buffer` stays as it was
        }
        // end
        #expect(!copy.hasSameSamples(as: buffer))
        #expect(buffer.withPlanes { $0[0].row(0).load(as: UInt8.self) } == 0)
    }

    @Test func pool() throws {
        // snippet
        let tenBits = try PixelFormat(subsampling: .yuv422, bitDepth: 10)
        let pool = try PixelBufferPool(format: tenBits, width: 1920, height: 1080)
        var buffer = try pool.makeBuffer()
        try buffer.withOverwrittenPlanes { planes in
            let luma = planes[0].row(0).assumingMemoryBound(to: UInt16.self)
            luma[0] = 940  // 16-bit words, the value in the low bits
        }
        // end
        #expect(buffer.format == tenBits && buffer.width == 1920)
        #expect(buffer.withPlanes { $0[0].row(0).load(as: UInt16.self) } == 940)
    }

    @Test func frame() throws {
        let buffer = try PixelBuffer(format: .yuv420p8, width: 64, height: 48)
        // snippet
        let frame = Frame(
            buffer: buffer, presentationTime: MediaTime(value: 1001, timescale: 30000),
            duration: MediaTime(value: 1001, timescale: 30000),
            color: ColorDescription(matrix: .bt709, primaries: .bt709, transfer: .bt709, range: .limited))
        let known = frame.color.resolved(height: frame.buffer.height)  // unspecified properties are filled in
        // end
        #expect(known.chromaLocation == .left && known.matrix == .bt709)
    }

    @Test func time() throws {
        // snippet
        let frame = MediaTime(value: 1001, timescale: 24000)
        let later = frame.multiplied(by: Rational(259_200, 1))  // three hours of frames: 10810.8 s exactly
        let middle = later + frame.multiplied(by: Rational(1, 2))  // on a timescale of 48000
        let milliseconds = middle.ticks(of: Rational(1, 1000))  // rounded to the nearest: 10810821
        // end
        #expect(later == MediaTime(value: 108108, timescale: 10))
        #expect(middle.timescale == 48000)
        #expect(milliseconds == 10_810_821)
        // snippet
        let isSame = MediaTime(value: 1, timescale: 25) == MediaTime(value: 40, timescale: 1000)  // true
        // end
        #expect(isSame)
    }
}
