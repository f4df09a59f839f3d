import FrameCore
import Kernels
import Motion

/// What the network reads of the cells, upsampled to some rows of positions, and the shares and
/// the trust in their luma rows.
struct FusionCells {
    private let rows: Range<Int>
    private let lumaRows: Range<Int>
    private let pitch: Int
    private let values: Buffer2D<Int16>
    private let shares: Buffer2D<Int16>

    /// - Parameters:
    ///   - rows: the rows of positions.
    ///   - luma: the rows of positions whose luma rows' shares are needed.
    ///   - width: positions in a row.
    ///   - context: the threads and kernels to use.
    init(
        _ motion: IntermediateFlow, _ second: MotionLayer, rows: Range<Int>, luma: Range<Int>, width: Int,
        context: ExecutionContext
    ) {
        self.rows = rows
        lumaRows = 2 * luma.lowerBound..<2 * luma.upperBound
        pitch = width + 64
        let values = Buffer2D<Int16>(columns: pitch, rows: 5 * rows.count, filledWith: 0)
        let shares = Buffer2D<Int16>(columns: 2 * pitch, rows: 3 * lumaRows.count, filledWith: 0)
        (self.values, self.shares) = (values, shares)
        let side = motion.sideLog2
        let grids = [motion.first.share, motion.first.trust, second.share, second.trust, motion.distance]
        let memory = Scratch<Int16>(motion.columns), scratch = memory.base
        for y in rows {
            for (k, grid) in grids.enumerated() {
                grid.upsampleRow(
                    y, sideLog2: (side - 1, side - 1), gainLog2: 0, count: width,
                    into: values.base + (5 * (y - rows.lowerBound) + k) * pitch, scratch: scratch,
                    context: context)
            }
        }
        for y in lumaRows {
            for (k, grid) in [motion.first.share, second.share, motion.first.trust].enumerated() {
                grid.upsampleRow(
                    y, sideLog2: (side, side), gainLog2: 0, count: 2 * width,
                    into: shares.base + (3 * (y - lumaRows.lowerBound) + k) * 2 * pitch, scratch: scratch,
                    context: context)
            }
        }
    }

    /// What is known about the motions in a row of positions, from `column`.
    func row(_ y: Int, from column: Int, phase: Int32) -> vfx_fusion_cells {
        func value(_ k: Int) -> UnsafePointer<Int16> {
            UnsafePointer(values.base + (5 * (y - rows.lowerBound) + k) * pitch + column)
        }
        return vfx_fusion_cells(
            share: (value(0), value(2)), trust: (value(1), value(3)), distance: value(4), phase: phase)
    }

    /// The shares of the second neighbour in a luma row along both motions, and the trust in the first, from `column`.
    func sharesAndTrust(_ y: Int, from column: Int) -> [UnsafePointer<Int16>] {
        (0..<3).map { UnsafePointer(shares.base + (3 * (y - lumaRows.lowerBound) + $0) * 2 * pitch + column) }
    }
}
