import FrameCore
import Kernels
import Motion

/// Parameters of upsampling motion from cells to samples. The values were chosen by hand, November 2026.
private enum UpsamplingParameters {
    /// Distance between adjacent cells' motion, in 1/32 sample of the flow's level, up to which motion between them is
    /// interpolated: three quarters of a sample.
    static let smoothDistance: Int32 = 24
}

/// Upsamples the vectors of a flow to the samples of a plane: linearly where motion is smooth; at a motion edge, each
/// sample takes the vector of its cell, since a mean of two motions belongs to neither.
struct MotionUpsampling {
    private let vx: Buffer2D<Int16>
    private let vy: Buffer2D<Int16>
    /// log2 of the side of a cell in luma samples.
    let sideLog2: Int
    /// The pyramid level of the vectors.
    let level: Int
    /// Not 0 where the four cells around a corner differ: element (x, y) belongs to the upper left corner of cell (x, y).
    private let edges: Buffer2D<UInt8>
    private let context: ExecutionContext

    init(_ motion: IntermediateFlow, context: ExecutionContext) {
        self.init(
            motion.first.vx, motion.first.vy, sideLog2: motion.sideLog2, level: motion.level, context: context)
    }

    /// Upsamples the vectors of a flow field.
    init(_ field: FlowField, context: ExecutionContext) {
        let (vx, vy) = field.components
        self.init(
            vx, vy, sideLog2: field.cellSide.trailingZeroBitCount, level: field.level, context: context)
    }

    /// Upsamples vectors, whose components are given in 1/32 sample of a pyramid level.
    init(
        _ vx: Buffer2D<Int16>, _ vy: Buffer2D<Int16>, sideLog2: Int, level: Int, context: ExecutionContext
    ) {
        (self.vx, self.vy, self.sideLog2, self.level, self.context) = (vx, vy, sideLog2, level, context)
        let edges = Buffer2D<UInt8>(columns: vx.columns + 1, rows: vx.rows + 1, filledWith: 0)
        self.edges = edges
        parallelBands(edges.rows, height: 16, threads: context.threads) { rows in
            for y in rows {
                let above = max(y - 1, 0) * vx.columns, below = min(y, vx.rows - 1) * vx.columns
                for x in 1..<vx.columns {
                    @inline(__always)
                    func distance(_ i: Int, _ j: Int) -> Int32 {
                        abs(Int32(vx.base[i]) &- Int32(vx.base[j])) &+ abs(Int32(vy.base[i]) &- Int32(vy.base[j]))
                    }
                    let first = above &+ x &- 1
                    let most = max(
                        distance(first, above &+ x), distance(first, below &+ x &- 1), distance(first, below &+ x))
                    edges.base[y &* edges.columns &+ x] = most > UpsamplingParameters.smoothDistance ? 1 : 0
                }
                edges[0, y] = edges[1, y]
                edges[vx.columns, y] = edges[vx.columns - 1, y]
            }
        }
    }

    /// Upsamples one row.
    ///
    /// - Parameters:
    ///   - y: the row of the plane.
    ///   - shift: log2 of the subsampling of the plane.
    ///   - count: the number of samples.
    ///   - outX: receives horizontal motion in 1/32 sample of the plane; has room for `count` rounded up to whole vectors.
    ///   - outY: receives vertical motion, likewise.
    ///   - scratch: room for one row of cells.
    func row(
        _ y: Int, shift: (x: Int, y: Int), count: Int, outX: UnsafeMutablePointer<Int16>,
        outY: UnsafeMutablePointer<Int16>, scratch: UnsafeMutablePointer<Int16>
    ) {
        let side = (x: sideLog2 - shift.x, y: sideLog2 - shift.y)
        vx.upsampleRow(
            y, sideLog2: side, gainLog2: level - shift.x, count: count, into: outX, scratch: scratch,
            context: context)
        vy.upsampleRow(
            y, sideLog2: side, gainLog2: level - shift.y, count: count, into: outY, scratch: scratch,
            context: context)
        guard side.x > 0 else { return }
        let corners = min((y + (1 << side.y) / 2) >> side.y, edges.rows - 1) * edges.columns
        let cells = min(y >> side.y, vx.rows - 1) * vx.columns
        context.kernels.pointee.upsample_edges_row(
            outX, outY, Int32(count), vx.base + cells, vy.base + cells, edges.base + corners,
            Int32(vx.columns), Int32(side.x), Int32(shift.x - level), Int32(shift.y - level))
    }

    /// Returns a component in samples of a plane, rounded as linear interpolation does.
    @inline(__always)
    static func scaled(_ v: Int16, _ gainLog2: Int) -> Int16 {
        gainLog2 >= 0
            ? Int16(clamping: Int32(v) << Int32(gainLog2))
            : Int16(truncatingIfNeeded: (Int32(v) &+ 1 << Int32(-gainLog2 - 1)) >> Int32(-gainLog2))
    }
}

extension FlowField {
    /// The components of the vectors in separate buffers, as the kernels require.
    var components: (x: Buffer2D<Int16>, y: Buffer2D<Int16>) {
        let vectors = cells.vectors
        let x = Buffer2D<Int16>(columns: vectors.columns, rows: vectors.rows)
        let y = Buffer2D<Int16>(columns: vectors.columns, rows: vectors.rows)
        for index in 0..<vectors.count {
            x.base[index] = vectors.base[index].x
            y.base[index] = vectors.base[index].y
        }
        return (x, y)
    }
}

extension MotionLayer {
    /// Copies the vectors of the cells to the samples of a part of a row.
    ///
    /// - Parameters: as in ``MotionUpsampling/row(_:shift:count:outX:outY:scratch:)``.
    func nearestRow(
        _ y: Int, columns: Range<Int>, sideLog2: Int, level: Int, shift: (x: Int, y: Int),
        outX: UnsafeMutablePointer<Int16>, outY: UnsafeMutablePointer<Int16>
    ) {
        let side = sideLog2 - shift.x, cells = min(y >> (sideLog2 - shift.y), vx.rows - 1) * vx.columns
        var x = columns.lowerBound
        while x < columns.upperBound {
            let cell = min(x >> side, vx.columns - 1)
            let end = cell == vx.columns - 1 ? columns.upperBound : min((cell + 1) << side, columns.upperBound)
            let valueX = MotionUpsampling.scaled(vx.base[cells + cell], level - shift.x)
            let valueY = MotionUpsampling.scaled(vy.base[cells + cell], level - shift.y)
            while x < end {
                outX[x - columns.lowerBound] = valueX
                outY[x - columns.lowerBound] = valueY
                x += 1
            }
        }
    }
}
