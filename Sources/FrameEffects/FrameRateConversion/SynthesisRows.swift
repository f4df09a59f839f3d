import FrameCore
import Kernels
import Motion

/// Writes rows of one plane of the frame at a phase.
struct SynthesisRows {
    let plane: MutablePlane
    let index: Int
    /// log2 of the subsampling of the plane.
    let shift: (x: Int, y: Int)
    let format: PixelFormat
    let warp: NeighbourWarp
    let motion: IntermediateFlow
    let upsampling: MotionUpsampling

    private var bytes: Int { format.bytesPerSample }

    /// Writes the rows.
    ///
    /// - Parameters:
    ///   - predictions: the neighbours' luma warped along the first motion; nil to warp it here.
    ///   - regions: where weights have been computed for four predictions.
    ///   - second: the second motion; not nil if there are regions.
    func write(
        _ rows: Range<Int>, _ predictions: FusionBand.Predictions?, _ regions: [FusedRegion], _ second: MotionLayer?
    ) {
        let width = plane.width, room = width + 64
        let blend = bytes == 2 ? kernels.blend_row_16 : kernels.blend_row_8
        withUnsafeTemporaryAllocation(of: Int16.self, capacity: 3 * room + motion.columns) { memory in
            guard let vx = memory.baseAddress else { return }
            let vy = vx + room, weight = vy + room, scratch = weight + room
            withUnsafeTemporaryAllocation(byteCount: 4 * room * 2, alignment: 64) { samples in
                guard let first = samples.baseAddress else { return }
                let buffers = (first, first + 2 * room, first + 4 * room, first + 6 * room)
                for y in rows {
                    var (rowA, rowB) = (buffers.0, buffers.1)
                    if index == 0, let predictions {
                        (rowA, rowB) = (predictions.a.row(y), predictions.b.row(y))
                    } else {
                        upsampling.row(y, shift: shift, count: width, outX: vx, outY: vy, scratch: scratch)
                        warp.row(y, columns: 0..<width, into: rowA, rowB, vx: vx, vy: vy)
                    }
                    motion.weight.upsampleRow(
                        y, sideLog2: (motion.sideLog2 - shift.x, motion.sideLog2 - shift.y), gainLog2: 0, count: width,
                        into: weight, scratch: scratch)
                    weight.withMemoryRebound(to: UInt16.self, capacity: width) { weight in
                        blend(plane.row(y), rowA, rowB, weight, Int32(width))
                    }
                    guard let second else { continue }
                    for region in regions {
                        let columns = columns(of: region)
                        var others = (UnsafeRawPointer(buffers.2), UnsafeRawPointer(buffers.3))
                        if index == 0 {
                            let row = region.secondRow(y)
                            let skipped = (columns.lowerBound - region.secondColumns.lowerBound) * bytes
                            others = (UnsafeRawPointer(row.a + skipped), UnsafeRawPointer(row.b + skipped))
                        } else {
                            second.nearestRow(
                                y, columns: columns, sideLog2: motion.sideLog2, level: motion.level, shift: shift,
                                outX: vx, outY: vy)
                            warp.row(y, columns: columns, into: buffers.2, buffers.3, vx: vx, vy: vy)
                        }
                        let at = columns.lowerBound * bytes
                        fuse(
                            plane.row(y) + at,
                            [UnsafeRawPointer(rowA + at), UnsafeRawPointer(rowB + at), others.0, others.1],
                            (0..<4).map { weights(region, y, $0) }, columns.count)
                    }
                }
            }
        }
    }

    private func fuse(
        _ row: UnsafeMutableRawPointer, _ predictions: [UnsafeRawPointer], _ weights: [UnsafePointer<UInt16>],
        _ count: Int
    ) {
        let fuse = bytes == 2 ? kernels.fusion_blend_row_16 : kernels.fusion_blend_row_8
        fuse(row, predictions, weights, Int32(count))
    }

    /// The columns of the plane that a region covers.
    private func columns(of region: FusedRegion) -> Range<Int> {
        let side = 1 - shift.x
        return region.columns.lowerBound << side..<min(plane.width, region.columns.upperBound << side)
    }

    private func weights(_ region: FusedRegion, _ y: Int, _ prediction: Int) -> UnsafePointer<UInt16> {
        if shift.x == 0 { return UnsafePointer(region.lumaWeights(y, prediction)) }
        return UnsafePointer(
            region.chromaWeights(y - (region.rows.lowerBound << (1 - shift.y)), prediction))
    }
}
