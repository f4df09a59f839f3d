import FrameCore
import Kernels
import Motion

/// Makes the missing rows of one plane of a field: a network weighs what the field itself, the fields around it, and these
/// along the motion show there.
struct MissingRows {
    let network: DeinterlacerNetwork
    let plane: MissingPlane
    /// What stands still and need not be made; nil if nothing does.
    let still: StillRows?
    let format: PixelFormat
    let context: ExecutionContext

    /// Positions in a row of the network.
    private var width: Int { (plane.bob.width + 1) / 2 }
    /// Rows of positions.
    private var height: Int { (plane.rows.missingCount + 1) / 2 }
    private static let predictionCount = Int(VFX_DEINTERLACE_PREDICTIONS)
    /// Rows of positions that are computed as one unit.
    private static let bandRows = 24
    /// The largest difference of all predictions from the interpolated rows at which the mean of those along the motion is
    /// taken instead of the network's choice: in 1/64 level at 8 bits, for luma and chroma. It costs 0.01 dB.
    private static let agreement: (luma: UInt16, chroma: UInt16) = (384, 288)
    /// The pairs of the input that hold these differences: those before the known rows.
    private static let differences = 12

    /// Writes the missing rows of a plane.
    func write(to target: MutablePlane) {
        let merge = KernelPair(
            context.kernels.pointee.deinterlace_merge_row_8, context.kernels.pointee.deinterlace_merge_row_16)[
                bitDepth: format.bitDepth]
        nonisolated(unsafe) let target = target
        parallelBands(height, height: Self.bandRows, threads: context.threads) { band in
            let layers = LayerRows(network.layers, inputPairs: Int(VFX_DEINTERLACE_PAIRS), width: width)
            let weights = PositionWeights(width: width), largest = Scratch<UInt16>(LayerRows.segments(width))
            layers.run(band, context: context) { row, pairs, wanted in
                readInput(row, into: pairs)
                choose(row, pairs, largest.base, wanted: wanted)
                return 0..<width
            } use: { row, outputs, wanted in
                for k in 0..<2 where 2 * row + k < plane.rows.missingCount {
                    let number = 2 * row + k, y = plane.rows.missing(number)
                    weights.read(outputs, row: k, wanted: wanted, context: context)
                    merge(
                        target.row(y), plane.bob.row(y), plane.moved(number), plane.shown(y),
                        weights.rows(), weights.residual, Int32(plane.bob.width), Int32(format.bitDepth))
                }
            }
        }
    }

    /// Chooses the segments of a row that the network is needed for.
    private func choose(
        _ row: Int, _ pairs: [UnsafeMutablePointer<Int32>], _ largest: UnsafeMutablePointer<UInt16>,
        wanted: UnsafeMutablePointer<Bool>
    ) {
        let step = LayerRows.segment, agreement = plane.isLuma ? Self.agreement.luma : Self.agreement.chroma
        context.kernels.pointee.deinterlace_largest_row(
            largest, pairs.prefix(Self.differences).map { UnsafePointer($0) }, Int32(Self.differences), Int32(width),
            Int32(step))
        for segment in 0..<LayerRows.segments(width) {
            wanted[segment] = largest[segment] > agreement
            guard wanted[segment], let still else { continue }
            let columns = 2 * segment * step..<2 * (segment + 1) * step
            let rows = (2 * row..<2 * row + 2).clamped(to: 0..<plane.rows.missingCount)
            wanted[segment] = !rows.allSatisfy { still.covers(columns, row: $0) }
        }
    }

    /// Computes a row of the network's input; rows outside the picture are like the nearest inside it.
    private func readInput(_ row: Int, into pairs: [UnsafeMutablePointer<Int32>]) {
        let input = KernelPair(
            context.kernels.pointee.deinterlace_input_row_8, context.kernels.pointee.deinterlace_input_row_16)[
                bitDepth: format.bitDepth]
        let row = max(0, min(row, height - 1)), rows = plane.rows
        let numbers = (2 * row, min(2 * row + 1, rows.missingCount - 1))
        let y = (rows.missing(numbers.0), rows.missing(numbers.1))
        func constant(_ row: UnsafeMutableRawPointer) -> UnsafeRawPointer { UnsafeRawPointer(row) }
        func moved(_ number: Int) -> VectorOfRows {
            let rows = plane.moved(number)
            return (rows[0], rows[1], rows[2], rows[3])
        }
        func shown(_ y: Int) -> (UnsafeRawPointer, UnsafeRawPointer) {
            (constant(plane.fields.0.row(y)), constant(plane.fields.1.row(y)))
        }
        func known(_ y: Int) -> UnsafeRawPointer { constant(plane.bob.row(rows.nearest(y - 1))) }
        var read = vfx_deinterlace_rows(
            spatial: (constant(plane.bob.row(y.0)), constant(plane.bob.row(y.1))),
            moved: (moved(numbers.0), moved(numbers.1)), fields: (shown(y.0), shown(y.1)),
            known: (known(y.0), known(y.1)),
            vertical: (plane.vertical(numbers.0, 0), plane.vertical(numbers.0, 1)))
        input(pairs, &read, Int32(width), Int32(format.bitDepth))
    }

    private typealias VectorOfRows = (
        UnsafePointer<UInt16>, UnsafePointer<UInt16>, UnsafePointer<UInt16>, UnsafePointer<UInt16>
    )
}

/// The weights of the predictions in a missing row, and what is added to their sum.
private struct PositionWeights: ~Copyable {
    private let memory: Scratch<UInt16>
    private let residuals: Scratch<Int16>
    private let width: Int
    private let room: Int
    private static let predictions = Int(VFX_DEINTERLACE_PREDICTIONS)
    /// The weights where the network is not asked: the mean of the predictions along the motion.
    private static let plain: [UInt16] = [0, 4096, 4096, 0, 4096, 4096]

    /// - Parameter width: the positions of a row.
    init(width: Int) {
        self.width = width
        room = 2 * width + 64
        memory = Scratch(Self.predictions * room)
        residuals = Scratch(room)
    }

    func rows() -> [UnsafePointer<UInt16>] { (0..<Self.predictions).map { UnsafePointer(memory.base + $0 * room) } }

    var residual: UnsafePointer<Int16> { UnsafePointer(residuals.base) }

    /// Computes the weights from the outputs of the network where these are wanted.
    ///
    /// - Parameter row: 0 for the first of the two missing rows of a position, 1 for the second.
    func read(
        _ outputs: [UnsafePointer<Int32>], row: Int, wanted: UnsafePointer<Bool>, context: ExecutionContext
    ) {
        for segment in 0..<LayerRows.segments(width) {
            let x = 2 * segment * LayerRows.segment, count = min(2 * LayerRows.segment, 2 * width - x)
            func scores(_ prediction: Int) -> UnsafePointer<Int16> {
                UnsafeRawPointer(outputs[2 * prediction + row]).assumingMemoryBound(to: Int16.self) + x
            }
            guard wanted[segment] else {
                for k in 0..<Self.predictions {
                    (memory.base + k * room + x).update(repeating: Self.plain[k], count: count)
                }
                (residuals.base + x).update(repeating: 0, count: count)
                continue
            }
            (residuals.base + x).update(from: scores(Self.predictions), count: count)
            context.kernels.pointee.deinterlace_weights_row(
                (0..<Self.predictions).map { memory.base + $0 * room + x }, (0..<Self.predictions).map(scores),
                Int32(count))
        }
    }
}
