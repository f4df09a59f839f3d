package import FrameCore
import Kernels
package import Motion

/// Parameters of the forward splat. Coverage is in 1/16384 of a cell, motion and errors in 1/32 sample. The values were
/// chosen by hand, November 2026.
private enum SplatParameters {
    /// Minimum coverage with which a vector may own a cell: nearly a fifth.
    static let ownerCoverage: Int32 = 3000
    /// Weight of the consistency error in a vector's rank.
    static let errorWeight: Int32 = 4
    /// Right shift of the uncovered part of the cell before it is added to the rank: 32 for a whole cell.
    static let uncoveredShift: Int32 = 9
    /// Right shift of the block difference before it is added to the rank: 8 for one grey level per sample.
    static let differenceShift: Int32 = 3
    /// Largest distance to the owner's motion at which a vector is included in the mean: 1.25 samples.
    static let agreement: Int32 = 40
    /// A vector's weight is its coverage divided by this, if it has no consistency error.
    static let weightOffset: Int32 = 64
    /// What each unit of consistency error adds to the divisor: an error of half a sample halves the weight.
    static let weightPerError: Int32 = 4
    /// Consistency error beyond which the weight no longer falls.
    static let maximumError: Int32 = 2000
    /// Cell rows that are splatted as one unit.
    static let bandRows = 16
}

/// Forward splat of both fields to a phase: carries each vector along its own motion to the four cells it lands on.
///
/// First, each cell gets an owner: the best-ranked vector that lands on it. An occluded vector has a large consistency
/// error and therefore ranks behind the vector of the occluding content. Then all vectors that agree with the owner are
/// averaged, weighted by their coverage of the cell and their consistency.
package struct ForwardSplat {
    package let columns: Int
    package let rows: Int
    /// The rank of each cell's owner; lower is better. The sum of four times its consistency error in 1/32 sample, 1/8
    /// of its block difference, and the part of the cell that it leaves uncovered. Cells without an owner have the
    /// largest `UInt32`.
    package let rank: Buffer2D<UInt32>
    private let owner: Buffer2D<MotionVector>
    /// Sums of the weights and weighted vectors of all vectors that agree with the owner.
    private let sum: Buffer2D<vfx_splat_sum>
    private let sources: [Source]

    /// One field and the fraction of its motion that leads to the phase.
    private struct Source {
        let field: MotionVectorField
        let errors: Buffer2D<UInt16>
        /// Part of each vector's length that leads to the phase, in 1/1024.
        let share: Int32
        let isBackward: Bool
        /// The rows of cells that each row of the field lands on.
        let reach: [ClosedRange<Int>]

        init(_ field: MotionVectorField, _ errors: Buffer2D<UInt16>, share: Int32, isBackward: Bool) {
            self.field = field
            self.errors = errors
            self.share = share
            self.isBackward = isBackward
            reach = (0..<field.rows).map { y in
                let row = UnsafeRawBufferPointer(
                    start: field.vectors.base + y * field.columns,
                    count: field.columns * MemoryLayout<MotionVector>.stride)
                let (low, high) = Self.verticalRange(row)
                return Self.target(y, low, share) >> 7...(Self.target(y, high, share) >> 7) + 1
            }
        }

        /// Returns the lowest and the highest vertical component of a row of vectors.
        private static func verticalRange(_ row: UnsafeRawBufferPointer) -> (low: Int16, high: Int16) {
            typealias Eight = SIMD16<Int16>
            let first = row.loadUnaligned(as: MotionVector.self).y
            var low = Eight(repeating: first), high = low, offset = 0
            while offset + MemoryLayout<Eight>.size <= row.count {
                let vectors = row.loadUnaligned(fromByteOffset: offset, as: Eight.self)
                low = pointwiseMin(low, vectors)
                high = pointwiseMax(high, vectors)
                offset += MemoryLayout<Eight>.size
            }
            var least = low.oddHalf.min(), most = high.oddHalf.max()
            while offset < row.count {
                let y = row.loadUnaligned(fromByteOffset: offset, as: MotionVector.self).y
                least = min(least, y)
                most = max(most, y)
                offset += MemoryLayout<MotionVector>.stride
            }
            return (least, most)
        }

        /// Returns the position on one axis where the vector of a cell lands, in 1/128 cells.
        @inline(__always)
        static func target(_ cell: Int, _ v: Int16, _ share: Int32) -> Int {
            cell &* 128 &+ Int((Int32(v) &* share) >> 10)
        }
    }

    /// A field and its forward–backward consistency errors (see ``MotionVectorField/consistencyError(with:context:)``).
    package typealias Field = (cells: MotionVectorField, consistencyErrors: Buffer2D<UInt16>)

    /// Prepares a splat.
    ///
    /// - Parameters:
    ///   - forward: the field from the first to the second neighbour.
    ///   - backward: the field from the second to the first neighbour, of the same size; nil splats `forward` only.
    ///   - t: the phase in 1/1024.
    package init(forward: Field, backward: Field?, t: Int32) {
        columns = forward.cells.columns
        rows = forward.cells.rows
        // splat(context:) fills them.
        rank = Buffer2D(columns: columns, rows: rows)
        owner = Buffer2D(columns: columns, rows: rows)
        sum = Buffer2D(columns: columns, rows: rows)
        var sources = [Source(forward.cells, forward.consistencyErrors, share: t, isBackward: false)]
        if let backward {
            sources.append(
                Source(backward.cells, backward.consistencyErrors, share: 1024 - t, isBackward: true))
        }
        self.sources = sources
    }

    /// Splats both fields onto all cells.
    package func splat(context: ExecutionContext) {
        parallelBands(rows, height: SplatParameters.bandRows, threads: context.threads) { splat(onto: $0, context) }
    }

    private func splat(onto band: Range<Int>, _ context: ExecutionContext) {
        typealias P = SplatParameters
        let first = band.lowerBound, last = band.upperBound
        let cells = first * columns..<last * columns
        (rank.base + cells.lowerBound).initialize(repeating: .max, count: cells.count)
        (owner.base + cells.lowerBound).initialize(repeating: .zero, count: cells.count)
        (sum.base + cells.lowerBound).initialize(repeating: vfx_splat_sum(), count: cells.count)
        for pass in [context.kernels.pointee.splat_owner_row, context.kernels.pointee.splat_mean_row] {
            for source in sources {
                var splat = vfx_splat(
                    vectors: source.field.kernelVectors, errors: source.errors.base,
                    costs: source.field.costs.base, columns: Int32(columns), first_row: Int32(first),
                    last_row: Int32(last), share: source.share, negated: source.isBackward ? 1 : 0, rank: rank.base,
                    owner: owner.kernelVectors, sums: sum.base, owner_coverage: P.ownerCoverage,
                    error_weight: P.errorWeight, uncovered_shift: P.uncoveredShift,
                    difference_shift: P.differenceShift, agreement: P.agreement, weight_offset: P.weightOffset,
                    weight_per_error: P.weightPerError, maximum_error: P.maximumError)
                for y in 0..<rows where source.reach[y].overlaps(first...last - 1) { pass(&splat, Int32(y)) }
            }
        }
    }

    /// Returns the mean vectors. A hole takes the mean of the smallest enclosing square of 2ⁿ×2ⁿ cells that is not
    /// empty.
    package func filled() -> Buffer2D<MotionVector> {
        let result = Buffer2D<MotionVector>(columns: columns, rows: rows, filledWith: .zero)
        // Count and mean of the vectors in squares of side 1, 2, 4 … cells.
        var levels = [Buffer2D<SIMD4<Int32>>(columns: columns, rows: rows, filledWith: .zero)]
        var holes = 0
        for i in 0..<columns * rows {
            let s = sum.base[i]
            if s.weight > 0 {
                let v = MotionVector(clamping: SIMD2(s.x / s.weight, s.y / s.weight))
                result.base[i] = v
                levels[0].base[i] = SIMD4(1, Int32(v.x), Int32(v.y), 0)
            } else {
                holes += 1
            }
        }
        if holes == 0 || holes == columns * rows { return result }
        while let below = levels.last, below.columns > 1 || below.rows > 1 { levels.append(below.halved()) }
        for y in 0..<rows {
            for x in 0..<columns where levels[0][x, y].x == 0 {
                for (shift, level) in levels.enumerated().dropFirst() {
                    let s = level[x >> shift, y >> shift]
                    guard s.x > 0 else { continue }
                    result[x, y] = MotionVector(clamping: SIMD2(s.y / s.x, s.z / s.x))
                    break
                }
            }
        }
        return result
    }
}

extension Buffer2D where Element == SIMD4<Int32> {
    /// Returns the means of squares of 2×2 elements; each non-empty element counts once.
    fileprivate func halved() -> Buffer2D {
        let half = Buffer2D(columns: (columns + 1) / 2, rows: (rows + 1) / 2, filledWith: .zero)
        for y in 0..<rows {
            for x in 0..<columns { half[x >> 1, y >> 1] = half[x >> 1, y >> 1] &+ self[x, y] }
        }
        for i in 0..<half.columns * half.rows where half.base[i].x > 1 {
            let s = half.base[i]
            half.base[i] = SIMD4(1, s.y / s.x, s.z / s.x, 0)
        }
        return half
    }
}

extension OpticalFlow {
    /// Splats both fields to a phase.
    ///
    /// - Parameters:
    ///   - t: the phase in 1/1024.
    ///   - context: the threads and kernels to use.
    func splatted(t: Int32, context: ExecutionContext) -> ForwardSplat {
        let splat = ForwardSplat(
            forward: (forward.cells, forward.consistencyErrors),
            backward: (backward.cells, backward.consistencyErrors), t: t)
        splat.splat(context: context)
        return splat
    }

    /// Returns the motion between successive frames of a sequence: the source frame, a frame at each phase, the next
    /// frame.
    ///
    /// The motion is derived from this flow without a new search, since content passes through the phases on its way, if
    /// that is straight.
    ///
    /// - Parameters:
    ///   - phases: ascending, between 0 and 1.
    ///   - context: the threads and kernels to use.
    /// - Returns: the flows, one more than there are phases.
    package func split(at phases: [Float], context: ExecutionContext) -> [OpticalFlow] {
        let columns = forward.columns, rows = forward.rows
        // Motion over the whole interval, at the positions where content is at each time.
        var stations: [(time: Float, whole: Buffer2D<MotionVector>)] = [(0, forward.cells.vectors)]
        for phase in phases {
            stations.append((phase, splatted(t: Int32((phase * 1024).rounded()), context: context).filled()))
        }
        let reversed = Buffer2D<MotionVector>(columns: columns, rows: rows, filledWith: .zero)
        for i in 0..<columns * rows { reversed.base[i] = .zero &- backward.cells.vectors.base[i] }
        stations.append((1, reversed))
        func share(_ whole: Buffer2D<MotionVector>, _ part: Float) -> Buffer2D<MotionVector> {
            let result = Buffer2D<MotionVector>(columns: columns, rows: rows, filledWith: .zero)
            let factor = Int32((part * 1024).rounded())
            for i in 0..<columns * rows {
                let v = SIMD2<Int32>(truncatingIfNeeded: whole.base[i])
                result.base[i] = MotionVector(clamping: (v &* factor &+ 512) &>> 10)
            }
            return result
        }
        return zip(stations, stations.dropFirst()).map { from, to in
            OpticalFlow(
                width: width, height: height, level: forward.level, forward: share(from.whole, to.time - from.time),
                backward: share(to.whole, from.time - to.time), context: context)
        }
    }
}
