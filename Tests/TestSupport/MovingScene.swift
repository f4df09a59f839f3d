public import FrameCore

/// A smooth random pattern defined between samples too, so that its motion by any fraction is known exactly.
public struct NoiseTexture: Sendable {
    private let seed: UInt32
    private let spacings: [Float]

    /// - Parameter finest: distance in samples between the points of the finest of three lattices.
    public init(seed: Int, finest: Float = 3.5) {
        self.seed = UInt32(truncatingIfNeeded: seed)
        spacings = [finest * 6, finest * 2.3, finest]
    }

    /// Returns the level at a position, about 30…225.
    public func value(_ x: Float, _ y: Float) -> Float {
        var sum: Float = 0
        for (index, spacing) in spacings.enumerated() {
            sum += lattice(x / spacing, y / spacing, UInt32(index)) * [90, 65, 65][index]
        }
        return 128 + sum
    }

    /// Returns -0.5…0.5, interpolated smoothly between lattice points.
    private func lattice(_ x: Float, _ y: Float, _ layer: UInt32) -> Float {
        let fx = x.rounded(.down), fy = y.rounded(.down), ix = Int32(fx), iy = Int32(fy)
        func smooth(_ t: Float) -> Float { t * t * t * (t * (t * 6 - 15) + 10) }
        let tx = smooth(x - fx), ty = smooth(y - fy)
        func point(_ x: Int32, _ y: Int32) -> Float {
            var h =
                UInt32(bitPattern: x) &* 0x85EB_CA6B ^ UInt32(bitPattern: y) &* 0xC2B2_AE35
                ^ (seed &* 7 &+ layer) &* 0x27D4_EB2F
            h = (h ^ (h >> 15)) &* 0x2C1B_3C6D
            h = (h ^ (h >> 12)) &* 0x297A_2D39
            return Float((h ^ (h >> 15)) & 0xFFFF) / 65535 - 0.5
        }
        let top = point(ix, iy) * (1 - tx) + point(ix &+ 1, iy) * tx
        let bottom = point(ix, iy &+ 1) * (1 - tx) + point(ix &+ 1, iy &+ 1) * tx
        return top * (1 - ty) + bottom * ty
    }
}

/// A moving scene with a value at every position and time.
public struct MovingScene: Sendable {
    /// The level (0…255) of a plane, at a position in luma samples and a time.
    public typealias Level = @Sendable (_ plane: Int, _ x: Float, _ y: Float, _ time: Float) -> Float
    public let level: Level

    public init(_ level: @escaping Level) { self.level = level }

    /// Creates a scene of one texture per plane, moving by `dx`, `dy` luma samples per unit of time.
    public static func translation(_ dx: Float, _ dy: Float, seed: Int = 1) -> MovingScene {
        let textures = NoiseTexture.planes(seed)
        return MovingScene { plane, x, y, t in textures[plane].value(x - dx * t, y - dy * t) }
    }

    /// A scene with detail of all sizes, which moves by a fraction of a sample; what a coarse quantizer takes from it shows.
    public static let textured: MovingScene = {
        let coarse = translation(1.7, -0.6).level, fine = NoiseTexture(seed: 9, finest: 1.3)
        return MovingScene { plane, x, y, t in
            coarse(plane, x, y, t) + (plane == 0 ? (fine.value(x - 1.7 * t, y + 0.6 * t) - 128) / 5 : 0)
        }
    }()

    /// Returns the frame at a time, with each sample rounded to the format's bit depth and clamped to its range.
    public func picture(
        _ time: Float, _ format: PixelFormat = .yuv420p8, width: Int, height: Int
    ) throws -> PixelBuffer {
        var buffer = try PixelBuffer(format: format, width: width, height: height)
        let scale = Float(1 << (format.bitDepth - 8)), most = Float(format.maximumValue), level = level
        try buffer.withOverwrittenPlanes { planes in
            for index in 0..<planes.count {
                let (sx, sy) = format.shift(index)
                nonisolated(unsafe) let plane = planes[index]
                parallelFor(plane.height, threads: 2) { y in
                    let row = plane.row(y)
                    for x in 0..<plane.width {
                        let value = level(index, Float(x << sx), Float(y << sy), time) * scale
                        let code = max(0, min(most, value.rounded()))
                        if format.bytesPerSample == 1 {
                            row.storeBytes(of: UInt8(code), toByteOffset: x, as: UInt8.self)
                        } else {
                            row.storeBytes(of: UInt16(code), toByteOffset: 2 * x, as: UInt16.self)
                        }
                    }
                }
            }
        }
        return buffer
    }
}

extension NoiseTexture {
    /// Returns a texture for luma, coarser ones for chroma, whose samples may be two luma samples apart, and one for alpha.
    public static func planes(_ seed: Int) -> [NoiseTexture] {
        (0..<4).map { NoiseTexture(seed: seed &* 3 &+ $0, finest: $0 % 3 == 0 ? 3.5 : 7) }
    }
}

/// Returns reproducible noise for a sample, approximately normal with standard deviation 1.
public func sampleNoise(_ x: Float, _ y: Float, seed: Int) -> Float {
    var state =
        UInt64(bitPattern: Int64(x)) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(bitPattern: Int64(y)) &* 0xC2B2_AE3D_27D4_EB4F
    state ^= UInt64(truncatingIfNeeded: seed) &* 0x1656_67B1_9E37_79F9
    var sum: Float = 0
    for _ in 0..<4 {
        state = (state ^ (state >> 31)) &* 0xBF58_476D_1CE4_E5B9
        state ^= state >> 27
        sum += Float(state & 0xFFFF) / 65535 - 0.5
    }
    return sum * 1.7320508
}
