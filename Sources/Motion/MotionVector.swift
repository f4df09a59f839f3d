/// Displacement in 1/32 pixel.
package typealias MotionVector = SIMD2<Int16>

extension MotionVector {
    /// Fractional bits of a component.
    package static let fractionBits = 5
    /// Largest magnitude of a component: 1008 pixels.
    package static let limit: Int16 = 1008 << 5

    /// Twice the vector, for the next finer level, saturating at ``limit``.
    @inline(__always)
    func doubled() -> MotionVector {
        let wide = SIMD2<Int32>(truncatingIfNeeded: self) &* 2
        let most = SIMD2<Int32>(repeating: Int32(Self.limit))
        return MotionVector(truncatingIfNeeded: wide.clamped(lowerBound: 0 &- most, upperBound: most))
    }
}
