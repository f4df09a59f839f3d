public import FrameCore

/// Generated frames, so that tests need no files.
public enum GeneratedPicture {
    /// Returns a fine pattern that depends only on `seed`: always the same for one seed, different for different seeds.
    public static func texture(
        _ format: PixelFormat = .yuv420p8, width: Int = 64, height: Int = 48, seed: Int = 0
    ) throws -> PixelBuffer {
        try draw(format, width: width, height: height) { plane, x, y in
            let hash = (x &* 73_856_093) ^ (y &* 19_349_663) ^ ((plane &+ 3 &* seed) &* 83_492_791)
            return (hash >> 7) & 0xFF
        }
    }

    /// Returns a smooth pattern shifted by `dx`, `dy` luma samples.
    public static func waves(
        _ format: PixelFormat = .yuv420p8, width: Int = 64, height: Int = 48, dx: Int = 0, dy: Int = 0
    ) throws -> PixelBuffer {
        try draw(format, width: width, height: height) { plane, x, y in
            let (u, v) = plane == 0 ? (x - dx, y - dy) : (2 * x - dx, 2 * y - dy)
            func triangle(_ n: Int, _ period: Int) -> Int { abs((n % period + period) % period - period / 2) }
            return 40 + 3 * triangle(u, 50) + 2 * triangle(v + u / 3, 42) + 16 * plane
        }
    }

    /// Returns a frame with one luma value (0…255, scaled to the bit depth) and mid-grey chroma.
    public static func flat(
        _ value: Int, _ format: PixelFormat = .yuv420p8, width: Int = 64, height: Int = 48
    ) throws -> PixelBuffer {
        try draw(format, width: width, height: height) { plane, _, _ in plane == 0 ? value : 128 }
    }

    /// - Parameter code: the code of a sample of a plane, at the format's bit depth.
    public static func drawCodes(
        _ format: PixelFormat, width: Int, height: Int, code: (_ plane: Int, _ x: Int, _ y: Int) -> Int
    ) throws -> PixelBuffer {
        var buffer = try PixelBuffer(format: format, width: width, height: height)
        try buffer.withOverwrittenPlanes { planes in
            for index in 0..<planes.count {
                let plane = planes[index]
                for y in 0..<plane.height {
                    for x in 0..<plane.width {
                        let value = code(index, x, y)
                        if format.bytesPerSample == 2 {
                            plane.row(y).storeBytes(of: UInt16(value), toByteOffset: 2 * x, as: UInt16.self)
                        } else {
                            plane.row(y).storeBytes(of: UInt8(value), toByteOffset: x, as: UInt8.self)
                        }
                    }
                }
            }
        }
        return buffer
    }

    /// - Parameter value: the 8-bit value of a sample of a plane; clamped and scaled to the format's bit depth.
    public static func draw(
        _ format: PixelFormat, width: Int, height: Int, value: (_ plane: Int, _ x: Int, _ y: Int) -> Int
    ) throws -> PixelBuffer {
        var buffer = try PixelBuffer(format: format, width: width, height: height)
        let shift = format.bitDepth - 8
        try buffer.withOverwrittenPlanes { planes in
            for index in 0..<planes.count {
                let plane = planes[index]
                for y in 0..<plane.height {
                    for x in 0..<plane.width {
                        let sample = max(0, min(255, value(index, x, y))) << shift
                        if format.bytesPerSample == 1 {
                            plane.row(y).storeBytes(of: UInt8(sample), toByteOffset: x, as: UInt8.self)
                        } else {
                            plane.row(y).storeBytes(of: UInt16(sample), toByteOffset: 2 * x, as: UInt16.self)
                        }
                    }
                }
            }
        }
        return buffer
    }
}

extension PixelBuffer {
    /// Returns the samples of a plane, row by row without padding.
    public func samples(ofPlane index: Int) -> [UInt16] {
        withPlanes { planes in
            let plane = planes[index]
            return (0..<plane.height).flatMap { y in
                (0..<plane.width).map { x in
                    planes.format.bytesPerSample == 1
                        ? UInt16(plane.row(y).load(fromByteOffset: x, as: UInt8.self))
                        : plane.row(y).load(fromByteOffset: 2 * x, as: UInt16.self)
                }
            }
        }
    }
}
