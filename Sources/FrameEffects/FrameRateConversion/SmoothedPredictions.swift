import FrameCore
import Kernels
import Motion

/// Predictions 4 to 7 of a part of a plane: those of both neighbours along the first motion, smoothed.
///
/// The fusion network prefers them where no motion fits. Torn edges and lines that neither neighbour shows become soft.
final class SmoothedPredictions {
    /// The predictions: both neighbours smoothed a little, then both smoothed more.
    static let predictions = 4..<Int(VFX_FUSION_PREDICTIONS)

    /// How far smoothing reaches in samples of a plane: its first step, and the second, which smooths the result of the
    /// first. In planes with fewer samples, the first step is left out. Chosen by hand, November 2026.
    struct Reach {
        let little: Int
        let more: Int
        /// The reach of both steps together.
        var whole: Int { little + more }

        /// - Parameter shift: log2 of the subsampling of the plane.
        init(shift: (x: Int, y: Int)) { (little, more) = shift == (0, 0) ? (2, 4) : (0, 2) }
    }

    /// The part of the plane.
    private let columns: Range<Int>
    private let rows: Range<Int>
    /// The part of it in which predictions 6 and 7 are needed.
    private let inner: (columns: Range<Int>, rows: Range<Int>)
    private let reach: Reach
    private let samples: Buffer2D<UInt16>

    /// - Parameters:
    ///   - columns: the columns of the part.
    ///   - rows: the rows of the part.
    ///   - inner: the part of it in which predictions 6 and 7 are needed; nil for all of it.
    ///   - reach: how far smoothing reaches.
    init(
        columns: Range<Int>, rows: Range<Int>, inner: (columns: Range<Int>, rows: Range<Int>)? = nil, reach: Reach
    ) {
        (self.columns, self.rows, self.reach) = (columns, rows, reach)
        self.inner = inner ?? (columns, rows)
        samples = Buffer2D(columns: columns.count, rows: rows.count * Self.predictions.count)
    }

    /// A row of a prediction, from a column on.
    func row(_ y: Int, _ prediction: Int, from column: Int) -> UnsafeMutablePointer<UInt16> {
        let row = (y - rows.lowerBound) * Self.predictions.count + prediction - Self.predictions.lowerBound
        return samples.base + row * columns.count + column - columns.lowerBound
    }

    /// Smooths the prediction of a neighbour.
    ///
    /// - Parameters:
    ///   - neighbour: 0 or 1.
    ///   - size: the size of the plane. Beyond its edges, samples are replicated.
    ///   - source: returns a row of the prediction.
    ///   - context: the threads and kernels to use.
    func fill(
        _ neighbour: Int, size: (width: Int, height: Int), context: ExecutionContext,
        source: (_ y: Int) -> UnsafeMutableRawPointer
    ) {
        let smooth = context.kernels.pointee.fusion_smooth_row
        let whole = reach.whole, wide = columns.lowerBound - whole..<columns.upperBound + whole, pitch = wide.count
        let memory = Scratch<UInt16>((2 * rows.count + 2 * whole + 2 * reach.more) * pitch)
        let read = memory.base, narrowed = reach.little == 0 ? read : read + (rows.count + 2 * whole) * pitch
        for (index, y) in (rows.lowerBound - whole..<rows.upperBound + whole).enumerated() {
            let row = source(min(max(y, 0), size.height - 1)).assumingMemoryBound(to: UInt16.self)
            Self.copy(row, wide, width: size.width, to: read + index * pitch)
        }
        /// The rows that a step reads for a row of its result.
        func sources(_ first: UnsafeMutablePointer<UInt16>, _ index: Int, radius: Int) -> [UnsafePointer<UInt16>] {
            (index...index + 2 * radius).map { UnsafePointer(first + $0 * pitch) }
        }
        for index in 0..<rows.count + 2 * reach.more where reach.little > 0 {
            smooth(
                narrowed + index * pitch, sources(read, index, radius: reach.little),
                Int32(pitch - 2 * reach.little), Int32(reach.little))
        }
        let little = Self.predictions.lowerBound + neighbour
        for (index, y) in rows.enumerated() {
            row(y, little, from: columns.lowerBound).update(
                from: narrowed + (index + reach.more) * pitch + reach.more, count: columns.count)
        }
        let first = inner.columns.lowerBound
        for y in inner.rows {
            smooth(
                row(y, little + 2, from: first),
                sources(narrowed + (first - columns.lowerBound), y - rows.lowerBound, radius: reach.more),
                Int32(inner.columns.count), Int32(reach.more))
        }
    }

    /// Copies columns of a row, some of which may lie outside it.
    private static func copy(
        _ row: UnsafeMutablePointer<UInt16>, _ columns: Range<Int>, width: Int, to target: UnsafeMutablePointer<UInt16>
    ) {
        let inside = max(columns.lowerBound, 0)..<min(columns.upperBound, width)
        let before = inside.lowerBound - columns.lowerBound, end = inside.upperBound - columns.lowerBound
        target.update(repeating: row[0], count: before)
        (target + before).update(from: row + inside.lowerBound, count: inside.count)
        (target + end).update(repeating: row[width - 1], count: columns.count - end)
    }
}
