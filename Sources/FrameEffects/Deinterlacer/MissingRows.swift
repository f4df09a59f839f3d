import FrameCore
import Kernels
import Motion

/// Makes the missing rows of one plane of a field: a network weighs what the field itself, the fields around it, and these
/// along the motion show there. Where the picture stands still, the rows of the picture's other field are kept as they are.
struct MissingRows {
    let network: DeinterlacerNetwork
    /// The plane of the field's picture.
    let bob: PaddedPlane
    let rows: FieldRows
    /// From the previous and the next field along the motion between them, then along that of the field itself.
    let predictions: [FieldPrediction]
    /// The same plane of these fields.
    let fields: (PaddedPlane, PaddedPlane)
    let format: PixelFormat
    let context: ExecutionContext

    /// - Throws: `FrameError` if memory cannot be allocated.
    init(
        _ fields: FieldNeighbourhood, plane index: Int, network: DeinterlacerNetwork, format: PixelFormat,
        context: ExecutionContext
    ) throws(FrameError) {
        (self.network, self.format, self.context) = (network, format, context)
        bob = fields.current.reference.planes[index]
        let rows = FieldRows(parity: fields.current.parity, height: bob.height)
        self.rows = rows
        func prediction(_ motion: FieldMotion) throws(FrameError) -> FieldPrediction {
            try FieldPrediction(motion, plane: index, rows: rows, format: format, context: context)
        }
        let between = try [prediction(fields.between.previous), prediction(fields.between.next)]
        // The network was trained with these where a field has no motion of its own.
        let own = try [
            fields.own.previous.map(prediction) ?? between[0], fields.own.next.map(prediction) ?? between[1],
        ]
        predictions = between + own
        self.fields = (
            fields.between.previous.field.reference.planes[index], fields.between.next.field.reference.planes[index]
        )
    }

    /// Positions in a row of the network.
    var width: Int { (bob.width + 1) / 2 }
    /// Rows of positions.
    private var height: Int { (rows.missingCount + 1) / 2 }
    private static let predictionCount = Int(VFX_DEINTERLACE_PREDICTIONS)
    /// Rows of positions that are computed as one unit.
    private static let bandRows = 24

    /// The areas of the plane that are lit in every second field.
    var flicker: FlickerRows {
        FlickerRows(bob: bob, fields: fields, rows: rows, format: format, context: context)
    }

    /// Writes the missing rows of a plane.
    func write(to plane: MutablePlane) {
        let merge = KernelPair(
            context.kernels.pointee.deinterlace_merge_row_8, context.kernels.pointee.deinterlace_merge_row_16)[
                bitDepth: format.bitDepth]
        nonisolated(unsafe) let plane = plane
        parallelBands(height, height: Self.bandRows, threads: context.threads) { band in
            let layers = LayerRows(network.layers, inputPairs: Int(VFX_DEINTERLACE_PAIRS), width: width)
            let count = 2 * width, room = count + 64
            let weights = Scratch<UInt16>(Self.predictionCount * room)
            let weightRows = (0..<Self.predictionCount).map { weights.base + $0 * room }
            layers.run(band, context: context) { row, pairs in
                readInput(row, into: pairs)
                return 0..<width
            } use: { row, outputs in
                for k in 0..<2 where 2 * row + k < rows.missingCount {
                    let number = 2 * row + k, y = rows.missing(number)
                    func scores(_ prediction: Int) -> UnsafePointer<Int16> {
                        UnsafeRawPointer(outputs[2 * prediction + k]).assumingMemoryBound(to: Int16.self)
                    }
                    context.kernels.pointee.deinterlace_weights_row(
                        weightRows, (0..<Self.predictionCount).map(scores), Int32(count))
                    merge(
                        plane.row(y), bob.row(y), predictions.map { $0.row(number) },
                        [UnsafeRawPointer(fields.0.row(y)), UnsafeRawPointer(fields.1.row(y))],
                        weightRows.map { UnsafePointer($0) }, scores(Self.predictionCount), Int32(bob.width),
                        Int32(format.bitDepth))
                }
            }
        }
    }

    /// Computes a row of the network's input; rows outside the picture are like the nearest inside it.
    private func readInput(_ row: Int, into pairs: [UnsafeMutablePointer<Int32>]) {
        let input = KernelPair(
            context.kernels.pointee.deinterlace_input_row_8, context.kernels.pointee.deinterlace_input_row_16)[
                bitDepth: format.bitDepth]
        let row = max(0, min(row, height - 1))
        let numbers = (2 * row, min(2 * row + 1, rows.missingCount - 1))
        let y = (rows.missing(numbers.0), rows.missing(numbers.1))
        func constant(_ row: UnsafeMutableRawPointer) -> UnsafeRawPointer { UnsafeRawPointer(row) }
        func moved(_ number: Int) -> VectorOfRows {
            (
                predictions[0].row(number), predictions[1].row(number), predictions[2].row(number),
                predictions[3].row(number)
            )
        }
        func shown(_ y: Int) -> (UnsafeRawPointer, UnsafeRawPointer) {
            (constant(fields.0.row(y)), constant(fields.1.row(y)))
        }
        var read = vfx_deinterlace_rows(
            spatial: (constant(bob.row(y.0)), constant(bob.row(y.1))), moved: (moved(numbers.0), moved(numbers.1)),
            fields: (shown(y.0), shown(y.1)),
            known: (constant(bob.row(rows.nearest(y.0 - 1))), constant(bob.row(rows.nearest(y.1 - 1)))),
            vertical: (predictions[0].vertical(numbers.0), predictions[1].vertical(numbers.0)))
        input(pairs, &read, Int32(width), Int32(format.bitDepth))
    }

    private typealias VectorOfRows = (
        UnsafePointer<UInt16>, UnsafePointer<UInt16>, UnsafePointer<UInt16>, UnsafePointer<UInt16>
    )
}
