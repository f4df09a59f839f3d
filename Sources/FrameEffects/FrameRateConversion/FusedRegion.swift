import FrameCore
import Kernels
import Motion

/// Weights of the predictions for a part of a band, computed by the fusion network.
///
/// Positions are those of the network: each stands for 2×2 luma samples.
final class FusedRegion {
    /// The positions that the weights are for.
    let columns: Range<Int>
    let rows: Range<Int>
    /// Predictions 2 and 3 in luma, from `halo` positions to the left of `columns` and above `rows`, without those outside
    /// the frame.
    private let second: (a: UnsafeMutableRawPointer, b: UnsafeMutableRawPointer)
    private let secondStride: Int
    private let extent: (columns: Range<Int>, rows: Range<Int>)
    /// Predictions 4 to 7 in luma, of the same extent.
    let smoothed: SmoothedPredictions
    /// Weights of the luma samples: rows of 2·`columns.count`, all predictions to a row.
    private let weights: UnsafeMutablePointer<UInt16>
    /// Weights of chroma samples if there are fewer of them than luma samples, likewise.
    private let chromaWeights: UnsafeMutablePointer<UInt16>
    private let memory: UnsafeMutableRawPointer
    /// The number of predictions.
    static let predictions = Int(VFX_FUSION_PREDICTIONS)

    init(columns: Range<Int>, rows: Range<Int>, halo: Int, size: (width: Int, height: Int)) {
        self.columns = columns
        self.rows = rows
        extent = (
            max(0, columns.lowerBound - halo)..<min(size.width, columns.upperBound + halo),
            max(0, rows.lowerBound - halo)..<min(size.height, rows.upperBound + halo)
        )
        secondStride = (2 * extent.columns.count * 2 + 127) / 64 * 64
        let plane = secondStride * 2 * extent.rows.count, luma = 4 * rows.count * columns.count * Self.predictions
        memory = .allocate(byteCount: 2 * plane + luma * 2 * 2, alignment: 64)
        second = (memory, memory + plane)
        weights = (memory + 2 * plane).bindMemory(to: UInt16.self, capacity: 2 * luma)
        chromaWeights = weights + luma
        smoothed = SmoothedPredictions(
            columns: 2 * extent.columns.lowerBound..<2 * extent.columns.upperBound,
            rows: 2 * extent.rows.lowerBound..<2 * extent.rows.upperBound,
            inner: (
                2 * columns.lowerBound..<2 * columns.upperBound, 2 * rows.lowerBound..<2 * rows.upperBound
            ),
            reach: SmoothedPredictions.Reach(shift: (0, 0)))
    }

    deinit { memory.deallocate() }

    /// The luma columns of ``secondRow(_:)``.
    var secondColumns: Range<Int> { 2 * extent.columns.lowerBound..<2 * extent.columns.upperBound }
    /// The luma rows of ``secondRow(_:)``.
    var secondRows: Range<Int> { 2 * extent.rows.lowerBound..<2 * extent.rows.upperBound }

    /// Predictions 2 and 3 in a luma row, from the first of ``secondColumns``.
    func secondRow(_ y: Int) -> (a: UnsafeMutableRawPointer, b: UnsafeMutableRawPointer) {
        let at = (y - secondRows.lowerBound) * secondStride
        return (second.a + at, second.b + at)
    }

    /// The weights of a luma row, from the first column.
    func lumaWeights(_ y: Int, _ prediction: Int) -> UnsafeMutablePointer<UInt16> {
        weights + ((y - 2 * rows.lowerBound) * Self.predictions + prediction) * 2 * columns.count
    }

    /// The weights of a row of a plane with half as many columns.
    func chromaWeights(_ index: Int, _ prediction: Int) -> UnsafeMutablePointer<UInt16> {
        chromaWeights + (index * Self.predictions + prediction) * columns.count
    }
}
