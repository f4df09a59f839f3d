import FrameCore
import Foundation
import TestSupport

/// A drawn scene with a value at every time: outlines of a figure that walks and waves before a background with a floor and
/// posts, all with black lines on flat colours. What is drawn when, and how the camera pans, is known.
struct Animation: Sendable {
    /// How fast the figure moves, in pixels per second.
    var speed: Float = 40
    /// How fast the camera pans, in pixels per second.
    var pan: Float = 0
    /// The largest noise of a frame, in levels; that of each frame is its own.
    var noise = 0

    static let width = 192, height = 128

    /// Returns the frame at a time.
    ///
    /// - Parameters:
    ///   - time: the time of the drawing, in seconds.
    ///   - panTime: the time of the camera; nil for that of the drawing.
    ///   - frame: the number of the frame, which decides its noise.
    func picture(_ time: Float, panTime: Float? = nil, frame: Int = 0) throws -> PixelBuffer {
        let shift = pan * (panTime ?? time), figure = Figure(time, speed)
        return try GeneratedPicture.draw(.yuv420p8, width: Self.width, height: Self.height) { plane, x, y in
            let scale: Float = plane == 0 ? 1 : 2
            let p = SIMD2((Float(x) + 0.5) * scale + shift, (Float(y) + 0.5) * scale)
            guard plane == 0 else { return figure.isInside(p) ? (plane == 1 ? 105 : 160) : 128 }
            var level: Float = p.y > 96 ? 150 : 205
            // Posts 48 pixels apart, and the line of the floor.
            let post = abs((p.x / 48 - (p.x / 48).rounded(.down)) * 48 - 24)
            level = Self.line(level, p.y > 96 ? 100 : post)
            level = Self.line(level, abs(p.y - 96))
            if figure.isInside(p) { level = 225 }
            level = Self.line(level, figure.distance(p))
            return Int(level.rounded()) + noise(x, y, frame)
        }
    }

    /// Draws a line of 2.4 pixels with smooth edges over a level.
    private static func line(_ level: Float, _ distance: Float) -> Float {
        let cover = max(0, min(1, 1.7 - distance))
        return level + (24 - level) * cover
    }

    private func noise(_ x: Int, _ y: Int, _ frame: Int) -> Int {
        guard noise > 0 else { return 0 }
        var h = UInt32(truncatingIfNeeded: x &* 73_856_093 ^ y &* 19_349_663 ^ (frame &+ 1) &* 83_492_791)
        h = (h ^ (h >> 15)) &* 0x2C1B_3C6D
        return Int((h ^ (h >> 13)) % UInt32(2 * noise + 1)) - noise
    }

    /// A head, a body and two arms.
    private struct Figure {
        let head: SIMD2<Float>
        let limbs: [(SIMD2<Float>, SIMD2<Float>)]

        init(_ time: Float, _ speed: Float) {
            let x = 40 + speed * time, wave = sin(time * 4)
            head = SIMD2(x, 40 + 3 * wave)
            let shoulder = SIMD2(x, 60 + 2 * wave), hip = SIMD2<Float>(x - 3, 88)
            limbs = [
                (shoulder, hip), (shoulder, SIMD2(x + 20, 60 - 16 * wave)), (shoulder, SIMD2(x - 18, 66 + 12 * wave)),
                (hip, SIMD2(x - 10 + 8 * wave, 112)), (hip, SIMD2(x + 8 - 8 * wave, 112)),
            ]
        }

        func isInside(_ p: SIMD2<Float>) -> Bool { Self.length(p - head) < 13 }

        func distance(_ p: SIMD2<Float>) -> Float {
            limbs.reduce(abs(Self.length(p - head) - 13)) { min($0, Self.distance(p, $1.0, $1.1)) }
        }

        private static func distance(_ p: SIMD2<Float>, _ a: SIMD2<Float>, _ b: SIMD2<Float>) -> Float {
            let line = b - a, along = max(0, min(1, ((p - a) * line).sum() / (line * line).sum()))
            return length(p - a - line * along)
        }

        private static func length(_ v: SIMD2<Float>) -> Float { (v * v).sum().squareRoot() }
    }
}
