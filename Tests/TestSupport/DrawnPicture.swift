public import FrameCore
import Foundation

/// Generated frames with recognisable content.
public enum DrawnPicture {
    public static let width = 320, height = 192

    /// Returns a textured background with a disc of another color; different for each seed.
    public static func scene(_ seed: Int, shift: Float = 0) throws -> PixelBuffer {
        let ground = NoiseTexture(seed: seed * 7 + 1, finest: 5), thing = NoiseTexture(seed: seed * 7 + 2, finest: 3)
        let (cx, cy) = (100 + Float(seed * 37 % 120), 60 + Float(seed * 23 % 70))
        let tones: [(Float, Float)] = [(90, 160), (150, 90), (110, 200), (170, 60), (80, 130)]
        let colors: [(Float, Float)] = [(100, 160), (160, 105), (120, 95), (90, 120), (150, 150)]
        let (light, bright) = tones[seed % 5]
        let (u, v) = colors[(seed / 2) % 5], (u2, v2) = colors[(seed + 2) % 5]
        return try GeneratedPicture.draw(.yuv420p8, width: width, height: height) { plane, x, y in
            let scale = plane == 0 ? 1 : 2
            let (px, py) = (Float(x * scale) - shift, Float(y * scale))
            let inside = (px - cx) * (px - cx) + (py - cy) * (py - cy) < 34 * 34
            switch plane {
            case 0:
                return Int(
                    inside ? bright + 0.5 * (thing.value(px, py) - 128) : light + 0.45 * (ground.value(px, py) - 128))
            case 1: return Int(inside ? u2 : u)
            default: return Int(inside ? v2 : v)
            }
        }
    }

    /// Applies `change` to the luma samples; `value(x, y)` reads the original samples, with coordinates clamped.
    public static func changed(
        _ buffer: PixelBuffer, _ change: (_ x: Int, _ y: Int, _ value: (Int, Int) -> Int) -> Int
    ) throws -> PixelBuffer {
        let luma = buffer.samples(ofPlane: 0), u = buffer.samples(ofPlane: 1), v = buffer.samples(ofPlane: 2)
        let (w, h) = (buffer.width, buffer.height)
        func value(_ x: Int, _ y: Int) -> Int { Int(luma[max(0, min(h - 1, y)) * w + max(0, min(w - 1, x))]) }
        return try GeneratedPicture.draw(buffer.format, width: w, height: h) { plane, x, y in
            switch plane {
            case 0: change(x, y, value)
            case 1: Int(u[y * ((w + 1) / 2) + x])
            default: Int(v[y * ((w + 1) / 2) + x])
            }
        }
    }

    public static func blurred(_ buffer: PixelBuffer, across: Int, down: Int) throws -> PixelBuffer {
        try changed(buffer) { x, y, value in
            var sum = 0
            for j in -down...down { for i in -across...across { sum += value(x + i, y + j) } }
            return sum / ((2 * across + 1) * (2 * down + 1))
        }
    }

    public static func noisy(_ buffer: PixelBuffer, sigma: Float) throws -> PixelBuffer {
        try changed(buffer) { x, y, value in
            value(x, y) + Int((sigma * sampleNoise(Float(x), Float(y), seed: 3)).rounded())
        }
    }

    public static func lit(_ buffer: PixelBuffer, gain: Float) throws -> PixelBuffer {
        try changed(buffer) { x, y, value in 16 + Int(Float(value(x, y) - 16) * gain) }
    }

    /// Adds squares of 8 samples, each with one level, mixed in at half strength.
    public static func blocky(_ buffer: PixelBuffer) throws -> PixelBuffer {
        try changed(buffer) { x, y, value in
            var sum = 0
            for j in 0..<8 { for i in 0..<8 { sum += value(x / 8 * 8 + i, y / 8 * 8 + j) } }
            return (value(x, y) + 3 * (sum / 64)) / 4
        }
    }

    /// Returns rows of letter-like strokes on a plain background.
    public static func text() throws -> PixelBuffer {
        try GeneratedPicture.draw(.yuv420p8, width: width, height: height) { plane, x, y in
            guard plane == 0 else { return 128 }
            let isLine = y % 24 >= 8 && y % 24 < 18 && x > 30 && x < 280 && y > 20 && y < 170
            let letter = (x * 7 + y / 24 * 31) / 9
            let isStroke = (x % 9 < 2) || (y % 24 == 8 + letter % 9) || (y % 24 == 12 && letter % 2 == 0)
            return isLine && isStroke ? 225 : 30
        }
    }

    public static func bars() throws -> PixelBuffer {
        let levels = [180, 162, 131, 112, 84, 65, 35], u = [128, 44, 156, 72, 184, 100, 212]
        return try GeneratedPicture.draw(.yuv420p8, width: width, height: height) { plane, x, _ in
            let bar = min(6, x * 7 / (plane == 0 ? width : width / 2))
            return plane == 0 ? levels[bar] : plane == 1 ? u[bar] : 255 - u[bar]
        }
    }

    public static func mixed(_ a: PixelBuffer, _ b: PixelBuffer, share: Float) throws -> PixelBuffer {
        let planes = (0..<3).map { (a.samples(ofPlane: $0), b.samples(ofPlane: $0)) }
        return try GeneratedPicture.draw(a.format, width: a.width, height: a.height) { plane, x, y in
            let index = y * (plane == 0 ? a.width : a.width / 2) + x
            return Int(Float(planes[plane].0[index]) * (1 - share) + Float(planes[plane].1[index]) * share)
        }
    }

    /// Returns `a` to the left of an even column `edge`, and to the right of it `b`, moved to the right by `offset`.
    public static func beside(_ a: PixelBuffer, _ b: PixelBuffer, edge: Int, offset: Int) throws -> PixelBuffer {
        let planes = (0..<3).map { (a.samples(ofPlane: $0), b.samples(ofPlane: $0)) }
        return try GeneratedPicture.draw(a.format, width: a.width, height: a.height) { plane, x, y in
            let scale = plane == 0 ? 1 : 2
            let row = y * a.width / scale
            return Int(x < edge / scale ? planes[plane].0[row + x] : planes[plane].1[row + x - offset / scale])
        }
    }

    public static func frame(_ buffer: PixelBuffer, _ index: Int = 0) -> Frame {
        Frame(
            buffer: buffer, presentationTime: MediaTime(value: Int64(index), timescale: 25),
            duration: MediaTime(value: 1, timescale: 25))
    }
}
