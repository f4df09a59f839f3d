/// Displacement in 1/32 pixel.
package typealias MotionVector = SIMD2<Int16>

extension MotionVector {
    /// Fractional bits of a component.
    package static let fractionBits = 5
    /// Largest magnitude of a component: 1008 pixels.
    @usableFromInline package static let limit: Int16 = 1008 << 5

    /// Twice the vector, for the next finer level, saturating at ``limit``.
    @inline(__always)
    func doubled() -> MotionVector {
        MotionVector(clamping: SIMD2<Int32>(truncatingIfNeeded: self) &* 2)
    }

    /// Sum of the absolute differences of the components.
    @inline(__always) @inlinable
    package func distance(to other: SIMD2<Int16>) -> Int32 {
        abs(Int32(x) &- Int32(other.x)) &+ abs(Int32(y) &- Int32(other.y))
    }

    /// The vector limited to ``limit`` per component.
    @inline(__always)
    package init(clamping v: SIMD2<Int32>) {
        let most = Int32(Self.limit)
        let x = v.x < -most ? -most : v.x > most ? most : v.x, y = v.y < -most ? -most : v.y > most ? most : v.y
        self.init(Int16(truncatingIfNeeded: x), Int16(truncatingIfNeeded: y))
    }
}
