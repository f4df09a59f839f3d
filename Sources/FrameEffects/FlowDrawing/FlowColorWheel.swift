/// The color coding of motion: hue for direction, saturation for length.
///
/// The wheel and its use are those of the Middlebury evaluation (S. Baker et al., A Database and Evaluation Methodology
/// for Optical Flow, IJCV 2011): no motion is white, motion of the maximum length has the pure hue, and longer motion
/// has the hue darkened to three quarters.
public struct FlowColorWheel: Sendable, Hashable {
    /// Red, green and blue, 0…1 each.
    public typealias RGB = SIMD3<Float>

    /// Hues by direction, from left through up; the steps are unequal, because the eye separates some hues better than
    /// others.
    private static let hues: [RGB] = {
        let steps: [(count: Int, from: RGB, towards: RGB)] = [
            (15, [1, 0, 0], [0, 1, 0]), (6, [1, 1, 0], [-1, 0, 0]), (4, [0, 1, 0], [0, 0, 1]),
            (11, [0, 1, 1], [0, -1, 0]), (13, [0, 0, 1], [1, 0, 0]), (6, [1, 0, 1], [0, 0, -1]),
        ]
        return steps.flatMap { step in
            (0..<step.count).map { step.from + step.towards * (Float($0) / Float(step.count)) }
        }
    }()

    /// The length of motion that has the pure hue, in pixels.
    public let maximum: Float

    /// - Parameter maximum: a length in pixels, 0.01 or more. Smaller positive values count as 0.01; all others as 1.
    public init(maximum: Float) { self.maximum = maximum.isFinite && maximum > 0 ? max(0.01, maximum) : 1 }

    /// Returns the color of a motion vector in pixels, with x to the right and y down.
    public func color(_ motion: SIMD2<Float>) -> RGB {
        let scaled = motion / maximum
        let length = (scaled * scaled).sum().squareRoot()
        guard length.isFinite else { return .zero }
        let hue = Self.hue(scaled)
        return length <= 1 ? 1 - length * (1 - hue) : hue * 0.75
    }

    /// Returns the pure hue of a direction; black if a component is not finite.
    package static func hue(_ motion: SIMD2<Float>) -> RGB {
        guard motion.x.isFinite, motion.y.isFinite else { return .zero }
        let turn = (atan2(-motion.y, -motion.x) / .pi + 1) / 2
        let place = turn * Float(hues.count - 1)
        let first = min(max(Int(place), 0), hues.count - 1)
        let part = place - Float(first)
        return hues[first] * (1 - part) + hues[(first + 1) % hues.count] * part
    }

    /// Returns the angle in radians, or 0 for the zero vector, with an error below 0.00001.
    ///
    /// Computed with a polynomial, so that it has the same bits on every machine, which the system's library does not
    /// guarantee.
    private static func atan2(_ y: Float, _ x: Float) -> Float {
        let (ax, ay) = (abs(x), abs(y))
        let high = max(ax, ay)
        guard high > 0 else { return 0 }
        let t = min(ax, ay) / high
        let s = t * t
        // A polynomial of degree 11 that is close to minimax on 0…1.
        var angle =
            t
            * (0.999_977_26 + s
                * (-0.332_623_47 + s * (0.193_543_46 + s * (-0.116_432_87 + s * (0.052_653_32 - s * 0.011_721_2)))))
        if ay > ax { angle = .pi / 2 - angle }
        if x < 0 { angle = .pi - angle }
        // The sign bit decides, also for zero: the angle wraps around at motion straight to the right.
        return y.sign == .minus ? -angle : angle
    }
}
