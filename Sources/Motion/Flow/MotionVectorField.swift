package import Kernels

/// A displacement in 1/32 sample.
package typealias MotionVector = SIMD2<Int16>

extension MotionVector {
    /// The number of fractional bits of a component.
    package static let fractionBits = 5
    /// The largest magnitude of a component: 1008 samples.
    @usableFromInline package static let limit: Int16 = 1008 << 5

    /// Returns twice the vector, for the next finer level, limited to ``limit``.
    @inline(__always)
    func doubled() -> MotionVector {
        MotionVector(clamping: SIMD2<Int32>(truncatingIfNeeded: self) &* 2)
    }

    /// Returns the sum of the absolute differences of the components.
    @inline(__always) @inlinable
    package func distance(to other: SIMD2<Int16>) -> Int32 {
        abs(Int32(x) &- Int32(other.x)) &+ abs(Int32(y) &- Int32(other.y))
    }

    /// Creates a vector with each component limited to ``limit``.
    @inline(__always) @inlinable
    package init(clamping v: SIMD2<Int32>) {
        let most = Int32(Self.limit)
        let x = v.x < -most ? -most : v.x > most ? most : v.x, y = v.y < -most ? -most : v.y > most ? most : v.y
        self.init(Int16(truncatingIfNeeded: x), Int16(truncatingIfNeeded: y))
    }
}

extension Buffer2D<MotionVector> {
    /// The vectors, as the kernels name their type.
    package var kernelVectors: UnsafeMutablePointer<vfx_motion_vector> {
        UnsafeMutableRawPointer(base).assumingMemoryBound(to: vfx_motion_vector.self)
    }
}

/// The motion from one frame to another on one pyramid level: a vector per square cell, and the cost of its match.
package struct MotionVectorField: Sendable {
    /// Side of a cell in samples of its level.
    package static let cellSize = 4

    package let vectors: Buffer2D<MotionVector>
    /// Sums of absolute differences of the matched 8×8 blocks at 8 bits.
    package let costs: Buffer2D<UInt32>

    /// The vectors, as the kernels name their type.
    package var kernelVectors: UnsafeMutablePointer<vfx_motion_vector> { vectors.kernelVectors }

    package var columns: Int { vectors.columns }
    package var rows: Int { vectors.rows }

    /// Creates a field without motion for a level of the given size in samples.
    package init(width: Int, height: Int) {
        let columns = (width + Self.cellSize - 1) / Self.cellSize, rows = (height + Self.cellSize - 1) / Self.cellSize
        vectors = Buffer2D(columns: columns, rows: rows, filledWith: .zero)
        costs = Buffer2D(columns: columns, rows: rows, filledWith: 0)
    }

    /// Creates a field of motion that was not found by matching; all costs are zero.
    init(vectors: Buffer2D<MotionVector>) {
        self.vectors = vectors
        costs = Buffer2D(columns: vectors.columns, rows: vectors.rows, filledWith: 0)
    }

    /// Creates a copy.
    init(copying other: MotionVectorField) {
        vectors = Buffer2D(copying: other.vectors)
        costs = Buffer2D(copying: other.costs)
    }

    /// Creates a field of vectors with the costs of their matches.
    init(vectors: Buffer2D<MotionVector>, costs: Buffer2D<UInt32>) {
        self.vectors = vectors
        self.costs = costs
    }

    /// Creates a field with a copy of the vectors, which may be changed. The costs are shared.
    init(copyingVectorsOf other: MotionVectorField) {
        vectors = Buffer2D(copying: other.vectors)
        costs = other.costs
    }
}

extension MotionVectorField {
    /// Returns the vector at a position in 1/128 cells from the centre of cell (0, 0): linear between centres, clamped
    /// outside.
    @inline(__always)
    package func sample(x: Int32, y: Int32) -> SIMD2<Int32> {
        let cx = min(max(x, 0), Int32(columns - 1) &<< 7), cy = min(max(y, 0), Int32(rows - 1) &<< 7)
        let ix = Int(cx &>> 7), iy = Int(cy &>> 7), fx = cx & 127, fy = cy & 127
        let jx = min(ix + 1, columns - 1), jy = min(iy + 1, rows - 1)
        let p00 = SIMD2<Int32>(truncatingIfNeeded: vectors[ix, iy]),
            p10 = SIMD2<Int32>(truncatingIfNeeded: vectors[jx, iy])
        let p01 = SIMD2<Int32>(truncatingIfNeeded: vectors[ix, jy]),
            p11 = SIMD2<Int32>(truncatingIfNeeded: vectors[jx, jy])
        let top = p00 &* (128 &- fx) &+ p10 &* fx, bottom = p01 &* (128 &- fx) &+ p11 &* fx
        return (top &* (128 &- fy) &+ bottom &* fy &+ 8192) &>> 14
    }

    /// Distance of the linear vector from the nearest cell's, in 1/32 sample, above which there is an edge: one sample.
    /// Chosen by hand, November 2026.
    private static let edgeDistance: Int32 = 32

    /// Returns the vector at a position as ``sample(x:y:)`` does, or the nearest cell's vector where the two differ by
    /// more than one sample of the level: at an edge between two motions, their mean is wrong for both.
    @inline(__always)
    package func sampleKeepingEdges(x: Int32, y: Int32) -> SIMD2<Int32> {
        let cx = min(max(x, 0), Int32(columns - 1) &<< 7), cy = min(max(y, 0), Int32(rows - 1) &<< 7)
        let nearest = SIMD2<Int32>(truncatingIfNeeded: vectors[Int((cx &+ 64) &>> 7), Int((cy &+ 64) &>> 7)])
        let between = sample(x: x, y: y), apart = between &- nearest
        return abs(apart.x) &+ abs(apart.y) > Self.edgeDistance ? nearest : between
    }
}
