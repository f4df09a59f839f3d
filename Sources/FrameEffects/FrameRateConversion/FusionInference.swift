import FrameCore
import Kernels
import Motion

/// Inference of the fusion network over one region: from the predictions to their weights.
///
/// Beyond the edges of the frame, the input is replicated.
struct FusionInference {
    let network: FusionNetwork
    let region: FusedRegion
    let cells: FusionCells
    let predictions: FusionBand.Predictions
    /// The positions of the frame.
    let size: (width: Int, height: Int)
    let phase: Int32
    let format: PixelFormat
    let context: ExecutionContext
    private static let predictions = 0..<FusedRegion.predictions

    func run() {
        let layers = LayerRows(network.layers, inputPairs: Int(VFX_FUSION_PAIRS), width: region.columns.count)
        layers.run(region.rows, context: context) { row, pairs, _ in
            readInput(row, into: pairs)
        } use: { row, scores, _ in
            weigh(row, scores)
        }
        halveWeights()
    }

    /// - Returns: the positions that are written, relative to the first column of the region.
    private func readInput(_ row: Int, into pairs: [UnsafeMutablePointer<Int32>]) -> Range<Int> {
        let y = min(max(row, 0), size.height - 1), columns = region.columns, halo = network.halo
        let read = max(columns.lowerBound - halo, 0)..<min(columns.upperBound + halo, size.width)
        let x = read.lowerBound, offset = x - columns.lowerBound
        func samples(_ y: Int) -> [UnsafeRawPointer] {
            let second = region.secondRow(y), skipped = (2 * x - region.secondColumns.lowerBound) * 2
            return [
                UnsafeRawPointer(predictions.a.row(y) + 2 * x * 2),
                UnsafeRawPointer(predictions.b.row(y) + 2 * x * 2),
                UnsafeRawPointer(second.a + skipped), UnsafeRawPointer(second.b + skipped),
            ] + [4, 5].map { UnsafeRawPointer(region.smoothed.row(y, $0, from: 2 * x)) }
        }
        var known = cells.row(y, from: x, phase: phase)
        context.kernels.pointee.fusion_input_row(
            pairs.map { $0 + offset }, samples(2 * y), samples(2 * y + 1), &known, Int32(read.count),
            Int32(format.predictionDepth))
        return offset..<offset + read.count
    }

    /// Computes the weights of both luma rows of a row of positions from the scores, the output of the last layer.
    private func weigh(_ row: Int, _ scores: [UnsafePointer<Int32>]) {
        for k in 0..<2 {
            let y = 2 * row + k
            // A pair holds the scores of two adjacent luma samples: the row of pairs is a row of luma samples.
            let list = Self.predictions.map { UnsafeRawPointer(scores[2 * $0 + k]).assumingMemoryBound(to: Int16.self) }
            context.kernels.pointee.fusion_weights_row(
                Self.predictions.map { region.lumaWeights(y, $0) }, list,
                cells.sharesAndTrust(y, from: 2 * region.columns.lowerBound), phase, Int32(2 * region.columns.count))
        }
    }

    /// Computes the weights of chroma from those of luma.
    private func halveWeights() {
        func halve(_ index: Int, _ upper: Int, _ lower: Int) {
            func weights(_ y: Int) -> [UnsafePointer<UInt16>] {
                Self.predictions.map { UnsafePointer(region.lumaWeights(y, $0)) }
            }
            context.kernels.pointee.fusion_halve_weights_row(
                Self.predictions.map { region.chromaWeights(index, $0) }, weights(upper), weights(lower),
                Int32(region.columns.count))
        }
        let first = 2 * region.rows.lowerBound
        switch format.subsampling {
        case .yuv420: for i in 0..<region.rows.count { halve(i, first + 2 * i, first + 2 * i + 1) }
        case .yuv422: for i in 0..<2 * region.rows.count { halve(i, first + i, first + i) }
        case .monochrome, .yuv444: break
        }
    }
}
