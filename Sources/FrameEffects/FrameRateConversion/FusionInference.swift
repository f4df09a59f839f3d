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

    private var halo: Int { network.halo }
    /// Positions in each row of the input.
    private var count: Int { region.columns.count + 2 * halo }
    /// Distance between rows of pairs: what kernels round up to, and room for a shift by the halo.
    private var pitch: Int { count + 2 * Int(VFX_SUPERRES_STEP) }

    func run() {
        let rows = region.rows.count + 2 * halo
        let pairs = [Int(VFX_FUSION_PAIRS)] + (0..<network.layers.count).map(network.pairs)
        let total = pairs.reduce(0, +) * rows * pitch
        let memory = UnsafeMutablePointer<Int32>.allocate(capacity: total)
        defer { memory.deallocate() }
        // Kernels compute, but do not use, what is between the rows.
        memory.initialize(repeating: 0, count: total)
        var stages: [Stage] = [], next = memory
        for pairs in pairs {
            stages.append(Stage(first: next, pairs: pairs, pitch: pitch))
            next += pairs * rows * pitch
        }
        for row in 0..<rows { readInput(row, stages[0]) }
        var sources: [UnsafePointer<Int32>] = [], targets: [UnsafeMutablePointer<Int32>] = []
        for (index, layer) in network.layers.enumerated() {
            let from = stages[index], to = stages[index + 1], edge = index + 1
            withUnsafePointer(to: layer) { layer in
                for row in edge..<rows - edge {
                    sources.removeAll(keepingCapacity: true)
                    for y in row - 1...row + 1 {
                        for x in edge - 1...edge + 1 {
                            for pair in 0..<from.pairs { sources.append(UnsafePointer(from.row(y, pair) + x)) }
                        }
                    }
                    targets.removeAll(keepingCapacity: true)
                    for pair in 0..<to.pairs { targets.append(to.row(row, pair) + edge) }
                    _ = context.kernels.pointee.superres_features(targets, sources, layer, Int32(count - 2 * edge))
                }
            }
        }
        weigh(stages[network.layers.count])
    }

    /// Rows of pairs: the input, or the output of a layer.
    private struct Stage {
        let first: UnsafeMutablePointer<Int32>
        let pairs: Int
        let pitch: Int

        func row(_ row: Int, _ pair: Int) -> UnsafeMutablePointer<Int32> { first + (row * pairs + pair) * pitch }
    }

    private func readInput(_ row: Int, _ stage: Stage) {
        let y = min(max(region.rows.lowerBound - halo + row, 0), size.height - 1)
        let start = region.columns.lowerBound - halo, x = max(start, 0)
        let inner = min(region.columns.upperBound + halo, size.width) - x
        func samples(_ y: Int) -> [UnsafeRawPointer] {
            let second = region.secondRow(y), skipped = (2 * x - region.secondColumns.lowerBound) * 2
            return [
                UnsafeRawPointer(predictions.a.row(y) + 2 * x * 2),
                UnsafeRawPointer(predictions.b.row(y) + 2 * x * 2),
                UnsafeRawPointer(second.a + skipped), UnsafeRawPointer(second.b + skipped),
            ]
        }
        var known = cells.row(y, from: x, phase: phase)
        context.kernels.pointee.fusion_input_row(
            (0..<stage.pairs).map { stage.row(row, $0) + (x - start) }, samples(2 * y), samples(2 * y + 1), &known,
            Int32(inner), Int32(format.predictionDepth))
        for pair in 0..<stage.pairs {
            let values = stage.row(row, pair), first = values[x - start], last = values[x - start + inner - 1]
            for i in 0..<x - start { values[i] = first }
            for i in x - start + inner..<max(count, x - start + inner) { values[i] = last }
        }
    }

    /// Computes the weights from the scores, the output of the last layer.
    private func weigh(_ scores: Stage) {
        let columns = region.columns.count
        for y in 2 * region.rows.lowerBound..<2 * region.rows.upperBound {
            let row = y / 2 - region.rows.lowerBound + halo
            // A pair holds the scores of two adjacent luma samples: the row of pairs is a row of luma samples.
            let list = (0..<4).map {
                UnsafePointer(
                    UnsafeRawPointer(scores.row(row, 2 * $0 + y % 2) + halo).assumingMemoryBound(to: Int16.self))
            }
            context.kernels.pointee.fusion_weights_row(
                (0..<4).map { region.lumaWeights(y, $0) }, list,
                cells.shares(y, from: 2 * region.columns.lowerBound), phase, Int32(2 * columns))
        }
        func halve(_ index: Int, _ upper: Int, _ lower: Int) {
            func weights(_ y: Int) -> [UnsafePointer<UInt16>] {
                (0..<4).map { UnsafePointer(region.lumaWeights(y, $0)) }
            }
            context.kernels.pointee.fusion_halve_weights_row(
                (0..<4).map { region.chromaWeights(index, $0) }, weights(upper), weights(lower), Int32(columns))
        }
        let first = 2 * region.rows.lowerBound
        switch format.subsampling {
        case .yuv420: for i in 0..<region.rows.count { halve(i, first + 2 * i, first + 2 * i + 1) }
        case .yuv422: for i in 0..<2 * region.rows.count { halve(i, first + i, first + i) }
        case .monochrome, .yuv444: break
        }
    }
}
