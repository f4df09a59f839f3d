import FrameCore

/// Luma and chroma of a drawn picture as 8-bit levels, before conversion to a pixel format.
struct Picture {
    let width: Int
    let height: Int
    var y: [Float]
    var u: [Float]
    var v: [Float]

    init(width: Int, height: Int, level: Float = 16) {
        (self.width, self.height) = (width, height)
        y = Array(repeating: level, count: width * height)
        u = Array(repeating: 128, count: width * height)
        v = u
    }

    func mixed(with other: Picture, _ t: Float) -> Picture {
        var out = self
        for i in y.indices {
            out.y[i] += (other.y[i] - y[i]) * t
            out.u[i] += (other.u[i] - u[i]) * t
            out.v[i] += (other.v[i] - v[i]) * t
        }
        return out
    }

    func lit(gain: Float, offset: Float) -> Picture {
        var out = self
        for i in y.indices { out.y[i] = min(235, (y[i] - 16) * gain + 16 + offset) }
        return out
    }

    mutating func fill(x: Int, y top: Int, width w: Int, height h: Int, level: Float) {
        for j in max(0, top)..<max(0, min(height, top + h)) {
            for i in max(0, x)..<max(0, min(width, x + w)) { y[j * width + i] = level }
        }
    }

    func noisy(_ sigma: Float, seed: UInt64) -> Picture {
        var (out, random) = (self, Random(seed: seed))
        for i in y.indices { out.y[i] += sigma * random.bell() }
        return out
    }

    func buffer(_ format: PixelFormat = .yuv420p8) throws -> PixelBuffer {
        var buffer = try PixelBuffer(format: format, width: width, height: height)
        try buffer.withOverwrittenPlanes { planes in
            for plane in 0..<planes.count {
                let target = planes[plane]
                let source = [y, u, v][plane]
                let (sx, sy) =
                    plane == 0 ? (0, 0) : (format.subsampling.horizontalShift, format.subsampling.verticalShift)
                for j in 0..<target.height {
                    for i in 0..<target.width {
                        let level = max(0, min(255, source[(j << sy) * width + (i << sx)]))
                        let code = Int((level * Float(1 << (format.bitDepth - 8))).rounded())
                        if format.bytesPerSample == 1 {
                            target.row(j).storeBytes(of: UInt8(min(255, code)), toByteOffset: i, as: UInt8.self)
                        } else {
                            let value = UInt16(min(format.maximumValue, code))
                            target.row(j).storeBytes(of: value, toByteOffset: 2 * i, as: UInt16.self)
                        }
                    }
                }
            }
        }
        return buffer
    }
}

/// A textured background that pans, with a textured disc that crosses it.
struct DrawnScene {
    var seed: UInt64
    var width = 192
    var height = 108
    /// Speed of the background, in pixels per frame.
    var speedX: Float = 1
    var speedY: Float = 0
    var discSpeed: Float = 2
    /// Brightness and contrast of the scene.
    var base: Float = 110
    var contrast: Float = 70
    /// Length of the horizontal motion blur in pixels.
    var blur: Float = 0

    func picture(_ time: Int, shiftX: Float = 0) -> Picture {
        var out = Picture(width: width, height: height)
        let t = Float(time)
        let (tintU, tintV) = (Float(seed % 5) * 12 - 24, Float(seed / 5 % 5) * 12 - 24)
        let discX = (Float(seed % 97) + discSpeed * t).truncatingRemainder(dividingBy: Float(width))
        let discY = Float(height) * (0.3 + 0.4 * Float(seed % 7) / 7)
        let taps = max(1, min(12, Int(blur / 3)))
        for j in 0..<height {
            for i in 0..<width {
                var sum: Float = 0
                for tap in 0..<taps {
                    let x = Float(i) + speedX * t + shiftX + blur * Float(tap) / Float(taps)
                    let y = Float(j) + speedY * t
                    sum += texture(x / 24, y / 24, seed) * 0.6 + texture(x / 7, y / 7, seed &+ 1) * 0.4
                }
                var level = base + contrast * (sum / Float(taps))
                let (dx, dy) = (Float(i) - discX, Float(j) - discY)
                if dx * dx + dy * dy < 200 { level = base + contrast * texture(dx / 6, dy / 6, seed &+ 2) + 20 }
                let index = j * width + i
                out.y[index] = max(16, min(235, level))
                out.u[index] = 128 + tintU
                out.v[index] = 128 + tintV
            }
        }
        return out
    }

    func pictures(_ range: Range<Int>) -> [Picture] { range.map { picture($0) } }
}

/// Returns smooth noise, −1…1.
private func texture(_ x: Float, _ y: Float, _ seed: UInt64) -> Float {
    let (x0, y0) = (x.rounded(.down), y.rounded(.down))
    let (fx, fy) = (x - x0, y - y0)
    func corner(_ i: Int, _ j: Int) -> Float {
        var h = UInt64(bitPattern: Int64(x0) + Int64(i)) &* 0x9E37_79B9_7F4A_7C15
        h ^= (UInt64(bitPattern: Int64(y0) + Int64(j)) &+ seed &* 0x2545_F491_4F6C_DD1D) &* 0xD6E8_FEB8_6659_FD93
        h ^= h >> 32
        h = h &* 0xD6E8_FEB8_6659_FD93
        h ^= h >> 29
        return Float(h & 0xFFFF) / 32768 - 1
    }
    let (sx, sy) = (fx * fx * (3 - 2 * fx), fy * fy * (3 - 2 * fy))
    let top = corner(0, 0) + (corner(1, 0) - corner(0, 0)) * sx
    let bottom = corner(0, 1) + (corner(1, 1) - corner(0, 1)) * sx
    return top + (bottom - top) * sy
}

/// The SplitMix64 generator.
struct Random: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state = state &+ 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Returns an approximately normal number with unit deviation.
    mutating func bell() -> Float {
        var sum: Float = 0
        let bits = next()
        for k in 0..<4 { sum += Float((bits >> UInt64(16 * k)) & 0xFFFF) / 65536 - 0.5 }
        return sum * 1.732
    }
}
