import FrameCore
import Kernels
import Motion

/// Writes rows of the planes of one size, luma or chroma, of the frame at a phase. Planes of one size share the motion of
/// their samples.
struct SynthesisRows {
    let planes: [SynthesisPlane]
    let isLuma: Bool
    /// log2 of the subsampling of the planes.
    let shift: (x: Int, y: Int)
    let format: PixelFormat
    let motion: IntermediateFlow
    /// Where the paths of content bend; nil if they are straight.
    let offsets: PathOffsets?
    let upsampling: MotionUpsampling
    let context: ExecutionContext

    private var bytes: Int { format.bytesPerSample }

    /// Writes the rows.
    ///
    /// - Parameters:
    ///   - predictions: the neighbours' luma warped along the first motion; nil to warp it here.
    ///   - regions: where the predictions have been weighed.
    ///   - second: the second motion; not nil if there are regions.
    func write(
        _ rows: Range<Int>, _ predictions: FusionBand.Predictions?, _ regions: [FusedRegion], _ second: MotionLayer?
    ) {
        let width = planes[0].plane.width, room = width + 64
        let blend = KernelPair(context.kernels.pointee.blend_row_12_to_8, context.kernels.pointee.blend_row_16)[
            bitDepth: format.bitDepth]
        let warped = isLuma ? predictions : nil, reach = SmoothedPredictions.Reach(shift: shift)
        // Chroma is resampled for the whole band at once where some of it is smoothed, otherwise row by row.
        let height = planes[0].plane.height
        let band =
            isLuma || regions.isEmpty
            ? nil : max(rows.lowerBound - reach.whole, 0)..<min(rows.upperBound + reach.whole, height)
        let memory = Scratch<Int16>((3 + PathOffsets.Row.memoryRows) * room + motion.columns)
        let vx = memory.base, vy = vx + room, weight = vy + room, scratch = weight + room
        let bends = scratch + motion.columns
        let samples = Scratch<UInt16>((2 * planes.count * (band?.count ?? 1) + 2) * room), buffers = samples.base
        func buffer(_ index: Int) -> UnsafeMutableRawPointer { UnsafeMutableRawPointer(buffers + index * room) }
        /// A row of a plane, resampled from both neighbours along the first motion.
        func neighbours(_ index: Int, _ y: Int) -> (a: UnsafeMutableRawPointer, b: UnsafeMutableRawPointer) {
            if let warped { return (warped.a.row(y), warped.b.row(y)) }
            let first = 2 + 2 * ((y - (band?.lowerBound ?? y)) * planes.count + index)
            return (buffer(first), buffer(first + 1))
        }
        func resample(_ y: Int) {
            upsampling.row(y, shift: shift, count: width, outX: vx, outY: vy, scratch: scratch)
            let bent = offsets?.row(y, shift: shift, count: width, memory: bends, room: room, scratch: scratch)
            for index in planes.indices {
                let (rowA, rowB) = neighbours(index, y)
                planes[index].warp.row(y, columns: 0..<width, into: rowA, rowB, vx: vx, vy: vy, offsets: bent)
            }
        }
        if let band { for y in band { resample(y) } }
        let smoothed = regions.map { region in
            isLuma
                ? [region.smoothed]
                : planes.indices.map { index in
                    let smoothed = SmoothedPredictions(
                        columns: columns(of: region, width: width), rows: rows, reach: reach)
                    smoothed.fill(0, size: (width, height), context: context) { neighbours(index, $0).a }
                    smoothed.fill(1, size: (width, height), context: context) { neighbours(index, $0).b }
                    return smoothed
                }
        }
        for y in rows {
            if warped == nil, band == nil { resample(y) }
            motion.weight.upsampleRow(
                y, sideLog2: (motion.sideLog2 - shift.x, motion.sideLog2 - shift.y), gainLog2: 0, count: width,
                into: weight, scratch: scratch, context: context)
            for index in planes.indices {
                let (rowA, rowB) = neighbours(index, y)
                weight.withMemoryRebound(to: UInt16.self, capacity: width) { weight in
                    blend(planes[index].plane.row(y), rowA, rowB, weight, Int32(width))
                }
            }
            guard let second else { continue }
            for (region, smoothed) in zip(regions, smoothed) {
                let columns = columns(of: region, width: width), skipped = columns.lowerBound * 2
                var bent: PathOffsets.Row?
                if !isLuma {
                    second.nearestRow(
                        y, columns: columns, sideLog2: motion.sideLog2, level: motion.level, shift: shift,
                        outX: vx, outY: vy)
                    bent = offsets?.nearestRow(y, columns: columns, shift: shift, memory: bends, room: room)
                }
                for index in planes.indices {
                    let (rowA, rowB) = neighbours(index, y)
                    var others = (UnsafeRawPointer(buffer(0)), UnsafeRawPointer(buffer(1)))
                    if isLuma {
                        let row = region.secondRow(y)
                        let start = (columns.lowerBound - region.secondColumns.lowerBound) * 2
                        others = (UnsafeRawPointer(row.a + start), UnsafeRawPointer(row.b + start))
                    } else {
                        planes[index].warp.row(
                            y, columns: columns, into: buffer(0), buffer(1), vx: vx, vy: vy, offsets: bent)
                    }
                    fuse(
                        planes[index].plane.row(y) + columns.lowerBound * bytes,
                        [UnsafeRawPointer(rowA + skipped), UnsafeRawPointer(rowB + skipped), others.0, others.1]
                            + SmoothedPredictions.predictions.map {
                                UnsafeRawPointer(smoothed[index].row(y, $0, from: columns.lowerBound))
                            },
                        (0..<FusedRegion.predictions).map { weights(region, y, $0) }, columns.count)
                }
            }
        }
    }

    private func fuse(
        _ row: UnsafeMutableRawPointer, _ predictions: [UnsafeRawPointer], _ weights: [UnsafePointer<UInt16>],
        _ count: Int
    ) {
        let fuse = KernelPair(
            context.kernels.pointee.fusion_blend_row_12_to_8, context.kernels.pointee.fusion_blend_row_16)[
                bitDepth: format.bitDepth]
        fuse(row, predictions, weights, Int32(count))
    }

    /// The columns of the planes that a region covers.
    private func columns(of region: FusedRegion, width: Int) -> Range<Int> {
        let side = 1 - shift.x
        return region.columns.lowerBound << side..<min(width, region.columns.upperBound << side)
    }

    private func weights(_ region: FusedRegion, _ y: Int, _ prediction: Int) -> UnsafePointer<UInt16> {
        if shift.x == 0 { return UnsafePointer(region.lumaWeights(y, prediction)) }
        return UnsafePointer(
            region.chromaWeights(y - (region.rows.lowerBound << (1 - shift.y)), prediction))
    }
}

/// A plane of the frame at a phase, and what resamples its neighbours.
struct SynthesisPlane {
    let plane: MutablePlane
    let warp: NeighbourWarp
}
