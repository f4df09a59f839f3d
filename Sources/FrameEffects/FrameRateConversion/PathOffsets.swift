import FrameCore
import Motion

/// Parameters of the offsets of curved paths. The values were chosen by hand, November 2026, on clips that no benchmark
/// uses.
private enum OffsetParameters {
    /// Root of the sum of the squared second differences of both ends, in luma samples, at which an offset has half its
    /// length: smaller ones are mostly errors of the estimated motion.
    static let half: Float = 0.5
    /// Factor of a component in which the two ends bend in opposite directions.
    static let disagreement: Float = 0.5
    /// Factor of an offset that is known from one end only.
    static let oneEnd: Float = 0.7
    /// Root mean square of the second differences of a frame, in luma samples, from which the frame is examined for
    /// shaking, and from which it counts in full.
    static let largeMotion: (from: Float, to: Float) = (2, 4)
    /// Factor of all offsets for large second differences that are not correlated between the two ends, and what a
    /// correlation of 1 adds. A hand-held camera shakes in a way that four frames do not tell.
    static let shaking: (uncorrelated: Float, correlated: Float, most: Float) = (0.7, 1, 1.2)
    /// Largest offset in each component, in 1/32 luma sample: 64 samples.
    static let limit: Float = 2048
    /// Offset of a component above which it is large, in 1/32 luma sample: half a sample; and the percentage of cells with
    /// such offsets above which those of the frame are.
    static let large: (offset: Int16, percent: Int) = (16, 5)
}

/// The offsets, at a phase, of the places where a frame between two others is sampled in both of them from where they
/// would be on straight paths.
///
/// Content that bends away from the straight line between its two positions by a distance is found in both frames at that
/// distance in the opposite direction. All that has been decided along the straight motion remains valid: vectors,
/// visibility and weights change little over such a distance.
struct PathOffsets {
    /// Horizontal offsets of each cell, in 1/32 luma sample.
    private let x: Buffer2D<Int16>
    /// Vertical offsets, likewise.
    private let y: Buffer2D<Int16>
    /// Whether enough of the frame is so far from its straight path that the straight motion to and from it no longer serves
    /// other effects.
    let areLarge: Bool
    /// Whether a row of cells has an offset that is not zero.
    private let isBent: [Bool]
    /// log2 of the side of a cell in luma samples.
    private let sideLog2: Int
    private let context: ExecutionContext

    /// - Parameters:
    ///   - curvature: the curvature of the paths at both frames.
    ///   - motion: the intermediate flow at the phase.
    ///   - phase: the position between the frames, 0…1.
    ///   - context: the threads and kernels to use.
    /// - Returns: nil if no offset differs from zero.
    init?(_ curvature: PathCurvature, _ motion: IntermediateFlow, phase t: Float, context: ExecutionContext) {
        typealias P = OffsetParameters
        sideLog2 = curvature.level + 2
        self.context = context
        // Cells of the intermediate flow have half the side.
        let columns = (motion.columns + 1) / 2, rows = (motion.rows + 1) / 2
        let bends = Buffer2D<SIMD2<Float>>(columns: columns, rows: rows, filledWith: .zero)
        let totals = Buffer2D<SIMD4<Float>>(columns: 1, rows: rows, filledWith: .zero)
        let unit = Float(1 << curvature.level), toCells = 1 / Float(32 << (sideLog2 - motion.level))
        // Newton's form of the polynomial through the positions in four frames, less the straight line.
        let quadratic = t * (t - 1) / 2, cubic = t * (t - 1) * (t - 2) / 6
        parallelBands(rows, height: 8, threads: context.threads) { band in
            for row in band {
                var total = SIMD4<Float>.zero
                for column in 0..<columns {
                    let cell =
                        min(2 * row + 1, motion.rows - 1) * motion.columns + min(2 * column + 1, motion.columns - 1)
                    let v = SIMD2(Float(motion.first.vx.base[cell]), Float(motion.first.vy.base[cell])) * toCells
                    let place = SIMD2(Float(column), Float(row)) + 0.5
                    let first = curvature.first?.at(place - v * t), second = curvature.second?.at(place + v * (1 - t))
                    var bend: SIMD2<Float>, size: Float
                    if let a = first.map({ $0 * unit }), let b = second.map({ $0 * unit }) {
                        bend = b * (quadratic + cubic) - a * cubic
                        let product = a * b
                        bend.replace(with: bend * P.disagreement, where: product .< 0)
                        size = (a * a + b * b).sum()
                        total += SIMD4(product.sum(), size, 1, 0)
                    } else if let end = first ?? second {
                        let end = end * unit
                        bend = end * (quadratic * P.oneEnd)
                        size = 2 * (end * end).sum()
                    } else {
                        continue
                    }
                    bends[column, row] = bend * (size / (size + P.half * P.half))
                }
                totals[0, row] = total
            }
        }
        let total = (0..<rows).reduce(into: SIMD4<Float>.zero) { $0 += totals[0, $1] }
        let scale = -32 * Self.steadiness(total)
        let x = Buffer2D<Int16>(columns: columns, rows: rows), y = Buffer2D<Int16>(columns: columns, rows: rows)
        (self.x, self.y) = (x, y)
        var large = 0
        isBent = (0..<rows).map { row in
            var any: Int16 = 0
            for i in row * columns..<(row + 1) * columns {
                let offset = (bends.base[i] * scale).clamped(
                    lowerBound: .init(repeating: -P.limit), upperBound: .init(repeating: P.limit)
                ).rounded(.toNearestOrAwayFromZero)
                (x.base[i], y.base[i]) = (Int16(offset.x), Int16(offset.y))
                any |= x.base[i] | y.base[i]
                if max(abs(x.base[i]), abs(y.base[i])) > P.large.offset { large += 1 }
            }
            return any != 0
        }
        areLarge = large * 100 > P.large.percent * columns * rows
        if !isBent.contains(true) { return nil }
    }

    /// Returns the factor of all offsets of a frame.
    ///
    /// - Parameter total: sums over the cells whose bend is known at both ends: of the scalar products of the second
    ///   differences, of their squared lengths, and of ones.
    private static func steadiness(_ total: SIMD4<Float>) -> Float {
        typealias P = OffsetParameters
        guard total.y > 0 else { return 1 }
        let size = (total.y / (2 * total.z)).squareRoot(), correlation = 2 * total.x / total.y
        let share = min(max((size - P.largeMotion.from) / (P.largeMotion.to - P.largeMotion.from), 0), 1)
        let factor = min(max(P.shaking.uncorrelated + P.shaking.correlated * correlation, 0), P.shaking.most)
        return 1 + share * (factor - 1)
    }

    /// Offsets of the samples of a part of a row, in 1/32 sample of their plane.
    struct Row {
        /// Rows of memory that a row of offsets needs.
        static let memoryRows = 4
        let x: UnsafePointer<Int16>
        let y: UnsafePointer<Int16>
        /// Room for the places that the samples are read from.
        let places: (x: UnsafeMutablePointer<Int16>, y: UnsafeMutablePointer<Int16>)

        fileprivate init(_ memory: UnsafeMutablePointer<Int16>, room: Int) {
            (x, y) = (UnsafePointer(memory), UnsafePointer(memory + room))
            places = (memory + 2 * room, memory + 3 * room)
        }
    }

    /// Interpolates the offsets of a row linearly.
    ///
    /// - Parameters:
    ///   - y: the row of the plane.
    ///   - shift: log2 of the subsampling of the plane.
    ///   - count: the number of samples.
    ///   - memory: room for ``Row/memoryRows`` rows of `room` values.
    ///   - room: at least `count` rounded up to whole vectors.
    ///   - scratch: room for one row of cells.
    /// - Returns: nil if all offsets are zero.
    func row(
        _ y: Int, shift: (x: Int, y: Int), count: Int, memory: UnsafeMutablePointer<Int16>, room: Int,
        scratch: UnsafeMutablePointer<Int16>
    ) -> Row? {
        let side = (x: sideLog2 - shift.x, y: sideLog2 - shift.y), half = (1 << side.y) / 2
        let below = (y + half) >> side.y
        guard isBent[min(max(below - 1, 0), isBent.count - 1)] || isBent[min(below, isBent.count - 1)] else {
            return nil
        }
        x.upsampleRow(
            y, sideLog2: side, gainLog2: -shift.x, count: count, into: memory, scratch: scratch, context: context)
        self.y.upsampleRow(
            y, sideLog2: side, gainLog2: -shift.y, count: count, into: memory + room, scratch: scratch, context: context
        )
        return Row(memory, room: room)
    }

    /// Copies the offsets of the cells to the samples of the given columns of a row. The other parameters are those of
    /// ``row(_:shift:count:memory:room:scratch:)``.
    func nearestRow(
        _ y: Int, columns: Range<Int>, shift: (x: Int, y: Int), memory: UnsafeMutablePointer<Int16>, room: Int
    ) -> Row? {
        let row = min(y >> (sideLog2 - shift.y), isBent.count - 1), side = sideLog2 - shift.x
        guard isBent[row] else { return nil }
        let cells = row * x.columns
        for column in columns {
            let cell = cells + min(column >> side, x.columns - 1), i = column - columns.lowerBound
            memory[i] = MotionUpsampling.scaled(x.base[cell], -shift.x)
            memory[room + i] = MotionUpsampling.scaled(self.y.base[cell], -shift.y)
        }
        return Row(memory, room: room)
    }
}
